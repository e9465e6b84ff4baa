//! `retap explore`: goes through an app, and what it found.

mod entries;
mod logbook;
mod names;
mod past;
mod reducing;
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use retap_explore::Lane;
use retap_lab::{Crew, End, Expedition, Flow, LegId, Scout};
use retap_store::{Session, SessionView};
use retap_trace::{Header, Seed};
use serde::Serialize;

use super::{Context, idle};
use crate::args::ExploreArgs;
use crate::devices::{self, Fleet, Time};
use crate::exit::Exit;
use crate::findings::{CrashResult, Finding, Findings, Proof};
use crate::output::{bad, count, faint, good, strong, warn};
use crate::progress::Progress;
use crate::{folder, tracefile};

use logbook::{Logbook, Pages};
pub(crate) use names::names_in;
use past::Past;
pub(crate) use past::{Crashed, crashes_in};
use reducing::{ReducedResult, reduce_new};
pub(crate) use settings::Settings;

/// The result for programs.
#[derive(Debug, Serialize)]
pub(crate) struct ExploreResult {
    command: &'static str,
    status: &'static str,
    pub(crate) events: u64,
    /// Looks at the whole screen.
    looks: u64,
    legs: usize,
    states: usize,
    transitions: usize,
    coverage: usize,
    coverage_total: Option<u32>,
    crashes: Vec<CrashResult>,
    reduced: Vec<ReducedResult>,
    travels: TravelsResult,
    pub(crate) device_seconds: f64,
    strategy: String,
    devices: u32,
    seed: u64,
    session: PathBuf,
}

/// What going back in time has cost.
#[derive(Debug, Serialize)]
struct TravelsResult {
    saves: u32,
    save_seconds: f64,
    restores: u32,
    restore_seconds: f64,
    replayed_events: u64,
    lost: u32,
}

/// How an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    Interrupted,
    CutShort(String),
}

/// An exploration under way.
pub(crate) struct Tour<'a> {
    settings: Settings,
    session: Session,
    header: Header,
    expedition: Expedition,
    /// None once it is over: then others may use the devices.
    crew: Option<Box<dyn Crew>>,
    time: Time,
    names: BTreeMap<LegId, String>,
    pages: Pages,
    pub(crate) findings: Findings,
    coverage_total: Option<u32>,
    reduced: Vec<ReducedResult>,
    context: &'a Context,
}

pub(super) fn run(args: &ExploreArgs, context: &Context) -> anyhow::Result<Exit> {
    let (settings, out) = if let Some(dir) = &args.resume {
        (resumed(dir)?, Some(dir.as_path()))
    } else {
        let settings = Settings::join(args, context)?;
        idle::explore(args, &settings.strategy)?;
        (settings, context.out())
    };
    let mut tour = Tour::open(settings, out, context)?;
    let end = tour.run(&|_| false);
    tour.report(&end);
    context.output.result(&tour.result(&end))?;
    Ok(match end {
        Ending::Interrupted => Exit::Interrupted,
        Ending::CutShort(_) => Exit::Usage,
        Ending::Done if tour.findings.crashes().len() > 0 => Exit::Found,
        Ending::Done => Exit::Done,
    })
}

/// The settings of the exploration in a folder.
fn resumed(dir: &Path) -> anyhow::Result<Settings> {
    let session = SessionView::open(dir)?;
    let plan = session.plan();
    ensure!(plan.command == "explore", "{} is not the folder of an exploration", dir.display());
    let mut settings: Settings = serde_json::from_value(plan.settings.clone())
        .with_context(|| format!("{} was begun by another version of retap", dir.display()))?;
    let above = dir.parent().unwrap_or(Path::new(""));
    let folders = [dir, above, Path::new("")];
    settings.here = Some(devices::located(&settings.device, &dir.display(), &folders, "")?);
    Ok(settings)
}

