//! How two suites differ: their traces, and what these cover.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use retap_job::suite::{SuiteEntry, SuiteManifest};
use retap_trace::{Event, Trace};
use serde::Serialize;

use super::covered::{CoverageDifference, CoveredSets};
use super::{Changed, Difference, Fact, Findings, changed, named};
use crate::page::{TextLine, TextPage, Tone};
use crate::words::count;

/// One of two suites.
#[derive(Debug, Clone, Copy)]
pub struct SuiteSide<'a> {
    /// Its folder, as it was named.
    pub folder: &'a Path,
    /// What it says of itself.
    pub manifest: &'a SuiteManifest,
    /// Its traces, in the order of the manifest.
    pub traces: &'a [&'a Trace],
}

/// How two suites differ.
pub type SuiteDifference<'a> = Difference<'a, SuiteFindings<'a>>;

/// What differs between two suites.
#[derive(Debug, Serialize)]
pub struct SuiteFindings<'a> {
    facts: Vec<Changed>,
    /// Traces whose events only one of them has.
    removed: Vec<&'a SuiteEntry>,
    added: Vec<&'a SuiteEntry>,
    equal: usize,
    coverage: CoverageDifference,
    crashes_removed: BTreeSet<String>,
    crashes_added: BTreeSet<String>,
    #[serde(skip)]
    sizes: (usize, usize),
}

impl<'a> SuiteDifference<'a> {
    /// Compares two suites. Traces with equal events are the same, whatever their files are called.
    pub fn of(before: SuiteSide<'a>, after: SuiteSide<'a>) -> Self {
        let same_build = before.manifest.build == after.manifest.build;
        let coverage = CoverageDifference::of(
            &before.covers(),
            &after.covers(),
            same_build,
            |key| format!("state {key}"),
            |id| {
                let name = before.manifest.code_name(id).or(after.manifest.code_name(id));
                name.map_or_else(|| format!("number {}", id.0), str::to_owned)
            },
        );
        let (removed, added) = (before.without(&after), after.without(&before));
        let (one, other) = (before.crashes(), after.crashes());
        let facts = changed(&before.facts(), &after.facts());
        let found = SuiteFindings {
            equal: before.traces.len() - removed.len(),
            crashes_removed: one.difference(&other).cloned().collect(),
            crashes_added: other.difference(&one).cloned().collect(),
            facts,
            removed,
            added,
            coverage,
            sizes: (before.traces.len(), after.traces.len()),
        };
        Self::new(before.folder, after.folder, found)
    }
}

impl Findings for SuiteFindings<'_> {
    const WHAT: &'static str = "suite";

    fn are_none(&self) -> bool {
        self.facts.is_empty()
            && self.removed.is_empty()
            && self.added.is_empty()
            && self.coverage.is_none()
            && self.crashes_removed.is_empty()
            && self.crashes_added.is_empty()
    }

    fn sizes(&self) -> (String, String) {
        (count(self.sizes.0, "trace"), count(self.sizes.1, "trace"))
    }

    fn facts(&self) -> &[Changed] {
        &self.facts
    }

    fn body(&self, page: &mut TextPage) {
        page.gap();
        for (mark, tone, entries) in [("-", Tone::Removed, &self.removed), ("+", Tone::Added, &self.added)] {
            for entry in entries {
                let steps = count(entry.transitions, "step");
                let words = format!("{mark} {}: {steps}, covers {}", entry.file, count(entry.covers, "item"));
                page.add(TextLine::new().toned(tone, words).hanging(4));
            }
        }
        let (removed, added) = (self.removed.len(), self.added.len());
        page.say(format!("{} removed, {added} added, {} equal", count(removed, "trace"), self.equal));
        for (mark, tone, crashes) in
            [("-", Tone::Removed, &self.crashes_removed), ("+", Tone::Added, &self.crashes_added)]
        {
            for crash in crashes {
                page.add(TextLine::new().toned(tone, format!("{mark} crash {crash}")).hanging(4));
            }
        }
        if !self.coverage.is_none() {
            page.gap();
            self.coverage.lines(page);
        }
    }
}

impl<'a> SuiteSide<'a> {
    fn facts(&self) -> Vec<Fact> {
        let SuiteManifest { package, build, level, .. } = self.manifest;
        let facts =
            [("app", Some(package.clone())), ("level", Some(level.to_string())), ("build", build.clone())];
        named(facts.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }

    fn covers(&self) -> CoveredSets {
        let steps = || self.traces.iter().flat_map(|trace| &trace.steps);
        let level = self.manifest.level;
        CoveredSets {
            states: steps().filter_map(|step| step.after.as_ref()?.key(level)).collect(),
            code: steps().flat_map(|step| &step.coverage).copied().collect(),
        }
    }

    fn crashes(&self) -> BTreeSet<String> {
        let steps = self.traces.iter().flat_map(|trace| &trace.steps);
        let at_start = self.traces.iter().filter_map(|trace| trace.header.crash.as_ref());
        let all = steps.filter_map(|step| step.crash.as_ref()).chain(at_start);
        all.map(|crash| crash.signature.to_string()).collect()
    }

    /// The entries of traces that another suite does not have.
    fn without(&self, other: &Self) -> Vec<&'a SuiteEntry> {
        let mut known: HashMap<Vec<&Event>, usize> = HashMap::new();
        for trace in other.traces {
            *known.entry(trace.events().collect()).or_default() += 1;
        }
        let pairs = self.manifest.traces.iter().zip(self.traces);
        let new = pairs.filter(|(_, trace)| match known.get_mut(&trace.events().collect::<Vec<&Event>>()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
        new.map(|(entry, _)| entry).collect()
    }
}
