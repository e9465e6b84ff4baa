//! What a finished run tells.

use std::sync::Arc;

use retap_reduce::{Ended, Order, Outcome};
use retap_trace::{Crash, Micros};

/// What happened in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it ended, and after how many events.
    pub ended: Ended,
    /// Device time it took.
    pub took: Micros,
    /// The crash that ended it, the one looked for or another.
    pub crash: Option<Crash>,
    pub device: String,
    /// What went wrong with the device, when it is inconclusive.
    pub why: Option<String>,
    /// Where it went, for runs that measure a rate: each activity with the number of events before it came to the
    /// front.
    pub path: Vec<(u32, Arc<str>)>,
    /// The state it ended in, where somebody looked: what tells it from others, and how people would call it.
    pub last_state: Option<(u64, String)>,
    /// Whether it ended because the widget of the next event was not on the screen.
    pub without_widget: bool,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done<O = Order, R = Report> {
    pub order: O,
    /// The worker's place in the lab, from 0.
    pub place: u32,
    /// When it ended, on the lab's clock.
    pub at: Micros,
    pub report: R,
}

impl Report {
    /// A run of which nothing is known yet but where it is done.
    pub(crate) fn begun(device: &str) -> Self {
        Self {
            ended: Ended { outcome: Outcome::Inconclusive, events: 0 },
            took: Micros::ZERO,
            crash: None,
            device: device.to_owned(),
            why: None,
            path: Vec::new(),
            last_state: None,
            without_widget: false,
        }
    }
}
