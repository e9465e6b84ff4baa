//! What the folder of an exploration tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use retap_model::{Graph, TraceNumber};
use retap_trace::{CoverageId, Crash, Header, Level, Micros, StateKey, Step, Target, Trace};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SessionReading;
use crate::error::Result;
use crate::explore::entries::{BEGUN, Begun, CRASHED, CrashEntry, ENDED, EndedEntry, REDUCED, ReducedEntry};
use crate::explore::{DeviceFailure, ExplorePlan, Proof, names_in};
use crate::reduce::{Confirmed, RateResult, ReduceStatus};
use crate::tracefile;

/// An exploration, by its folder.
#[derive(Debug, Clone, Serialize)]
pub struct ExploreOverview {
    /// What was to be done.
    pub plan: ExplorePlan,
    /// Why it ended before its limits, where it said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Events that stand in its traces.
    pub events: u64,
    /// Segments that were begun.
    pub segments: usize,
    /// States that were seen, at the level `layout`.
    pub states: usize,
    /// Transitions between them.
    pub transitions: usize,
    /// Branches covered.
    pub coverage: usize,
    /// All branches; known once it is finished, where the device knows it.
    pub coverage_total: Option<u32>,
    /// Why devices failed, and how often: the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub device_failures: Vec<DeviceFailure>,
    /// Device time of the segments that are over.
    #[serde(rename = "device_seconds", serialize_with = "seconds")]
    pub device_time: Micros,
    /// The crashes in the order they were first seen.
    pub crashes: Vec<CrashOverview>,
    /// The states themselves.
    #[serde(skip)]
    pub state_keys: BTreeSet<StateKey>,
    /// The code that the steps of its traces have covered.
    #[serde(skip)]
    pub code: BTreeSet<CoverageId>,
    /// What states are called, by their keys at any level.
    #[serde(skip)]
    pub state_words: BTreeMap<StateKey, String>,
    /// What code is called.
    #[serde(skip)]
    pub code_names: BTreeMap<CoverageId, String>,
}

/// A crash that an exploration has found.
#[derive(Debug, Clone, Serialize)]
pub struct CrashOverview {
    /// What tells it from others.
    pub signature: String,
    /// The crash with its stack, where its trace could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// How often it was seen.
    pub seen: u32,
    /// Its best trace.
    pub trace: PathBuf,
    /// Events of that trace.
    pub events: usize,
    /// How many of how many runs from a clean start ended with it, when it was found after going back in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried_again: Option<(u32, u32)>,
    /// What speaks for that trace.
    #[serde(skip)]
    pub proof: Proof,
    /// The segments that ended with it.
    pub segments: Vec<PathBuf>,
    /// What came of reducing it, when the exploration has done so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<ReductionOfCrash>,
}

/// What came of reducing a crash.
#[derive(Debug, Clone, Serialize)]
pub struct ReductionOfCrash {
    /// How it ended.
    pub status: ReduceStatus,
    /// Events of the answer.
    pub events: u32,
    /// What fresh runs of it showed.
    pub confirmed: Confirmed,
    /// The rate that this tells.
    pub rate: RateResult,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<PathBuf>,
}

/// What only the result says.
#[derive(Default, Deserialize)]
struct ExploreOutcome {
    why: Option<String>,
    coverage: usize,
    coverage_total: Option<u32>,
}

/// What the traces of all segments have shown.
#[derive(Default)]
struct Walked {
    graph: Graph,
    /// When the last step of each segment was made, since the segment was begun.
    last: Vec<Micros>,
    code: BTreeSet<CoverageId>,
    events: u64,
    header: Option<Header>,
}

/// Why devices failed, as the ends of segments tell.
fn device_failures(ended: &[EndedEntry]) -> Vec<DeviceFailure> {
    let mut counts = BTreeMap::new();
    for why in ended.iter().filter_map(|ended| ended.end.strip_prefix(retap_lab::DEVICE_FAILED)) {
        *counts.entry(why.to_owned()).or_default() += 1;
    }
    DeviceFailure::list(&counts)
}

/// Reads an exploration, and the app that its traces name.
pub(super) fn read(reading: &mut SessionReading<'_>) -> Result<(ExploreOverview, Option<Value>)> {
    let dir = reading.dir().to_owned();
    let (begun, ended) = (reading.entries::<Begun>(BEGUN)?, reading.entries::<EndedEntry>(ENDED)?);
    let outcome: ExploreOutcome = reading.outcome()?.unwrap_or_default();
    let mut walked = Walked::read(reading, &begun);
    let names = names_in(&dir);
    // Code that starting the app covers stands in no step; where code has names, it has been named.
    walked.code.extend(names.code.keys());
    let app = walked.header.as_ref().map(|header| serde_json::to_value(&header.app)).transpose()?;
    let overview = ExploreOverview {
        plan: reading.plan()?,
        why: outcome.why,
        events: walked.events,
        segments: begun.len(),
        states: walked.graph.states().len(),
        transitions: walked.graph.edges().len(),
        coverage: outcome.coverage.max(walked.code.len()),
        coverage_total: outcome.coverage_total,
        device_failures: device_failures(&ended),
        device_time: ended.iter().map(|ended| Micros(ended.took)).sum::<Micros>()
            + walked.going_on(&begun, &ended),
        crashes: crashes(reading, &begun)?,
        state_keys: walked.graph.states().map(|(_, state)| state.key).collect(),
        code: walked.code,
        state_words: names.states,
        code_names: names.code,
    };
    Ok((overview, app))
}

