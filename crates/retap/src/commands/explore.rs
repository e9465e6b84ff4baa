//! `retap explore`: episode after episode, and what they found.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use retap_explore::{Category, Explorer, Monkey, MonkeySettings, Percentages, Random, RandomSettings};
use retap_lab::{Budget, Episode, EpisodeEnd, Expedition, LabError};
use retap_store::{Seq, Session, SessionView};
use retap_trace::{Micros, Seed, Step};
use serde::{Deserialize, Serialize};

use super::Context;
use crate::args::ExploreArgs;
use crate::config::{self, Config};
use crate::devices::{self, Fleet};
use crate::exit::Exit;
use crate::findings::{CrashResult, Findings};
use crate::output::{self, bad, count, faint, good, strong};
use crate::progress::Progress;
use crate::{folder, tracefile};

const EPISODE: &str = "episode";

/// What an exploration is: everything that decides how it goes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Settings {
    pub(super) device: String,
    pub(super) devices: u32,
    pub(super) strategy: String,
    pub(super) percentages: Vec<(String, u32)>,
    pub(super) events: Option<u64>,
    pub(super) minutes: Option<u64>,
    pub(super) seed: u64,
}

/// A finished episode as it stands in the log.
#[derive(Debug, Serialize, Deserialize)]
struct EpisodeEntry {
    lane: u32,
    number: u32,
    events: u64,
    took: u64,
    end: String,
    trace: PathBuf,
}

/// The result for programs.
#[derive(Debug, Serialize)]
pub(super) struct ExploreResult {
    command: &'static str,
    status: &'static str,
    pub(super) events: u64,
    episodes: u32,
    states: usize,
    transitions: usize,
    coverage: usize,
    coverage_total: Option<u32>,
    crashes: Vec<CrashResult>,
    pub(super) device_seconds: f64,
    strategy: String,
    devices: u32,
    seed: u64,
    session: PathBuf,
}

/// How an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Interrupted,
    CutShort(String),
}

/// An exploration under way.
pub(super) struct Tour<'a> {
    settings: Settings,
    session: Session,
    lanes: Vec<Expedition>,
    retired: Vec<bool>,
    pub(super) findings: Findings,
    coverage_total: Option<u32>,
    episodes: u32,
    device_time: Micros,
    context: &'a Context,
}

pub(super) fn run(args: &ExploreArgs, context: &Context) -> anyhow::Result<Exit> {
    let settings = Settings::join(args, context)?;
    let mut tour = Tour::open(settings, context.out(), context)?;
    let end = tour.run(&|_| false)?;
    tour.report(&end);
    context.output.result(&tour.result(&end))?;
    Ok(match end {
        End::Interrupted => Exit::Interrupted,
        End::CutShort(_) => Exit::Usage,
        End::Done if tour.findings.crashes().len() > 0 => Exit::Found,
        End::Done => Exit::Done,
    })
}

impl Settings {
    fn join(args: &ExploreArgs, context: &Context) -> anyhow::Result<Self> {
        let config: &Config = &context.config;
        let set = &config.explore;
        // What is typed wins as a whole: events on the command line beat minutes in the file.
        let (events, minutes) = match (args.events, args.minutes) {
            (None, None) => (set.events, set.minutes),
            typed => typed,
        };
        ensure!(
            events != Some(0) && minutes != Some(0),
            "an exploration of nothing finds nothing; give more than 0"
        );
        let events = if minutes.is_none() { Some(events.unwrap_or(5000)) } else { events };
        let settings = Self {
            device: devices::choose([args.device.as_deref(), config.device.as_deref()])?,
            devices: config::devices(args.devices, config)?,
            strategy: args
                .strategy
                .clone()
                .or_else(|| set.strategy.clone())
                .unwrap_or_else(|| "monkey".to_owned()),
            percentages: percentages(&args.monkey.typed(), config)?,
            events,
            minutes,
            seed: context.seed(),
        };
        settings.explorer(Seed(0))?;
        Ok(settings)
    }

    /// The explorer of an episode.
    fn explorer(&self, seed: Seed) -> anyhow::Result<Box<dyn Explorer>> {
        let given = self.percentages.iter().map(|(name, percent)| Ok((name.parse::<Category>()?, *percent)));
        let given = given.collect::<Result<Vec<_>, retap_explore::PercentagesError>>()?;
        let percentages = Percentages::given(&given)?;
        let monkey = |aware| MonkeySettings { percentages, aware, ..MonkeySettings::default() };
        Ok(match &*self.strategy {
            "monkey" => Box::new(Monkey::new(monkey(false), seed.dice())),
            "aware" => Box::new(Monkey::new(monkey(true), seed.dice())),
            "random" => Box::new(Random::new(RandomSettings::default(), seed.dice())),
            other => bail!("there is no strategy '{other}'; this version has monkey, aware and random"),
        })
    }

