//! `retap suite`: from many generated traces to a small regression suite.

mod input;
mod manifest;
mod names;
mod replay;
mod result;

use std::path::Path;
use std::sync::Arc;

use anyhow::{bail, ensure};
use retap_lab::{
    Deadlines, Done, DriveError, Flow, FollowReport, Guide, LabError, Recorded, SessionJournal, drive,
    recorded_runs,
};
use retap_reduce::Ticket;
use retap_store::Session;
use retap_suite::{
    Item, Joins, Leg, Mode, Purpose, Reading, ReplayOrder, Shrink, SuiteInput, SuitePhase, SuiteReport,
};
use retap_trace::{Level, Seed, Trace};
use serde::Serialize;

use super::Context;
use crate::args::SuiteArgs;
use crate::config;
use crate::devices::{Fleet, Time};
use crate::exit::Exit;
use crate::folder;
use crate::names::Names;
use crate::output::{bad, count, faint, good, strong};
use crate::progress::Progress;

use input::Input;
use result::SuiteResult;

pub(crate) use replay::run as replay;

/// Everything that decides how a suite is made.
#[derive(Debug, Clone, Serialize)]
struct Settings {
    /// A hash of the input.
    traces: String,
    device: String,
    devices: u32,
    runs: u32,
    fragments: u32,
    classic: bool,
    joins: String,
    level: String,
    seed: u64,
}

/// A suite in the making.
struct Job<'a> {
    input: Input,
    names: Names,
    settings: Settings,
    material: Arc<SuiteInput>,
    session: Session,
    /// Not a setting: it decides how long a suite takes, not what is tried, so a session may go on with another.
    snapshots: Snapshots,
    fleet: Fleet,
    context: &'a Context,
}

/// When replays that search may begin in snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Snapshots {
    /// On devices where replays take time.
    Auto,
    On,
    Off,
}

pub(super) fn run(args: &SuiteArgs, context: &Context) -> anyhow::Result<Exit> {
    let input = Input::read(&args.input)?;
    let settings = Settings::join(args, context, &input)?;
    let snapshots = args.snapshots.as_ref().or(context.config.suite.snapshots.as_ref());
    let snapshots = Snapshots::of(snapshots.map(String::as_str))?;
    let reading = Reading { level: settings.level()?, joins: settings.joins()?, restart: None };
    let material = SuiteInput::read(&input.traces, reading).map_err(|error| input.explain(&error))?;
    input.check_app(&settings.device)?;
    let fleet = context.fleet(&settings.device, settings.devices)?;
    let (file, first) = input.first();
    fleet.accept(&first.header, &file.display(), context.output)?;
    let mut names = names::of_files(input.files());
    // Numbers of code mean the same only in the same build.
    if fleet.header.app.build == first.header.app.build {
        let covered = names::covered(input.traces.iter().flat_map(|trace| &trace.steps));
        names.ask(&*fleet.devices()[0], covered);
    } else if fleet.header.app.build.is_some() && first.header.app.build.is_some() {
        context.output.say("code is compared by its numbers, which may mean other code in another build");
    }
    let session = folder::open(context.out(), "suite", &settings)?;
    Job { input, names, settings, material: Arc::new(material), session, snapshots, fleet, context }.run()
}

impl Settings {
    fn join(args: &SuiteArgs, context: &Context, input: &Input) -> anyhow::Result<Self> {
        let device = input.device([args.device.as_deref(), context.config.device.as_deref()])?;
        let set = &context.config.suite;
        let (runs, fragments) =
            (args.runs.or(set.runs).unwrap_or(8), args.fragments.or(set.fragments).unwrap_or(3));
        ensure!((1..=1000).contains(&runs), "--runs takes 1 to 1000, not {runs}");
        ensure!((1..=20).contains(&fragments), "--fragments takes 1 to 20, not {fragments}");
        let choose = |typed: &Option<String>, set: &Option<String>, usual: &str| {
            typed.clone().or_else(|| set.clone()).unwrap_or_else(|| usual.to_owned())
        };
        let settings = Self {
            traces: input.fingerprint()?,
            device,
            devices: config::devices(args.devices, &context.config)?,
            runs,
            fragments,
            classic: args.classic,
            joins: choose(&args.joins, &set.joins, "abstract"),
            level: choose(&args.level, &set.level, "actionable"),
            seed: context.seed(),
        };
        settings.level()?;
        settings.joins()?;
        Ok(settings)
    }

    fn level(&self) -> anyhow::Result<Level> {
        self.level.parse().map_err(anyhow::Error::msg)
    }

    fn joins(&self) -> anyhow::Result<Joins> {
        match &*self.joins {
            "abstract" => Ok(Joins::Abstract),
            "concrete" => Ok(Joins::Concrete),
            other => bail!("--joins takes abstract or concrete, not '{other}'"),
        }
    }

