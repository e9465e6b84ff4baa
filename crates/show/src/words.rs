//! Words that several pages use.

use std::path::Path;

use retap_reduce::{Rate, Tally};

/// A number of things: `1 event`, `2 events`.
pub fn count(number: impl TryInto<u64>, thing: &str) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {thing}"),
        number if thing.ends_with('h') => format!("{number} {thing}es"),
        number => format!("{number} {thing}s"),
    }
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
