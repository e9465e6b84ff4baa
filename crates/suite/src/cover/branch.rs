//! Branch and bound over the columns that can still be part of a cheaper choice.

use super::lagrange::{Relaxation, as_f64, without_redundant};
use super::{Choice, Problem};

struct Search<'p> {
    problem: &'p Problem,
    holders: Vec<Vec<u32>>,
    prices: Vec<f64>,
    /// The columns that can be part of a cheaper choice.
    columns: Vec<usize>,
    /// Columns that are ruled out: on this branch, or for good.
    out: Vec<bool>,
    /// How often each row is covered by what is taken.
    times: Vec<u32>,
    taken: Vec<usize>,
    best: (Vec<usize>, u64),
    nodes: u32,
    /// Whether every branch was looked at.
    complete: bool,
}

/// Looks for a cheaper choice than the relaxation met, at no more than so many nodes.
pub(super) fn search(problem: &Problem, relaxation: &Relaxation<'_>, nodes: u32) -> Choice {
    let (choice, cost) = relaxation.best();
    let bound = ceil(relaxation.bound()).min(cost);
    if problem.rows == 0 {
        return Choice { columns: Vec::new(), cost: 0, bound: 0 };
    }
    let gap = as_f64(cost) - relaxation.bound();
    // A column whose price is beyond the gap is in no cheaper choice.
    let out: Vec<bool> = (0..problem.columns.len()).map(|column| relaxation.reduced(column) >= gap).collect();
    let mut search = Search {
        problem,
        holders: relaxation.holders().to_vec(),
        prices: (0..problem.rows).map(|row| relaxation.price(row)).collect(),
        columns: (0..out.len()).filter(|&column| !out[column]).collect(),
        out,
        times: vec![0; problem.rows],
        taken: Vec::new(),
        best: (choice.to_vec(), cost),
        nodes,
        complete: true,
    };
    if bound < cost {
        search.descend(0);
    }
    let (columns, cost) = search.best;
    let bound = if search.complete { cost } else { bound.min(cost) };
    Choice { columns, cost, bound }
}

impl Search<'_> {
    fn descend(&mut self, cost: u64) {
        if self.nodes == 0 {
            self.complete = false;
            return;
        }
        self.nodes -= 1;
        let open = |row: &usize| self.times[*row] == 0;
        let Some(row) = (0..self.problem.rows).filter(open).min_by_key(|&row| (self.free(row).count(), row))
        else {
            let (chosen, cost) = without_redundant(self.problem, self.taken.clone());
            if cost < self.best.1 {
                self.best = (chosen, cost);
            }
            return;
        };
        if self.bound(cost) >= as_f64(self.best.1) {
            return;
        }
        let mut columns: Vec<(f64, usize)> =
            self.free(row).map(|column| (self.due(column), column)).collect();
        columns.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut ruled_out = Vec::new();
        for (_, column) in columns {
            self.take(column, true);
            self.descend(cost + self.problem.columns[column].cost);
            self.take(column, false);
            // What comes after covers the row otherwise.
            self.out[column] = true;
            ruled_out.push(column);
        }
        for column in ruled_out {
            self.out[column] = false;
        }
    }

    fn free(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.holders[row].iter().map(|&column| column as usize).filter(|&column| !self.out[column])
    }

    fn take(&mut self, column: usize, take: bool) {
        for &row in &self.problem.columns[column].rows {
            let times = &mut self.times[row as usize];
            *times = if take { *times + 1 } else { *times - 1 };
        }
        if take {
            self.taken.push(column);
        } else {
            self.taken.pop();
        }
    }

    /// What a column costs more than its open rows are worth.
    fn due(&self, column: usize) -> f64 {
        let column = &self.problem.columns[column];
        let open = column.rows.iter().filter(|&&row| self.times[row as usize] == 0);
        as_f64(column.cost) - open.map(|&row| self.prices[row as usize]).sum::<f64>()
    }

    /// No choice on this branch is cheaper.
    fn bound(&self, cost: u64) -> f64 {
        let open = (0..self.problem.rows).filter(|&row| self.times[row] == 0);
        let worth: f64 = open.map(|row| self.prices[row]).sum();
        let free = self.columns.iter().filter(|&&column| !self.out[column]);
        let saved: f64 = free.map(|&column| self.due(column).min(0.0)).sum();
        as_f64(cost) + worth + saved
    }
}

/// Costs are whole numbers; a hair below one is that one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cost, not negative")]
fn ceil(bound: f64) -> u64 {
    (bound - 1e-6 * bound.abs().max(1.0)).ceil().max(0.0) as u64
}