    fn shrink(&self) -> retap_suite::SuiteSettings {
        retap_suite::SuiteSettings {
            mode: if self.classic { Mode::Classic } else { Mode::Planned },
            runs: self.runs,
            fragments: self.fragments,
            devices: self.devices,
            ..retap_suite::SuiteSettings::default()
        }
    }
}

impl Snapshots {
    fn of(word: Option<&str>) -> anyhow::Result<Self> {
        match word {
            None | Some("auto") => Ok(Self::Auto),
            Some("on") => Ok(Self::On),
            Some("off") => Ok(Self::Off),
            Some(other) => bail!("--snapshots takes on, off or auto, not '{other}'"),
        }
    }

    /// Whether these devices use them.
    fn used(self, fleet: &Fleet) -> bool {
        self == Self::On || (self == Self::Auto && fleet.time == Time::Real)
    }
}

impl Job<'_> {
    fn run(mut self) -> anyhow::Result<Exit> {
        let mut shrink = Shrink::new(self.material.clone(), self.settings.shrink());
        let cut_short = match self.drive(&mut shrink) {
            Ok(true) => None,
            Ok(false) => Some("interrupted".to_owned()),
            Err(error) => match error.downcast::<DriveError>()? {
                DriveError::Lab(LabError::Stopped) => Some("interrupted".to_owned()),
                DriveError::Lab(error @ LabError::NoDeviceLeft { .. }) => Some(error.to_string()),
                error => return Err(error.into()),
            },
        };
        let report = shrink.report();
        let mut result =
            SuiteResult::of(&report, &self.settings, self.session.dir(), |item| self.words(item));
        if let Some(why) = cut_short {
            let output = self.context.output;
            output.say(format!("{}: {why}", bad("cut short")));
            output.say(format!(
                "everything is saved in {}; go on with\n  {}",
                self.session.dir().display(),
                folder::this_command()
            ));
            result.status = "cut_short";
            self.context.output.result(&result)?;
            let interrupted = self.context.interrupt.asked();
            return Ok(if interrupted { Exit::Interrupted } else { Exit::Usage });
        }
        let folder = self.session.dir().join("suite");
        let traces = self.record(&report);
        let words = |item: &Item| self.words(item);
        manifest::write(&folder, &traces, &report, &self.settings.level, &self.names, words)?;
        self.say(&report, &folder);
        result.suite = Some(folder);
        self.context.output.result(&result)?;
        Ok(if report.lost.is_empty() { Exit::Done } else { Exit::Found })
    }

    /// What is lost, by the reason: crashes first, then states, then code.
    fn lost(&self, report: &SuiteReport) -> Vec<(String, Vec<String>)> {
        let rank = |lost: &&retap_suite::Lost| match lost.item {
            Item::Crash(_) => 0,
            Item::State(_) => 1,
            Item::Code(_) => 2,
        };
        let mut all: Vec<&retap_suite::Lost> = report.lost.iter().collect();
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
        let level = self.settings.level().unwrap_or(Level::Actionable);
        names::in_words(item, &self.names, &self.input, level)
    }

    fn drive(&mut self, shrink: &mut Shrink) -> anyhow::Result<bool> {
        let recorded: Vec<Done<ReplayOrder, FollowReport>> =
            recorded_runs(&self.session).map_err(DriveError::from)?;
        if !recorded.is_empty() {
            let runs = count(recorded.len() as u64, "recorded replay");
            self.context.output.say(format!("going on after {runs}"));
        }
        if self.snapshots == Snapshots::On && !self.fleet.has_snapshots() {
            let device = &self.settings.device;
            self.context.output.say(format!("{device} has no snapshots; every replay begins clean"));
        }
        let guide = Guide { snapshots: self.snapshots.used(&self.fleet), ..self.guide() };
        let lab = self.fleet.trail(&guide, &self.context.interrupt);
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(lab, recorded);
        let progress = Progress::new(self.context.output, "suite", 0);
        let context = self.context;
        let mut watch = |shrink: &mut Shrink, done: &Done<ReplayOrder, FollowReport>| {
            let at = shrink.progress();
            progress.extend(u64::from(at.runs), at.outlook as u64, || {
                let phase = match at.phase {
                    SuitePhase::Replayable => "what replays",
                    SuitePhase::Loops => "leaving loops out",
                    SuitePhase::Splice => "splicing",
                    SuitePhase::Search => "trying plans",
                    SuitePhase::Confirm => "confirming",
                    SuitePhase::Over => "done",
                };
                format!("replays, {phase}, {} traces with {} transitions", at.traces, at.transitions)
            });
            context.output.detail(format!("replay {}: {}", done.order.ticket.0, done.order.label));
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        Ok(drive(shrink, &mut lab, &mut journal, &mut watch)?)
    }

    fn guide(&self) -> Guide {
        Guide {
            traces: self.input.traces.clone(),
            level: self.settings.level().unwrap_or(Level::Actionable),
            seed: Seed(self.settings.seed),
            deadlines: Deadlines::default(),
            snapshots: false,
        }
    }

    /// The traces of the suite, performed once more: what is seen around a step in a long trace is not what is seen
    /// in a short one.
    fn record(&self, report: &SuiteReport) -> Vec<Trace> {
        let guide = self.guide();
        let mut device = self.fleet.devices().remove(0);
        let mut header = self.input.traces[0].header.clone();
        (header.target, header.note, header.seed) = (None, None, None);
        // What is recorded here is of the build and the screen that are here.
        (header.app, header.screen) =
            (self.fleet.header.app.clone(), self.fleet.header.screen.or(header.screen));
        header.device = Some(self.settings.device.clone());
        let trace = |(number, kept): (u64, &retap_suite::Kept)| {
            let order = self.order(Ticket(number), kept);
            let steps = guide.record(&mut *device, &order);
            // One that just now does not follow is written as it was confirmed, without what is seen around it.
            let steps = steps.unwrap_or_else(|| {
                let step = |at: &retap_suite::StepRef| {
                    self.input.traces[at.trace.0 as usize].steps[at.position as usize].clone()
                };
                kept.steps.iter().map(step).collect()
            });
            Trace { header: header.clone(), steps }
        };
        (0..).zip(&report.kept).map(trace).collect()
    }

    /// The run that a kept trace is.
    fn order(&self, ticket: Ticket, kept: &retap_suite::Kept) -> ReplayOrder {
        let level = self.settings.level().unwrap_or(Level::Actionable);
        let leg = |at: &retap_suite::StepRef| {
            let step = &self.input.traces[at.trace.0 as usize].steps[at.position as usize];
            Leg { step: *at, expect: replay::expected(step, level) }
        };
        ReplayOrder {
            ticket,
            start: None,
            legs: kept.steps.iter().map(leg).collect(),
            purpose: Purpose::Confirm,
            label: "recording".to_owned(),
        }
    }

    fn say(&self, report: &SuiteReport, folder: &Path) {
        let output = self.context.output;
        let line = |name: &str, totals: &retap_suite::Totals, covered: &retap_suite::ItemCounts| {
            format!(
                "  {name:<7} {:>6} {:>12} {:>14}   {} of code, {}, {}",
                totals.traces,
                totals.transitions,
                totals.time.to_string(),
                count(covered.code as u64, "piece"),
                count(covered.states as u64, "state"),
                if covered.crashes == 1 {
                    "1 crash".to_owned()
                } else {
                    format!("{} crashes", covered.crashes)
                }
            )
        };
        output
            .say(format!("\n          {:>6} {:>12} {:>14}   covers", "traces", "transitions", "device time"));
        output.say(line("before", &report.before, &report.covered_before));
        output.say(strong(line("after", &report.after, &report.covered_after)));
        if report.lost.is_empty() {
            output.say(good("\nnothing is lost"));
        }
        for (why, items) in self.lost(report) {
            output.say(format!("{} {}: {why}", bad("lost"), items.join("; ")));
        }
        for flaky in report.flaky.iter().take(10) {
            output.say(format!(
                "flaky: {} was followed {} times and {} times not",
                self.input.step(flaky.step),
                flaky.followed,
                flaky.diverged
            ));
        }
        if let Some(optimum) = report.optimum {
            output.say(faint(format!(
                "a run of the suite takes {}; no choice among the confirmed traces takes less than {}",
                optimum.cost, optimum.bound
            )));
        }
        for bound in &report.bounds {
            output.say(faint(format!("the search was cut short: {}", in_words(*bound))));
        }
        let spent = report.spent;
        output.say(faint(format!(
            "{} to search and {} to confirm, {} of device time",
            count(spent.search, "replay"),
            count(spent.confirm, "replay"),
            spent.time
        )));
        output.say(format!(
            "saved: {}; run it with\n  retap replay --suite {}",
            folder.display(),
            folder.display()
        ));
    }
}

fn in_words(bound: retap_suite::Bound) -> &'static str {
    use retap_suite::Bound;
    match bound {
        Bound::Loops => "a trace has too many loops to try all ways to leave some out",
        Bound::Splices => "there are too many ways to put fragments together to try all",
        Bound::Search => "the device time for improvements was used up",
        Bound::Longest => "a trace could not be made longer",
        Bound::Cover => "the choice of traces was not proven to be the cheapest",
    }
}
