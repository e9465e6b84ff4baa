//! What a finished run tells.

use retap_reduce::{Order, Outcome};
use retap_trace::{Crash, Micros};

/// What happened in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Events that were performed.
    pub events: u32,
    /// Device time it took.
    pub took: Micros,
    /// The crash that ended it, the one looked for or another.
    pub crash: Option<Crash>,
    /// The device it ran on.
    pub device: String,
    /// What went wrong with the device, when it is inconclusive.
    pub why: Option<String>,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What was to be done.
    pub order: Order,
    /// The device's place in the lab, from 0.
    pub place: u32,
    /// When it ended, on the lab's clock.
    pub at: Micros,
    /// What happened.
    pub report: Report,
}