impl<'a> Tour<'a> {
    /// Opens an exploration, and takes in what an earlier process has found.
    pub(crate) fn open(settings: Settings, out: Option<&Path>, context: &'a Context) -> anyhow::Result<Self> {
        let mut fleet = Fleet::open(settings.device_here(), settings.devices)?;
        if let Some(file) = &settings.start {
            fleet.accept(&tracefile::read(file)?.header, &file.display(), context.output)?;
        }
        fleet.header.device = Some(settings.device.clone());
        let snapshots = fleet.devices.iter_mut().all(|device| device.snapshots().is_some());
        let plan = settings.expedition(snapshots)?;
        let session = folder::open(out, "explore", &settings)?;
        let past = Past::read(&session)?;
        let recorded = past.events();
        let package = fleet.header.app.package.to_string();
        let explorer = settings.explorer(recorded, &fleet.surroundings)?;
        let expedition = Expedition::new(plan.clone(), explorer, package, settings.devices);
        let seed = Seed(settings.seed).branch("devices", recorded);
        let scout = |(lane, device)| {
            let lane = Lane(lane);
            Scout::new(device, lane, seed.branch("lane", u64::from(lane.0)), &plan)
        };
        let time = fleet.time;
        let scouts = (0..).zip(fleet.devices).map(scout).collect();
        let mut tour = Self {
            crew: Some(devices::crew(scouts, time, &context.interrupt)),
            header: Header { seed: Some(settings.seed), ..fleet.header },
            settings,
            session,
            expedition,
            time,
            names: BTreeMap::new(),
            pages: Pages::default(),
            findings: Findings::new(),
            coverage_total: fleet.coverage_total,
            reduced: Vec::new(),
            context,
        };
        if !past.legs.is_empty() {
            tour.recall(&past)?;
            context.output.say(format!("going on after {}", count(recorded, "recorded event")));
        }
        Ok(tour)
    }

    /// Takes in what earlier processes have left, and writes down what they had no more time for.
    fn recall(&mut self, past: &Past) -> anyhow::Result<()> {
        self.expedition.recall_travels(past.travels);
        self.pages.time = past.time();
        let mut best = BTreeMap::new();
        for leg in &past.legs {
            let took = leg.took(self.expedition.legs());
            leg.close(took, &mut self.pages.time, &mut self.session)?;
            self.expedition.recall(leg.leg.clone(), &leg.saves, took);
            if let Some(file) = leg.find(self.expedition.legs(), &mut self.findings) {
                best.insert(file, leg);
            }
            self.names.insert(leg.leg.id, leg.name());
            *self.pages.counts.entry(leg.leg.lane).or_default() += 1;
        }
        for (file, leg) in best {
            leg.keep_crash(&self.session.dir().join(file), &self.header, self.expedition.legs())?;
        }
        let recalled = |entry| ReducedResult::recalled(entry, self.session.dir());
        self.reduced = past.reduced.iter().map(recalled).collect();
        Ok(())
    }

    /// Explores until the budget is used up, or `enough` says so, or something stops it.
    pub(crate) fn run(&mut self, enough: &dyn Fn(&Findings) -> bool) -> Ending {
        let Self { settings, session, header, expedition, names, pages, findings, context, .. } = self;
        let Some(mut crew) = self.crew.take().filter(|_| !enough(findings)) else { return Ending::Done };
        let total = settings.events.unwrap_or(settings.minutes.unwrap_or(0) * 60);
        let progress = Progress::new(context.output, "explore", total);
        let began = (Instant::now(), expedition.events());
        let folder = session.dir().to_owned();
        let reduced = &mut self.reduced;
        let mut book = Logbook::new(session, header, findings, names, std::mem::take(pages));
        book.look_into(|crash| reduced.iter().all(|reduced| *reduced.signature != *crash.signature.0));
        // Devices of this world cannot explore and reduce at once.
        let at_once = settings.reduce && self.time == Time::Virtual;
        if at_once {
            reduced.extend(reduce_new(&mut book, settings, &folder, context));
        }
        let (mut interrupted, mut stopped) = (false, false);
        let end = {
            let mut watch = |expedition: &Expedition, book: &mut Logbook<'_>| -> Flow {
                show(&progress, expedition, book.findings, settings, began);
                if at_once {
                    reduced.extend(reduce_new(book, settings, &folder, context));
                }
                interrupted = context.interrupt.asked();
                stopped = enough(book.findings) || book.trouble.is_some();
                if interrupted || stopped { Flow::Stop } else { Flow::Continue }
            };
            expedition.run(&mut *crew, &mut book, &mut watch)
        };
        drop(crew);
        drop(progress);
        if settings.reduce && !interrupted {
            reduced.extend(reduce_new(&mut book, settings, &folder, context));
            interrupted = context.interrupt.asked();
        }
        if let Some(error) = book.trouble.take() {
            return Ending::CutShort(format!("{error:#}"));
        }
        for what in expedition.unable() {
            warn(format!("left out, because the device does not support {what}"));
        }
        for (lane, why) in expedition.given_up() {
            warn(format!("device {lane} was given up: {why}"));
        }
        match end {
            End::NoDeviceLeft(why) => Ending::CutShort(why),
            End::Stopped if interrupted || !stopped => Ending::Interrupted,
            End::Done if interrupted => Ending::Interrupted,
            End::Stopped | End::Done => Ending::Done,
        }
    }
}

