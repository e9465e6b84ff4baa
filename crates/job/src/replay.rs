//! How often does a trace reach its target?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_lab::{
    Deadlines, Done, Leaving, Oracle, Recorded, Report, SessionJournal, drive, followed, recorded_activities,
    recorded_runs,
};
use retap_reduce::{Measurement, Subset, Tally};
use retap_trace::{Crash, Event, Level, Micros, Seed, Signature, Step, Target, Trace};
use serde::{Deserialize, Serialize};

use crate::devices::Devices;
use crate::driven::Driven;
use crate::error::{Result, require};
use crate::reduce::{Confirmed, RateResult};
use crate::watch::{JobEvent, JobProgress, Unit, Watching};
use crate::{build, folder, kept, platform, text, tracefile};

/// The name of the job in its session.
pub(crate) const COMMAND: &str = "replay";

/// Everything that decides how a trace is replayed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReplayPlan {
    /// The file of the trace.
    pub input: PathBuf,
    /// A hash of what it says.
    pub trace: String,
    /// What a run must reach.
    #[serde(with = "text")]
    pub target: Target,
    /// The device, as it is written.
    pub device: String,
    /// How many of them.
    pub devices: u32,
    /// How many runs.
    pub times: u32,
    /// The seed of all chance.
    pub seed: u64,
    /// Whether no run may end in a crash. The target is any crash then: see [`ReplayPlan::expecting_no_crash`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub expect_no_crash: bool,
    /// The trace, once it is read.
    #[serde(skip)]
    loaded: Option<Arc<Trace>>,
}

/// What came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayResult {
    /// Always `replay`.
    pub command: &'static str,
    /// How it ended.
    pub status: ReplayStatus,
    /// Why no device was left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What a run must reach.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(with = "text")]
    pub target: Target,
    /// Events of the trace.
    pub events: usize,
    /// How many of how many runs reached the target.
    pub confirmed: Confirmed,
    /// The rate that this tells.
    pub rate: RateResult,
    /// Whether no run was to end in a crash.
    pub expect_no_crash: bool,
    /// The crashes that ended runs, the most frequent first.
    pub crashes: Vec<ReplayCrash>,
    /// Whether the trace does not tell where its steps lead, where no crash was to come and none came.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// Where runs left that missed it.
    pub missed: Vec<MissedRuns>,
    /// How many runs were asked for.
    pub times: u32,
    /// Runs that gave evidence.
    pub runs: u32,
    /// Runs in which the device failed.
    pub runs_inconclusive: u32,
    /// Device time of all runs.
    pub device_seconds: f64,
    /// How many devices.
    pub devices: u32,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seed of all chance.
    pub seed: u64,
    /// Device time of all runs.
    #[serde(skip)]
    pub device_time: Micros,
    /// What is not part of the result for programs.
    #[serde(skip)]
    pub details: ReplayDetails,
}

/// What replays have shown besides.
#[derive(Debug, Clone)]
pub struct ReplayDetails {
    /// The file of the trace.
    pub input: PathBuf,
    /// The trace.
    pub trace: Arc<Trace>,
    /// The device, as it is written.
    pub device: String,
    /// Every run, in the order in which they ended, those included in which the device failed.
    pub reports: Vec<Report>,
}

/// A crash that ended some of the runs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayCrash {
    /// Its signature.
    pub signature: String,
    /// How many runs.
    pub runs: u32,
    /// Whether it is the one that the trace recorded, or is there to reach.
    pub recorded: bool,
    /// The crash, as it was first seen.
    #[serde(skip)]
    pub crash: Crash,
}

/// How replaying a trace ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReplayStatus {
    /// Some runs reached the target. Where no crash is expected: all runs went without one.
    Done,
    /// None did.
    NotReproducible,
    /// No crash was expected, and some runs ended in one.
    Crashed,
    /// No crash was expected, and none was seen; but in some runs the device failed, and nothing is known of those.
    Unknown,
    /// No crash was expected, and none was seen; but some runs could not perform the steps where they were recorded, or too
    /// little is recorded of where the steps lead, and nothing is known of those.
    Astray,
    /// Somebody stopped it.
    Interrupted,
    /// No device was left.
    CutShort,
}

