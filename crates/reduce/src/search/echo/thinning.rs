//! What of a way is needed, where it has whole runs of events between two looks?
//!
//! Mostly one event of a run is, and the others are idle. So what can go at the front is found by bisection; the event
//! behind that is needed; then everything behind it is tried at once, and bisected in its turn when that fails. Of n
//! events of which k are needed that takes about k log n trials, where delta debugging takes several times as many.
//! The last event is never tried: it is the one that reached the target.
//!
//! Apps are not monotone, so a pass that tries single events follows.

use std::fmt;

use crate::search::{Frontier, Reducer, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// Takes from a way that passed what is not needed.
#[derive(Debug, Clone)]
pub(super) struct Thinning {
    best: Subset,
    /// Events at the front of the best answer that are known to be needed.
    needed: u32,
    /// So many events behind those are too many to go; one more than there are when that is not known.
    too_many: u32,
    /// How many of them are left out by the trial on the frontier.
    out: u32,
    frontier: Frontier,
}

impl Thinning {
    /// Thins out these events.
    pub(super) fn new(base: Subset) -> Self {
        let (best, frontier) = (base, Frontier::new("echo"));
        let mut search = Self { too_many: best.len(), best, needed: 0, out: 0, frontier };
        search.ask();
        search
    }

    /// How many events are neither known to be needed nor the last.
    fn open(&self) -> u32 {
        self.best.len().saturating_sub(self.needed + 1)
    }

    /// Asks for half of what may go, or for all when nothing is known of all together.
    fn ask(&mut self) {
        if self.too_many == 1 && self.open() > 0 {
            self.needed += 1;
            self.too_many = self.open() + 1;
        }
        let open = self.open();
        if open == 0 {
            return self.frontier.clear();
        }
        self.out = if self.too_many > open { open } else { self.too_many / 2 };
        let shorter = self.best.without(&(self.needed..self.needed + self.out));
        self.frontier.fill("thinning", [shorter]);
    }
}

impl Reducer for Thinning {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        match verdict {
            Verdict::Open => return Settled::Noted,
            Verdict::Pass => {
                self.best = self.frontier.candidates()[place].subset.clone();
                self.too_many -= self.out;
            }
            Verdict::Fail => self.too_many = self.out,
        }
        self.ask();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Thinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("echo")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Runs the search against an oracle; returns the answer and how often it asked.
    fn thin(events: u32, oracle: impl Fn(&Subset) -> bool) -> (Subset, u32) {
        let mut search = Thinning::new(Subset::all(events));
        let mut asked = 0;
        while let [candidate] = search.frontier() {
            let (id, passes) = (candidate.id, oracle(&candidate.subset));
            assert!(candidate.subset.len() < search.best().len(), "every trial could gain something");
            search.settle(id, if passes { Verdict::Pass } else { Verdict::Fail });
            asked += 1;
        }
        assert!(search.frontier().is_empty(), "one trial at a time");
        (search.best().clone(), asked)
    }

    #[test]
    fn one_needed_event_among_eight_takes_five_trials_at_most() {
        for needed in 0..7 {
            let (kept, asked) = thin(8, |kept| kept.has(needed) && kept.has(7));
            assert_eq!(kept, Subset::from_positions([needed, 7]));
            assert!(asked <= 5, "{asked} for {needed}");
        }
        assert_eq!(thin(8, |kept| kept.has(7)), (Subset::from_positions([7]), 1));
    }

    #[test]
    fn there_may_be_nothing_to_thin_out() {
        assert_eq!(thin(0, |_| false), (Subset::empty(), 0));
        assert_eq!(thin(1, |_| false), (Subset::all(1), 0));
        assert_eq!(thin(2, |_| false), (Subset::all(2), 1));
        assert_eq!(thin(6, |_| false), (Subset::all(6), 11));
    }

    proptest! {
        /// When more events never hurt, exactly what is needed is left, and the last event.
        #[test]
        fn finds_what_is_needed(events in 1_u32..60, needed in prop::collection::btree_set(0_u32..60, 0..6)) {
            let needed: Vec<u32> = needed.into_iter().filter(|event| *event < events - 1).collect();
            let (kept, asked) = thin(events, |kept| needed.iter().all(|&event| kept.has(event)));
            prop_assert_eq!(kept.positions().collect::<Vec<_>>(), [&needed[..], &[events - 1]].concat());
            let most = u32::try_from(needed.len() + 1).unwrap() * (events.ilog2() + 2);
            prop_assert!(asked <= most, "{} trials for {} of {}", asked, needed.len(), events);
        }
    }
}
