//! Many traces in, fewer and shorter ones out, with the same coverage (DetReduce).
//!
//! [`SuiteInput`] is the input, read and numbered. [`Shrink`] is the work on it, a step machine: it orders replays,
//! is told what they showed, and ends with a suite whose traces were all confirmed by replays; [`SuiteReport`] says
//! what came of it. Two algorithms share everything but their decisions: the one that was published, and one that
//! plans on a model of the app, replays only what it wants, and chooses by device time.
//!
//! Absent: clock, thread, file, device, randomness. The work is a function of the sequence of results it is told,
//! which is why a journal of results is all that resuming needs.

mod algorithm;
mod bits;
mod classic;
mod cover;
mod evidence;
mod input;
mod item;
mod loops;
mod order;
mod planned;
mod reading;
mod report;
#[cfg(test)]
mod scripted;
mod settings;
mod shrink;
mod splice;

pub use algorithm::{Bound, Optimum, SuitePhase};
pub use input::{StepRef, SuiteInput};
pub use item::Item;
pub use order::{Effort, Followed, Leg, Purpose, ReplayOrder, Sighting};
pub use reading::{InputError, Joins, Reading};
pub use report::{Cut, Flaky, ItemCounts, Kept, Lost, Mismatch, SuiteReport, Totals, Why};
pub use settings::{Mode, SuiteSettings};
pub use shrink::{Shrink, Spent, SuiteProgress};
