//! One exploration of a real app, and what came of it.

use std::collections::BTreeMap;
use std::time::Instant;

use retap_device::Device as _;
use retap_explore::{StrategyKind, StrategySettings, SystemSettings};
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings};
use retap_trace::{Crash, Micros, Seed, Signature};
use serde::{Deserialize, Serialize};

use super::Watched;

/// How an app is explored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scout<'a> {
    pub(crate) strategy: &'a str,
    /// Events that the device performs, those that lead back to an earlier state included.
    pub(crate) events: u64,
    /// The time between two events.
    pub(crate) throttle: Micros,
    pub(crate) seed: u64,
}

/// What an exploration came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scouted {
    pub(crate) events: u64,
    /// Events among them that led back to an earlier state.
    pub(crate) replayed: u64,
    pub(crate) restores: u32,
    pub(crate) starts: u64,
    pub(crate) states: usize,
    pub(crate) covered: usize,
    pub(crate) total: Option<u32>,
    pub(crate) device_seconds: f64,
    pub(crate) seconds: f64,
    /// The app's crashes, in the order in which they were found.
    pub(crate) crashes: Vec<FoundCrash>,
    /// What ended the app because of the device.
    pub(crate) device_crashes: Vec<FoundCrash>,
    /// Calls of the device that failed.
    pub(crate) failures: Vec<String>,
    /// How it ended, when not by its budget.
    pub(crate) ended: Option<String>,
    /// Whether it could not go on: the app crashes at its start, or no device was left.
    pub(crate) failed: bool,
    pub(crate) curve: Vec<CurvePoint>,
}

/// A crash, and how often it came.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FoundCrash {
    pub(crate) signature: String,
    pub(crate) seen: u32,
    /// Its first lines.
    pub(crate) stack: Vec<String>,
}

/// How far an exploration was after so many events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CurvePoint {
    pub(crate) events: u64,
    pub(crate) device_ms: u64,
    pub(crate) covered: usize,
    pub(crate) crashes: usize,
}

/// Points of a curve, but for the first and the last.
const POINTS: u64 = 40;
/// Frames of a stack that are kept.
const FRAMES: usize = 12;

impl Scout<'_> {
    /// An exploration that has not begun.
    pub(crate) fn exploration(&self, device: &Watched) -> anyhow::Result<Exploration> {
        let kind = StrategyKind::named(self.strategy).map_err(anyhow::Error::msg)?;
        let mut settings = StrategySettings::new(&[])?;
        let components = device.components_to_start();
        settings.system = SystemSettings { components, ..SystemSettings::default() };
        settings.system.kinds.retain(|kind| !kind.needs_modem());
        let explorer = kind.explorer(&settings, Seed(self.seed).branch("explorer", 0));
        let settings = ExplorationSettings {
            snapshots: false,
            throttle: self.throttle,
            confirm: 0,
            ..ExplorationSettings::default()
        };
        Ok(Exploration::new(settings, explorer, device.package().to_owned(), 1))
    }

    /// Explores until the events are used up.
    pub(crate) fn explore(&self, device: &Watched, exploration: &mut Exploration) -> Scouted {
        let began = Instant::now();
        let (mut curve, mut crashes) = (Vec::new(), Crashes::default());
        let (end, _) =
            exploration.virtually(vec![Box::new(device.clone())], self.seed(), &mut |exploration| {
                crashes.note(exploration);
                let point = point(exploration, crashes.found.len());
                if point.events >= self.events * curve.len() as u64 / POINTS {
                    curve.push(point);
                }
                point.events < self.events
            });
        curve.push(point(exploration, crashes.found.len()));
        let mut own = Crashes::default();
        device.own_crashes().iter().for_each(|crash| own.add(crash));
        let counts = device.counts();
        Scouted {
            events: performed(exploration),
            replayed: exploration.time_travel_cost().replayed,
            restores: exploration.time_travel_cost().restores,
            starts: counts.resets,
            states: exploration.states(),
            covered: exploration.covered().len(),
            total: device.coverage_total(),
            device_seconds: exploration.elapsed().as_secs_f64(),
            seconds: began.elapsed().as_secs_f64(),
            crashes: crashes.finish(),
            device_crashes: own.finish(),
            failures: counts.failures,
            failed: matches!(end, ExplorationEnd::CrashesAtStart(_) | ExplorationEnd::NoDeviceLeft(_)),
            ended: match end {
                ExplorationEnd::Stopped => None,
                ExplorationEnd::Done => Some("nothing was left to do".to_owned()),
                ExplorationEnd::CrashesAtStart(why) | ExplorationEnd::NoDeviceLeft(why) => Some(why),
            },
            curve,
        }
    }

    fn seed(&self) -> Seed {
        Seed(self.seed).branch("scout", 0)
    }
}

fn performed(exploration: &Exploration) -> u64 {
    exploration.performed() + exploration.time_travel_cost().replayed
}

fn point(exploration: &Exploration, crashes: usize) -> CurvePoint {
    CurvePoint {
        events: performed(exploration),
        device_ms: exploration.elapsed().0 / 1000,
        covered: exploration.covered().len(),
        crashes,
    }
}

/// Crashes, each once.
#[derive(Debug, Default)]
struct Crashes {
    found: Vec<(Crash, u32)>,
    places: BTreeMap<Signature, usize>,
    /// The segments and steps that were looked at.
    seen: (usize, usize),
}

impl Crashes {
    /// Notes the crash of the last step, if it is new and has one.
    fn note(&mut self, exploration: &Exploration) {
        let segments = exploration.segments().iter();
        let count = segments.len();
        let Some(last) = segments.last() else { return };
        let now = (count, last.steps.len());
        if now == self.seen {
            return;
        }
        self.seen = now;
        if let Some(crash) = last.steps.last().and_then(|step| step.crash.clone()) {
            self.add(&crash);
        }
    }

    fn add(&mut self, crash: &Crash) {
        let place = *self.places.entry(crash.signature.clone()).or_insert(self.found.len());
        if place == self.found.len() {
            self.found.push((crash.clone(), 0));
        }
        self.found[place].1 += 1;
    }

    fn finish(self) -> Vec<FoundCrash> {
        self.found.iter().map(|(crash, seen)| FoundCrash::of(crash, *seen)).collect()
    }
}

impl FoundCrash {
    fn of(crash: &Crash, seen: u32) -> Self {
        Self { signature: crash.signature.to_string(), seen, stack: stack(crash) }
    }
}

/// The first lines of a crash.
pub(crate) fn stack(crash: &Crash) -> Vec<String> {
    let message = crash.message.lines().next().unwrap_or_default();
    let first = format!("{}: {message}", crash.exception);
    let cause = crash.root_cause.iter().map(|cause| format!("root cause: {cause}"));
    let frames = crash.frames.iter().take(FRAMES).map(|frame| format!("at {frame}"));
    [first].into_iter().chain(cause).chain(frames).collect()
}
