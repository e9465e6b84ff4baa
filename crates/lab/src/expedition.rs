//! Exploring with one device: episode after episode, each a trace from a clean start.
//!
//! Episodes are independent: each has a seed and an explorer of its own, by its lane and number. So an
//! exploration goes on after a stop by skipping what is done, and lanes do not disturb each other.

use std::collections::BTreeSet;

use retap_device::{Device, DeviceError, Look};
use retap_explore::{Explorer, Move, Reply, Sight};
use retap_model::Keyer;
use retap_trace::{CoverageId, Crash, Event, Header, Micros, Observation, Seed, Seen, Start, Step, Trace};

use crate::{Deadlines, Health, LabError, Replay};

/// Packages whose dialogs the app under test raised: they count as the app.
const SYSTEM_DIALOGS: [&str; 3] = [
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
];

/// How far an exploration goes on one device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Events in all.
    pub events: u64,
    /// Device time in all.
    pub time: Micros,
}

/// One device exploring.
#[derive(Debug)]
pub struct Expedition {
    device: Box<dyn Device>,
    lane: u32,
    seed: Seed,
    deadlines: Deadlines,
    budget: Budget,
    /// The header that every trace gets.
    header: Header,
    /// What earlier episodes have spent.
    spent: Budget,
    next: u32,
    health: Health,
    covered: BTreeSet<CoverageId>,
}

/// A finished episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// The device that it was on, by number.
    pub lane: u32,
    /// Its number on that device, from 0.
    pub number: u32,
    /// What was done and seen.
    pub trace: Trace,
    /// Why it ended.
    pub end: EpisodeEnd,
    /// Device time it took.
    pub took: Micros,
}

/// Why an episode ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// The app crashed.
    Crash(Box<Crash>),
    /// The explorer wanted a fresh start.
    Restart,
    /// The explorer has nothing left to do.
    Finished,
    /// The budget is used up.
    Budget,
    /// Somebody stopped it.
    Stopped,
    /// The device failed.
    DeviceFailed(String),
}

impl Expedition {
    /// An exploration on this device.
    pub fn new(device: Box<dyn Device>, lane: u32, seed: Seed, budget: Budget, header: Header) -> Self {
        Self {
            device,
            lane,
            seed,
            deadlines: Deadlines::default(),
            budget,
            header,
            spent: Budget { events: 0, time: Micros::ZERO },
            next: 0,
            health: Health::default(),
            covered: BTreeSet::new(),
        }
    }

    /// Takes note of an episode of an earlier process.
    pub fn skip(&mut self, events: u64, took: Micros) {
        self.spent.events += events;
        self.spent.time += took;
        self.next += 1;
    }

    /// Device time spent so far, by which lanes take turns.
    pub const fn spent(&self) -> Budget {
        self.spent
    }

    /// Whether the budget is used up.
    pub fn over(&self) -> bool {
        self.spent.events >= self.budget.events || self.spent.time >= self.budget.time
    }

    /// Explores from a clean start until something ends it, with an explorer that `make` makes. Each step is shown to `watch` as it comes; `stop` is
    /// asked before each move.
    pub fn episode(
        &mut self,
        make: &dyn Fn(Seed) -> Box<dyn Explorer>,
        watch: &mut dyn FnMut(&Step),
        stop: &dyn Fn() -> bool,
    ) -> Result<Episode, LabError> {
        let number = self.next;
        let seed = self.seed.branch("lane", u64::from(self.lane)).branch("episode", u64::from(number));
        let mut explorer = make(seed.branch("explorer", 0));
        let mut trace = Trace { header: self.header.clone(), steps: Vec::new() };
        let began = self.device.now();
        let end = match self.explore(&mut *explorer, seed, &mut trace, watch, stop) {
            Ok(end) => end,
            Err(error) => EpisodeEnd::DeviceFailed(error.to_string()),
        };
        let took = self.device.now().since(began);
        self.skip(trace.steps.len() as u64, took);
        let nothing_done = matches!(end, EpisodeEnd::DeviceFailed(_)) && trace.steps.is_empty();
        let given_up = self.health.note(nothing_done);
        if let (true, EpisodeEnd::DeviceFailed(why)) = (given_up, &end) {
            return Err(LabError::NoDeviceLeft { last: Some(why.clone()) });
        }
        Ok(Episode { lane: self.lane, number, trace, end, took })
    }

