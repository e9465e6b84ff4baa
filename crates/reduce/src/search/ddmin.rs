//! Delta debugging with k restarting at n (ND3MIN, section 3; Zeller and Hildebrandt's ddmin for n = 2).
//!
//! 1. The empty trace is tried first: it is a legal answer.
//! 2. The trace is cut into k parts of near-equal size. If a part passes, go on with it and k = n;
//! 3. else if a complement passes, go on with it and k = max(k - 1, 2);
//! 4. else double k; when k was the number of events, the trace is the answer, and 1-minimal under its rule.

use std::fmt;
use std::ops::Range;

use super::{Frontier, Reducer, SearchKind, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

pub(super) const KIND: SearchKind = SearchKind {
    name: "ddmin",
    about: "delta debugging, as ND3MIN has it",
    states: false,
    minimal: true,
    make: |base, _, options| Ok(Box::new(Ddmin::new(base, options.parts))),
};

/// Delta debugging.
#[derive(Debug, Clone)]
pub struct Ddmin {
    best: Subset,
    /// k starts here again after each part that passes.
    restart: u32,
    k: u32,
    turn: Turn,
    frontier: Frontier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Empty,
    Parts,
    Complements,
    Over,
}

impl Ddmin {
    /// A search within these events that starts with `parts` parts (2 is the classic).
    pub fn new(base: Subset, parts: u32) -> Self {
        let (restart, frontier) = (parts.max(2), Frontier::new("ddmin"));
        let mut search = Self { best: base, restart, k: restart, turn: Turn::Empty, frontier };
        if search.best.is_empty() {
            search.turn = Turn::Over;
        } else {
            search.frontier.fill("empty", [Subset::empty()]);
        }
        search
    }

    fn adopt(&mut self, subset: Subset) {
        let from_part = self.turn != Turn::Complements;
        self.best = subset;
        self.k = if from_part { self.restart } else { (self.k - 1).max(2) };
        self.cut();
    }

    /// All on the frontier have failed: the next turn.
    fn turn(&mut self) {
        match self.turn {
            Turn::Empty => self.cut(),
            // With two parts the complements are the parts.
            Turn::Parts if self.k > 2 => {
                self.turn = Turn::Complements;
                let holes = cuts(self.best.len(), self.k);
                self.frontier.fill("complement", holes.map(|hole| self.best.without(&hole)));
            }
            Turn::Parts | Turn::Complements if self.k < self.best.len() => {
                self.k = (self.k * 2).min(self.best.len());
                self.cut();
            }
            Turn::Parts | Turn::Complements | Turn::Over => self.over(),
        }
    }

    fn cut(&mut self) {
        if self.best.len() < 2 {
            // Its only shorter subsequence is the empty one, which was tried first.
            return self.over();
        }
        self.k = self.k.min(self.best.len());
        self.turn = Turn::Parts;
        let parts = cuts(self.best.len(), self.k);
        self.frontier.fill("part", parts.map(|part| self.best.part(&part)));
    }

    fn over(&mut self) {
        self.turn = Turn::Over;
        self.frontier.clear();
    }
}

impl Reducer for Ddmin {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        match verdict {
            Verdict::Pass => self.adopt(self.frontier.candidates()[place].subset.clone()),
            Verdict::Fail if self.frontier.fail() => self.turn(),
            Verdict::Fail | Verdict::Open => return Settled::Noted,
        }
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Ddmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ddmin")
    }
}

/// Cuts so many events into k contiguous parts whose sizes differ by at most one; none is left out.
fn cuts(events: u32, k: u32) -> impl Iterator<Item = Range<u32>> {
    let at = move |nth: u32| {
        let cut = u64::from(events) * u64::from(nth) / u64::from(k);
        u32::try_from(cut).expect("at most the number of events")
    };
    (0..k).map(move |nth| at(nth)..at(nth + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Runs the search against a deterministic oracle; returns the answer and how often it asked.
    fn search(events: u32, parts: u32, oracle: impl Fn(&Subset) -> bool) -> (Vec<u32>, usize) {
        let mut ddmin = Ddmin::new(Subset::all(events), parts);
        let mut asked = 0;
        while let Some(open) = ddmin.frontier().first().map(|_| ddmin.frontier().to_vec()) {
            for candidate in open {
                asked += 1;
                let verdict = if oracle(&candidate.subset) { Verdict::Pass } else { Verdict::Fail };
                if ddmin.settle(candidate.id, verdict) == Settled::Moved {
                    break;
                }
            }
        }
        (ddmin.best().positions().collect(), asked)
    }

    #[test]
    fn finds_what_is_needed() {
        let needed = [0, 21, 22, 35];
        let (kept, asked) = search(36, 2, |subset| needed.iter().all(|&event| subset.has(event)));
        assert_eq!(kept, needed);
        assert!(asked < 130, "{asked}");
    }

    #[test]
    fn an_empty_answer_costs_one_question() {
        assert_eq!(search(500, 5, |_| true), (vec![], 1));
        assert_eq!(search(0, 2, |_| true), (vec![], 0));
    }

    #[test]
    fn parts_lose_nothing() {
        for events in 1..60 {
            for k in 1..=events {
                let parts: Vec<_> = cuts(events, k).collect();
                let sizes = parts.iter().map(|part| part.end - part.start);
                assert_eq!(sizes.clone().sum::<u32>(), events);
                assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1, "{events} in {k}");
            }
        }
    }

    proptest! {
        /// Against any deterministic oracle, monotone or not, the answer passes and is 1-minimal.
        #[test]
        fn the_answer_is_one_minimal(events in 1_u32..40, parts in 2_u32..6, salt: u64, share in 1_u64..8) {
            let oracle = |subset: &Subset| {
                let mixed = subset.positions().fold(salt, |sum, event| {
                    (sum ^ u64::from(event)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
                });
                subset.len() == events || mixed % 8 < share
            };
            let (kept, _) = search(events, parts, oracle);
            let kept = Subset::from_positions(kept);
            prop_assert!(oracle(&kept));
            for rank in 0..kept.len() {
                prop_assert!(!oracle(&kept.without(&(rank..rank + 1))), "{kept:?} without its event {rank}");
            }
        }
    }
}
