//! Runs a suite, trace by trace, and judges each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use retap_lab::{Deadlines, Done, FollowReport, Guide, drive};
use retap_model::{TraceNumber, crash_key};
use retap_reduce::{Algorithm, Ticket};
use retap_suite::{Followed, Leg, Purpose, ReplayOrder, Sighting, StepRef};
use retap_trace::{CoverageId, Header, Level, Seed, StateKey, Step, Trace};
use serde::{Deserialize, Serialize};

use super::manifest;
use crate::devices::Devices;
use crate::error::Result;
use crate::names::Names;
use crate::watch::{JobEvent, JobProgress, Watching};

/// Everything that decides how a suite is replayed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReplaySuitePlan {
    /// The folder of the suite.
    pub suite: PathBuf,
    /// The device, as it is written.
    pub device: String,
    /// How many of them.
    pub devices: u32,
    /// The seed of all chance.
    pub seed: u64,
}

/// What came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct ReplaySuiteResult {
    /// Always `replay`.
    pub command: &'static str,
    /// How it ended.
    pub status: ReplaySuiteStatus,
    /// The folder of the suite.
    pub suite: PathBuf,
    /// How each trace went.
    pub traces: Vec<TraceVerdict>,
    /// Whether code was compared: numbers of code mean nothing in another build.
    pub code_compared: bool,
    /// Traces that passed.
    pub passed: usize,
    /// Traces that failed.
    pub failed: usize,
    /// Device time of all traces.
    pub device_seconds: f64,
}

/// How replaying a suite ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplaySuiteStatus {
    /// Every trace was run.
    Done,
    /// Somebody stopped it.
    Interrupted,
}

/// How one trace of a suite went.
#[derive(Debug, Clone, Serialize)]
pub struct TraceVerdict {
    /// Its file.
    pub trace: String,
    /// Whether it went as it was recorded.
    pub passed: bool,
    /// The first step that did not lead where it should, from 1; 0 is the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverged_at: Option<usize>,
    /// Code that it covered when it was recorded, and not now.
    pub missing_coverage: Vec<u32>,
    /// What that is called.
    pub missing_code: Vec<String>,
    /// What happened, in words.
    pub why: String,
    /// Device time.
    pub seconds: f64,
}

/// The state that a step must lead to.
pub(super) fn expected(step: &Step, level: Level) -> StateKey {
    match &step.crash {
        Some(crash) => crash_key(&crash.signature),
        None => step.after.as_ref().and_then(|after| after.key(level)).unwrap_or(StateKey(0)),
    }
}

/// Runs a suite.
pub(crate) fn replay(
    plan: &ReplaySuitePlan,
    devices: &Devices,
    watching: &Watching<'_>,
) -> Result<ReplaySuiteResult> {
    let (suite, traces) = manifest::read(&plan.suite)?;
    let header = &traces[0].1.header;
    devices.accept(header, &plan.suite.display(), watching)?;
    let code = Code::of(&suite, header, devices);
    if !code.compared {
        watching.tell(&JobEvent::CodeNotCompared);
    }
    let (files, traces): (Vec<PathBuf>, Vec<Trace>) = traces.into_iter().unzip();
    let guide = Guide {
        traces: traces.into(),
        level: suite.level,
        seed: Seed(plan.seed),
        deadlines: Deadlines::default(),
        snapshots: false,
    };
    let mut round = Round::new(&guide.traces, suite.level);
    let total = files.len() as u64;
    let mut watch = |round: &mut Round, _: &Done<ReplayOrder, FollowReport>| {
        let traces = (round.done.len() as u64, total);
        watching.tell(&JobEvent::Progress(JobProgress::ReplaySuite { traces }));
        watching.flow()
    };
    let mut lab = devices.followers(&guide, watching.stop());
    let finished = drive(&mut round, &mut lab, &mut Vec::new(), &mut watch)?;
    let verdicts: Vec<TraceVerdict> =
        round.done.iter().map(|(ticket, followed)| judge(*ticket, followed, &guide, &files, &code)).collect();
    let passed = verdicts.iter().filter(|verdict| verdict.passed).count();
    Ok(ReplaySuiteResult {
        command: "replay",
        status: if finished { ReplaySuiteStatus::Done } else { ReplaySuiteStatus::Interrupted },
        suite: plan.suite.clone(),
        code_compared: code.compared,
        passed,
        failed: verdicts.len() - passed,
        device_seconds: verdicts.iter().map(|verdict| verdict.seconds).sum(),
        traces: verdicts,
    })
}

