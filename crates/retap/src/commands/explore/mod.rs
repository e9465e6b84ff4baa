//! `retap explore`: goes through an app, and what it found.

mod entries;
mod found;
mod growing;
mod names;
mod record;
mod reducing;
mod settings;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use retap_lab::{
    Done, DriveError, Exploration, ExplorationEnd, ExploreJournal, ExploreOrder, ExploreReport,
    ExploreWorker, Flow, Lab, Recorded, drive, recorded_orders,
};
use retap_store::{Session, SessionView, StoreError};
use retap_trace::{Header, Seed};
use serde::Serialize;

use super::{Context, idle};
use crate::args::ExploreArgs;
use crate::devices::{self, Time};
use crate::exit::Exit;
use crate::findings::{CrashResult, Finding, Findings, Proof};
use crate::output::{bad, count, faint, good, strong, warn};
use crate::progress::Progress;
use crate::{folder, tracefile};

pub(crate) use found::{Crashed, crashes_in};
pub(crate) use names::names_in;
use record::{Record, recorded_events};
use reducing::{ReducedResult, Reducing};
pub(crate) use settings::ExploreSettings;

/// The result for programs.
#[derive(Debug, Serialize)]
pub(crate) struct ExploreResult {
    command: &'static str,
    status: &'static str,
    pub(crate) events: u64,
    /// Looks at the whole screen.
    looks: u64,
    segments: usize,
    states: usize,
    transitions: usize,
    coverage: usize,
    coverage_total: Option<u32>,
    crashes: Vec<CrashResult>,
    reduced: Vec<ReducedResult>,
    time_travel: TimeTravelResult,
    pub(crate) device_seconds: f64,
    strategy: String,
    devices: u32,
    seed: u64,
    session: PathBuf,
}

/// What going back in time has cost.
#[derive(Debug, Serialize)]
struct TimeTravelResult {
    saves: u32,
    save_seconds: f64,
    restores: u32,
    restore_seconds: f64,
    replayed_events: u64,
    failed: u32,
}

/// How an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    Interrupted,
    CutShort(String),
}

/// An exploration under way.
pub(crate) struct ExploreJob<'a> {
    settings: ExploreSettings,
    session: RefCell<Session>,
    header: Header,
    exploration: Exploration,
    /// None once it is over: then others may use the devices.
    workers: Option<Vec<ExploreWorker>>,
    time: Time,
    pub(crate) findings: Findings,
    coverage_total: Option<u32>,
    reduced: Vec<ReducedResult>,
    context: &'a Context,
}

pub(super) fn run(args: &ExploreArgs, context: &Context) -> anyhow::Result<Exit> {
    let (settings, out) = if let Some(dir) = &args.resume {
        (resumed(dir)?, Some(dir.as_path()))
    } else {
        let settings = ExploreSettings::join(args, context)?;
        idle::explore(args, &settings.strategy)?;
        (settings, context.out())
    };
    let mut job = ExploreJob::open(settings, out, context)?;
    let end = job.run(&|_| false)?;
    job.report(&end);
    context.output.result(&job.result(&end))?;
    Ok(match end {
        Ending::Interrupted => Exit::Interrupted,
        Ending::CutShort(_) => Exit::Usage,
        Ending::Done if job.findings.crashes().len() > 0 => Exit::Found,
        Ending::Done => Exit::Done,
    })
}

/// The settings of the exploration in a folder.
fn resumed(dir: &Path) -> anyhow::Result<ExploreSettings> {
    let session = SessionView::open(dir)?;
    let plan = session.plan();
    ensure!(plan.command == "explore", "{} is not the folder of an exploration", dir.display());
    let mut settings: ExploreSettings = serde_json::from_value(plan.settings.clone())
        .with_context(|| format!("{} was begun by another version of retap", dir.display()))?;
    let above = dir.parent().unwrap_or(Path::new(""));
    let folders = [dir, above, Path::new("")];
    settings.here = Some(devices::located(&settings.device, &dir.display(), &folders, "")?);
    Ok(settings)
}

impl<'a> ExploreJob<'a> {
    /// Opens an exploration, new or to be resumed.
    pub(crate) fn open(
        settings: ExploreSettings,
        out: Option<&Path>,
        context: &'a Context,
    ) -> anyhow::Result<Self> {
        // Simulated crashes are reduced while it goes on, so the exploration has devices of its own.
        let mut fleet = match devices::time(settings.device_here()) {
            Some(Time::Virtual) if settings.reduce => {
                context.open_fleet(settings.device_here(), settings.devices)?
            }
            _ => context.fleet(settings.device_here(), settings.devices)?,
        };
        if let Some(file) = &settings.start {
            fleet.accept(&tracefile::read(file)?.header, &file.display(), context.output)?;
        }
        fleet.header.device = Some(settings.device.clone());
        let plan = settings.exploration(fleet.has_snapshots())?;
        let session = folder::open(out, "explore", &settings)?;
        let recorded = recorded_events(session.dir())?;
        if recorded > 0 {
            context.output.say(format!("going on after {}", count(recorded, "recorded event")));
        }
        let package = fleet.header.app.package.to_string();
        let explorer = settings.explorer(&fleet.surroundings)?;
        let seed = Seed(settings.seed).branch("devices", 0);
        Ok(Self {
            workers: Some(ExploreWorker::fleet(&plan, seed, fleet.devices())),
            exploration: Exploration::new(plan, explorer, package, settings.devices),
            header: Header { seed: Some(settings.seed), ..fleet.header },
            settings,
            session: RefCell::new(session),
            time: fleet.time,
            findings: Findings::new(),
            coverage_total: fleet.coverage_total,
            reduced: Vec::new(),
            context,
        })
    }

