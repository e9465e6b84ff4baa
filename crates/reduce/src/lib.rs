//! One trace in, fewer events out.
//!
//! Three independent axes, each a folder: [`search`] says which subsequences are worth trying, [`rule`] says
//! when a candidate counts as reproducing, [`schedule`] says which open candidate gets the next free device.
//! [`Reduction`] joins them into one step machine that checks the whole trace, searches, and confirms the
//! answer by fresh runs. [`auto`] is the default, which is more than a point in that space: it asks by single runs and
//! judges strictly only in the end.
//!
//! Absent: clock, thread, file, device, randomness. A reduction is a function of the sequence of results it is
//! told, which is why a journal of results is all that resuming needs.

mod algorithm;
pub mod auto;
mod candidate;
mod ending;
mod ledger;
mod measurement;
mod rate;
mod reduction;
pub mod rule;
pub mod schedule;
pub mod search;
mod subset;
mod tally;
mod values;

pub use algorithm::{Algorithm, Order, Ticket};
pub use candidate::{Candidate, CandidateId, Goal, Label};
pub use ending::{Batch, Ended, Phase, ReducedList, Reducing, ReductionEnding, RunCounts};
pub use ledger::Ledger;
pub use measurement::Measurement;
pub use rate::Rate;
pub use reduction::{Doubts, Reduction, ReductionSettings, Within};
pub use subset::Subset;
pub use tally::{Outcome, Tally, Verdict};
pub use values::{EventRun, Given, Replayed, ValueShrinker};
