use proptest::prelude::*;

use super::*;

fn problem() -> impl Strategy<Value = Problem> {
    (1_usize..10, prop::collection::vec((prop::collection::btree_set(0_u32..10, 1..6), 1_u64..30), 1..12))
        .prop_map(|(rows, columns)| {
            let mut columns: Vec<Column> = columns
                .into_iter()
                .map(|(set, cost)| Column {
                    rows: set.into_iter().filter(|&row| (row as usize) < rows).collect(),
                    cost,
                })
                .collect();
            // Every row is in some column.
            let all = u32::try_from(rows).unwrap();
            columns.extend((0..all).map(|row| Column { rows: vec![row], cost: 25 }));
            Problem { rows, columns }
        })
}

fn covers(problem: &Problem, chosen: &[usize]) -> bool {
    let mut covered = vec![false; problem.rows];
    for row in chosen.iter().flat_map(|&column| &problem.columns[column].rows) {
        covered[*row as usize] = true;
    }
    covered.into_iter().all(|covered| covered)
}

/// The least cost, by dynamic programming over sets of rows.
fn brute(problem: &Problem) -> u64 {
    let mut least = vec![u64::MAX; 1 << problem.rows];
    least[0] = 0;
    for column in &problem.columns {
        let mask: usize = column.rows.iter().map(|row| 1 << row).sum();
        for set in 0..least.len() {
            if least[set] != u64::MAX {
                least[set | mask] = least[set | mask].min(least[set] + column.cost);
            }
        }
    }
    least[least.len() - 1]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_choice_is_the_cheapest(problem in problem()) {
        let choice = problem.solve(100_000);
        prop_assert!(covers(&problem, &choice.columns));
        let cost: u64 = choice.columns.iter().map(|&column| problem.columns[column].cost).sum();
        prop_assert_eq!(cost, choice.cost);
        prop_assert_eq!(choice.cost, brute(&problem));
        prop_assert_eq!(choice.bound, choice.cost);
    }

    #[test]
    fn a_choice_that_was_not_proven_is_still_bounded(problem in problem(), nodes in 0_u32..3) {
        let choice = problem.solve(nodes);
        let least = brute(&problem);
        prop_assert!(covers(&problem, &choice.columns));
        prop_assert!(choice.bound <= least && least <= choice.cost, "{} {} {}", choice.bound, least, choice.cost);
    }

    #[test]
    fn prices_add_up_to_no_more_than_the_cost(problem in problem()) {
        let prices = problem.prices(200);
        prop_assert!(prices.rows.iter().all(|price| *price >= 0.0));
        prop_assert!(covers(&problem, &prices.choice));
        // What the rows cost, less what columns are worth more than they cost, is a lower bound.
        let worth = |column: &Column| column.rows.iter().map(|&row| prices.rows[row as usize]).sum::<f64>();
        let over: f64 = problem.columns.iter().map(|column| (worth(column) - lagrange::as_f64(column.cost)).max(0.0)).sum();
        let bound = prices.rows.iter().sum::<f64>() - over;
        prop_assert!(bound <= lagrange::as_f64(brute(&problem)) + 1e-6);
        prop_assert!(bound >= 0.5 * lagrange::as_f64(brute(&problem)), "the bound is near");
    }
}

#[test]
fn nothing_to_cover_costs_nothing() {
    let choice = Problem { rows: 0, columns: vec![Column { rows: Vec::new(), cost: 5 }] }.solve(10);
    assert_eq!(choice, Choice { columns: Vec::new(), cost: 0, bound: 0 });
}

#[test]
fn a_large_problem_is_solved_nearly() {
    // Rows in a ring; each column has a stretch of it.
    let rows = 300;
    let column = |start: u32, length: u32, cost: u64| {
        let mut rows: Vec<u32> = (start..start + length).map(|row| row % rows).collect();
        rows.sort_unstable();
        Column { rows, cost }
    };
    let columns = (0..rows).flat_map(|start| {
        [(1, 10), (7, 31), (13, 47 + u64::from(start % 5))].map(|(length, cost)| column(start, length, cost))
    });
    let problem = Problem { rows: rows as usize, columns: columns.collect() };
    let choice = problem.solve(2_000);
    assert!(covers(&problem, &choice.columns));
    assert!((choice.cost - choice.bound) * 20 <= choice.cost, "{} of {}", choice.bound, choice.cost);
}