/// Runs that missed the target alike.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissedRuns {
    /// The step after which they were elsewhere, or crashed; 0 is the start. The last one when they were never seen
    /// elsewhere.
    pub after_step: usize,
    /// That step, in words; none for the start.
    pub event: Option<String>,
    /// The state in which they ended, in words; none after a crash.
    pub state: Option<String>,
    /// The signature of the other crash that ended them.
    pub crash: Option<String>,
    /// Whether that crash is the one that the trace recorded, or is there to reach.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recorded: bool,
    /// The next step, in words, where its widget was not on the screen. Looked for only where no crash is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_widget: Option<String>,
    /// How many runs.
    pub runs: u32,
}

impl ReplayPlan {
    /// Replays of a trace that was read from this file.
    pub fn new(file: &Path, trace: Trace, target: Target, device: impl Into<String>) -> Result<Self> {
        Ok(Self {
            input: file.to_owned(),
            trace: tracefile::fingerprint(&trace)?,
            target,
            device: device.into(),
            devices: 1,
            times: 20,
            seed: 1,
            expect_no_crash: false,
            loaded: Some(Arc::new(trace)),
        })
    }

    /// The same to see that no run crashes: all steps are performed, and whatever crash comes is one too many. A trace
    /// without steps, or with others than were confirmed, would pass without having shown anything.
    pub fn expecting_no_crash(self) -> Result<Self> {
        let (trace, file) = (self.load()?, self.input.display());
        require!(
            !trace.is_changed(),
            "{file} was changed since it was confirmed, so runs of it without a crash prove nothing; reduce it again, which \
             confirms it"
        );
        require!(
            !trace.steps.is_empty() || trace.crash().is_some(),
            "{file} has no steps, so runs of it without a crash prove nothing; record or reduce it again"
        );
        Ok(Self { target: Target::AnyCrash, expect_no_crash: true, ..self })
    }

    fn load(&self) -> Result<Arc<Trace>> {
        if let Some(trace) = &self.loaded {
            return Ok(trace.clone());
        }
        let trace = tracefile::read(&self.input)?;
        require!(tracefile::fingerprint(&trace)? == self.trace, "{} has changed since", self.input.display());
        Ok(Arc::new(trace))
    }
}

impl MissedRuns {
    fn of(leaving: Leaving, trace: &Trace) -> Self {
        let Leaving { after, state, crash, without_widget, runs } = leaving;
        let words = |step: usize| trace.events().nth(step).map(ToString::to_string);
        Self {
            after_step: after,
            event: after.checked_sub(1).and_then(words),
            state,
            recorded: crash.as_ref().is_some_and(|crash| is_recorded(trace, &crash.signature)),
            crash: crash.map(|crash| crash.signature.to_string()),
            without_widget: without_widget.and_then(words),
            runs,
        }
    }
}

/// The steps up to the crash that the trace is there to reach, else up to its last one, or all where none crashed: what comes
/// then is of another start of the app.
fn leading(trace: &Trace) -> &[Step] {
    let aimed_at = |step: &Step| match (&step.crash, &trace.header.target) {
        (Some(crash), Some(Target::Crash(wanted))) => crash.signature == *wanted,
        _ => false,
    };
    let last = || trace.steps.iter().rposition(|step| step.crash.is_some());
    let crashed = trace.steps.iter().rposition(aimed_at).or_else(last);
    &trace.steps[..crashed.map_or(trace.steps.len(), |step| step + 1)]
}

/// Whether runs without a crash did something else than the trace before the last of the steps that lead to its crash.
fn any_astray(missed: &[MissedRuns], trace: &Trace) -> bool {
    let last = leading(trace).len();
    missed
        .iter()
        .any(|runs| runs.crash.is_none() && (runs.without_widget.is_some() || runs.after_step < last))
}

/// Whether nothing tells that runs of a trace get to where it leads. Either it is recorded which activity was in front before
/// the last of the steps that lead to its crash; or that step goes by its widget or launches the app, and all that was touched
/// since an activity was recorded goes by its widget. What was confirmed is no help: it is of the app as it was.
fn is_blind(trace: &Trace) -> bool {
    let steps = leading(trace);
    let Some(last) = steps.last() else { return false };
    let recorded = |place: &usize| recorded_activities(trace, *place).next().is_some();
    let known = (0..steps.len()).rev().find(recorded);
    let since = &steps[known.unwrap_or(0)..];
    let at_last = known == Some(steps.len() - 1);
    let finds_itself = followed(&last.event).is_some() || last.event == Event::Launch;
    !at_last && (!finds_itself || since.iter().any(|step| by_place(&step.event)))
}

/// Whether what an event does hangs on what is at a place of the screen, or has the focus.
fn by_place(event: &Event) -> bool {
    followed(event).is_none() && (event.aim().is_some() || matches!(event, Event::Text { .. }))
}

