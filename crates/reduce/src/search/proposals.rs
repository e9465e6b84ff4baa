//! Guesses, tried in order; the first that passes is taken.

use std::fmt;

use super::{Frontier, Reducer, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// A list of guesses. Each is tried alone, because a later one is a worse guess and only worth a run when the
/// earlier ones have failed.
#[derive(Debug, Clone)]
pub struct Proposals {
    name: &'static str,
    best: Subset,
    /// The guesses that are left, the next one last.
    left: Vec<Subset>,
    frontier: Frontier,
}

impl Proposals {
    /// These guesses, best first, about what of the base is needed. A guess that is no shorter than the base is
    /// left out: nothing could be gained.
    pub fn new(name: &'static str, base: Subset, guesses: Vec<Subset>) -> Self {
        let mut left: Vec<Subset> = guesses.into_iter().filter(|guess| guess.len() < base.len()).collect();
        left.reverse();
        let mut search = Self { name, best: base, left, frontier: Frontier::new(name) };
        search.next();
        search
    }

    fn next(&mut self) {
        match self.left.pop() {
            Some(guess) => self.frontier.fill("guess", [guess]),
            None => self.frontier.clear(),
        }
    }
}

impl Reducer for Proposals {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        match verdict {
            Verdict::Open => return Settled::Noted,
            Verdict::Pass => {
                self.best = self.frontier.candidates()[place].subset.clone();
                self.left.clear();
            }
            Verdict::Fail => {}
        }
        self.next();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Proposals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
