//! One search after the other, each within the answer of the one before.

use std::fmt;

use super::{Reducer, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// Makes a search within some events.
type Make = Box<dyn FnOnce(Subset) -> Box<dyn Reducer>>;

pub struct Chain {
    name: String,
    search: Box<dyn Reducer>,
    /// The searches to come, the next one last.
    rest: Vec<Make>,
    /// Candidates keep their numbers apart from those of earlier searches.
    frontier: Vec<Candidate>,
    offset: u64,
}

impl Chain {
    /// A chain with this name that starts with this search.
    pub fn new(name: impl Into<String>, first: Box<dyn Reducer>) -> Self {
        let mut chain =
            Self { name: name.into(), search: first, rest: Vec::new(), frontier: Vec::new(), offset: 0 };
        chain.renumber();
        chain
    }

    /// Adds a search to its end.
    #[must_use]
    pub fn then(mut self, make: impl FnOnce(Subset) -> Box<dyn Reducer> + 'static) -> Self {
        self.rest.insert(0, Box::new(make));
        self.renumber();
        self
    }

    /// The frontier of the search at hand, or of the next one that wants anything.
    fn renumber(&mut self) {
        while self.search.frontier().is_empty() {
            let Some(make) = self.rest.pop() else { break };
            self.search = make(self.search.best().clone());
            self.offset = self.frontier.last().map_or(self.offset, |last| last.id.0 + 1);
        }
        let shifted = |candidate: &Candidate| Candidate {
            id: CandidateId(candidate.id.0 + self.offset),
            ..candidate.clone()
        };
        self.frontier = self.search.frontier().iter().map(shifted).collect();
    }
}

impl Reducer for Chain {
    fn frontier(&self) -> &[Candidate] {
        &self.frontier
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let settled = self.search.settle(CandidateId(id.0 - self.offset), verdict);
        if settled == Settled::Moved {
            self.renumber();
        }
        settled
    }

    fn best(&self) -> &Subset {
        self.search.best()
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("name", &self.name)
            .field("left", &self.rest.len())
            .finish_non_exhaustive()
    }
}
