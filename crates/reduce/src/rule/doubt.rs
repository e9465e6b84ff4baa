//! Two bounds on the evidence for a candidate, and a cap on its runs: what the sequential rules share.
//!
//! A candidate is in doubt while its evidence lies between the bounds. At the cap the nearer bound decides. A
//! verdict that no further run up to the cap could change is given at once: it costs nothing and spares runs.

use crate::{Tally, Verdict};

/// When doubt ends. The evidence grows with every success and shrinks with every failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    /// Evidence of this much or less: it fails.
    pub(super) fail: f64,
    /// Evidence of this much or more: it passes.
    pub(super) pass: f64,
}

/// What every tally up to the cap means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Doubt {
    cap: u32,
    /// By runs, then by failures: a tally with r runs and f failures is number r (r + 1) / 2 + f.
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    verdict: Verdict,
    /// The most further runs before a verdict.
    wanted: u32,
}

/// The most runs of a candidate that are asked for without being told otherwise.
pub(super) const CAP: u32 = 60;

/// The largest cap: a candidate that needs more runs is not worth them, and the table stays small.
pub(super) const MOST: u32 = 200;

impl Bounds {
    /// What this evidence means by itself.
    fn verdict(self, evidence: f64) -> Verdict {
        if evidence >= self.pass {
            Verdict::Pass
        } else if evidence <= self.fail {
            Verdict::Fail
        } else {
            Verdict::Open
        }
    }

    /// What it means when there are no more runs.
    pub(super) fn nearer(self, evidence: f64) -> Verdict {
        if evidence >= f64::midpoint(self.fail, self.pass) { Verdict::Pass } else { Verdict::Fail }
    }
}

impl Doubt {
    /// Works out all tallies up to the cap; from its end, since a tally depends on those that follow it.
    pub(super) fn new(cap: u32, bounds: Bounds, evidence: impl Fn(Tally) -> f64) -> Self {
        let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(cap as usize + 1);
        for runs in (0..=cap).rev() {
            let row: Vec<Cell> = (0..=runs)
                .map(|missed| {
                    let evidence = evidence(Tally::new(runs - missed, missed));
                    let (reached, missed) = match rows.last() {
                        None => return Cell { verdict: bounds.nearer(evidence), wanted: 0 },
                        Some(next) => next_cells(next, missed),
                    };
                    match bounds.verdict(evidence) {
                        Verdict::Open if reached.verdict != missed.verdict || reached.wanted > 0 => {
                            Cell { verdict: Verdict::Open, wanted: 1 + reached.wanted.max(missed.wanted) }
                        }
                        Verdict::Open => Cell { verdict: reached.verdict, wanted: 0 },
                        verdict => Cell { verdict, wanted: 0 },
                    }
                })
                .collect();
            rows.push(row);
        }
        Self { cap, cells: rows.into_iter().rev().flatten().collect() }
    }

    /// The verdict on a tally; `None` beyond the cap, where only the nearer bound counts.
    pub(super) fn judge(&self, tally: Tally) -> Option<Verdict> {
        self.cell(tally).map(|cell| cell.verdict)
    }

    /// The most further runs before a verdict.
    pub(super) fn wanted(&self, tally: Tally) -> u32 {
        self.cell(tally).map_or(0, |cell| cell.wanted)
    }

    fn cell(&self, tally: Tally) -> Option<&Cell> {
        let (runs, missed) = (tally.runs() as usize, tally.missed as usize);
        (runs <= self.cap as usize).then(|| &self.cells[runs * (runs + 1) / 2 + missed])
    }
}

/// Where one more run leads a tally with so many failures.
fn next_cells(next: &[Cell], missed: u32) -> (&Cell, &Cell) {
    let missed = missed as usize;
    (&next[missed], &next[missed + 1])
}