impl Walked {
    fn read(reading: &mut SessionReading<'_>, begun: &[Begun]) -> Self {
        let mut walked = Self { last: vec![Micros::ZERO; begun.len()], ..Self::default() };
        for (number, segment) in (0..).zip(begun) {
            let file = reading.dir().join("traces").join(&segment.trace);
            let Some((header, steps)) = reading.or_damage_of_trace(&file) else { continue };
            walked.graph.add_trace(TraceNumber(number), &steps, Level::Layout);
            walked.events += steps.len() as u64;
            walked.last[number as usize] = steps.last().and_then(|step| step.at).unwrap_or_default();
            walked.code.extend(steps.iter().flat_map(|step| &step.coverage));
            walked.header.get_or_insert(header);
        }
        walked
    }

    /// The time of segments that have not ended, as far as their steps tell.
    fn going_on(&self, begun: &[Begun], ended: &[EndedEntry]) -> Micros {
        let ended: BTreeSet<u32> = ended.iter().map(|ended| ended.segment).collect();
        let open = begun.iter().zip(&self.last).filter(|(begun, _)| !ended.contains(&begun.segment));
        open.map(|(_, last)| *last).sum()
    }
}

impl SessionReading<'_> {
    /// The steps of a trace that may still grow. One that was cut off in the middle of a line is read up to there.
    fn or_damage_of_trace(&mut self, file: &Path) -> Option<(Header, Vec<Step>)> {
        match tracefile::read_growing(file) {
            Ok(read) => Some(read),
            Err(error) => self.or_damage(Err(error)),
        }
    }
}

fn crashes(reading: &mut SessionReading<'_>, begun: &[Begun]) -> Result<Vec<CrashOverview>> {
    let dir = reading.dir().to_owned();
    let files: BTreeMap<u32, &str> = begun.iter().map(|begun| (begun.segment, &*begun.trace)).collect();
    let later: BTreeSet<u32> =
        begun.iter().filter(|begun| begun.after.is_some()).map(|begun| begun.segment).collect();
    let mut crashes: Vec<CrashOverview> = Vec::new();
    for entry in reading.entries::<CrashEntry>(CRASHED)? {
        let at = crashes.iter().position(|known| known.signature == entry.signature).unwrap_or_else(|| {
            crashes.push(CrashOverview::new(&entry));
            crashes.len() - 1
        });
        let crash = &mut crashes[at];
        crash.seen += 1;
        crash.segments.extend(files.get(&entry.segment).map(|file| dir.join("traces").join(file)));
        if let Some(trace) = entry.trace {
            (crash.trace, crash.events) = (dir.join(trace), entry.events);
            crash.tried_again = entry.tried_again;
            crash.proof = proof(entry.tried_again, !later.contains(&entry.segment));
        }
    }
    for crash in &mut crashes {
        let read = tracefile::read(&crash.trace);
        crash.crash = reading.or_damage(read).and_then(last_crash);
    }
    for entry in reading.entries::<ReducedEntry>(REDUCED)? {
        if let Some(crash) = crashes.iter_mut().find(|crash| crash.signature == entry.signature) {
            crash.reduced = Some(ReductionOfCrash::of(entry, &dir));
        }
    }
    Ok(crashes)
}

/// What speaks for a trace, by what the log says of it.
fn proof(tried_again: Option<(u32, u32)>, clean: bool) -> Proof {
    match tried_again {
        Some((reached, of)) => Proof::Tried(Confirmed { reached, of }.tally()),
        None if clean => Proof::CleanStart,
        None => Proof::Untried,
    }
}

/// The crash that a trace is there for, else its last one.
fn last_crash(Trace { header, steps }: Trace) -> Option<Crash> {
    let in_steps = steps.into_iter().filter_map(|step| step.crash);
    let mut crashes: Vec<Crash> = header.crash.into_iter().chain(in_steps).collect();
    let wanted = |crash: &Crash| header.target == Some(Target::Crash(crash.signature.clone()));
    let at = crashes.iter().rposition(wanted).or(crashes.len().checked_sub(1))?;
    Some(crashes.swap_remove(at))
}

impl CrashOverview {
    fn new(entry: &CrashEntry) -> Self {
        Self {
            signature: entry.signature.clone(),
            crash: None,
            seen: 0,
            trace: PathBuf::new(),
            events: entry.events,
            tried_again: entry.tried_again,
            proof: Proof::Untried,
            segments: Vec::new(),
            reduced: None,
        }
    }
}

impl ReductionOfCrash {
    fn of(entry: ReducedEntry, dir: &Path) -> Self {
        let (reached, of) = entry.confirmed;
        let confirmed = Confirmed { reached, of };
        Self {
            status: entry.status,
            events: entry.events,
            confirmed,
            rate: RateResult::of(confirmed.tally()),
            trace: entry.trace.map(|trace| dir.join(trace)),
        }
    }
}

/// Times as results tell them.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) fn seconds<S: serde::Serializer>(time: &Micros, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}