/// Tells people how far it is.
fn show(
    progress: &Progress,
    expedition: &Expedition,
    findings: &Findings,
    settings: &Settings,
    began: (Instant, u64),
) {
    let done = match settings.events {
        Some(_) => expedition.events(),
        None => expedition.elapsed().0 / 1_000_000,
    };
    let unit = if settings.events.is_some() { "events" } else { "s of device time" };
    progress.lazily(done, || {
        let seconds = began.0.elapsed().as_secs_f64().max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
        let speed = (expedition.events() - began.1) as f64 / seconds;
        format!(
            "{unit}, {speed:.0} events/s, {} states, {} covered, {} crashes, {} restores",
            expedition.states(),
            expedition.covered().len(),
            findings.crashes().len(),
            expedition.travels().restores,
        )
    });
}

impl Tour<'_> {
    /// Tells people what was found.
    pub(crate) fn report(&self, end: &Ending) {
        let output = self.context.output;
        match end {
            Ending::Done => {}
            Ending::Interrupted => output.say(format!(
                "\n{}; everything is saved, go on with\n  retap explore --resume {}",
                bad("cut short by Ctrl-C"),
                self.session.dir().display()
            )),
            Ending::CutShort(why) => output.say(format!(
                "{}: {why}; what was found is saved, go on with\n  retap explore --resume {}",
                bad("cut short"),
                self.session.dir().display()
            )),
        }
        let covered = match self.coverage_total {
            Some(total) => format!("{} of {total} pieces of code", self.findings.coverage()),
            None if self.findings.coverage() == 0 => "code coverage not measured".to_owned(),
            None => format!("{} pieces of code", self.findings.coverage()),
        };
        output.say(format!(
            "{} in {}: {}, {}, {covered}, {} of device time",
            count(self.expedition.events(), "event"),
            count(self.expedition.legs().iter().len() as u64, "leg"),
            count(self.findings.states() as u64, "state"),
            count(self.findings.transitions() as u64, "transition"),
            self.expedition.device_time(),
        ));
        self.report_travels();
        if self.findings.crashes().len() == 0 {
            output.say(good("no crash found"));
        }
        for finding in self.findings.crashes() {
            output.say(format!("{} {} {}", bad("crash:"), strong(&finding.crash), faint(in_words(finding))));
            output.say(format!("  retap reduce {}", self.session.dir().join(&finding.shortest.0).display()));
        }
        output.say(format!("saved: {}", self.session.dir().display()));
    }

    fn report_travels(&self) {
        let travels = self.expedition.travels();
        if travels.saves + travels.restores + travels.lost == 0 {
            return;
        }
        let on_foot = match travels.replayed {
            0 => String::new(),
            events => format!(", by replaying {}", count(events, "event")),
        };
        self.context.output.say(format!(
            "{} saved in {}; gone back {} in {}{on_foot}, {} of them in vain",
            count(travels.saves, "state"),
            travels.saving,
            count(travels.restores + travels.lost, "time"),
            travels.restoring,
            travels.lost,
        ));
    }

    pub(crate) fn result(&self, end: &Ending) -> ExploreResult {
        let travels = self.expedition.travels();
        ExploreResult {
            command: "explore",
            status: match end {
                Ending::Done => "done",
                Ending::Interrupted | Ending::CutShort(_) => "cut_short",
            },
            events: self.expedition.events(),
            looks: self.expedition.looks(),
            legs: self.expedition.legs().iter().len(),
            states: self.findings.states(),
            transitions: self.findings.transitions(),
            coverage: self.findings.coverage(),
            coverage_total: self.coverage_total,
            crashes: self.findings.results(self.session.dir()),
            reduced: self.reduced.clone(),
            travels: TravelsResult {
                saves: travels.saves,
                save_seconds: travels.saving.as_secs_f64(),
                restores: travels.restores,
                restore_seconds: travels.restoring.as_secs_f64(),
                replayed_events: travels.replayed,
                lost: travels.lost,
            },
            device_seconds: self.expedition.device_time().as_secs_f64(),
            strategy: self.settings.strategy.clone(),
            devices: self.settings.devices,
            seed: self.settings.seed,
            session: self.session.dir().to_owned(),
        }
    }

    /// The folder of the exploration.
    pub(crate) fn dir(&self) -> &Path {
        self.session.dir()
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
