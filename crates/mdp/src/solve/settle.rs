//! From the best cells of a block to its states.
//!
//! The walk tries only one of the splits that differ by an exchange of equal totals, so a state with such totals has
//! several cells, one for each order of its failures, and its value is the best of them.

use super::cells::{Cell, Cells};
use super::walk::Best;
use crate::levels::Levels;
use crate::policy::Table;
use crate::ranks::Ranks;
use crate::splits::Splits;

/// Settles blocks; keeps its lists between them.
#[derive(Debug)]
pub(super) struct Settler<'a> {
    levels: Levels,
    cells: &'a Cells,
    splits: &'a Splits,
    list: Vec<Cell>,
}

/// The best cell of a state.
#[derive(Debug, Clone, Copy)]
struct Winner {
    value: f64,
    pick: u64,
    place: usize,
}

impl<'a> Settler<'a> {
    pub(super) const fn new(levels: Levels, cells: &'a Cells, splits: &'a Splits) -> Self {
        Self { levels, cells, splits, list: Vec::new() }
    }

    /// Values and picks of all states of the block whose cells start at `slot` in each thread's best.
    pub(super) fn settle(&mut self, table: &mut Table, totals: &[usize], found: &[Best], slot: usize) {
        let layout = &table.layout;
        let mut strides = vec![1; totals.len()];
        for axis in (1..totals.len()).rev() {
            strides[axis - 1] = strides[axis] * self.levels.live(totals[axis]);
        }
        let mut list = std::mem::take(&mut self.list);
        self.cells.list(layout, totals, &strides, &mut list);
        let mut winners =
            vec![Winner { value: f64::INFINITY, pick: 0, place: 0 }; layout.block_length(totals)];
        for cell in &list {
            let (value, pick) = self.best_of_threads(layout.ranks(), totals, found, slot + cell.place);
            if value < winners[cell.state].value {
                winners[cell.state] = Winner { value, pick, place: cell.place };
            }
        }
        self.list = list;
        let exchangeable = totals.windows(2).any(|pair| pair[0] == pair[1]);
        let block = layout.block(totals.iter().copied()).expect("only kept blocks are solved");
        for (place, winner) in (block..).zip(&winners) {
            let number = if exchangeable { self.sorted(totals, &strides, winner) } else { winner.pick };
            table.values[place] = 1.0 + winner.value;
            table.picks[place] = u32::try_from(number).expect("splits are numbered with 32 bits");
        }
    }

    /// The best that any thread found for a cell. Threads take roots in order, but which thread takes which root is
    /// chance: of equal values, the one from the first root counts.
    fn best_of_threads(&self, ranks: &Ranks, totals: &[usize], found: &[Best], place: usize) -> (f64, u64) {
        let of = |best: &Best| (best.values[place], best.picks[place]);
        let mut threads = found.iter().map(of);
        let mut first = threads.next().expect("at least one thread");
        for next in threads {
            let tied = next.0.total_cmp(&first.0).is_eq() && next.1 != first.1 && next.0.is_finite();
            if next.0 < first.0
                || (tied && self.root(ranks, totals, next.1) < self.root(ranks, totals, first.1))
            {
                first = next;
            }
        }
        first
    }

    /// Where the root of a split stands in the order of roots.
    fn root(&self, ranks: &Ranks, totals: &[usize], pick: u64) -> usize {
        let split = self.splits.split(totals.len(), pick);
        let mut after: Vec<usize> = totals.iter().zip(split).map(|(total, given)| total + given).collect();
        after.sort_unstable();
        ranks.rank(after)
    }

    /// The split of a winner for the order in which the failures of equal totals are sorted.
    fn sorted(&self, totals: &[usize], strides: &[usize], winner: &Winner) -> u64 {
        let mut split = self.splits.split(totals.len(), winner.pick);
        let level = |axis: usize| winner.place / strides[axis] % self.levels.live(totals[axis]);
        let mut candidates: Vec<(usize, usize, usize)> =
            (0..totals.len()).map(|axis| (totals[axis], level(axis), split[axis])).collect();
        candidates.sort_by_key(|&(total, level, _)| (total, level));
        for (given, (_, _, sorted)) in split.iter_mut().zip(candidates) {
            *given = sorted;
        }
        self.splits.number(&split)
    }
}
