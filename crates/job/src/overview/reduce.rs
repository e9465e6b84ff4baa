//! What the folder of a reduction tells.

use std::collections::BTreeMap;
use std::path::PathBuf;

use retap_lab::{Done, Report, Take, Taken, recorded_runs};
use retap_reduce::{EventRun, Goal, Order, Tally};
use retap_trace::{Micros, Trace};
use serde::{Deserialize, Serialize};

use super::SessionReading;
use super::explore::seconds;
use crate::error::Result;
use crate::reduce::{
    ANSWER, BatchResult, Confirmed, Flaked, RateResult, ReducePlan, ReduceSpent, ReduceStatus, ReducedOf,
    SUBJECT, Simpler,
};
use crate::tracefile;

/// A reduction, by its folder.
#[derive(Debug, Clone, Serialize)]
pub struct ReduceOverview {
    /// What was to be done.
    pub plan: ReducePlan,
    /// What came of it, once it is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ReduceOutcome>,
    /// Events or lines of what is reduced, where that is known.
    pub events_before: Option<u32>,
    /// The shortest list that reached the target, as long as there is neither a result nor a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestSoFar>,
    /// What fresh runs confirmed of the answer, where it was stopped after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Confirmed>,
    /// What all runs of exactly the answer's events showed so far, as long as there is neither a result nor a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_runs: Option<Confirmed>,
    /// Runs that gave evidence.
    pub runs: u32,
    /// Runs in which the device failed.
    pub runs_inconclusive: u32,
    /// Performances of an answer that were written down.
    pub recordings: u32,
    /// Events performed in all of them.
    pub executed_events: u64,
    /// The time that they took.
    #[serde(rename = "device_seconds", serialize_with = "seconds")]
    pub device_time: Micros,
    /// The signatures of other crashes that were seen, with the file of a trace where one is written.
    pub other_crashes: Vec<(String, Option<PathBuf>)>,
    /// The file with the answer, where there is one.
    pub trace: Option<PathBuf>,
    /// Files with the answer that were changed since it was confirmed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<PathBuf>,
    /// Whether a text is reduced: its parts are lines, not events.
    #[serde(skip)]
    pub is_text: bool,
    /// The answer itself, unless it is a text, with the file that it was read from: the one in the folder.
    #[serde(skip)]
    pub answer: Option<(PathBuf, Trace)>,
}

/// What came of a reduction.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is what the result of a reduction calls so")]
pub struct ReduceOutcome {
    pub status: ReduceStatus,
    pub events_before: u32,
    pub events_after: u32,
    pub kept: Vec<u32>,
    pub confirmed: Confirmed,
    pub rate: RateResult,
    pub before: Confirmed,
    pub retreats: u32,
    pub batches: Vec<BatchResult>,
    pub rule: String,
    pub other_crashes: Vec<String>,
    pub values: Vec<Simpler>,
    pub flaked: Option<Flaked>,
    #[serde(skip_serializing)]
    trace: Option<PathBuf>,
}

/// The shortest list that reached the target so far.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BestSoFar {
    /// Its events or lines.
    pub events: u32,
    /// What runs of it showed so far; they may have helped to choose it.
    pub runs: Confirmed,
}

