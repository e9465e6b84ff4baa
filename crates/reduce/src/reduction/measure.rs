//! A number of runs of one trace, to see its rate.

use crate::{Subset, Tally};

/// Runs of one trace, to see its rate.
pub(super) struct Measure {
    /// Measures are numbered, so that their runs are told apart.
    pub(super) number: u32,
    pub(super) subset: Subset,
    pub(super) tally: Tally,
    pub(super) running: u32,
    pub(super) runs: u32,
    pub(super) until: Until,
}

/// When a measure is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// At the first run that reaches the target.
    Hit,
    /// After all runs, or when so many of them cannot reach the target any more.
    Least(u32),
    /// After all runs.
    All,
}

impl Measure {
    pub(super) fn new(number: u32, subset: Subset, runs: u32, until: Until) -> Self {
        Self { number, subset, tally: Tally::default(), running: 0, runs, until }
    }

    pub(super) fn left(&self) -> u32 {
        self.runs.saturating_sub(self.tally.runs())
    }

    pub(super) fn spare(&self) -> u32 {
        self.left().saturating_sub(self.running)
    }

    /// Whether enough runs reached the target, as soon as that is certain. Where people are told the rate, a yes waits
    /// for all runs.
    pub(super) fn enough(&self) -> Option<bool> {
        let Tally { reached, missed } = self.tally;
        let all = self.left() == 0;
        match self.until {
            Until::Hit if reached > 0 => Some(true),
            Until::Hit => all.then_some(false),
            Until::Least(least) if missed > self.runs - least => Some(false),
            Until::All if reached == 0 => all.then_some(false),
            Until::Least(_) | Until::All => all.then_some(true),
        }
    }
}
