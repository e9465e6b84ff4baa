//! `retap replay --suite`: runs a suite, trace by trace.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use retap_lab::{Deadlines, Done, Flow, FollowReport, Guide, drive};
use retap_model::{TraceNumber, crash_key};
use retap_reduce::{Inquiry, Ticket};
use retap_suite::{Followed, Leg, Purpose, ReplayOrder, StepRef};
use retap_trace::{CoverageId, Header, Level, Micros, Seed, StateKey, Step, Trace};
use serde::Serialize;

use super::manifest;
use crate::args::ReplayArgs;
use crate::commands::Context;
use crate::config;
use crate::devices::{self, Fleet};
use crate::exit::Exit;
use crate::names::Names;
use crate::output::{bad, good};
use crate::progress::Progress;

/// The result for programs.
#[derive(Debug, Serialize)]
struct ReplayResult {
    command: &'static str,
    status: &'static str,
    suite: PathBuf,
    traces: Vec<Verdict>,
    /// Whether code was compared: numbers of code mean nothing in another build.
    code_compared: bool,
    passed: usize,
    failed: usize,
    device_seconds: f64,
}

/// How one trace went.
#[derive(Debug, Clone, Serialize)]
struct Verdict {
    trace: String,
    passed: bool,
    /// The first step that did not lead where it should, from 1; 0 is the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    diverged_at: Option<usize>,
    /// Code that it covered when it was recorded, and not now; and what it is called.
    missing_coverage: Vec<u32>,
    missing_code: Vec<String>,
    why: String,
    seconds: f64,
}

/// The state that a step must lead to.
pub(super) fn expected(step: &Step, level: Level) -> StateKey {
    match &step.crash {
        Some(crash) => crash_key(&crash.signature),
        None => step.after.as_ref().and_then(|after| after.key(level)).unwrap_or(StateKey(0)),
    }
}

/// Runs a suite.
pub(crate) fn run(folder: &Path, args: &ReplayArgs, context: &Context) -> anyhow::Result<Exit> {
    let (suite, traces) = manifest::read(folder)?;
    let level: Level = suite.level.parse().map_err(anyhow::Error::msg)?;
    let named = [args.run.device.as_deref(), context.config.device.as_deref()];
    let (first, header) = (&traces[0].0, &traces[0].1.header);
    let device = devices::choose_for(named, header, first)?;
    let devices = config::devices(args.run.devices, &context.config)?;
    for (file, trace) in &traces {
        devices::check_app(&trace.header, file, &device)?;
    }
    let fleet = context.fleet(&device, devices)?;
    fleet.accept(header, &folder.display(), context.output)?;
    let code = Code::of(&suite, header, &fleet);
    if !code.compared {
        context.output.say(
            "states and crashes are compared; code is not, because its numbers are those of another build",
        );
    }
    let (files, traces): (Vec<PathBuf>, Vec<Trace>) = traces.into_iter().unzip();
    let seed = Seed(context.seed());
    let guide =
        Guide { traces: traces.into(), level, seed, deadlines: Deadlines::default(), snapshots: false };
    let mut round = Round::new(&guide.traces, level);
    let progress = Progress::new(context.output, "replay", files.len() as u64);
    let mut watch = |round: &mut Round, _: &Done<ReplayOrder, FollowReport>| {
        progress.set(round.done.len() as u64, "traces".to_owned());
        if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
    };
    let mut lab = fleet.trail(&guide, &context.interrupt);
    let finished = drive(&mut round, &mut lab, &mut Vec::new(), &mut watch)?;
    drop(progress);
    let verdicts: Vec<Verdict> =
        round.done.iter().map(|(ticket, followed)| judge(*ticket, followed, &guide, &files, &code)).collect();
    if let Some(path) = &args.junit {
        let text = junit(folder, &verdicts);
        retap_store::write_beside(path, |to| to.write_all(text.as_bytes()))?;
    }
    report(folder, verdicts, finished, code.compared, context)
}

/// What is known of the code that a suite executes.
struct Code {
    names: Names,
    compared: bool,
}

impl Code {
    fn of(suite: &manifest::Manifest, header: &Header, fleet: &Fleet) -> Self {
        let (then, now) = (&header.app.build, &fleet.header.app.build);
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

impl Inquiry for Round {
    type Order = ReplayOrder;
    type News = Followed;

    fn order(&mut self) -> Option<ReplayOrder> {
        let order = self.waiting.pop_front()?;
        self.flying.insert(order.ticket, order.clone());
        Some(order)
    }

    fn told(&mut self, ticket: Ticket, followed: &Followed) {
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

fn judge(ticket: Ticket, followed: &Followed, guide: &Guide, files: &[PathBuf], code: &Code) -> Verdict {
    let number = usize::try_from(ticket.0).expect("few traces");
    let trace = &guide.traces[number];
    let met = |(step, seen): &(&Step, &retap_suite::Sighting)| seen.key() == expected(step, guide.level);
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
    Verdict {
        trace: files[number].display().to_string(),
        passed: whole && missing.is_empty(),
        diverged_at: (!whole).then_some(if followed.sightings.is_empty() { 0 } else { matched + 1 }),
        missing_coverage: missing.into_iter().map(|id| id.0).collect(),
        missing_code: names,
        why,
        seconds: followed.took.as_secs_f64(),
    }
}

fn report(
    folder: &Path,
    traces: Vec<Verdict>,
    finished: bool,
    code_compared: bool,
    context: &Context,
) -> anyhow::Result<Exit> {
    for verdict in &traces {
        let word = if verdict.passed { good("passed") } else { bad("failed") };
        context.output.say(format!("{word} {}: {}", verdict.trace, verdict.why));
    }
    let passed = traces.iter().filter(|verdict| verdict.passed).count();
    let failed = traces.len() - passed;
    let time: f64 = traces.iter().map(|verdict| verdict.seconds).sum();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "shown to people")]
    let shown = Micros((time * 1e6) as u64);
    context.output.say(format!("{passed} passed, {failed} failed, in {shown} of device time"));
    context.output.result(&ReplayResult {
        command: "replay",
        status: if finished { "done" } else { "interrupted" },
        suite: folder.to_owned(),
        traces,
        code_compared,
        passed,
        failed,
        device_seconds: time,
    })?;
    Ok(match (finished, failed) {
        (false, _) => Exit::Interrupted,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Found,
    })
}

/// The verdicts as the XML that build servers read.
fn junit(folder: &Path, verdicts: &[Verdict]) -> String {
    let failed = verdicts.iter().filter(|verdict| !verdict.passed).count();
    let total: f64 = verdicts.iter().map(|verdict| verdict.seconds).sum();
    let name = xml(&folder.display().to_string());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" tests=\"{}\" \
         failures=\"{failed}\" time=\"{total:.3}\">\n",
        verdicts.len()
    );
    for verdict in verdicts {
        let Verdict { trace, seconds, why, .. } = verdict;
        let case = xml(trace);
        let open = format!("    <testcase classname=\"{name}\" name=\"{case}\" time=\"{seconds:.3}\"");
        let written = if verdict.passed {
            writeln!(text, "{open}/>")
        } else {
            writeln!(text, "{open}>\n      <failure message=\"{}\"/>\n    </testcase>", xml(why))
        };
        written.expect("memory takes all");
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text as it may stand in an attribute.
fn xml(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            control if control.is_control() => safe.push(' '),
            char => safe.push(char),
        }
    }
    safe
}