/// What is known of the code that a suite executes.
struct Code {
    names: Names,
    compared: bool,
}

impl Code {
    fn of(suite: &manifest::Manifest, header: &Header, devices: &Devices) -> Self {
        let (then, now) = (&header.app.build, &devices.header.app.build);
        // Who does not know better compares.
        let compared = then.is_none() || now.is_none() || then == now;
        Self { names: suite.names(), compared }
    }

    /// Code that a trace covered when it was recorded, and not now.
    fn missing(&self, trace: &Trace, followed: &Followed) -> Vec<CoverageId> {
        if !self.compared {
            return Vec::new();
        }
        let covered: BTreeSet<CoverageId> =
            followed.sightings.iter().flat_map(|seen| &seen.coverage).copied().collect();
        let recorded = trace.steps.iter().flat_map(|step| &step.coverage);
        recorded.filter(|id| !covered.contains(id)).copied().collect()
    }
}

/// One run of each trace. Runs in which a device failed are made up for.
struct Round {
    waiting: VecDeque<ReplayOrder>,
    flying: BTreeMap<Ticket, ReplayOrder>,
    done: BTreeMap<Ticket, Followed>,
}

impl Round {
    fn new(traces: &[Trace], level: Level) -> Self {
        let order = |(number, trace): (u32, &Trace)| {
            let leg = |(position, step): (u32, &Step)| Leg {
                step: StepRef { trace: TraceNumber(number), position },
                expect: expected(step, level),
            };
            ReplayOrder {
                ticket: Ticket(u64::from(number)),
                start: trace.steps.first().and_then(|step| step.before.as_ref()?.key(level)),
                legs: (0..).zip(&trace.steps).map(leg).collect(),
                purpose: Purpose::Confirm,
                label: "replay".to_owned(),
            }
        };
        let waiting = (0..).zip(traces).map(order).collect();
        Self { waiting, flying: BTreeMap::new(), done: BTreeMap::new() }
    }
}

impl Algorithm for Round {
    type Order = ReplayOrder;
    type Evidence = Followed;

    fn order(&mut self) -> Option<ReplayOrder> {
        let order = self.waiting.pop_front()?;
        self.flying.insert(order.ticket, order.clone());
        Some(order)
    }

    fn settle(&mut self, ticket: Ticket, followed: &Followed) {
        let Some(order) = self.flying.remove(&ticket) else { return };
        if followed.inconclusive {
            self.waiting.push_front(order);
        } else {
            self.done.insert(ticket, followed.clone());
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Vec::new()
    }

    fn over(&self) -> bool {
        self.waiting.is_empty() && self.flying.is_empty()
    }
}

fn judge(ticket: Ticket, followed: &Followed, guide: &Guide, files: &[PathBuf], code: &Code) -> TraceVerdict {
    let number = usize::try_from(ticket.0).expect("few traces");
    let trace = &guide.traces[number];
    let met = |(step, seen): &(&Step, &Sighting)| seen.key() == expected(step, guide.level);
    let matched = trace.steps.iter().zip(&followed.sightings).take_while(met).count();
    let whole = matched == trace.steps.len();
    let missing = code.missing(trace, followed);
    let names: Vec<String> = missing.iter().map(|id| code.names.code(*id)).collect();
    let why = match (whole, followed.sightings.get(matched).and_then(|seen| seen.crash.as_ref())) {
        (true, _) if missing.is_empty() => "followed".to_owned(),
        (true, _) => format!("followed, but this code was not executed: {}", names.join("; ")),
        (false, Some(crash)) => format!("step {} ended in {crash}", matched + 1),
        (false, None) if followed.sightings.is_empty() => "the app did not start as it should".to_owned(),
        (false, None) => format!("step {} ({}) led elsewhere", matched + 1, trace.steps[matched].event),
    };
    TraceVerdict {
        trace: files[number].display().to_string(),
        passed: whole && missing.is_empty(),
        diverged_at: (!whole).then_some(if followed.sightings.is_empty() { 0 } else { matched + 1 }),
        missing_coverage: missing.into_iter().map(|id| id.0).collect(),
        missing_code: names,
        why,
        seconds: followed.took.as_secs_f64(),
    }
}
