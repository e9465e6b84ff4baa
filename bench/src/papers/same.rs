//! One seed, one run: two processes explore the same app with the same seed, and everything must be the same.

use retap_lab::Exploration;
use retap_trace::{CoverageId, Micros, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::work::{Job, Work};
use crate::apks::{App, Bed, Scout};
use crate::table;

/// Whether two processes did the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Compared {
    app: String,
    seed: u64,
    events: u64,
    starts: u64,
    covered: usize,
    states: usize,
    crashes: usize,
    /// The first difference, in words.
    difference: Option<String>,
}

pub(super) fn work<'a>(bed: &'a Bed, cells: &'a Cells, apps: &'a [App], events: u64) -> Work<'a> {
    let job = |app: &'a App| {
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let weight = 2.0 * events as f64;
        Job {
            key: format!("{}/{events}", app.name),
            groups: vec![app.name.clone()],
            weight,
            measure: Box::new(move || Ok(serde_json::to_value(compare(bed, app, events)?)?)),
        }
    };
    Work { part: "same", cells, jobs: apps.iter().filter(|app| app.same).map(job).collect() }
}

fn compare(bed: &Bed, app: &App, events: u64) -> anyhow::Result<Compared> {
    const SEED: u64 = 7;
    let scout = Scout { strategy: "aware", events, throttle: Micros::ZERO, seed: SEED };
    let explore = || -> anyhow::Result<_> {
        // Each in a process that has done nothing before.
        let device = bed.open(&bed.spec(app, false))?;
        let mut exploration = scout.exploration(&device)?;
        let scouted = scout.explore(&device, &mut exploration)?;
        Ok((exploration, scouted))
    };
    let ((one, scouted), (other, _)) = (explore()?, explore()?);
    Ok(Compared {
        app: app.name.clone(),
        seed: SEED,
        events: scouted.events,
        starts: scouted.starts,
        covered: scouted.covered,
        states: scouted.states,
        crashes: scouted.crashes.len(),
        difference: difference(&one, &other),
    })
}

/// Where two explorations first differ.
fn difference(one: &Exploration, other: &Exploration) -> Option<String> {
    let steps = |exploration: &Exploration| -> Vec<(u32, usize, Step)> {
        let segments = exploration.segments().iter();
        let each = segments.flat_map(|segment| {
            let steps = segment.steps.iter().enumerate();
            steps.map(|(nth, step)| (segment.id.0, nth, step.clone())).collect::<Vec<_>>()
        });
        each.collect()
    };
    let (ours, theirs) = (steps(one), steps(other));
    if let Some((ours, theirs)) = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs) {
        let (segment, nth, step) = ours;
        return Some(format!("segment {segment}, step {nth}: {}", in_words(step, &theirs.2)));
    }
    if ours.len() != theirs.len() {
        return Some(format!("{} steps and {}", ours.len(), theirs.len()));
    }
    let only = one.covered().symmetric_difference(other.covered()).copied().collect::<Vec<CoverageId>>();
    (!only.is_empty()).then(|| format!("{} pieces of code were covered by one alone", only.len()))
}

/// How two steps differ.
fn in_words(one: &Step, other: &Step) -> String {
    let parts = |step: &Step| {
        [
            ("event", format!("{}", step.event)),
            ("time", format!("{:?}", step.at)),
            ("state before", format!("{:?}", step.before)),
            ("state after", format!("{:?}", step.after)),
            ("coverage", format!("{:?}", step.coverage)),
            ("crash", format!("{:?}", step.crash.as_ref().map(|crash| &crash.signature))),
        ]
    };
    let pairs = parts(one).into_iter().zip(parts(other));
    let differing = pairs.filter(|(one, other)| one != other);
    let words = differing.map(|((name, one), (_, other))| format!("{name} {one} against {other}"));
    words.collect::<Vec<_>>().join("; ")
}

pub(super) fn report(all: &[Compared]) -> Value {
    let row = |one: &Compared| {
        let figures = [one.events, one.starts].map(|number| number.to_string());
        let counts = [one.states, one.covered, one.crashes].map(|number| number.to_string());
        let difference = one.difference.as_deref().unwrap_or("none");
        let difference: String = difference.chars().take(160).collect();
        [one.app.clone()].into_iter().chain(figures).chain(counts).chain([difference]).collect::<Vec<_>>()
    };
    let head =
        ["two processes, one seed", "events", "starts", "states", "code", "crashes", "first difference"];
    table::print(&head, &all.iter().map(row).collect::<Vec<_>>());
    table::say("");
    json!(all)
}
