//! Exact optimal schedules by backward induction (ND3MIN, section 4.3).
//!
//! Every step adds runs, so states fall into batches by their runs divided by m, and each batch depends on later
//! ones only. Tables are solved for 1, 2, ... n live candidates: when a candidate dies, the rest is a state of a
//! smaller table. Three things make it fast:
//!
//! - After the runs of a step, a candidate's total is certain and only its failure level is open. So a step from
//!   all states with the same totals is a small tensor, multiplied along each axis by the chances of one candidate.
//! - Steps that lead to the same totals share all of these products but the last ones ([`walk`]).
//! - Candidates with the same total can be exchanged: only one of the equivalent splits is tried.
//!
//! This is the one pure room with threads: a batch is divided over scoped threads that end before it does, the
//! result does not depend on their number or speed, and the work is far too much for one.

mod batch;
mod cells;
mod chances;
mod expand;
mod kernel;
mod progress;
mod settle;
mod walk;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use thiserror::Error;

use crate::layout::Layout;
use crate::levels::Levels;
use crate::policy::Policy;
use crate::policy::Table;
use crate::splits::Splits;
use crate::{Prior, Setting};
use batch::Problem;
use cells::Cells;
use chances::Chances;
use progress::Progress;

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// More states or schedules than memory and patience allow.
    #[error(
        "n = {n}, m = {m}, nr = {nr}, st = {st} has too many {what} for an exact solution; use smaller numbers",
        n = .setting.n(), m = .setting.m(), nr = .setting.nr(), st = .setting.st()
    )]
    TooLarge { setting: Setting, what: &'static str },
    /// The watcher said stop.
    #[error("the solution was cancelled")]
    Cancelled,
}

/// Solves a setting for a prior.
///
/// `watch` is told the fraction that is done, from time to time and on the caller's thread; when it answers
/// `Break`, the work stops soon. At the end it is told 1. The policy is the same for any number of threads.
pub fn solve(
    setting: Setting,
    prior: &Prior,
    threads: NonZeroUsize,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Policy, SolveError> {
    let too_large = |what| SolveError::TooLarge { setting, what };
    let levels = Levels::new(&setting);
    let splits = splits(&setting).ok_or_else(|| too_large("schedules"))?;
    let layouts = layouts(&setting).ok_or_else(|| too_large("states"))?;
    if !fits(levels, layouts.len()) {
        return Err(too_large("outcomes"));
    }
    let chances = Chances::new(&setting, prior).ok_or_else(|| too_large("outcomes"))?;
    let cells = Cells::new(levels, layouts.len());
    let mut tables: Vec<Table> = Vec::with_capacity(layouts.len());
    let mut progress = Progress::new(&setting, watch);
    for layout in layouts {
        let problem = Problem { setting, levels, splits: &splits, chances: &chances, cells: &cells };
        let table = problem.solve(&tables, layout, threads, &mut progress).ok_or(SolveError::Cancelled)?;
        tables.push(table);
    }
    progress.finish();
    Ok(Policy::new(setting, prior.clone(), splits, tables))
}

/// The layouts for 1, 2, ... n candidates.
///
/// As long as nobody is dead, the runs sum to a multiple of m. With fewer candidates they sum to anything, since the
/// dead ones took an unknown part.
pub(crate) fn layouts(setting: &Setting) -> Option<Vec<Layout>> {
    const MOST_CANDIDATES: usize = walk::MOST_CANDIDATES;
    let levels = Levels::new(setting);
    let (n, m) = (setting.n() as usize, setting.m() as usize);
    if n > MOST_CANDIDATES {
        return None;
    }
    (1..=n).map(|k| Layout::new(levels, k, if k < n { 1 } else { m })).collect()
}

/// The splits of a step of this setting.
pub(crate) fn splits(setting: &Setting) -> Option<Splits> {
    let (n, m, nr) = (setting.n() as usize, setting.m() as usize, setting.nr() as usize);
    Splits::new(n, m.min(n * nr), m.min(nr))
}

/// Whether a tensor of so many candidates has a bearable size.
fn fits(levels: Levels, candidates: usize) -> bool {
    const MOST_CELLS: usize = 1 << 22;
    let mut cells = 1_usize;
    (0..candidates).all(|_| {
        cells = cells.saturating_mul(levels.most());
        cells <= MOST_CELLS
    })
}

#[cfg(test)]
mod tests;
