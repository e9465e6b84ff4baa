//! Words that several pages use.

use std::path::Path;

use retap_reduce::{Rate, Tally};

/// A number of things: `1 event`, `2 events`.
pub fn count(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number if thing.ends_with('h') => format!("{number} {thing}es"),
        number => format!("{number} {thing}s"),
    }
}

/// The same for what is counted in memory.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    count(number as u64, thing)
}

/// A tally with what it tells of the rate.
pub(crate) fn rate(tally: Tally) -> String {
    format!(
        "{} of {} times; with 95 % confidence it holds in {}",
        tally.reached,
        tally.runs(),
        Rate::of(tally)
    )
}

/// A path as people read it.
pub(crate) fn path(path: &Path) -> String {
    path.display().to_string()
}
