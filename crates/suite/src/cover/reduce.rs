//! Making a problem smaller without changing its answer.

use super::{Column, Problem};

/// A problem whose rows are groups of rows that stand in the same columns.
pub(super) struct Merged {
    pub(super) problem: Problem,
    /// The group of each row.
    pub(super) group: Vec<u32>,
    /// Rows in each group.
    pub(super) size: Vec<u32>,
}

/// What is left of a problem.
pub(super) struct Core {
    pub(super) problem: Problem,
    /// Where each column of it comes from.
    pub(super) origin: Vec<usize>,
    /// Columns that every choice must have.
    pub(super) essential: Vec<usize>,
}

/// Merges rows that stand in the same columns, by refining groups column after column.
pub(super) fn merge(problem: &Problem) -> Merged {
    let mut group = vec![0_u32; problem.rows];
    let mut size = vec![u32::try_from(problem.rows).expect("fewer than 2^32 rows")];
    // For each group, the group that its rows in the column at hand move to.
    let mut moved: Vec<u32> = vec![u32::MAX];
    for column in &problem.columns {
        let mut touched = Vec::new();
        for &row in &column.rows {
            let old = group[row as usize] as usize;
            if moved[old] == u32::MAX {
                moved[old] = u32::try_from(size.len()).expect("no more groups than rows");
                touched.push(old);
                size.push(0);
                moved.push(u32::MAX);
            }
            group[row as usize] = moved[old];
            size[old] -= 1;
            size[moved[old] as usize] += 1;
        }
        for old in touched {
            // A group that moved as a whole keeps its number.
            moved[old] = u32::MAX;
        }
    }
    number_anew(problem, group, &size)
}

fn number_anew(problem: &Problem, mut group: Vec<u32>, sizes: &[u32]) -> Merged {
    let mut numbers = vec![u32::MAX; sizes.len()];
    let mut size = Vec::new();
    for of in &mut group {
        let number = &mut numbers[*of as usize];
        if *number == u32::MAX {
            *number = u32::try_from(size.len()).expect("no more groups than rows");
            size.push(sizes[*of as usize]);
        }
        *of = *number;
    }
    let columns = problem.columns.iter().map(|column| {
        let mut rows: Vec<u32> = column.rows.iter().map(|&row| group[row as usize]).collect();
        rows.sort_unstable();
        rows.dedup();
        Column { rows, cost: column.cost }
    });
    Merged { problem: Problem { rows: size.len(), columns: columns.collect() }, group, size }
}

/// Merges rows, takes what must be taken, and drops columns and rows that do not matter, until nothing changes.
pub(super) fn reduce(problem: &Problem) -> Core {
    let merged = merge(problem).problem;
    let mut alive = vec![true; merged.columns.len()];
    let mut open = vec![true; merged.rows];
    let mut essential = Vec::new();
    loop {
        let before = (count(&alive), count(&open));
        let holders = holders(&merged, &alive, &open);
        for (row, columns) in holders.iter().enumerate().filter(|(row, _)| open[*row]).collect::<Vec<_>>() {
            if let ([only], true) = (&columns[..], open[row]) {
                essential.push(*only as usize);
                alive[*only as usize] = false;
                merged.columns[*only as usize].rows.iter().for_each(|&row| open[row as usize] = false);
            }
        }
        drop_rows(&mut open, &holders);
        drop_columns(&merged, &mut alive, &open);
        if before == (count(&alive), count(&open)) {
            break;
        }
    }
    let mut numbers = vec![u32::MAX; merged.rows];
    let mut rows = 0;
    for (number, _) in numbers.iter_mut().zip(&open).filter(|(_, open)| **open) {
        *number = rows;
        rows += 1;
    }
    let origin: Vec<usize> = (0..alive.len()).filter(|&column| alive[column]).collect();
    let columns = origin.iter().map(|&column| {
        let Column { rows, cost } = &merged.columns[column];
        let rows = rows.iter().filter(|&&row| open[row as usize]).map(|&row| numbers[row as usize]);
        Column { rows: rows.collect(), cost: *cost }
    });
    essential.sort_unstable();
    Core { problem: Problem { rows: rows as usize, columns: columns.collect() }, origin, essential }
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|flag| **flag).count()
}

/// The living columns of each open row.
fn holders(problem: &Problem, alive: &[bool], open: &[bool]) -> Vec<Vec<u32>> {
    let mut holders = vec![Vec::new(); problem.rows];
    for (number, column) in (0_u32..).zip(&problem.columns).filter(|(number, _)| alive[*number as usize]) {
        for &row in column.rows.iter().filter(|&&row| open[row as usize]) {
            holders[row as usize].push(number);
        }
    }
    holders
}

/// A row is covered for free when all columns of another row have it.
fn drop_rows(open: &mut [bool], holders: &[Vec<u32>]) {
    let mut by_size: Vec<usize> = (0..holders.len()).filter(|&row| open[row]).collect();
    by_size.sort_by_key(|&row| holders[row].len());
    for (place, &small) in by_size.iter().enumerate() {
        if !open[small] {
            continue;
        }
        for &large in &by_size[place + 1..] {
            if open[large] && within(&holders[small], &holders[large]) {
                open[large] = false;
            }
        }
    }
}

/// A column is of no use when another one has all its open rows and costs no more.
fn drop_columns(problem: &Problem, alive: &mut [bool], open: &[bool]) {
    let rows: Vec<Vec<u32>> = problem
        .columns
        .iter()
        .map(|column| column.rows.iter().copied().filter(|&row| open[row as usize]).collect())
        .collect();
    let mut order: Vec<usize> = (0..rows.len()).filter(|&column| alive[column]).collect();
    // The cheaper first, and of equals the larger.
    order.sort_by_key(|&column| (problem.columns[column].cost, usize::MAX - rows[column].len(), column));
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); problem.rows];
    for column in order {
        let Some(rarest) = rows[column].iter().min_by_key(|&&row| holders[row as usize].len()) else {
            alive[column] = false;
            continue;
        };
        if holders[*rarest as usize].iter().any(|&better| within(&rows[column], &rows[better])) {
            alive[column] = false;
            continue;
        }
        rows[column].iter().for_each(|&row| holders[row as usize].push(column));
    }
}

/// Whether all of one sorted list are in the other.
fn within(small: &[u32], large: &[u32]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.find(|have| *have >= wanted) == Some(wanted))
}
