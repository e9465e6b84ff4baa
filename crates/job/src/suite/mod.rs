//! From many generated traces to a small regression suite.

mod input;
mod manifest;
mod names;
mod replay;
mod result;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_lab::{Deadlines, Done, FollowReport, Guide, Recorded, SessionJournal, drive, recorded_runs};
use retap_reduce::Ticket;
use retap_store::Session;
use retap_suite::{
    Item, Joins, Kept, Leg, Lost, Mode, Purpose, Reading, ReplayOrder, Shrink, StepRef, SuiteInput,
    SuiteReport, SuiteSettings,
};
use retap_trace::{Level, Seed, Trace};
use serde::{Deserialize, Serialize};

use crate::devices::{Devices, Time};
use crate::driven::Driven;
use crate::error::{Result, require};
use crate::names::Names;
use crate::watch::{JobEvent, JobProgress, Unit, Watching};
use crate::{build, folder, kept, platform, text};

pub use input::SuiteTraces;
pub use manifest::{SuiteEntry, SuiteManifest};
pub(crate) use replay::replay;
pub use replay::{ReplaySuitePlan, ReplaySuiteResult, ReplaySuiteStatus, TraceVerdict};
pub use result::{CoveredItems, LostItem, SuiteCoverage, SuiteDetails, SuiteResult, SuiteSize, SuiteStatus};

/// The name of the job in its session.
pub(crate) const COMMAND: &str = "suite";

/// Everything that decides how a suite is made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SuitePlan {
    /// The traces and folders of traces that it is made of.
    pub input: Vec<PathBuf>,
    /// A hash of what they say.
    pub traces: String,
    /// The device, as it is written.
    pub device: String,
    /// How many of them.
    pub devices: u32,
    /// Runs that confirm each trace.
    pub runs: u32,
    /// The most fragments that a trace is put together of.
    pub fragments: u32,
    /// Whether it is made as published.
    pub classic: bool,
    /// When two states may be joined.
    #[serde(with = "text")]
    pub joins: Joins,
    /// The level at which states are told apart.
    #[serde(with = "text")]
    pub level: Level,
    /// The seed of all chance.
    pub seed: u64,
    /// When replays that search may begin in snapshots. It decides how long a suite takes, not what is tried, so a
    /// session may go on with another.
    pub use_snapshots: UseSnapshots,
    /// The traces, once they are read.
    #[serde(skip)]
    loaded: Option<Arc<SuiteTraces>>,
}

/// When replays that search may begin in snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UseSnapshots {
    /// On devices where replays take time.
    Auto,
    /// Wherever there are some.
    On,
    /// Never.
    Off,
}

/// A suite in the making.
struct SuiteJob<'a> {
    plan: &'a SuitePlan,
    input: Arc<SuiteTraces>,
    names: Names,
    material: Arc<SuiteInput>,
    session: Session,
    devices: &'a Devices,
    watching: &'a Watching<'a>,
}

impl SuitePlan {
    /// A suite of traces that were read from these files and folders.
    pub fn new(input: Vec<PathBuf>, traces: SuiteTraces, device: impl Into<String>) -> Result<Self> {
        Ok(Self {
            input,
            traces: traces.fingerprint()?,
            device: device.into(),
            devices: 1,
            runs: 8,
            fragments: 3,
            classic: false,
            joins: Joins::Abstract,
            level: Level::Actionable,
            seed: 1,
            use_snapshots: UseSnapshots::Auto,
            loaded: Some(Arc::new(traces)),
        })
    }

    fn load(&self) -> Result<Arc<SuiteTraces>> {
        if let Some(traces) = &self.loaded {
            return Ok(traces.clone());
        }
        let traces = SuiteTraces::read(&self.input)?;
        require!(traces.fingerprint()? == self.traces, "the traces have changed since");
        Ok(Arc::new(traces))
    }

    fn settings(&self) -> SuiteSettings {
        SuiteSettings {
            mode: if self.classic { Mode::Classic } else { Mode::Planned },
            runs: self.runs,
            fragments: self.fragments,
            devices: self.devices,
            ..SuiteSettings::default()
        }
    }
}

/// Makes a suite, or goes on making it, in a folder.
pub(crate) fn run(
    plan: &SuitePlan,
    devices: &Devices,
    folder: Option<&Path>,
    watching: &Watching<'_>,
) -> Result<SuiteResult> {
    let input = plan.load()?;
    let reading = Reading { level: plan.level, joins: plan.joins, restart: None };
    let material = SuiteInput::read(&input.traces, reading).map_err(|error| input.explain(&error))?;
    let others = input.other_devices(&plan.device);
    if !others.is_empty() {
        watching.tell(&JobEvent::SeveralDevices { others: &others, device: &plan.device });
    }
    let (file, first) = input.first();
    devices.accept(&first.header, &file.display(), watching)?;
    let mut names = names::of_files(input.files());
    // Numbers of code mean the same only in the same build.
    let (then, now) = (&first.header.app.build, &devices.header.app.build);
    if then == now {
        let covered = names::covered(input.traces.iter().flat_map(|trace| &trace.steps));
        names.ask(&*devices.handles()[0], covered);
    } else if then.is_some() && now.is_some() {
        watching.tell(&JobEvent::OtherCode);
    }
    let mut session = folder::open(folder, COMMAND, plan)?;
    build::same(&mut session, &devices.header.app, &plan.device)?;
    platform::same(&mut session, devices.header.platform.as_deref())?;
    SuiteJob { plan, input, names, material: Arc::new(material), session, devices, watching }.run()
}

