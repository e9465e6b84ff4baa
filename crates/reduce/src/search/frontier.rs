//! The open candidates of a search, and the bookkeeping that every search needs.

use crate::{Candidate, CandidateId, Goal, Label, Subset};

/// What a search wants to know now. It is filled at once, and emptied by verdicts.
#[derive(Debug, Clone)]
pub(super) struct Frontier {
    search: &'static str,
    round: u32,
    next_id: u64,
    candidates: Vec<Candidate>,
    failed: usize,
}

impl Frontier {
    /// An empty frontier of the search with this name.
    pub(super) fn new(search: &'static str) -> Self {
        Self { search, round: 0, next_id: 0, candidates: Vec::new(), failed: 0 }
    }

    /// A new round with these candidates, best first.
    pub(super) fn fill(&mut self, role: &'static str, subsets: impl IntoIterator<Item = Subset>) {
        self.fill_toward(role, Goal::Target, subsets);
    }

    /// A new round whose trials must reach something on the way.
    pub(super) fn fill_toward(
        &mut self,
        role: &'static str,
        goal: Goal,
        subsets: impl IntoIterator<Item = Subset>,
    ) {
        self.round += 1;
        self.failed = 0;
        self.candidates.clear();
        for (subset, nth) in subsets.into_iter().zip(1..) {
            let label = Label { round: (self.search, self.round), role, nth, of: 0 };
            self.candidates.push(Candidate { id: CandidateId(self.next_id), subset, goal, label });
            self.next_id += 1;
        }
        let of = u32::try_from(self.candidates.len()).expect("no more candidates than events");
        for candidate in &mut self.candidates {
            candidate.label.of = of;
        }
    }

    /// Nothing more is wanted.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
    }

    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    pub(super) fn place(&self, id: CandidateId) -> usize {
        let first = self.candidates.first().map_or(0, |candidate| candidate.id.0);
        let place = usize::try_from(id.0 - first).ok().filter(|place| *place < self.candidates.len());
        place.expect("only what is on the frontier is settled")
    }

    /// Notes a failure; says whether all have failed now.
    pub(super) fn fail(&mut self) -> bool {
        self.failed += 1;
        self.failed >= self.candidates.len()
    }
}
