//! A suite: its traces, and what each is there for.

use std::path::{Path, PathBuf};

use retap_job::SuitePlan;
use retap_job::overview::{SuiteOutcome, SuiteOverview};
use retap_job::suite::{CoveredItems, SuiteManifest, SuiteSize};
use retap_trace::Micros;
use serde::Serialize;

use crate::again;
use crate::page::{TextLine, TextPage, Tone};
use crate::session::{damage, devices};
use crate::shell::quoted_path;
use crate::words::{count, path};

/// The most items of a trace that are named.
const ITEMS: usize = 4;

/// A suite to be shown.
#[derive(Debug, Clone, Copy)]
pub struct ShownSuite<'a> {
    /// Its folder, as it was named.
    pub folder: &'a Path,
    /// What it says of itself.
    pub manifest: &'a SuiteManifest,
    /// What is wrong with its traces, one sentence each.
    pub damage: &'a [String],
}

/// A suite as data.
#[derive(Debug, Serialize)]
pub struct SuiteData<'a> {
    command: &'static str,
    what: &'static str,
    suite: &'a Path,
    #[serde(flatten)]
    manifest: &'a SuiteManifest,
    damage: &'a [String],
    next: Vec<String>,
}

impl<'a> ShownSuite<'a> {
    /// For people.
    pub fn page(&self) -> TextPage {
        let mut page = TextPage::new();
        let manifest = self.manifest;
        let line = TextLine::new().text("suite ").toned(Tone::Strong, path(self.folder));
        page.add(line.text(format!(": {}", count(manifest.traces.len(), "trace"))).hanging(2));
        let build = manifest.build.as_ref().map(|build| format!(", build {build}")).unwrap_or_default();
        page.fact("app", format!("{}{build}", manifest.package));
        page.fact("states", format!("compared at the level {}", manifest.level));
        page.gap();
        table(&mut page, manifest);
        damage(&mut page, self.damage);
        again::next(&mut page, &next(Some(self.folder)));
        page
    }

    /// For programs.
    pub fn data(&self) -> SuiteData<'a> {
        let Self { folder, manifest, damage } = *self;
        let next = next(Some(folder)).into_iter().map(|(command, _)| command).collect();
        SuiteData { command: "show", what: "suite", suite: folder, manifest, damage, next }
    }
}

/// The traces of a suite in lines.
fn table(page: &mut TextPage, manifest: &SuiteManifest) {
    let files = manifest.traces.iter().map(|entry| retap_trace::harmless(&entry.file).chars().count());
    let width = files.max().unwrap_or(0).clamp(5, 40);
    let head = format!(
        "  {:<width$} {:>5} {:>12} {:>9} {:>6}  only here",
        "trace", "steps", "device time", "followed", "covers"
    );
    page.add(TextLine::new().toned(Tone::Faint, head));
    for entry in &manifest.traces {
        let (followed, failed) = entry.confirmed;
        let row = format!(
            "  {:<width$} {:>5} {:>12} {:>9} {:>6}  ",
            retap_trace::harmless(&entry.file),
            entry.transitions,
            time(entry.seconds).to_string(),
            format!("{followed}/{}", followed.saturating_add(failed)),
            entry.covers,
        );
        let mut only: Vec<String> = entry.only.iter().take(ITEMS).cloned().collect();
        if entry.only.len() > ITEMS {
            only.push(format!("and {} more", entry.only.len() - ITEMS));
        }
        page.add(TextLine::new().text(row).text(only.join("; ")).hanging(width + 39));
    }
    // A damaged manifest may say anything.
    let steps = manifest.traces.iter().fold(0_usize, |sum, entry| sum.saturating_add(entry.transitions));
    let seconds: f64 = manifest.traces.iter().map(|entry| entry.seconds).sum();
    page.gap();
    page.say(format!("a run takes {} steps and {} of device time", steps, time(seconds)));
}

/// What was to be done.
pub(crate) fn plan(plan: &SuitePlan) -> Vec<(&'static str, String)> {
    let inputs: Vec<String> = plan.input.iter().map(|input: &PathBuf| path(input)).collect();
    vec![
        ("input", inputs.join(", ")),
        ("device", devices(&plan.device, plan.devices)),
        ("algorithm", if plan.classic { "classic" } else { "planned" }.to_owned()),
        ("level", plan.level.to_string()),
        ("seed", plan.seed.to_string()),
    ]
}

/// What came of making a suite.
pub(crate) fn made(page: &mut TextPage, made: &SuiteOverview) {
    let when = if made.result.is_some() { "in all" } else { "so far" };
    page.say(format!("{} {when}", count(made.replays, "replay")));
    let Some(result) = &made.result else { return };
    page.gap();
    sizes(page, result);
    if result.coverage.lost.is_empty() {
        page.add(TextLine::new().toned(Tone::Good, "nothing is lost"));
    }
    for lost in &result.coverage.lost {
        let line = TextLine::new().toned(Tone::Bad, "lost ");
        page.add(line.text(format!("{} ({})", lost.item, lost.why.replace('_', " "))).hanging(2));
    }
    if let Some(manifest) = &made.manifest {
        page.gap();
        table(page, manifest);
    }
}

fn sizes(page: &mut TextPage, result: &SuiteOutcome) {
    let head = format!("          {:>6} {:>12} {:>14}   covers", "traces", "transitions", "device time");
    page.add(TextLine::new().toned(Tone::Faint, head));
    page.say(line("before", &result.before, &result.coverage.before));
    page.say(line("after", &result.after, &result.coverage.after));
}

/// The size of a suite and what it covers, in a line.
fn line(name: &str, size: &SuiteSize, covers: &CoveredItems) -> String {
    format!(
        "  {name:<7} {:>6} {:>12} {:>14}   {} of code, {}, {}",
        size.traces,
        size.transitions,
        time(size.device_seconds).to_string(),
        count(covers.code, "piece"),
        count(covers.states, "state"),
        count(covers.crashes, "crash"),
    )
}

/// What can be done with a suite.
pub(crate) fn next(folder: Option<&Path>) -> Vec<(String, &'static str)> {
    let run = |folder| (format!("retap replay --suite {}", quoted_path(folder)), "runs each trace once");
    folder.map(run).into_iter().collect()
}

/// Seconds as people say them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shown to people; too many are the most"
)]
pub(crate) fn time(seconds: f64) -> Micros {
    Micros((seconds * 1e6) as u64)
}
