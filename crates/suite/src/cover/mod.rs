//! Weighted set cover: the cheapest columns that together have every row.
//!
//! Lagrangian relaxation prices the rows and bounds the cost from below; a greedy choice by these prices bounds it
//! from above; a branch and bound closes the gap as far as a number of nodes allows. Everything is deterministic
//! and bounded.

mod branch;
mod lagrange;
mod reduce;

#[cfg(test)]
mod tests;

use lagrange::Relaxation;

/// One of the things to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// The rows it has, in order, without repetition.
    pub(crate) rows: Vec<u32>,
    pub(crate) cost: u64,
}

/// What there is to choose from. Every row is in some column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problem {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The chosen columns, in order.
    pub(crate) columns: Vec<usize>,
    pub(crate) cost: u64,
    /// No choice is cheaper than this.
    pub(crate) bound: u64,
}

/// Prices of rows: as much as each contributes to the cost of covering them all.
#[derive(Debug, Clone)]
pub(crate) struct Prices {
    pub(crate) rows: Vec<f64>,
    /// The columns of the best choice that was met on the way.
    pub(crate) choice: Vec<usize>,
}

impl Problem {
    /// The cheapest choice that so many nodes of branch and bound find.
    pub(crate) fn solve(&self, nodes: u32) -> Choice {
        let core = reduce::reduce(self);
        let mut relaxation = Relaxation::new(&core.problem);
        relaxation.run(300);
        let found = branch::search(&core.problem, &relaxation, nodes);
        let mut columns: Vec<usize> = found.columns.iter().map(|&column| core.origin[column]).collect();
        columns.extend(&core.essential);
        columns.sort_unstable();
        let base: u64 = core.essential.iter().map(|&column| self.columns[column].cost).sum();
        Choice { columns, cost: base + found.cost, bound: base + found.bound }
    }

    /// Prices for the rows, after so many rounds of adjusting them.
    pub(crate) fn prices(&self, rounds: u32) -> Prices {
        let merged = reduce::merge(self);
        let mut relaxation = Relaxation::new(&merged.problem);
        relaxation.run(rounds);
        let mut rows = vec![0.0; self.rows];
        for (row, &group) in merged.group.iter().enumerate() {
            rows[row] = relaxation.price(group as usize) / f64::from(merged.size[group as usize]);
        }
        Prices { rows, choice: relaxation.best().0.to_vec() }
    }
}
