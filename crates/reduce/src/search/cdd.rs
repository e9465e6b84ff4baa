//! Counter-based delta debugging (CDD): chunks of shrinking size, removed where they can be.
//!
//! `ProbDD` keeps a probability for each element; CDD shows that the round number carries the same information. In
//! round r a chunk has the size that is expected to remove the most when each element is needed with probability
//! `p_r = p_0 / (1 - 1/e)^r`, which is about `-1 / ln(1 - p_r)`. Complements are not tested and removed chunks not
//! revisited, which is where the gain over ddmin comes from, and why the answer need not be 1-minimal: a
//! one-by-one pass follows.

use std::fmt;

use super::{Frontier, Reducer, SearchKind, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

/// The share of elements that is needed, as guessed before anything is known.
const NEEDED: f64 = 0.1;
/// How many chunks are on the frontier at once.
const WINDOW: usize = 64;

pub(super) const KIND: SearchKind = SearchKind {
    name: "cdd",
    about: "counter-based delta debugging",
    states: false,
    minimal: false,
    make: |base, _, _| Ok(Box::new(Cdd::new(base))),
};

/// Counter-based delta debugging.
#[derive(Debug, Clone)]
pub struct Cdd {
    best: Subset,
    round: i32,
    chunk: u32,
    /// The rank in the best answer at which the next untried chunk begins.
    from: u32,
    frontier: Frontier,
}

impl Cdd {
    /// A search within these events.
    pub fn new(base: Subset) -> Self {
        let chunk = chunk_size(0).min(base.len().max(1));
        let mut search = Self { best: base, round: 0, chunk, from: 0, frontier: Frontier::new("cdd") };
        search.window();
        search
    }

    fn window(&mut self) {
        while self.from >= self.best.len() {
            if self.chunk <= 1 || self.best.is_empty() {
                return self.frontier.clear();
            }
            self.round += 1;
            self.chunk = chunk_size(self.round).min(self.chunk - 1).max(1);
            self.from = 0;
        }
        let starts = (self.from..self.best.len()).step_by(self.chunk as usize).take(WINDOW);
        let holes = starts.map(|start| start..(start + self.chunk).min(self.best.len()));
        self.frontier.fill("removal", holes.map(|hole| self.best.without(&hole)));
    }
}

/// The chunk size of a round. Whole numbers come out of it, so the last bits of a logarithm do not matter.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 10")]
fn chunk_size(round: i32) -> u32 {
    let kept = 1.0 - (-1.0_f64).exp();
    let needed = NEEDED / kept.powi(round);
    if needed >= 1.0 { 1 } else { (-1.0 / (1.0 - needed).ln()).round().max(1.0) as u32 }
}

impl Reducer for Cdd {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        let tried = u32::try_from(self.frontier.candidates().len()).expect("at most a window");
        match verdict {
            // The sweep goes on behind the hole. Chunks before it that are still open, as they can be with many
            // devices, have their turn in the next round.
            Verdict::Pass => {
                self.best = self.frontier.candidates()[place].subset.clone();
                self.from += u32::try_from(place).expect("at most a window") * self.chunk;
            }
            Verdict::Fail if self.frontier.fail() => self.from += tried * self.chunk,
            Verdict::Fail | Verdict::Open => return Settled::Noted,
        }
        self.window();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Cdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cdd")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_shrink_to_one() {
        let sizes: Vec<u32> = (0..7).map(chunk_size).collect();
        assert_eq!(sizes, [9, 6, 3, 2, 1, 1, 1]);
    }
}
