//! What runs do to the failure level of a candidate: one small matrix for each total and number of runs.
//!
//! Failures never go away, so a row has entries from its own level up to "dead" only. What is missing to 1 is the
//! chance to pass, which ends everything and costs no further step.

use crate::levels::Levels;
use crate::prior::next_binomial;
use crate::{Prior, Setting};

/// All matrices of a setting.
#[derive(Debug)]
pub(super) struct Chances {
    most_runs: usize,
    /// The rows of each matrix, by total and runs: where they start, and one more for the end.
    matrices: Vec<usize>,
    rows: Vec<Row>,
    shares: Vec<f64>,
}

/// From one level: the chances of some adjacent levels after the runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The first of these levels.
    pub(super) first: usize,
    start: usize,
    end: usize,
}

impl Chances {
    /// `None` when they would be too many.
    pub(super) fn new(setting: &Setting, prior: &Prior) -> Option<Self> {
        let levels = Levels::new(setting);
        let most_runs = (setting.m() as usize).min(levels.runs());
        if !fits(levels, most_runs, prior.points().len()) {
            return None;
        }
        let binomials: Vec<Vec<Vec<f64>>> =
            prior.points().iter().map(|&point| binomials(point, most_runs)).collect();
        let mut chances = Self { most_runs, matrices: vec![0], rows: Vec::new(), shares: Vec::new() };
        for total in 0..levels.runs() {
            let tallies: Vec<(usize, Vec<f64>)> = (0..levels.live(total))
                .map(|level| levels.lowest(total) + level)
                .map(|failures| (failures, prior.posterior((number(total - failures), number(failures)))))
                .collect();
            for runs in 0..=most_runs {
                if total + runs <= levels.runs() {
                    for (failures, posterior) in &tallies {
                        let new_failures = |wanted: usize| -> f64 {
                            let points = posterior.iter().zip(&binomials);
                            points.map(|(weight, chances)| weight * chances[runs][wanted]).sum()
                        };
                        chances.add_row(levels, total + runs, *failures, runs, new_failures);
                    }
                }
                chances.matrices.push(chances.rows.len());
            }
        }
        Some(chances)
    }

    fn add_row(
        &mut self,
        levels: Levels,
        after: usize,
        failures: usize,
        runs: usize,
        chance: impl Fn(usize) -> f64,
    ) {
        let start = self.shares.len();
        let (lowest, fatal) = (levels.lowest(after), levels.fatal());
        let first = failures.max(lowest);
        self.shares.extend((first..fatal.min(failures + runs + 1)).map(|level| chance(level - failures)));
        if failures + runs >= fatal {
            self.shares.push((fatal - failures..=runs).map(chance).sum());
        }
        self.rows.push(Row { first: first - lowest, start, end: self.shares.len() });
    }

    /// The rows of the live levels of a total, when the candidate gets so many runs.
    pub(super) fn matrix(&self, total: usize, runs: usize) -> &[Row] {
        let matrix = total * (self.most_runs + 1) + runs;
        &self.rows[self.matrices[matrix]..self.matrices[matrix + 1]]
    }

    /// The entries of a row.
    pub(super) fn shares(&self, row: Row) -> &[f64] {
        &self.shares[row.start..row.end]
    }
}

fn fits(levels: Levels, most_runs: usize, points: usize) -> bool {
    const MOST_WORK: usize = 1 << 30;
    let entries = levels.most_live().saturating_mul(levels.most().min(most_runs + 1));
    let matrices = levels.runs().saturating_mul(most_runs + 1);
    matrices.saturating_mul(entries).saturating_mul(points) <= MOST_WORK
}

/// The chances of each number of failures, for 0, 1, ... runs.
fn binomials(point: f64, most_runs: usize) -> Vec<Vec<f64>> {
    let mut chances = vec![1.0];
    let mut all = vec![chances.clone()];
    for _ in 0..most_runs {
        next_binomial(point, &mut chances);
        all.push(chances.clone());
    }
    all
}

fn number(small: usize) -> u32 {
    u32::try_from(small).expect("at most the runs of a candidate")
}
