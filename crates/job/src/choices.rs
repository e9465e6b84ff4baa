//! What can be named in place of a folder that does not say which trace is meant.

use std::path::{Path, PathBuf};

use crate::{reduce, suite};

/// So many are named; more are counted.
const MOST: usize = 5;

/// What a folder has that is a session, a suite or a trace itself: `; name one in it: ...`.
pub(crate) fn in_folder(folder: &Path) -> String {
    let shown = |path: &PathBuf| {
        path.join("session.db").exists() || suite::SuiteManifest::is_in(path) || is_trace(path)
    };
    let found: Vec<PathBuf> = entries(folder).into_iter().filter(shown).collect();
    named("name one in it", &found).unwrap_or_else(|| "; name one, or a trace".to_owned())
}

/// The traces that a folder has: those of reduced crashes, else of crashes, else of a suite, else what there is.
pub(crate) fn traces_in(folder: &Path) -> String {
    let sessions = [folder.join("reduced"), folder.to_owned()].into_iter().flat_map(|place| entries(&place));
    let answers = sessions.map(|session| session.join(reduce::ANSWER));
    let reduced: Vec<PathBuf> = answers.filter(|answer| answer.is_file()).collect();
    let below = ["crashes", "suite", "traces"].map(|name| entries(&folder.join(name)));
    let places = [reduced, entries(folder)].into_iter().chain(below);
    places
        .map(|place| place.into_iter().filter(|path| is_trace(path)).collect::<Vec<_>>())
        .find_map(|traces| named("name a trace in it", &traces))
        .unwrap_or_else(|| "; name the file of a trace".to_owned())
}

fn is_trace(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".trace.jsonl")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = read.map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

/// Nothing when there are none.
fn named(what: &str, found: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = found.iter().take(MOST).map(|path| path.display().to_string()).collect();
    match (names.join(", "), found.len() - names.len()) {
        (_, 0) if names.is_empty() => None,
        (names, 0) => Some(format!("; {what}: {names}")),
        (names, more) => Some(format!("; {what}: {names} and {more} more")),
    }
}
