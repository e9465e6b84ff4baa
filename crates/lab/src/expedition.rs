//! Exploring with one device: episode after episode, each a trace from a clean start.
//!
//! Episodes are independent: each has a seed and an explorer of its own, by its lane and number. So an
//! exploration goes on after a stop by skipping what is done, and lanes do not disturb each other.

use std::collections::BTreeSet;

use retap_device::{Device, DeviceError};
use retap_explore::{Explorer, Move, Reply, Sight};
use retap_trace::{CoverageId, Crash, Header, Micros, Observation, Seed, Start, Step, Trace};

use crate::{Deadlines, Health, LabError, Walk};

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
        let package = self.device.package().to_owned();
        let mut walk = Walk::begin(&mut *self.device, self.deadlines, Start::Launched, seed)?;
        let mut reply = Reply::Started;
        while (trace.steps.len() as u64) < events_left && walk.elapsed() < time_left {
            if stop() {
                return Ok(EpisodeEnd::Stopped);
            }
            let new_coverage = learn(&mut self.covered, walk.seen());
            match explorer.next(&sight(&walk, reply, &package, new_coverage)) {
                Move::Act(event) => {
                    let step = walk.act(event)?;
                    watch(&step);
                    let crash = step.crash.clone();
                    trace.steps.push(step);
                    if let Some(crash) = crash {
                        return Ok(EpisodeEnd::Crash(Box::new(crash)));
                    }
                    reply = Reply::Done;
                }
                Move::Restart => return Ok(EpisodeEnd::Restart),
                Move::Stop => return Ok(EpisodeEnd::Finished),
                Move::Save | Move::Restore(_) | Move::Forget(_) => reply = Reply::Refused,
            }
        }
        Ok(EpisodeEnd::Budget)
    }
}

/// What the explorer is told.
fn sight<'a>(walk: &'a Walk<'_>, reply: Reply, package: &str, new_coverage: usize) -> Sight<'a> {
    let seen = walk.seen();
    Sight {
        observation: seen,
        keys: walk.keys(),
        reply,
        in_front: *seen.package == *package || SYSTEM_DIALOGS.contains(&&*seen.package),
        new_coverage: Some(new_coverage),
        crashed: false,
    }
}

/// Adds what a look showed to what is covered; says how much of it was new.
fn learn(covered: &mut BTreeSet<CoverageId>, seen: &Observation) -> usize {
    seen.coverage.iter().filter(|id| covered.insert(**id)).count()
}