impl SuiteJob<'_> {
    fn run(mut self) -> Result<SuiteResult> {
        let mut shrink = Shrink::new(self.material.clone(), self.plan.settings());
        let Driven { over, no_device_left } = self.drive(&mut shrink)?;
        let report = shrink.report();
        let mut result = SuiteResult::of(&report, self.plan, self.session.dir(), |item| self.words(item));
        result.details.why = no_device_left;
        result.platform.clone_from(&self.devices.header.platform);
        if !over {
            result.status = SuiteStatus::CutShort;
            return Ok(result);
        }
        let folder = self.session.dir().join("suite");
        let traces;
        (traces, result.traces_not_recorded) = self.record(&report);
        let words = |item: &Item| self.words(item);
        manifest::write(&folder, &traces, &report, self.plan.level, &self.names, words)?;
        result.suite = Some(folder);
        result.details.lost = self.lost(&report);
        let flaky =
            |flaky: &retap_suite::Flaky| (self.input.step(flaky.step), flaky.followed, flaky.diverged);
        result.details.flaky = report.flaky.iter().map(flaky).collect();
        kept::keep(&mut self.session, &result)?;
        Ok(result)
    }

    /// What is lost, by the reason: crashes first, then states, then code.
    fn lost(&self, report: &SuiteReport) -> Vec<(String, Vec<String>)> {
        let rank = |lost: &&Lost| match lost.item {
            Item::Crash(_) => 0,
            Item::State(_) => 1,
            Item::Code(_) => 2,
        };
        let mut all: Vec<&Lost> = report.lost.iter().collect();
        all.sort_by_key(rank);
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for lost in all {
            let (why, item) = (self.input.why(&lost.why), self.words(&lost.item));
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, items)) => items.push(item),
                None => reasons.push((why, vec![item])),
            }
        }
        reasons
    }

    /// An item in words.
    fn words(&self, item: &Item) -> String {
        names::in_words(item, &self.names, &self.input, self.plan.level)
    }

    fn drive(&mut self, shrink: &mut Shrink) -> Result<Driven> {
        let recorded: Vec<Done<ReplayOrder, FollowReport>> = recorded_runs(&self.session)?;
        if !recorded.is_empty() {
            let done = recorded.len() as u64;
            self.watching.tell(&JobEvent::Resumed { done, unit: Unit::Replays });
        }
        let snapshots = match self.plan.use_snapshots {
            UseSnapshots::On => true,
            UseSnapshots::Auto => self.devices.time == Time::Real,
            UseSnapshots::Off => false,
        };
        if self.plan.use_snapshots == UseSnapshots::On && !self.devices.have_snapshots() {
            self.watching.tell(&JobEvent::NoSnapshots { device: &self.plan.device });
        }
        let guide = Guide { snapshots, ..self.guide() };
        let lab = self.devices.followers(&guide, self.watching.stop());
        let (mut told, known) = (0, recorded.len());
        let mut journal = SessionJournal::new(&mut self.session, known);
        let mut lab = Recorded::new(lab, recorded);
        let watching = self.watching;
        let mut watch = |shrink: &mut Shrink, done: &Done<ReplayOrder, FollowReport>| {
            watching.tell(&JobEvent::Progress(JobProgress::Suite(shrink.progress())));
            watching.tell(&JobEvent::SuiteReplay(done));
            told += 1;
            watching.flow(told, known)
        };
        Driven::of(drive(shrink, &mut lab, &mut journal, &mut watch))
    }

    fn guide(&self) -> Guide {
        Guide {
            traces: self.input.traces.clone(),
            level: self.plan.level,
            seed: Seed(self.plan.seed),
            deadlines: Deadlines::default(),
            snapshots: false,
        }
    }

    /// The traces of the suite, performed once more: what is seen around a step in a long trace is not what is seen
    /// in a short one.
    fn record(&self, report: &SuiteReport) -> (Vec<Trace>, usize) {
        let guide = self.guide();
        let mut devices = self.devices.handles();
        let mut header = self.input.traces[0].header.clone();
        (header.target, header.claim, header.note, header.seed) = (None, None, None, None);
        // What is recorded here is of the build and the screen that are here.
        (header.app, header.screen) =
            (self.devices.header.app.clone(), self.devices.header.screen.or(header.screen));
        (header.device, header.platform) =
            (Some(self.plan.device.clone()), self.devices.header.platform.clone());
        let mut not_recorded = 0;
        let trace = |(number, kept): (u64, &Kept)| {
            let order = self.order(Ticket(number), kept);
            let steps = devices.iter_mut().find_map(|device| guide.record(&mut **device, &order));
            // One that just now does not follow is written with what was seen where its steps come from. Its states were
            // seen again by the replays that confirmed it.
            let steps = steps.unwrap_or_else(|| {
                not_recorded += 1;
                let step =
                    |at: &StepRef| self.input.traces[at.trace.0 as usize].steps[at.position as usize].clone();
                kept.steps.iter().map(step).collect()
            });
            Trace { header: header.clone(), steps }
        };
        let traces = (0..).zip(&report.kept).map(trace).collect();
        (traces, not_recorded)
    }

    /// The run that a kept trace is.
    fn order(&self, ticket: Ticket, kept: &Kept) -> ReplayOrder {
        let leg = |at: &StepRef| {
            let step = &self.input.traces[at.trace.0 as usize].steps[at.position as usize];
            let expect = replay::expected(step, self.plan.level).expect("traces without it are not taken");
            Leg { step: *at, expect }
        };
        ReplayOrder {
            ticket,
            start: None,
            legs: kept.steps.iter().map(leg).collect(),
            purpose: Purpose::Confirm,
            label: "recording".to_owned(),
        }
    }
}