    /// Explores until the budget is used up, or `enough` says so, or something stops it.
    pub(crate) fn run(&mut self, enough: &dyn Fn(&Findings) -> bool) -> anyhow::Result<Ending> {
        let Self { settings, session, header, exploration, findings, context, .. } = self;
        let Some(workers) = self.workers.take() else { return Ok(Ending::Done) };
        let total = settings.events.unwrap_or(settings.minutes.unwrap_or(0) * 60);
        let progress = Progress::new(context.output, "explore", total);
        let began = Instant::now();
        let folder = session.borrow().dir().to_owned();
        let mut reducing = Reducing { settings, folder: &folder, context, results: &mut self.reduced };
        let mut record = Record::new(session, header, findings)?;
        // Devices of this world cannot explore and reduce at once.
        let at_once = settings.reduce && self.time == Time::Virtual;
        let (mut stopped, mut trouble) = (false, None);
        let driven = {
            let mut watch = |exploration: &mut Exploration, _: &Done<ExploreOrder, ExploreReport>| -> Flow {
                let events = exploration.take_events();
                let mut written = events.into_iter().try_for_each(|event| record.add(exploration, event));
                show(&progress, exploration, record.findings, settings, began);
                if at_once && written.is_ok() {
                    written = reducing.reduce_new(&mut record);
                }
                trouble = written.err();
                stopped = enough(record.findings) || trouble.is_some();
                if stopped || context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
            };
            let lab = devices::at_work(workers, self.time, &context.interrupt);
            explore(exploration, lab, self.time, session, &mut watch)
        };
        drop(progress);
        let end = match exploration.ended(driven) {
            Err(DriveError::Journal(error)) => {
                trouble = Some(error.into());
                ExplorationEnd::Stopped
            }
            end => end?,
        };
        if trouble.is_none() {
            let mut events = exploration.take_events().into_iter();
            let mut written = events.try_for_each(|event| record.add(exploration, event));
            if settings.reduce && !stopped && written.is_ok() {
                written = reducing.reduce_new(&mut record);
            }
            if end == ExplorationEnd::Done && written.is_ok() {
                written = record.complete();
            }
            trouble = written.err();
        }
        record.finish(exploration);
        if let Some(error) = trouble {
            return if error.is::<StoreError>() || is_full(&error) {
                Ok(Ending::CutShort(format!("{error:#}")))
            } else {
                Err(error)
            };
        }
        warn_of(exploration);
        Ok(match end {
            ExplorationEnd::NoDeviceLeft(why) => Ending::CutShort(why),
            _ if context.interrupt.asked() => Ending::Interrupted,
            ExplorationEnd::Stopped if !stopped => Ending::Interrupted,
            ExplorationEnd::Stopped | ExplorationEnd::Done => Ending::Done,
        })
    }
}

/// Drives an exploration. Simulated devices repeat what they did, so it begins at the beginning; others have it told
/// from the journal.
fn explore(
    exploration: &mut Exploration,
    mut lab: Box<dyn Lab<ExploreOrder, ExploreReport>>,
    time: Time,
    session: &RefCell<Session>,
    watch: &mut Watch<'_>,
) -> Result<bool, DriveError> {
    if time == Time::Virtual {
        return drive(exploration, &mut *lab, &mut (), watch);
    }
    let recorded = recorded_orders(&session.borrow())?;
    let mut journal = ExploreJournal::new(session, recorded.len());
    drive(exploration, &mut Recorded::new(lab, recorded), &mut journal, watch)
}

type Watch<'a> = dyn FnMut(&mut Exploration, &Done<ExploreOrder, ExploreReport>) -> Flow + 'a;

/// Says what the exploration could not do.
fn warn_of(exploration: &Exploration) {
    for what in exploration.unable() {
        warn(format!("left out, because the device does not support {what}"));
    }
    if exploration.interrupted() > 0 {
        warn(format!(
            "{} ended where an earlier process was stopped: this kind of device cannot be put back there, and \
             states that it had saved are reached by replaying",
            count(exploration.interrupted(), "segment"),
        ));
    }
    for (lane, why) in exploration.given_up() {
        warn(format!("device {lane} was given up: {why}"));
    }
}

/// Whether a disk is full.
fn is_full(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::StorageFull)
}

