//! Runs a suite, trace by trace, and judges each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use retap_lab::{Deadlines, Done, FollowReport, Guide, drive};
use retap_model::{TraceNumber, crash_key};
use retap_reduce::{Algorithm, Ticket};
use retap_suite::{Followed, Leg, Purpose, ReplayOrder, Sighting, StepRef};
use retap_trace::{CoverageId, Header, Level, Seed, Signature, StateKey, Step, Trace};
use serde::{Deserialize, Serialize};

use super::manifest;
use crate::devices::Devices;
use crate::driven::Driven;
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
    /// Why no device was left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The folder of the suite.
    pub suite: PathBuf,
    /// How each trace went.
    pub traces: Vec<TraceVerdict>,
    /// Traces that were not run to their end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<String>,
    /// Runs in which the device failed.
    pub runs_inconclusive: u32,
    /// Whether code was compared: numbers of code mean nothing in another build.
    pub code_compared: bool,
    /// Traces that passed.
    pub passed: usize,
    /// Traces that failed.
    pub failed: usize,
    /// Device time of all traces.
    pub device_seconds: f64,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
}

/// How replaying a suite ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplaySuiteStatus {
    /// Every trace was run.
    Done,
    /// Somebody stopped it.
    Interrupted,
    /// No device was left.
    CutShort,
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
    /// Device time, with the wait for a late crash.
    pub seconds: f64,
    /// The crash that ended it where it should not.
    #[serde(skip)]
    pub crash: Option<Signature>,
    /// Earlier runs of it in which the device failed: what was said of each.
    #[serde(skip)]
    pub device_failures: Vec<String>,
}