    fn explore(
        &mut self,
        explorer: &mut dyn Explorer,
        seed: Seed,
        trace: &mut Trace,
        watch: &mut dyn FnMut(&Step),
        stop: &dyn Fn() -> bool,
    ) -> Result<EpisodeEnd, DeviceError> {
        let events_left = self.budget.events.saturating_sub(self.spent.events);
        let time_left = self.budget.time.since(self.spent.time);
        let mut walk = Walk::begin(self, seed)?;
        while (trace.steps.len() as u64) < events_left && walk.elapsed() < time_left {
            if stop() {
                return Ok(EpisodeEnd::Stopped);
            }
            match explorer.next(&walk.sight()) {
                Move::Act(event) => {
                    let step = walk.act(event)?;
                    watch(&step);
                    let crash = step.crash.clone();
                    trace.steps.push(step);
                    if let Some(crash) = crash {
                        return Ok(EpisodeEnd::Crash(Box::new(crash)));
                    }
                }
                Move::Restart => return Ok(EpisodeEnd::Restart),
                Move::Stop => return Ok(EpisodeEnd::Finished),
                Move::Save | Move::Restore(_) | Move::Forget(_) => walk.reply = Reply::Refused,
            }
        }
        Ok(EpisodeEnd::Budget)
    }
}

/// The way through one episode: where it stands, and what it has seen.
struct Walk<'a> {
    replay: Replay<'a>,
    keyer: Keyer,
    package: String,
    began: Micros,
    seen: Observation,
    keys: Seen,
    reply: Reply,
    new_coverage: usize,
    /// Covered in this episode; a step is credited with what is new in its trace.
    in_episode: BTreeSet<CoverageId>,
    in_lane: &'a mut BTreeSet<CoverageId>,
}

impl<'a> Walk<'a> {
    fn begin(expedition: &'a mut Expedition, seed: Seed) -> Result<Self, DeviceError> {
        let package = expedition.device.package().to_owned();
        let began = expedition.device.now();
        let mut replay = Replay::new(&mut *expedition.device, expedition.deadlines, Look::Tree);
        let seen = replay.begin(Start::Launched, seed)?;
        let mut keyer = Keyer::default();
        Ok(Self {
            replay,
            package,
            began,
            keys: keyer.seen(&seen),
            keyer,
            reply: Reply::Started,
            new_coverage: learn(&mut expedition.covered, &seen),
            in_episode: seen.coverage.iter().copied().collect(),
            in_lane: &mut expedition.covered,
            seen,
        })
    }

    fn elapsed(&self) -> Micros {
        self.replay.now().since(self.began)
    }

    fn sight(&self) -> Sight<'_> {
        Sight {
            observation: &self.seen,
            keys: &self.keys,
            reply: self.reply,
            in_front: *self.seen.package == *self.package || SYSTEM_DIALOGS.contains(&&*self.seen.package),
            new_coverage: Some(self.new_coverage),
            crashed: false,
        }
    }

    fn act(&mut self, event: Event) -> Result<Step, DeviceError> {
        let at = self.elapsed();
        let mut after = self.replay.perform(&event)?;
        let keys = self.keyer.seen(&after);
        self.new_coverage = learn(self.in_lane, &after);
        let gained = after.coverage.iter().copied().filter(|id| self.in_episode.insert(*id));
        let step = Step {
            at: Some(at),
            coverage: gained.collect(),
            before: Some(std::mem::replace(&mut self.keys, keys.clone())),
            after: Some(keys),
            crash: if after.crashes.is_empty() { None } else { Some(after.crashes.remove(0)) },
            ..Step::new(event)
        };
        self.seen = after;
        self.reply = Reply::Done;
        Ok(step)
    }
}

/// Adds what a look showed to what is covered; says how much of it was new.
fn learn(covered: &mut BTreeSet<CoverageId>, seen: &Observation) -> usize {
    seen.coverage.iter().filter(|id| covered.insert(**id)).count()
}
