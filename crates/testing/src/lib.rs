//! What the tests of all rooms share: saying that a part is missing here, waiting until something holds, asking servers of
//! this computer, and other people's packages.
//!
//! Only tests use it.

mod http;
mod packages;
mod requirement;
mod wait;

pub use http::{HttpAnswer, http};
pub use packages::{node_with, python_with};
pub use requirement::{Requirement, recordings, skipped};
pub use wait::{PATIENCE, until, until_some};
