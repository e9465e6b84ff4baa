//! A search that never loses the launch.

use std::fmt;

use super::{Reducer, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// A search among the events behind the first one, which launches the app and is part of every candidate: without
/// it nothing happens, and trying that out costs runs.
pub(super) struct Rooted {
    search: Box<dyn Reducer>,
    frontier: Vec<Candidate>,
    best: Subset,
}

impl Rooted {
    pub(super) fn new(search: Box<dyn Reducer>) -> Self {
        let mut rooted = Self { best: with_launch(search.best()), search, frontier: Vec::new() };
        rooted.look();
        rooted
    }

    fn look(&mut self) {
        let launched =
            |candidate: &Candidate| Candidate { subset: with_launch(&candidate.subset), ..candidate.clone() };
        self.frontier = self.search.frontier().iter().map(launched).collect();
        self.best = with_launch(self.search.best());
    }
}

fn with_launch(subset: &Subset) -> Subset {
    Subset::from_ranges(std::iter::once(0..1).chain(subset.ranges()))
}

impl Reducer for Rooted {
    fn frontier(&self) -> &[Candidate] {
        &self.frontier
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let settled = self.search.settle(id, verdict);
        if settled == Settled::Moved {
            self.look();
        }
        settled
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Rooted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.search.fmt(f)
    }
}
