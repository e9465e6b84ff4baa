//! What two explorations or suites have covered: states and code.

use std::collections::BTreeSet;

use retap_trace::{CoverageId, StateKey};
use serde::Serialize;

use crate::page::{TextLine, TextPage, Tone};
use crate::words::count;

/// The most characters of a name that are shown.
const LONG: usize = 120;
/// The most things that are named.
const NAMED: usize = 10;

/// What one of two has covered.
#[derive(Debug, Clone, Default)]
pub(super) struct CoveredSets {
    pub(super) states: BTreeSet<StateKey>,
    pub(super) code: BTreeSet<CoverageId>,
}

/// Things that only one of two has, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct OnlyIn {
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    pub(super) both: usize,
}

/// How the coverage of two differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct CoverageDifference {
    pub(super) states: OnlyIn,
    /// Nothing where the builds differ: the numbers of code mean other code then.
    pub(super) code: Option<OnlyIn>,
}

impl CoverageDifference {
    pub(super) fn of(
        before: &CoveredSets,
        after: &CoveredSets,
        same_build: bool,
        state: impl Fn(StateKey) -> String,
        code: impl Fn(CoverageId) -> String,
    ) -> Self {
        Self {
            states: OnlyIn::of(&before.states, &after.states, state),
            code: same_build.then(|| OnlyIn::of(&before.code, &after.code, code)),
        }
    }

    pub(super) fn is_none(&self) -> bool {
        let none = |only: &OnlyIn| only.before.is_empty() && only.after.is_empty();
        none(&self.states) && self.code.as_ref().is_none_or(none)
    }

    pub(super) fn lines(&self, page: &mut TextPage) {
        self.states.lines(page, "state");
        match &self.code {
            Some(code) => code.lines(page, "piece of code"),
            None => page.say("code is not compared: its numbers are those of different builds"),
        }
    }
}

/// A name, cut where it is long.
fn short(name: String) -> String {
    match name.char_indices().nth(LONG) {
        Some((end, _)) => format!("{} ...", &name[..end]),
        None => name,
    }
}

impl OnlyIn {
    fn of<T: Ord + Copy>(before: &BTreeSet<T>, after: &BTreeSet<T>, words: impl Fn(T) -> String) -> Self {
        Self {
            before: before.difference(after).map(|it| short(words(*it))).collect(),
            after: after.difference(before).map(|it| short(words(*it))).collect(),
            both: before.intersection(after).count(),
        }
    }

    fn lines(&self, page: &mut TextPage, what: &str) {
        let Self { before, after, both } = self;
        if before.is_empty() && after.is_empty() {
            return;
        }
        let many = |number: usize| count(number, what).replace("piece of codes", "pieces of code");
        page.say(format!(
            "{} only in the first, {} only in the second, {both} in both",
            many(before.len()),
            after.len()
        ));
        for (mark, tone, things) in [("-", Tone::Removed, before), ("+", Tone::Added, after)] {
            for thing in things.iter().take(NAMED) {
                page.add(TextLine::new().toned(tone, format!("  {mark} {thing}")).hanging(4));
            }
            if things.len() > NAMED {
                page.add(
                    TextLine::new().toned(tone, format!("  {mark} ... and {} more", things.len() - NAMED)),
                );
            }
        }
    }
}
