//! What is known of every candidate ever tried.

use std::collections::BTreeMap;

use crate::{Goal, Outcome, Subset, Tally};

/// The evidence on each subsequence, kept over passes and restarts: no run is ever bought twice.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    tallies: BTreeMap<(Goal, Subset), Tally>,
}

impl Ledger {
    /// What is known of a subsequence.
    pub fn tally(&self, subset: &Subset, goal: Goal) -> Tally {
        // A tuple of borrows cannot look up a map of owned tuples; a subset is two words and a counter.
        self.tallies.get(&(goal, subset.clone())).copied().unwrap_or_default()
    }

    /// What is known of all subsequences that hold these events and lack one. If that event is not needed, each of them
    /// reaches the target at least as often as these events alone.
    pub fn without(&self, event: u32, core: &Subset) -> Tally {
        let lacks = |list: &Subset| !list.has(event) && core.positions().all(|other| list.has(other));
        let mut sum = Tally::default();
        for ((goal, list), tally) in &self.tallies {
            if *goal == Goal::Target && list.len() >= core.len() && lacks(list) {
                sum = Tally::new(sum.reached + tally.reached, sum.missed + tally.missed);
            }
        }
        sum
    }

    /// How many subsequences have been run.
    pub fn len(&self) -> u32 {
        u32::try_from(self.tallies.len()).unwrap_or(u32::MAX)
    }

    /// Whether nothing has been run.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    pub fn add(&mut self, subset: &Subset, goal: Goal, outcome: Outcome) -> Tally {
        let tally = self.tallies.entry((goal, subset.clone())).or_default();
        tally.add(outcome);
        *tally
    }
}
