//! Exploring with any number of devices: one explorer, a crew of scouts, and everything they have seen.
//!
//! The explorer says what a lane should do next; the scout of that lane does it; what it saw is written into the
//! lane's leg and shown to the explorer before its next move. Saved states belong to all lanes. A crash that was
//! found after going back to one is tried again from a clean start at once, because a restored state may not be
//! reachable that way.

mod asking;
mod crew;
mod lane;
mod leg;
mod recalling;
mod scout;
mod taking;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_device::Device;
use retap_explore::{Explorer, Lane, SaveId, WindowSettings};
use retap_reduce::Tally;
use retap_trace::{CoverageId, Crash, Event, Micros, Observation, Seed, Seen, Signature, StateKey, Step};

use crate::Flow;

use lane::{Doing, Doubtful, LaneState};

pub use crew::{Crew, ThreadCrew, VirtualCrew};
pub use leg::{Leg, LegEnd, LegId, Legs, Origin};
pub use scout::{Became, Scout, Sighting, Task};

/// How far an exploration goes, and how it goes about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpeditionSettings {
    /// Events in all, over all devices.
    pub events: u64,
    /// Time on each device.
    pub time: Micros,
    /// It ends when no device has seen new code, or without coverage a new state, for so long.
    pub idle: Micros,
    /// Whether devices' snapshots are used. Without, saved states are reached by replaying what led to them.
    pub snapshots: bool,
    /// When to look at the whole screen.
    pub window: WindowSettings,
    /// Packages besides the app's own that count as the app.
    pub packages: Vec<String>,
    /// What each start begins with; scouts perform it.
    pub script: Arc<[Event]>,
    /// The time that passes before each event; scouts see to it.
    pub throttle: Micros,
    /// The most clean runs that try a crash again that was found after going back in time. 0 tries none.
    pub confirm: u32,
}

/// Without an end, with snapshots, looking after every event.
impl Default for ExpeditionSettings {
    fn default() -> Self {
        Self {
            events: u64::MAX,
            time: Micros(u64::MAX),
            idle: Micros(u64::MAX),
            snapshots: true,
            window: WindowSettings::ALWAYS,
            packages: Vec::new(),
            script: Arc::new([]),
            throttle: Micros::ZERO,
            confirm: 3,
        }
    }
}

/// Somebody who writes down what happens, as it happens.
pub trait Log {
    /// A leg has begun; its script's steps are in it.
    fn began(&mut self, leg: &Leg);
    /// A step was made.
    fn step(&mut self, leg: LegId, step: &Step);
    /// Going back in time has cost this until now. Told before each leg, and before each save that took time: the save
    /// itself is not yet counted.
    fn travelled(&mut self, travels: Travels);
    /// The state after the last step of a leg was saved.
    fn saved(&mut self, save: SaveId, leg: &Leg);
    /// A leg is over. It took so long, with whatever led to it.
    fn ended(&mut self, leg: &Leg, end: &LegEnd, took: Micros);
    /// A crash was seen: at the end of this leg, tried again with this result.
    fn crashed(&mut self, legs: &Legs, leg: LegId, crash: &Crash, confirmed: Option<Tally>);
    /// Pieces of code were executed that are called so. Each device tells each of them once.
    fn named(&mut self, _: &[(CoverageId, Arc<str>)]) {}
    /// A state was seen for the first time, at the level `layout`.
    fn state(&mut self, _: &Seen, _: &Observation) {}
}

/// Nobody writes anything down but how legs ended.
impl Log for Vec<(LegId, LegEnd)> {
    fn began(&mut self, _: &Leg) {}
    fn step(&mut self, _: LegId, _: &Step) {}
    fn travelled(&mut self, _: Travels) {}
    fn saved(&mut self, _: SaveId, _: &Leg) {}
    fn ended(&mut self, leg: &Leg, end: &LegEnd, _: Micros) {
        self.push((leg.id, end.clone()));
    }
    fn crashed(&mut self, _: &Legs, _: LegId, _: &Crash, _: Option<Tally>) {}
}

/// What an exploration has cost besides its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Travels {
    /// States that were saved.
    pub saves: u32,
    /// Device time that took.
    pub saving: Micros,
    /// Times that a saved state was gone back to.
    pub restores: u32,
    /// Device time that took.
    pub restoring: Micros,
    /// Events that were performed to get there.
    pub replayed: u64,
    /// Restores that ended in a clean start.
    pub lost: u32,
}

/// An exploration under way.
pub struct Expedition {
    settings: ExpeditionSettings,
    explorer: Box<dyn Explorer>,
    package: String,
    lanes: Vec<LaneState>,
    legs: Legs,
    saves: BTreeMap<SaveId, Saved>,
    next_save: u64,
    covered: BTreeSet<CoverageId>,
    /// Whether the device measures coverage: it has reported some.
    measured: bool,
    states: BTreeSet<StateKey>,
    /// Crashes that have been tried again, with the length of what was tried.
    tried: BTreeMap<Signature, usize>,
    travels: Travels,
    unable: BTreeSet<String>,
    /// Events that were performed, and events that scouts were told to perform.
    events: u64,
    issued: u64,
}

/// Why an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The budget is used up, nothing new came for long enough, or there is nothing left to do.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// Every device failed again and again; the last one said this.
    NoDeviceLeft(String),
}

struct Saved {
    lane: Lane,
    leg: LegId,
    steps: usize,
    shown: Seen,
}