/// Tells people how far it is.
fn show(
    progress: &Progress,
    exploration: &Exploration,
    findings: &Findings,
    settings: &ExploreSettings,
    began: Instant,
) {
    let done = match settings.events {
        Some(_) => exploration.performed(),
        None => exploration.elapsed().0 / 1_000_000,
    };
    let unit = if settings.events.is_some() { "events" } else { "s of device time" };
    progress.lazily(done, || {
        let seconds = began.elapsed().as_secs_f64().max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
        let speed = exploration.performed() as f64 / seconds;
        format!(
            "{unit}, {speed:.0} events/s, {} states, {} covered, {} crashes, {} restores",
            exploration.states(),
            exploration.covered().len(),
            findings.crashes().len(),
            exploration.time_travel_cost().restores,
        )
    });
}

impl ExploreJob<'_> {
    /// Tells people what was found.
    pub(crate) fn report(&self, end: &Ending) {
        let output = self.context.output;
        match end {
            Ending::Done => {}
            Ending::Interrupted => output.say(format!(
                "\n{}; everything is saved, go on with\n  retap explore --resume {}",
                bad("cut short by Ctrl-C"),
                self.session.borrow().dir().display()
            )),
            Ending::CutShort(why) => output.say(format!(
                "{}: {why}; what was found is saved, go on with\n  retap explore --resume {}",
                bad("cut short"),
                self.session.borrow().dir().display()
            )),
        }
        let covered = match self.coverage_total {
            Some(total) => format!("{} of {total} branches covered", self.findings.coverage()),
            None if self.findings.coverage() == 0 => "code coverage not measured".to_owned(),
            None => format!("{} branches covered", self.findings.coverage()),
        };
        output.say(format!(
            "{} in {}: {}, {}, {covered}, {} of device time",
            count(self.exploration.performed(), "event"),
            count(self.exploration.segments().iter().len() as u64, "segment"),
            count(self.findings.states() as u64, "state"),
            count(self.findings.transitions() as u64, "transition"),
            self.exploration.device_time(),
        ));
        self.report_time_travel();
        if self.findings.crashes().len() == 0 {
            output.say(good("no crash found"));
        }
        for finding in self.findings.crashes() {
            output.say(format!("{} {} {}", bad("crash:"), strong(&finding.crash), faint(in_words(finding))));
            output.say(format!(
                "  retap reduce {}",
                self.session.borrow().dir().join(&finding.shortest.0).display()
            ));
        }
        output.say(format!("saved: {}", self.session.borrow().dir().display()));
    }

    fn report_time_travel(&self) {
        let cost = self.exploration.time_travel_cost();
        if cost.saves + cost.restores + cost.failed == 0 {
            return;
        }
        let replayed = match cost.replayed {
            0 => String::new(),
            events => format!(" by replaying {}", count(events, "event")),
        };
        self.context.output.say(format!(
            "saved {} in {}; restored {} in {}{replayed}, {} failed",
            count(cost.saves, "state"),
            cost.saving,
            count(cost.restores, "time"),
            cost.restoring,
            cost.failed,
        ));
    }

    pub(crate) fn result(&self, end: &Ending) -> ExploreResult {
        let cost = self.exploration.time_travel_cost();
        ExploreResult {
            command: "explore",
            status: match end {
                Ending::Done => "done",
                Ending::Interrupted | Ending::CutShort(_) => "cut_short",
            },
            events: self.exploration.performed(),
            looks: self.exploration.looks(),
            segments: self.exploration.segments().iter().len(),
            states: self.findings.states(),
            transitions: self.findings.transitions(),
            coverage: self.findings.coverage(),
            coverage_total: self.coverage_total,
            crashes: self.findings.results(self.session.borrow().dir()),
            reduced: self.reduced.clone(),
            time_travel: TimeTravelResult {
                saves: cost.saves,
                save_seconds: cost.saving.as_secs_f64(),
                restores: cost.restores,
                restore_seconds: cost.restoring.as_secs_f64(),
                replayed_events: cost.replayed,
                failed: cost.failed,
            },
            device_seconds: self.exploration.device_time().as_secs_f64(),
            strategy: self.settings.strategy.clone(),
            devices: self.settings.devices,
            seed: self.settings.seed,
            session: self.session.borrow().dir().to_owned(),
        }
    }

    /// The folder of the exploration.
    pub(crate) fn dir(&self) -> PathBuf {
        self.session.borrow().dir().to_owned()
    }
}

fn in_words(finding: &Finding) -> String {
    let seen = count(finding.seen, "time");
    let events = count(finding.shortest.1 as u64, "event");
    match finding.proof {
        Proof::CleanStart => format!("(seen {seen}; after {events} from a clean start)"),
        Proof::Tried(tally) if tally.reached > 0 => format!(
            "(seen {seen}; after {events}, which reached it {} of {} times from a clean start)",
            tally.reached,
            tally.runs()
        ),
        Proof::Tried(tally) => format!(
            "(seen {seen}, NOT reproduced: {events} from a clean start reached it 0 of {} times)",
            tally.runs()
        ),
        Proof::Untried => format!("(seen {seen} after going back in time; not tried from a clean start)"),
    }
}
