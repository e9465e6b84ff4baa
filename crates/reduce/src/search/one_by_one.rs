//! One event at a time: what makes an answer 1-minimal under its rule.
//!
//! Every event is tried for removal, the last first: what a crash needs is often at the end, so early removals
//! fail late ones less. After a removal that works all others are open again, because apps are not monotone;
//! what the ledger knows costs nothing.

use std::fmt;

use super::{Frontier, Reducer, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// How many removals are on the frontier at once: enough for any number of devices, and a list of 100,000 events
/// does not make 100,000 candidates of 100,000 events each.
const WINDOW: u32 = 64;

/// Removes single events until none can go.
#[derive(Debug, Clone)]
pub struct OneByOne {
    best: Subset,
    /// Events from this rank on have been tried without success since the last removal.
    untried: u32,
    /// Where the sweep began: after a removal it goes on from there, and round to it again.
    in_vain: u32,
    frontier: Frontier,
}

impl OneByOne {
    /// A pass over these events.
    pub fn new(base: Subset) -> Self {
        let untried = base.len();
        let mut search = Self { best: base, untried, in_vain: 0, frontier: Frontier::new("one-by-one") };
        search.window();
        search
    }

    /// The next removals to try, from the end toward the front; from the front the sweep goes on at the end.
    fn window(&mut self) {
        let len = self.best.len();
        if self.in_vain >= len {
            return self.frontier.clear();
        }
        if self.untried == 0 {
            self.untried = len;
        }
        let first = self.untried.saturating_sub(WINDOW.min(len - self.in_vain));
        let ranks = (first..self.untried).rev();
        self.frontier.fill("removal", ranks.map(|rank| self.best.without(&(rank..rank + 1))));
    }
}

impl Reducer for OneByOne {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        let tried = u32::try_from(self.frontier.candidates().len()).expect("at most a window");
        match verdict {
            Verdict::Pass => {
                let rank = self.untried - 1 - u32::try_from(place).expect("at most a window");
                self.best = self.frontier.candidates()[place].subset.clone();
                self.untried = rank;
                self.in_vain = 0;
            }
            Verdict::Fail if self.frontier.fail() => {
                self.untried -= tried;
                self.in_vain += tried;
            }
            Verdict::Fail | Verdict::Open => return Settled::Noted,
        }
        self.window();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for OneByOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one-by-one")
    }
}
