//! What a trace, a session or a suite says, for people, and how two of them differ.
//!
//! Everything here is a function from data to a [`TextPage`]: lines of text with a tone each. A terminal paints them, and
//! another front end can do otherwise. Text of apps is made harmless on its way into a page. The same is there as data,
//! for programs.
//!
//! Absent: files, devices, terminals, printing, and clocks, but for the moment at which a diff has to be done.

#![warn(missing_docs)]

mod again;
mod chance;
mod crash;
mod diff;
mod explore;
mod page;
mod reduce;
mod replay;
mod session;
mod shell;
mod steps;
mod suite;
mod trace;
mod words;

pub use again::{export, go_on};
pub use diff::{Difference, SessionDifference, SuiteDifference, SuiteSide, TraceDifference, TraceSide};
pub use explore::{found, reduction, stuck};
pub use page::{TextLine, TextPage, TextSpan, Tone};
pub use reduce::{flaky, simplified};
pub use replay::{crashed, inconclusive, missed, not_known, passed_over, which_crash};
pub use session::ShownSession;
pub use shell::{quoted, quoted_path};
pub use steps::StepRanges;
pub use suite::ShownSuite;
pub use trace::ShownTrace;
pub use words::count;