    /// What each device may spend. Events are shared out; time runs on all devices at once.
    fn budget(&self, lane: u32) -> Budget {
        let share = |events: u64| {
            let devices = u64::from(self.devices);
            events / devices + u64::from(u64::from(lane) < events % devices)
        };
        Budget {
            events: self.events.map_or(u64::MAX, share),
            time: self
                .minutes
                .map_or(Micros(u64::MAX), |minutes| Micros::from_secs(minutes.saturating_mul(60))),
        }
    }
}

fn percentages(typed: &[(&'static str, &str)], config: &Config) -> anyhow::Result<Vec<(String, u32)>> {
    let mut given = config.explore.pct.clone();
    for (name, value) in typed {
        let percent = value.parse().ok().filter(|percent| *percent <= 100);
        let percent = percent
            .with_context(|| format!("--pct-{name} takes a whole number from 0 to 100, not '{value}'"))?;
        given.insert((*name).to_owned(), percent);
    }
    Ok(given.into_iter().collect())
}

impl<'a> Tour<'a> {
    /// Opens an exploration, and takes in what an earlier process has found.
    pub(super) fn open(settings: Settings, out: Option<&Path>, context: &'a Context) -> anyhow::Result<Self> {
        let fleet = Fleet::open(&settings.device, settings.devices)?;
        let session = folder::open(out, "explore", &settings)?;
        let mut header = fleet.header.clone();
        header.seed = Some(settings.seed);
        let lanes: Vec<Expedition> = (0..)
            .zip(fleet.devices)
            .map(|(lane, device)| {
                Expedition::new(device, lane, Seed(settings.seed), settings.budget(lane), header.clone())
            })
            .collect();
        let mut tour = Self {
            retired: vec![false; lanes.len()],
            settings,
            session,
            lanes,
            findings: Findings::new(),
            coverage_total: fleet.coverage_total,
            episodes: 0,
            device_time: Micros::ZERO,
            context,
        };
        tour.take_in()?;
        Ok(tour)
    }

    fn take_in(&mut self) -> anyhow::Result<()> {
        for entry in episodes(&self.session)? {
            let trace = tracefile::read(&self.session.dir().join(&entry.trace))?;
            let lane = self.lanes.get_mut(entry.lane as usize).context("the log is of more devices")?;
            lane.skip(entry.events, Micros(entry.took));
            self.findings.add(&trace, &entry.trace);
            self.episodes += 1;
            self.device_time += Micros(entry.took);
        }
        if self.episodes > 0 {
            self.context.output.say(format!("going on after {}", count(self.episodes, "episode")));
        }
        Ok(())
    }

    /// Explores until the budget is used up, or `enough` says so, or something stops it.
    pub(super) fn run(&mut self, enough: &dyn Fn(&Findings) -> bool) -> anyhow::Result<End> {
        let total = self.settings.events.unwrap_or(self.settings.minutes.unwrap_or(0) * 60);
        let progress = Progress::new(self.context.output, "explore", total);
        let mut last = None;
        while !enough(&self.findings) {
            // The lane that has spent the least device time goes on: with any number of devices, one order.
            let open = (0..self.lanes.len()).filter(|&lane| !self.retired[lane] && !self.lanes[lane].over());
            let Some(lane) = open.min_by_key(|&lane| self.lanes[lane].spent().time) else { break };
            match self.episode(lane, &progress)? {
                Ok(EpisodeEnd::Stopped) => return Ok(End::Interrupted),
                Ok(_) => {}
                Err(error) => {
                    output::warn(format!("device {lane} is given up: {error}"));
                    self.retired[lane] = true;
                    last = Some(error);
                }
            }
        }
        drop(progress);
        Ok(match last {
            Some(error) if self.retired.iter().all(|retired| *retired) => End::CutShort(error.to_string()),
            Some(error) if self.settings.events.is_some_and(|events| self.findings.events < events) => {
                End::CutShort(error.to_string())
            }
            _ => End::Done,
        })
    }

    fn episode(&mut self, lane: usize, progress: &Progress) -> anyhow::Result<Result<EpisodeEnd, LabError>> {
        let (settings, interrupt) = (&self.settings, &self.context.interrupt);
        let make = |seed| settings.explorer(seed).expect("the settings were tried before");
        let (states, crashes) = (self.findings.states(), self.findings.crashes().len());
        let (events, spent) = (self.findings.events, self.device_time);
        let mut in_episode = 0;
        let mut watch = |step: &Step| {
            in_episode += 1;
            let done = match settings.events {
                Some(_) => events + in_episode,
                None => (spent + step.at.unwrap_or_default()).0 / 1_000_000 / u64::from(settings.devices),
            };
            progress.set(done, format!("events, {states} states, {crashes} crashes"));
        };
        match self.lanes[lane].episode(&make, &mut watch, &|| interrupt.asked()) {
            Ok(episode) => self.keep(episode).map(Ok),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Saves an episode: the trace first, then its entry in the log, then it counts. One that was stopped is
    /// saved for people to look at, and explored anew when the exploration goes on.
    fn keep(&mut self, episode: Episode) -> anyhow::Result<EpisodeEnd> {
        let Episode { lane, number, trace, end, took } = episode;
        let name = |extra: &str| Path::new("traces").join(format!("d{lane}-{number:04}{extra}.trace.jsonl"));
        if end == EpisodeEnd::Stopped {
            tracefile::write(&self.session.dir().join(name(".partial")), &trace)?;
            return Ok(end);
        }
        let file = name("");
        tracefile::write(&self.session.dir().join(&file), &trace)?;
        self.device_time += took;
        let entry = EpisodeEntry {
            lane,
            number,
            events: trace.steps.len() as u64,
            took: took.0,
            end: in_words(&end),
            trace: file.clone(),
        };
        self.session.append(EPISODE, self.device_time, &entry)?;
        self.context.output.detail(format!("{}: {} events, {}", file.display(), entry.events, entry.end));
        self.findings.add(&trace, &file);
        self.episodes += 1;
        Ok(end)
    }

    /// Tells people what was found.
    pub(super) fn report(&self, end: &End) {
        let output = self.context.output;
        match end {
            End::Done => {}
            End::Interrupted => {
                let again = folder::this_command();
                output.say(format!("\n{}; everything is saved, go on with\n  {again}", bad("interrupted")));
            }
            End::CutShort(why) => output.say(format!("{}: {why}", bad("cut short"))),
        }
        let covered = match self.coverage_total {
            Some(total) => format!("{} of {total} pieces of code", self.findings.coverage()),
            None => format!("{} pieces of code", self.findings.coverage()),
        };
        output.say(format!(
            "{} in {}: {}, {}, {covered}, {} of device time",
            count(self.findings.events, "event"),
            count(self.episodes, "episode"),
            count(self.findings.states() as u64, "state"),
            count(self.findings.transitions() as u64, "transition"),
            self.device_time,
        ));
        if self.findings.crashes().len() == 0 {
            output.say(good("no crash found"));
        }
        for finding in self.findings.crashes() {
            output.say(format!(
                "{} {} {}",
                bad("crash:"),
                strong(&finding.crash),
                faint(format!(
                    "(seen {}, after {} at the least)",
                    count(finding.seen, "time"),
                    count(finding.shortest.1 as u64, "event"),
                )),
            ));
            output.say(format!("  retap reduce {}", self.session.dir().join(&finding.shortest.0).display()));
        }
        output.say(format!("saved: {}", self.session.dir().display()));
    }

    pub(super) fn result(&self, end: &End) -> ExploreResult {
        ExploreResult {
            command: "explore",
            status: match end {
                End::Done => "done",
                End::Interrupted => "interrupted",
                End::CutShort(_) => "cut_short",
            },
            events: self.findings.events,
            episodes: self.episodes,
            states: self.findings.states(),
            transitions: self.findings.transitions(),
            coverage: self.findings.coverage(),
            coverage_total: self.coverage_total,
            crashes: self.findings.results(),
            device_seconds: self.device_time.as_secs_f64(),
            strategy: self.settings.strategy.clone(),
            devices: self.settings.devices,
            seed: self.settings.seed,
            session: self.session.dir().to_owned(),
        }
    }

    /// The folder of the exploration.
    pub(super) fn dir(&self) -> &Path {
        self.session.dir()
    }
}

fn in_words(end: &EpisodeEnd) -> String {
    match end {
        EpisodeEnd::Crash(crash) => format!("crash {}", crash.signature),
        EpisodeEnd::Restart => "restart".to_owned(),
        EpisodeEnd::Finished => "finished".to_owned(),
        EpisodeEnd::Budget => "budget".to_owned(),
        EpisodeEnd::Stopped => "stopped".to_owned(),
        EpisodeEnd::DeviceFailed(why) => format!("device failed: {why}"),
    }
}

fn episodes(session: &SessionView) -> anyhow::Result<Vec<EpisodeEntry>> {
    let entries = session.read(&[EPISODE], Seq::START).map(|entry| {
        let entry = entry?;
        serde_json::from_value(entry.data)
            .with_context(|| format!("entry {} of the log is damaged", entry.seq))
    });
    entries.collect()
}

/// The shortest trace in the folder of an exploration that shows a crash whose signature contains these words.
pub(super) fn shortest_trace(dir: &Path, wanted: Option<&str>) -> anyhow::Result<PathBuf> {
    let session = SessionView::open(dir)?;
    ensure!(session.plan().command == "explore", "{} is not the folder of an exploration", dir.display());
    let shown = |entry: &EpisodeEntry| match (entry.end.strip_prefix("crash "), wanted) {
        (Some(signature), Some(wanted)) => signature.contains(wanted),
        (crash, _) => crash.is_some(),
    };
    let found = episodes(&session)?.into_iter().filter(shown).min_by_key(|entry| entry.events);
    match (found, wanted) {
        (Some(entry), _) => Ok(dir.join(entry.trace)),
        (None, Some(wanted)) => bail!("{} has no crash whose signature contains '{wanted}'", dir.display()),
        (None, None) => bail!("{} has no crash to reduce", dir.display()),
    }
}