impl ReplayCrash {
    fn of(trace: &Trace, reports: &[Report]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for crash in reports.iter().filter_map(|report| report.crash.as_ref()) {
            match found.iter_mut().find(|known| known.crash.signature == crash.signature) {
                Some(known) => known.runs += 1,
                None => found.push(Self {
                    signature: crash.signature.to_string(),
                    runs: 1,
                    recorded: is_recorded(trace, &crash.signature),
                    crash: crash.clone(),
                }),
            }
        }
        found.sort_by_key(|crash| std::cmp::Reverse(crash.runs));
        found
    }
}

/// Whether a crash is one that a trace recorded, or is there to reach.
fn is_recorded(trace: &Trace, signature: &Signature) -> bool {
    let mut seen = trace.steps.iter().filter_map(|step| step.crash.as_ref());
    seen.any(|crash| crash.signature == *signature)
        || matches!(&trace.header.target, Some(Target::Crash(wanted)) if wanted == signature)
}

/// Runs a trace several times. Without a folder nothing is recorded: who replays again wants fresh runs.
pub(crate) fn run(
    plan: &ReplayPlan,
    devices: &Devices,
    folder: Option<&Path>,
    watching: &Watching<'_>,
) -> Result<ReplayResult> {
    let trace = plan.load()?;
    let events = u32::try_from(trace.steps.len()).expect("longer ones are not read");
    let mut measurement = Measurement::new(Subset::all(events), plan.times);
    let oracle = Oracle {
        trace: trace.clone(),
        target: plan.target.clone(),
        level: Level::Activity,
        seed: Seed(plan.seed),
        deadlines: Deadlines::default(),
        // A run that cannot touch what the trace touches proves nothing of a crash that it does not meet.
        strict: plan.expect_no_crash,
    };
    devices.accept(&trace.header, &plan.input.display(), watching)?;
    if trace.is_changed() {
        watching.tell(&JobEvent::TraceChanged { file: &plan.input });
    }
    let lab = devices.witnesses(&oracle, watching.stop());
    let mut session = folder.map(|folder| folder::open(Some(folder), COMMAND, plan)).transpose()?;
    if let Some(session) = &mut session {
        build::same(session, &devices.header.app, &plan.device)?;
        platform::same(session, devices.header.platform.as_deref())?;
    }
    let recorded = session.as_ref().map(|session| recorded_runs(session)).transpose()?.unwrap_or_default();
    let known = recorded.len();
    if known > 0 {
        watching.tell(&JobEvent::Resumed { done: known as u64, unit: Unit::Runs });
    }
    let runs = (0, u64::from(plan.times));
    watching.tell(&JobEvent::Progress(JobProgress::Replay { runs, reached: 0 }));
    let mut reports: Vec<Report> = Vec::new();
    let mut watch = |measurement: &mut Measurement, done: &Done| {
        reports.push(done.report.clone());
        let tally = measurement.tally();
        let runs = (u64::from(tally.runs()), u64::from(plan.times));
        watching.tell(&JobEvent::Progress(JobProgress::Replay { runs, reached: tally.reached }));
        watching.tell(&JobEvent::TraceReplay(done));
        watching.flow(reports.len(), known)
    };
    let mut lab = Recorded::new(lab, recorded);
    let driven = match &mut session {
        None => drive(&mut measurement, &mut lab, &mut (), &mut watch),
        Some(session) => {
            drive(&mut measurement, &mut lab, &mut SessionJournal::new(session, known), &mut watch)
        }
    };
    let driven = Driven::of(driven)?;
    let over = driven.over;
    let result = result(plan, &measurement, trace, reports, driven);
    let result = ReplayResult { platform: devices.header.platform.clone(), ..result };
    if let Some(session) = session.as_mut().filter(|_| over) {
        kept::keep(session, &result)?;
    }
    Ok(result)
}

