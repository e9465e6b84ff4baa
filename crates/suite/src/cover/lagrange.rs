//! Lagrangian relaxation: rows get prices, columns are worth what their rows are, and nobody can cover all rows for
//! less than the prices add up to (Beasley; Caprara, Fischetti and Toth, A Heuristic Method for the Set Covering
//! Problem, 1999).

use super::Problem;

/// The relaxation of a problem, at its current prices.
#[derive(Debug, Clone)]
pub(super) struct Relaxation<'p> {
    problem: &'p Problem,
    /// The columns of each row.
    holders: Vec<Vec<u32>>,
    prices: Vec<f64>,
    /// The prices that gave the best bound, and the bound.
    best_prices: Vec<f64>,
    bound: f64,
    /// The cheapest choice met so far.
    choice: Vec<usize>,
    cost: u64,
}

impl<'p> Relaxation<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        let mut holders = vec![Vec::new(); problem.rows];
        for (number, column) in (0_u32..).zip(&problem.columns) {
            column.rows.iter().for_each(|&row| holders[row as usize].push(number));
        }
        let share = |&column: &u32| {
            let column = &problem.columns[column as usize];
            as_f64(column.cost) / as_f64(column.rows.len() as u64)
        };
        let prices: Vec<f64> =
            holders.iter().map(|columns| columns.iter().map(share).fold(f64::INFINITY, f64::min)).collect();
        let best_prices = prices.clone();
        let mut new =
            Self { problem, holders, prices, best_prices, bound: 0.0, choice: Vec::new(), cost: u64::MAX };
        new.round_off();
        new
    }

    pub(super) fn price(&self, row: usize) -> f64 {
        self.best_prices[row]
    }

    /// The best choice met, and its cost.
    pub(super) fn best(&self) -> (&[usize], u64) {
        (&self.choice, self.cost)
    }

    /// No choice is cheaper.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    /// What a column costs more than its rows are worth, at the best prices.
    pub(super) fn reduced(&self, column: usize) -> f64 {
        let column = &self.problem.columns[column];
        as_f64(column.cost) - column.rows.iter().map(|&row| self.best_prices[row as usize]).sum::<f64>()
    }

    pub(super) fn holders(&self) -> &[Vec<u32>] {
        &self.holders
    }

    /// Adjusts the prices: rows that are covered too often become cheaper, rows that are not become dearer.
    pub(super) fn run(&mut self, rounds: u32) {
        const PATIENCE: u32 = 15;
        const CHOOSE_EVERY: u32 = 12;
        let mut stride = 0.3;
        let mut since = 0;
        for round in 0..rounds {
            let (bound, excess) = self.relax();
            since += 1;
            if bound > self.bound {
                since = 0;
                self.bound = bound;
                self.best_prices.clone_from(&self.prices);
            }
            if round % CHOOSE_EVERY == 0 {
                self.round_off();
            }
            if since >= PATIENCE {
                stride *= 0.6;
                since = 0;
                self.prices.clone_from(&self.best_prices);
                if stride < 0.003 {
                    break;
                }
                continue;
            }
            let norm: f64 = excess.iter().map(|&one| f64::from(one) * f64::from(one)).sum();
            let gap = as_f64(self.cost) * 1.02 - bound;
            if norm < 0.5 || gap <= 0.0 {
                break;
            }
            let step = stride * gap / norm;
            for (price, &one) in self.prices.iter_mut().zip(&excess) {
                *price = (*price + step * f64::from(one)).max(0.0);
            }
        }
        self.prices.clone_from(&self.best_prices);
        self.round_off();
    }

    /// The bound at the current prices, and for each row 1 less the number of worthwhile columns that have it.
    fn relax(&self) -> (f64, Vec<i32>) {
        let mut bound: f64 = self.prices.iter().sum();
        let mut excess = vec![1; self.prices.len()];
        for column in &self.problem.columns {
            let worth: f64 = column.rows.iter().map(|&row| self.prices[row as usize]).sum();
            let reduced = as_f64(column.cost) - worth;
            if reduced < 0.0 {
                bound += reduced;
                column.rows.iter().for_each(|&row| excess[row as usize] -= 1);
            }
        }
        (bound, excess)
    }

    /// A choice by the current prices: again and again the column with the least to pay per new row. Then what has
    /// become redundant goes, the dearest first.
    fn round_off(&mut self) {
        let problem = self.problem;
        let mut open = vec![true; problem.rows];
        let mut left = problem.rows;
        let mut fresh: Vec<u32> = problem
            .columns
            .iter()
            .map(|column| u32::try_from(column.rows.len()).expect("few rows"))
            .collect();
        let worth =
            |column: &super::Column| column.rows.iter().map(|&row| self.prices[row as usize]).sum::<f64>();
        let mut due: Vec<f64> =
            problem.columns.iter().map(|column| as_f64(column.cost) - worth(column)).collect();
        let mut chosen = Vec::new();
        while left > 0 {
            let score = |column: usize| {
                let (due, fresh) = (due[column], f64::from(fresh[column]));
                if due > 0.0 { due / fresh } else { due * fresh }
            };
            let candidates = (0..problem.columns.len()).filter(|&column| fresh[column] > 0);
            let Some(next) = candidates.min_by(|&one, &other| score(one).total_cmp(&score(other))) else {
                return;
            };
            chosen.push(next);
            for &row in &problem.columns[next].rows {
                if std::mem::replace(&mut open[row as usize], false) {
                    left -= 1;
                    for &holder in &self.holders[row as usize] {
                        fresh[holder as usize] -= 1;
                        due[holder as usize] += self.prices[row as usize];
                    }
                }
            }
        }
        let (chosen, cost) = without_redundant(problem, chosen);
        if cost < self.cost {
            (self.choice, self.cost) = (chosen, cost);
        }
    }
}

/// The choice without the columns that the others make redundant, and its cost.
pub(super) fn without_redundant(problem: &Problem, mut chosen: Vec<usize>) -> (Vec<usize>, u64) {
    let mut times = vec![0_u32; problem.rows];
    for &column in &chosen {
        problem.columns[column].rows.iter().for_each(|&row| times[row as usize] += 1);
    }
    chosen.sort_by_key(|&column| (u64::MAX - problem.columns[column].cost, column));
    chosen.retain(|&column| {
        let rows = &problem.columns[column].rows;
        let needed = rows.iter().any(|&row| times[row as usize] == 1);
        if !needed {
            for &row in rows {
                times[row as usize] -= 1;
            }
        }
        needed
    });
    chosen.sort_unstable();
    let cost = chosen.iter().map(|&column| problem.columns[column].cost).sum();
    (chosen, cost)
}

#[expect(clippy::cast_precision_loss, reason = "2^53 microseconds are 285 years")]
pub(super) fn as_f64(cost: u64) -> f64 {
    cost as f64
}
