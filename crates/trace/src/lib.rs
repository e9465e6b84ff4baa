//! The nouns of retap: events, steps, traces, GUI trees, selectors, observations, crashes, targets.
//!
//! Everything else is written in these words. Invariants, all about absence: no I/O beyond reading and
//! writing traces through `std::io` traits, no clock, no threads, no device, no algorithm.

#![warn(missing_docs)]

#[cfg(test)]
mod any;
mod chance;
mod claim;
mod crash;
mod event;
mod format;
mod geometry;
mod harmless;
mod json;
mod key;
mod linux_key;
mod observation;
mod package;
mod selector;
mod state;
mod step;
mod suggest;
mod target;
mod time;
mod tree;

pub use chance::{Dice, Seed};
pub use claim::{ConfirmedRate, TraceDigest};
pub use crash::{Crash, CrashKind, Frame, NoCrash, Signature, Thrown};
pub use event::{Aim, Aiming, Event, Orientation, SystemEvent};
pub use format::{MAX_LINE, TRACE_VERSION, TraceError, TraceProblem, TraceReader, TraceWriter};
pub use geometry::{Point, Rect, Size};
pub use harmless::{harmless, steers};
pub use json::JsonError;
pub use key::Key;
pub use linux_key::LinuxKey;
pub use observation::Observation;
pub use package::is_package;
pub use selector::{Selector, WidgetLabel, WidgetPath};
pub use state::{Level, Seen, StateKey};
pub use step::{After, AppId, CoverageId, Extra, Found, Header, Start, Step, Trace};
pub use suggest::{did_you_mean, unknown};
pub use target::Target;
pub use time::Micros;
pub use tree::{Flag, Flags, GuiTree, Node, NodeId};