fn result(
    plan: &ReplayPlan,
    measurement: &Measurement,
    trace: Arc<Trace>,
    reports: Vec<Report>,
    driven: Driven,
) -> ReplayResult {
    let tally: Tally = measurement.tally();
    let missed = Leaving::of(&trace, &reports).into_iter().map(|leaving| MissedRuns::of(leaving, &trace));
    let missed: Vec<MissedRuns> = missed.collect();
    let blind = plan.expect_no_crash && is_blind(&trace);
    let astray = blind || plan.expect_no_crash && any_astray(&missed, &trace);
    let device_time = reports.iter().fold(Micros::ZERO, |sum, report| sum + report.took);
    ReplayResult {
        command: COMMAND,
        status: match &driven {
            Driven { over: true, .. } => ended(plan, tally, measurement.inconclusive(), astray),
            Driven { no_device_left: Some(_), .. } => ReplayStatus::CutShort,
            Driven { no_device_left: None, .. } => ReplayStatus::Interrupted,
        },
        why: driven.no_device_left,
        target: plan.target.clone(),
        events: trace.steps.len(),
        confirmed: Confirmed::of(tally),
        rate: RateResult::of(tally),
        expect_no_crash: plan.expect_no_crash,
        crashes: ReplayCrash::of(&trace, &reports),
        blind: blind && tally.reached == 0,
        missed,
        times: plan.times,
        runs: tally.runs(),
        runs_inconclusive: measurement.inconclusive(),
        device_seconds: device_time.as_secs_f64(),
        devices: plan.devices,
        platform: None,
        seed: plan.seed,
        device_time,
        details: ReplayDetails { input: plan.input.clone(), trace, device: plan.device.clone(), reports },
    }
}

/// How replays ended that were all made.
fn ended(plan: &ReplayPlan, tally: Tally, inconclusive: u32, astray: bool) -> ReplayStatus {
    match (plan.expect_no_crash, tally.reached) {
        (false, 0) => ReplayStatus::NotReproducible,
        (true, 0) if astray => ReplayStatus::Astray,
        (true, 0) if inconclusive > 0 => ReplayStatus::Unknown,
        (false, _) | (true, 0) => ReplayStatus::Done,
        (true, _) => ReplayStatus::Crashed,
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::{Aim, Aiming, CrashKind, Header, Key, Point, Seen, Selector};

    use super::*;

    /// A trace, a letter for each step: `w` touches a widget, `p` a place, `b` goes back, `l` launches the app. A capital one
    /// has recorded what was in front before it, and `!` is a crash of the step before.
    fn trace(letters: &str) -> Trace {
        let mut trace = Trace { header: Header::new("a.b"), steps: Vec::new() };
        for letter in letters.chars() {
            let aim = Aim::place(Point::new(1, 1));
            let named = || Some(Selector { text: Some("Go".into()), ..Selector::default() });
            let event = match letter.to_ascii_lowercase() {
                'w' => Event::Tap(Aim { widget: named(), by: Aiming::Widget, ..aim }),
                'p' => Event::Tap(Aim { widget: named(), ..aim }),
                'b' => Event::key(Key::BACK),
                'l' => Event::Launch,
                _ => {
                    let last = trace.steps.last_mut().expect("a step before");
                    last.crash = Some(crash());
                    continue;
                }
            };
            let before = letter.is_ascii_uppercase().then(|| Seen::activity("a.b.Main"));
            trace.steps.push(Step { before, ..Step::new(event) });
        }
        trace
    }

    fn crash() -> Crash {
        Crash {
            kind: CrashKind::Java,
            signature: Signature("a.b.Bug@Main.go#0".into()),
            exception: "a.b.Bug".into(),
            message: String::new(),
            root_cause: None,
            frames: Vec::new(),
        }
    }

    /// A run that leaves the way between two crashes has not come to the one that the trace is there to reach.
    #[test]
    fn of_several_crashes_the_one_that_is_to_be_reached_ends_the_way() {
        let mut two = trace("PP!PP!P");
        assert_eq!(leading(&two).len(), 4);
        two.steps[1].crash.as_mut().expect("it crashed").signature = Signature("a.b.Other@Main.go#0".into());
        for (target, steps) in
            [("a.b.Other@Main.go#0", 2), ("a.b.Bug@Main.go#0", 4), ("a.b.Gone@Main.go#0", 4)]
        {
            two.header.target = Some(Target::Crash(Signature(target.into())));
            assert_eq!(leading(&two).len(), steps, "{target}");
        }
    }

    #[test]
    fn a_trace_is_blind_unless_its_last_place_is_known() {
        for seeing in
            ["P", "ppP", "ppB", "w", "www", "wbw", "Www", "PWpW", "ppP!pp", "pWw!pp", "l", "wbl", ""]
        {
            assert!(!is_blind(&trace(seeing)), "{seeing}");
        }
        // What was done by places before an activity was recorded is judged by that; since then it is not.
        assert!(!is_blind(&trace("ppWbw")));
        for blind in ["p", "b", "Pp", "PPpw", "wpp", "wb", "ppw", "Pww", "Wb", "WWpp", "pp!P", "wpw!", "pl"] {
            assert!(is_blind(&trace(blind)), "{blind}");
        }
    }
}
