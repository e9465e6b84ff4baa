//! What the tests of all rooms share: saying that a part is missing here, and waiting until something holds.
//!
//! Only tests use it.

mod requirement;
mod wait;

pub use requirement::{Requirement, recordings, skipped};
pub use wait::{PATIENCE, until, until_some};
