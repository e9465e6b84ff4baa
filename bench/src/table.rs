//! Tables for people, a JSON line for programs.

use std::io::Write as _;

use serde::Serialize;

/// Prints rows with aligned columns.
pub(crate) fn print(head: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    say(&line(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>()));
    say(&"-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1)));
    for row in rows {
        say(&line(row));
    }
}

/// Prints the JSON line.
pub(crate) fn json(result: &impl Serialize) -> anyhow::Result<()> {
    say(&serde_json::to_string(result)?);
    Ok(())
}

/// A number with thousands apart.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

/// A line on stdout. A reader that has gone away has seen enough.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A line on stderr: how far things are.
pub(crate) fn progress(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
