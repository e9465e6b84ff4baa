//! The values after a step, as a tensor with one axis for each candidate: its live levels, then "dead".

use super::cells::{Cell, Cells};
use crate::levels::Levels;
use crate::policy::Table;

/// Fills tensors; keeps its lists between them.
#[derive(Debug)]
pub(super) struct Expander<'a> {
    levels: Levels,
    cells: &'a Cells,
    /// The tables of 1, 2, ... candidates, as far as they are solved.
    tables: &'a [Table],
    /// The table being solved; its later batches are done.
    current: &'a Table,
    list: Vec<Cell>,
}

impl<'a> Expander<'a> {
    pub(super) const fn new(
        levels: Levels,
        cells: &'a Cells,
        tables: &'a [Table],
        current: &'a Table,
    ) -> Self {
        Self { levels, cells, tables, current, list: Vec::new() }
    }

    /// The tensor for these sorted totals, which may be full ones.
    pub(super) fn fill(&mut self, totals: &[usize], tensor: &mut [f64]) {
        let mut strides = vec![1; totals.len()];
        for axis in (1..totals.len()).rev() {
            strides[axis - 1] = strides[axis] * self.levels.all(totals[axis]);
        }
        for dead in 0_u32..1 << totals.len() {
            let is_dead = |axis: usize| dead >> axis & 1 == 1;
            let possible = |axis: usize| {
                let (live, all) = (self.levels.live(totals[axis]), self.levels.all(totals[axis]));
                if is_dead(axis) { all > live } else { live > 0 }
            };
            if !(0..totals.len()).all(possible) {
                continue;
            }
            let base: usize = (0..totals.len())
                .filter(|&axis| is_dead(axis))
                .map(|axis| self.levels.live(totals[axis]) * strides[axis])
                .sum();
            let (rest, rest_strides): (Vec<usize>, Vec<usize>) = (0..totals.len())
                .filter(|&axis| !is_dead(axis))
                .map(|axis| (totals[axis], strides[axis]))
                .unzip();
            self.copy(&rest, &rest_strides, base, tensor);
        }
    }

    /// Copies the block of the live candidates to where it belongs.
    fn copy(&mut self, totals: &[usize], strides: &[usize], base: usize, tensor: &mut [f64]) {
        if totals.is_empty() {
            tensor[base] = 0.0;
            return;
        }
        let table = self.tables.get(totals.len() - 1).unwrap_or(self.current);
        let block = table.layout.block(totals.iter().copied()).expect("a step leads to a state that is kept");
        self.cells.list(&table.layout, totals, strides, &mut self.list);
        for cell in &self.list {
            tensor[base + cell.place] = table.values[block + cell.state];
        }
    }
}