/// The state that a step must lead to; every step of a suite has one.
pub(super) fn expected(step: &Step, level: Level) -> Option<StateKey> {
    match &step.crash {
        Some(crash) => Some(crash_key(&crash.signature)),
        None => step.after.as_ref().and_then(|after| after.key(level)),
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
    watching.tell(&JobEvent::Progress(JobProgress::ReplaySuite { traces: (0, total) }));
    let mut failures: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut watch = |round: &mut Round, done: &Done<ReplayOrder, FollowReport>| {
        if let (true, Some(leg)) = (done.report.followed.inconclusive, done.order.legs.first()) {
            let why = done.report.why.clone().unwrap_or_else(|| "the device failed".to_owned());
            failures.entry(leg.step.trace.0).or_default().push(why);
        }
        watching.tell(&JobEvent::SuiteReplay(done));
        let traces = (round.done.len() as u64, total);
        watching.tell(&JobEvent::Progress(JobProgress::ReplaySuite { traces }));
        watching.flow(0, 0)
    };
    let mut lab = devices.followers(&guide, watching.stop());
    let driven = Driven::of(drive(&mut round, &mut lab, &mut Vec::new(), &mut watch))?;
    let verdict = |(trace, followed): (&u32, &Followed)| TraceVerdict {
        device_failures: failures.remove(trace).unwrap_or_default(),
        ..judge(*trace, followed, &guide, &files, &code)
    };
    let verdicts: Vec<TraceVerdict> = round.done.iter().map(verdict).collect();
    let not_run = (0..).zip(&files).filter(|(number, _)| !round.done.contains_key(number));
    let passed = verdicts.iter().filter(|verdict| verdict.passed).count();
    Ok(ReplaySuiteResult {
        command: "replay",
        status: match &driven {
            Driven { over: true, .. } => ReplaySuiteStatus::Done,
            Driven { no_device_left: Some(_), .. } => ReplaySuiteStatus::CutShort,
            Driven { no_device_left: None, .. } => ReplaySuiteStatus::Interrupted,
        },
        why: driven.no_device_left,
        not_run: not_run.map(|(_, file)| file.display().to_string()).collect(),
        runs_inconclusive: round.inconclusive,
        suite: plan.suite.clone(),
        code_compared: code.compared,
        passed,
        failed: verdicts.len() - passed,
        device_seconds: verdicts.iter().map(|verdict| verdict.seconds).sum(),
        platform: devices.header.platform.clone(),
        traces: verdicts,
    })
}

/// What is known of the code that a suite executes.
struct Code {
    names: Names,
    compared: bool,
}

impl Code {
    fn of(suite: &manifest::SuiteManifest, header: &Header, devices: &Devices) -> Self {
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

/// One run of each trace. Runs in which a device failed are made up for, by runs of their own.
struct Round {
    orders: Vec<ReplayOrder>,
    waiting: VecDeque<u32>,
    under_way: BTreeMap<Ticket, u32>,
    next_ticket: u64,
    done: BTreeMap<u32, Followed>,
    inconclusive: u32,
}

impl Round {
    fn new(traces: &[Trace], level: Level) -> Self {
        let order = |(number, trace): (u32, &Trace)| {
            let leg = |(position, step): (u32, &Step)| Leg {
                step: StepRef { trace: TraceNumber(number), position },
                expect: expected(step, level).expect("suites are read with it"),
            };
            ReplayOrder {
                ticket: Ticket(u64::from(number)),
                start: trace.steps.first().and_then(|step| step.before.as_ref()?.key(level)),
                legs: (0..).zip(&trace.steps).map(leg).collect(),
                purpose: Purpose::Confirm,
                label: "replay".to_owned(),
            }
        };
        let orders: Vec<ReplayOrder> = (0..).zip(traces).map(order).collect();
        Self {
            waiting: (0..).take(orders.len()).collect(),
            orders,
            under_way: BTreeMap::new(),
            next_ticket: 0,
            done: BTreeMap::new(),
            inconclusive: 0,
        }
    }
}

impl Algorithm for Round {
    type Order = ReplayOrder;
    type Evidence = Followed;

    fn order(&mut self) -> Option<ReplayOrder> {
        let trace = self.waiting.pop_front()?;
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.under_way.insert(ticket, trace);
        Some(ReplayOrder { ticket, ..self.orders[trace as usize].clone() })
    }

    fn settle(&mut self, ticket: Ticket, followed: &Followed) {
        let Some(trace) = self.under_way.remove(&ticket) else { return };
        if followed.inconclusive {
            self.inconclusive += 1;
            self.waiting.push_back(trace);
        } else {
            self.done.insert(trace, followed.clone());
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Vec::new()
    }

    fn over(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }
}

fn judge(number: u32, followed: &Followed, guide: &Guide, files: &[PathBuf], code: &Code) -> TraceVerdict {
    let number = number as usize;
    let trace = &guide.traces[number];
    let met = |(step, seen): &(&Step, &Sighting)| Some(seen.key()) == expected(step, guide.level);
    let matched = trace.steps.iter().zip(&followed.sightings).take_while(met).count();
    let whole = matched == trace.steps.len();
    let missing = code.missing(trace, followed);
    let names: Vec<String> = missing.iter().map(|id| code.names.code(*id)).collect();
    let crash = followed.sightings.get(matched).and_then(|seen| seen.crash.as_ref());
    let why = match (whole, crash) {
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
        seconds: followed.effort.time.as_secs_f64(),
        crash: crash.filter(|_| !whole).cloned(),
        device_failures: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use retap_suite::Effort;
    use retap_trace::Micros;

    use super::*;

    #[test]
    fn the_wait_at_the_end_is_device_time() {
        let traces = vec![Trace { header: Header::new("a.b"), steps: Vec::new() }].into();
        let (level, seed, deadlines) = (Level::Actionable, Seed(1), Deadlines::default());
        let guide = Guide { traces, level, seed, deadlines, snapshots: false };
        let effort = Effort { time: Micros::from_secs(3), steps: 0 };
        let followed = Followed { effort, ..Followed::clean(None, Vec::new(), Micros::from_secs(1)) };
        let code = Code { names: Names::default(), compared: false };
        let verdict = judge(0, &followed, &guide, &["a.trace.jsonl".into()], &code);
        assert_eq!((verdict.passed, verdict.seconds), (true, 3.0));
    }
}