pub(super) fn read(reading: &mut SessionReading<'_>) -> Result<ReduceOverview> {
    let plan: ReducePlan = reading.plan()?;
    let runs: Vec<Done> = recorded_runs::<Order, Report>(reading.session)?;
    let mut spent = ReduceSpent::default();
    for done in &runs {
        spent.note(done, &plan.target);
    }
    let runs_of_events = recorded_runs::<EventRun, Report>(reading.session)?;
    for done in &runs_of_events {
        spent.add(&done.report);
    }
    for done in recorded_runs::<Take, Taken>(reading.session)? {
        spent.recorded(&done.report.report);
    }
    let result: Option<ReduceOutcome> = reading.outcome()?;
    let begun = reading.first(SUBJECT)?.and_then(|subject| subject["events"].as_u64()?.try_into().ok());
    let own = reading.dir().join(ANSWER);
    let answer = read_answer(reading, own.clone());
    let unfinished = answer.as_ref().filter(|_| result.is_none());
    let claim = unfinished.and_then(|(_, answer)| answer.claim());
    let claim = claim.map(|claim| Confirmed { reached: claim.reached, of: claim.runs });
    let of_answer = unfinished.filter(|_| claim.is_none()).map(|(_, answer)| {
        let same = runs_of_events.iter().filter(|done| answer.events().eq(done.order.events.iter()));
        Confirmed::of(tally(same.map(|done| &done.report)))
    });
    let is_text = plan.device.is_none() && is_text(&plan, answer.is_some());
    let named = result.as_ref().and_then(|result| result.trace.as_deref()).map(|trace| reading.file(trace));
    let inside = answer.as_ref().map(|(file, _)| file.clone());
    let written = named.clone().filter(|file| !is_text && *file != own);
    let written = written.and_then(|file| read_answer(reading, file));
    let changed = result
        .as_ref()
        .map_or_else(Vec::new, |result| changed(result.events_after, answer.as_ref(), written.as_ref()));
    let found = |signature: &str| {
        let file =
            reading.dir().join("found").join(tracefile::name_of(&retap_trace::Signature(signature.into())));
        (signature.to_owned(), file.is_file().then_some(file))
    };
    Ok(ReduceOverview {
        events_before: result
            .as_ref()
            .map(|result| result.events_before)
            .or(begun)
            // A list of lines is first run as a whole.
            .or_else(|| {
                runs.iter().map(|done| done.order.subset.len()).max().filter(|_| plan.device.is_none())
            }),
        best: if result.is_some() || claim.is_some() { None } else { best(&runs) },
        claim,
        answer_runs: of_answer.filter(|runs| runs.of > 0),
        result,
        runs: spent.runs,
        runs_inconclusive: spent.inconclusive,
        recordings: spent.recordings,
        executed_events: spent.events,
        device_time: spent.time,
        other_crashes: spent.others.iter().map(|(crash, _)| found(&crash.signature.0)).collect(),
        // What comes next is for the file that holds the answer.
        trace: named
            .filter(|file| inside.is_none() || (file.is_file() && !changed.contains(file)))
            .or(inside),
        changed,
        is_text,
        answer,
        plan,
    })
}

/// A file with an answer, if it is there and can be read.
fn read_answer(reading: &mut SessionReading<'_>, file: PathBuf) -> Option<(PathBuf, Trace)> {
    let read = file.is_file().then(|| tracefile::read(&file))?;
    reading.or_damage(read).map(|trace| (file, trace))
}

/// The files that do not hold the answer that was confirmed: the one in the folder, and the one that was asked for. One of
/// an earlier version tells only how long it is.
fn changed(
    events: u32,
    inside: Option<&(PathBuf, Trace)>,
    written: Option<&(PathBuf, Trace)>,
) -> Vec<PathBuf> {
    let kept = |trace: &Trace| !trace.is_changed() && trace.steps.len() == events as usize;
    let confirmed = inside.map(|(_, trace)| trace).filter(|trace| kept(trace));
    // Both were written with the same steps.
    let same = |trace: &Trace| confirmed.is_none_or(|confirmed| confirmed.events().eq(trace.events()));
    let files = [inside, written].into_iter().flatten();
    files.filter(|(_, trace)| !kept(trace) || !same(trace)).map(|(file, _)| file.clone()).collect()
}

/// Whether lines are reduced by a command, not the events of a trace. What an earlier version has begun does not say it;
/// then the name of the file tells. What is in it is not looked at: the session alone is read, and it may name any file.
fn is_text(plan: &ReducePlan, has_answer: bool) -> bool {
    match plan.of {
        Some(of) => of == ReducedOf::Text,
        None => !has_answer && !plan.input.to_string_lossy().ends_with(".trace.jsonl"),
    }
}

fn best(runs: &[Done]) -> Option<BestSoFar> {
    let mut tallies: BTreeMap<_, Tally> = BTreeMap::new();
    for done in runs.iter().filter(|done| done.order.goal == Goal::Target) {
        let kept: Vec<_> = done.order.subset.ranges().map(|range| (range.start, range.end)).collect();
        tallies.entry((done.order.subset.len(), kept)).or_default().add(done.report.ended.outcome);
    }
    let reached = tallies.into_iter().find(|(_, tally)| tally.reached > 0);
    reached.map(|((events, _), tally)| BestSoFar { events, runs: Confirmed::of(tally) })
}

/// What a run counted for.
pub(super) fn tally<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Tally {
    let mut tally = Tally::default();
    for report in reports {
        tally.add(report.ended.outcome);
    }
    tally
}