/// A saved state further away than this is not gone to on foot: it would cost more than it is worth.
const LONGEST_ROUTE: usize = 500;
/// The same for a device that has snapshots of its own to go back to.
const LONGEST_DETOUR: usize = 40;

impl Expedition {
    /// An exploration of this package that has not begun, with so many devices.
    pub fn new(
        settings: ExpeditionSettings,
        explorer: Box<dyn Explorer>,
        package: impl Into<String>,
        lanes: u32,
    ) -> Self {
        let lane = |_| LaneState::new(settings.window);
        Self {
            lanes: (0..lanes).map(lane).collect(),
            settings,
            explorer,
            package: package.into(),
            legs: Legs::default(),
            saves: BTreeMap::new(),
            next_save: 0,
            covered: BTreeSet::new(),
            measured: false,
            states: BTreeSet::new(),
            tried: BTreeMap::new(),
            travels: Travels::default(),
            unable: BTreeSet::new(),
            events: 0,
            issued: 0,
        }
    }

    /// Explores in virtual time with these devices until the budget is used up or something ends it. `go_on` is asked
    /// after each report. Says how it ended, and how each leg did.
    pub fn virtually(
        &mut self,
        devices: Vec<Box<dyn Device>>,
        seed: Seed,
        go_on: &mut dyn FnMut(&Self) -> bool,
    ) -> (End, Vec<(LegId, LegEnd)>) {
        let scout = |(lane, device)| {
            let own = seed.branch("lane", u64::from(lane));
            Scout::new(device, Lane(lane), own, &self.settings)
        };
        let mut crew = VirtualCrew::new((0..).zip(devices).map(scout).collect());
        let mut ends = Vec::new();
        let end = self.run(&mut crew, &mut ends, &mut |expedition, _| {
            if go_on(expedition) { Flow::Continue } else { Flow::Stop }
        });
        (end, ends)
    }

    /// Explores until the budget is used up or something ends it. `watch` is asked after each report.
    pub fn run<L: Log>(
        &mut self,
        crew: &mut dyn Crew,
        log: &mut L,
        watch: &mut dyn FnMut(&Self, &mut L) -> Flow,
    ) -> End {
        for lane in 0..self.lanes.len() {
            self.employ(lane, crew, log);
        }
        while let Some((lane, sighting)) = crew.report() {
            let lane = lane.0 as usize;
            self.take(lane, sighting, log);
            if watch(self, log) == Flow::Stop {
                self.stop(log);
                return End::Stopped;
            }
            self.employ(lane, crew, log);
        }
        let mut given_up = self.lanes.iter().rev().filter_map(|lane| lane.over.clone());
        match given_up.next() {
            Some(why) if self.lanes.iter().all(|lane| lane.over.is_some()) => {
                self.stop(log);
                End::NoDeviceLeft(why)
            }
            _ if self.lanes.iter().any(|lane| !matches!(lane.doing, Doing::Nothing)) => {
                self.stop(log);
                End::Stopped
            }
            _ => End::Done,
        }
    }

    /// Events that were performed, those that only led back to a saved state apart.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Looks at the whole screen that stand in the legs. Those that only led back to a saved state, or were made again
    /// because one had failed, are not among them.
    pub fn looks(&self) -> u64 {
        self.legs.iter().map(|leg| leg.looks() as u64).sum()
    }

    /// Everything that was done.
    pub const fn legs(&self) -> &Legs {
        &self.legs
    }

    /// What going back in time has cost.
    pub const fn travels(&self) -> Travels {
        self.travels
    }

    /// What devices were asked to do and have no means for. Such events were left out.
    pub fn unable(&self) -> impl Iterator<Item = &str> {
        self.unable.iter().map(String::as_str)
    }

    /// Different states seen, by their layout.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Code that was executed.
    pub const fn covered(&self) -> &BTreeSet<CoverageId> {
        &self.covered
    }

    /// The time that the lane which is furthest has spent.
    pub fn elapsed(&self) -> Micros {
        self.lanes.iter().map(LaneState::elapsed).max().unwrap_or_default()
    }

    /// Device time of all lanes.
    pub fn device_time(&self) -> Micros {
        self.lanes.iter().fold(Micros::ZERO, |sum, lane| sum + lane.elapsed())
    }

    /// What the devices that were given up said last.
    pub fn given_up(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lanes.iter().enumerate().filter_map(|(lane, state)| Some((lane, state.over.as_deref()?)))
    }

    /// Ends the leg of a lane, if one is under way.
    fn end(&mut self, lane: usize, end: &LegEnd, log: &mut dyn Log) {
        let state = &mut self.lanes[lane];
        if let Some(leg) = state.leg.take() {
            let elapsed = state.elapsed();
            let took = elapsed.since(state.accounted);
            state.accounted = elapsed;
            log.ended(self.legs.get(leg), end, took);
        }
    }

    fn stop(&mut self, log: &mut dyn Log) {
        for lane in 0..self.lanes.len() {
            self.end(lane, &LegEnd::Stopped, log);
        }
    }
}

const fn lane_of(lane: usize) -> Lane {
    #[expect(clippy::cast_possible_truncation, reason = "there are at most a thousand devices")]
    Lane(lane as u32)
}

impl std::fmt::Debug for Expedition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expedition")
            .field("explorer", &self.explorer.name())
            .field("legs", &self.legs.iter().len())
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}
