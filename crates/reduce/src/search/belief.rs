//! The descent of the default reducer as a search, under any rule: group testing with beliefs.
//!
//! A question is one candidate, and the rule says when it is answered. So this believes what it is told: the runs with
//! which the default watches for bad luck are the rule's business here.

use std::fmt;

use super::{Frontier, Reducer, SearchKind, Settled};
use crate::auto::{Descent, DescentStart};
use crate::{Candidate, CandidateId, Subset, Verdict};

pub(super) const KIND: SearchKind = SearchKind {
    name: "belief",
    about: "asks about the chunk that promises most for its cost",
    states: false,
    minimal: false,
    make: |base, _, _| Ok(Box::new(BeliefSearch::new(base))),
};

/// Group testing with beliefs.
#[derive(Debug, Clone)]
pub struct BeliefSearch {
    descent: Descent,
    best: Subset,
    frontier: Frontier,
}

impl BeliefSearch {
    /// A search within these events, of which the last one stays.
    pub fn new(base: Subset) -> Self {
        Self::within(base, true)
    }

    /// A search within a list of anything, of which all may go.
    pub fn free(base: Subset) -> Self {
        Self::within(base, false)
    }

    fn within(base: Subset, last: bool) -> Self {
        let list = base.positions().collect();
        let descent =
            Descent::new(DescentStart { list, launch: false, last, weights: None, monitored: false });
        let mut search = Self { descent, best: base, frontier: Frontier::new("belief") };
        search.next();
        search
    }

    fn next(&mut self) {
        match self.descent.wanted() {
            Some(list) => self.frontier.fill("question", [list.clone()]),
            None => self.frontier.clear(),
        }
    }
}

impl Reducer for BeliefSearch {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        let list = &self.frontier.candidates()[place].subset;
        match verdict {
            Verdict::Open => return Settled::Noted,
            Verdict::Pass => {
                self.best = list.clone();
                // Nothing stands behind the end of an empty list.
                self.descent.settle(Some(self.best.positions().last().unwrap_or_default()));
            }
            Verdict::Fail => {
                self.descent.settle(None);
            }
        }
        self.next();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for BeliefSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("belief")
    }
}
