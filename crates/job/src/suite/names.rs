//! The items of a suite in words.

use std::path::Path;

use retap_lab::short_name;
use retap_suite::Item;
use retap_trace::{CoverageId, Level, StateKey, Step};

use super::input::SuiteTraces;
use super::manifest;
use crate::explore::names_in;
use crate::names::Names;

/// What is known of the names of what these files cover: the explorations and suites that they belong to know them.
pub(super) fn of_files<'a>(files: impl IntoIterator<Item = &'a Path>) -> Names {
    let mut names = Names::default();
    let mut known = std::collections::BTreeSet::new();
    for folder in files.into_iter().filter_map(Path::parent) {
        if known.insert(folder) {
            names.add(manifest::names(folder));
            // Traces lie in a folder of their exploration.
            names.add(names_in(&folder.join("..")));
        }
    }
    names
}

/// The code that steps have executed.
pub(super) fn covered<'a>(steps: impl IntoIterator<Item = &'a Step>) -> impl Iterator<Item = CoverageId> {
    steps.into_iter().flat_map(|step| &step.coverage).copied()
}

/// An item in words.
pub(super) fn in_words(item: &Item, names: &Names, input: &SuiteTraces, level: Level) -> String {
    match item {
        Item::Code(id) if names.code.contains_key(id) => format!("code {}", names.code(*id)),
        Item::Code(id) => names.code(*id),
        Item::State(key) => format!("state {}", state(*key, names, input, level)),
        Item::Crash(signature) => format!("crash {signature}"),
    }
}

/// A state by what it shows; where nobody wrote that down, by how the input first comes to it.
fn state(key: StateKey, names: &Names, input: &SuiteTraces, level: Level) -> String {
    let steps = || input.traces.iter().flat_map(|trace| &trace.steps);
    let here =
        |seen: &Option<retap_trace::Seen>| seen.as_ref().is_some_and(|seen| seen.key(level) == Some(key));
    let step = steps().find(|step| here(&step.after));
    match (names.states.get(&key), step, steps().find(|step| here(&step.before))) {
        (Some(words), ..) => words.clone(),
        (None, Some(step), _) => {
            let activity = step.after.as_ref().map_or("", |after| short_name(&after.activity));
            format!("{activity} after {}", step.event)
        }
        (None, None, Some(step)) => {
            let activity = step.before.as_ref().map_or("", |before| short_name(&before.activity));
            format!("{activity} before {}", step.event)
        }
        (None, None, None) => format!("{key}"),
    }
}
