//! Exploring with any number of devices: one explorer, and everything they have seen.
//!
//! The explorer says what a lane should do next; the device of that lane does it; what it saw is added to the
//! lane's segment and shown to the explorer before its next move. Saved states belong to all lanes. A crash that was
//! found after going back to one is tried again from a clean start at once, because a restored state may not be
//! reachable that way.
//!
//! Everything an exploration does is a function of the reports it is told, in their order.

mod choose;
mod event;
mod journal;
mod lane;
mod order;
mod segment;
mod settle;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_device::Device;
use retap_explore::{Explorer, Lane, SaveId, WindowSettings};
use retap_reduce::{Algorithm, Ticket};
use retap_trace::{CoverageId, Crash, Event, Micros, Seed, Seen, Signature, StateKey};

use crate::{DriveError, Flow, LabError, VirtualLab, drive};

use lane::{LaneEnd, LaneState};
use settle::CRASHED_STARTS_IN_A_ROW;

pub use event::ExploreEvent;
pub use journal::{ExploreJournal, recorded_orders};
pub use order::{ExploreOrder, ExploreReport, ExploreTask, Failure, WayBack};
pub use segment::{DEVICE_FAILED, Origin, Segment, SegmentEnd, SegmentId, Segments};
pub use worker::ExploreWorker;

/// How far an exploration goes, and how it goes about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplorationSettings {
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
    /// What each start begins with; workers perform it.
    pub script: Arc<[Event]>,
    /// The time that passes before each event; workers see to it.
    pub throttle: Micros,
    /// The most clean runs that try a crash again that was found after going back in time. 0 tries none.
    pub confirm: u32,
}

/// Without an end, with snapshots, looking after every event.
impl Default for ExplorationSettings {
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

/// What going back in time has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeTravelCost {
    /// States that were saved.
    pub saves: u32,
    /// Device time that took.
    pub saving: Micros,
    /// Times that a saved state was restored.
    pub restores: u32,
    /// Device time that took, with restores that failed.
    pub restoring: Micros,
    /// Events that were performed to get there.
    pub replayed: u64,
    /// Restores that ended in a clean start.
    pub failed: u32,
}

pub struct Exploration {
    settings: ExplorationSettings,
    explorer: Box<dyn Explorer>,
    package: String,
    lanes: Vec<LaneState>,
    segments: Segments,
    saves: BTreeMap<SaveId, Saved>,
    next_ticket: u64,
    covered: BTreeSet<CoverageId>,
    /// Whether the device measures coverage: it has reported some.
    measured: bool,
    states: BTreeSet<StateKey>,
    /// Crashes that were tried again, with the length of what was tried.
    confirmed: BTreeMap<Signature, usize>,
    cost: TimeTravelCost,
    unable: BTreeSet<String>,
    interrupted: u32,
    /// Why devices failed, and how often.
    device_failures: BTreeMap<String, u32>,
    /// Events that were performed, and events that were ordered.
    performed: u64,
    issued: u64,
    /// What has happened since somebody last asked.
    events: Vec<ExploreEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExplorationEnd {
    /// The budget is used up, nothing new came for long enough, or there is nothing left to do.
    Done,
    /// Wherever the app starts it crashes before anything can be done; in words.
    CrashesAtStart(String),
    Stopped,
    /// Every device failed again and again; the last one said this.
    NoDeviceLeft(String),
}

struct Saved {
    lane: Lane,
    segment: SegmentId,
    steps: usize,
    shown: Seen,
}

/// A saved state further away than this is not reached by replaying: it would cost more than it is worth.
const LONGEST_ROUTE: usize = 500;
/// The same for a device that has snapshots of its own to go back to.
const LONGEST_DETOUR: usize = 40;

impl Exploration {
    /// An exploration of this package that has not begun, with so many devices.
    pub fn new(
        settings: ExplorationSettings,
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
            segments: Segments::default(),
            saves: BTreeMap::new(),
            next_ticket: 0,
            covered: BTreeSet::new(),
            measured: false,
            states: BTreeSet::new(),
            confirmed: BTreeMap::new(),
            cost: TimeTravelCost::default(),
            unable: BTreeSet::new(),
            interrupted: 0,
            device_failures: BTreeMap::new(),
            performed: 0,
            issued: 0,
            events: Vec::new(),
        }
    }

    /// Explores in virtual time with these devices until the budget is used up or something ends it. `go_on` is asked
    /// after each report. Says how it ended, and how each segment did.
    pub fn virtually(
        &mut self,
        devices: Vec<Box<dyn Device>>,
        seed: Seed,
        go_on: &mut dyn FnMut(&Self) -> bool,
    ) -> (ExplorationEnd, Vec<(SegmentId, SegmentEnd)>) {
        let mut lab = VirtualLab::new(ExploreWorker::fleet(&self.settings, seed, devices));
        let mut ends = Vec::new();
        let mut note = |events: Vec<ExploreEvent>| {
            ends.extend(events.into_iter().filter_map(|event| match event {
                ExploreEvent::Ended(segment, end, _) => Some((segment, end)),
                _ => None,
            }));
        };
        let driven = drive(self, &mut lab, &mut (), &mut |exploration, _| {
            note(exploration.take_events());
            if go_on(exploration) { Flow::Continue } else { Flow::Stop }
        });
        let end = self.ended(driven).expect("nothing else can fail in virtual time");
        note(self.take_events());
        (end, ends)
    }

    /// How it ended, from what driving it gave. Segments that were under way stay open when it was stopped.
    pub fn ended(&mut self, driven: Result<bool, DriveError>) -> Result<ExplorationEnd, DriveError> {
        let script = self.settings.script.len();
        let scripted = |segment: &Segment| if segment.origin == Origin::Start { script } else { 0 };
        let steps = self.segments.iter().map(|segment| segment.steps.len() - scripted(segment));
        assert_eq!(
            self.performed,
            steps.sum::<usize>() as u64,
            "the segments have other steps than were performed"
        );
        match driven {
            Ok(false) | Err(DriveError::Lab(LabError::Stopped)) => Ok(ExplorationEnd::Stopped),
            Err(DriveError::Lab(LabError::NoDeviceLeft { last })) => {
                let why = last.unwrap_or_else(|| "none was given".to_owned());
                for lane in 0..self.lanes.len() {
                    self.lanes[lane].over.get_or_insert_with(|| LaneEnd::GivenUp(why.clone()));
                }
                Ok(ExplorationEnd::NoDeviceLeft(why))
            }
            Err(error) => Err(error),
            Ok(true) => {
                let any_done = self.lanes.iter().any(|lane| lane.over == Some(LaneEnd::Done));
                let last = || self.given_up().last().map(|(_, why)| why.to_owned());
                Ok(match self.crashes_at_start() {
                    _ if any_done => ExplorationEnd::Done,
                    Some(why) => ExplorationEnd::CrashesAtStart(why),
                    None => last().map_or(ExplorationEnd::Done, ExplorationEnd::NoDeviceLeft),
                })
            }
        }
    }

    /// Crashes that were seen and are still to be tried again from a clean start.
    pub fn pending_crashes(&self) -> impl Iterator<Item = (SegmentId, &Crash)> {
        let pending = self.lanes.iter().flat_map(|lane| lane.confirming.iter().chain(&lane.to_confirm));
        pending.map(|pending| (pending.segment, &*pending.crash))
    }

    /// What has happened since this was last asked.
    pub fn take_events(&mut self) -> Vec<ExploreEvent> {
        std::mem::take(&mut self.events)
    }

    /// Events that were performed, those that only led back to a saved state apart.
    pub const fn performed(&self) -> u64 {
        self.performed
    }

    /// Looks at the whole screen that stand in the segments. Those that only led back to a saved state, or were made
    /// again because one had failed, are not among them.
    pub fn looks(&self) -> u64 {
        self.segments.iter().map(|segment| segment.looks() as u64).sum()
    }

    pub const fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Segments that have begun and are not over.
    pub fn under_way(&self) -> impl Iterator<Item = SegmentId> {
        self.lanes.iter().filter_map(|lane| lane.segment)
    }

    /// What going back in time has cost.
    pub const fn time_travel_cost(&self) -> TimeTravelCost {
        self.cost
    }

    /// What devices were asked to do and have no means for. Such events were left out.
    pub fn unable(&self) -> impl Iterator<Item = &str> {
        self.unable.iter().map(String::as_str)
    }

    /// Segments that ended because their process was stopped: the device could not be put back to where it was.
    pub const fn interrupted(&self) -> u32 {
        self.interrupted
    }

    /// Why devices failed, and how often. Each time the segment ended that was under way.
    pub const fn device_failures(&self) -> &BTreeMap<String, u32> {
        &self.device_failures
    }

    /// Different states seen, by their layout.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub const fn covered(&self) -> &BTreeSet<CoverageId> {
        &self.covered
    }

    /// The time that the lane which is furthest has spent.
    pub fn elapsed(&self) -> Micros {
        self.lanes.iter().map(|lane| lane.elapsed).max().unwrap_or_default()
    }

    /// Device time of all lanes.
    pub fn device_time(&self) -> Micros {
        self.lanes.iter().fold(Micros::ZERO, |sum, lane| sum + lane.elapsed)
    }

    /// What the devices that were given up said last.
    pub fn given_up(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lanes.iter().enumerate().filter_map(|(lane, state)| match &state.over {
            Some(LaneEnd::GivenUp(why)) => Some((lane, &**why)),
            Some(LaneEnd::Done | LaneEnd::CrashesAtStart) | None => None,
        })
    }

    /// The devices on which the app crashes when it starts, so that they were left alone.
    pub fn crashing_at_start(&self) -> impl Iterator<Item = usize> {
        let lanes = self.lanes.iter().enumerate();
        lanes.filter(|(_, state)| state.over == Some(LaneEnd::CrashesAtStart)).map(|(lane, _)| lane)
    }

    /// That the app crashes when it starts, in words, where that has ended a lane.
    fn crashes_at_start(&self) -> Option<String> {
        let lanes = u32::try_from(self.crashing_at_start().count()).expect("few lanes");
        let crashed = lanes * CRASHED_STARTS_IN_A_ROW;
        let all = self.segments.iter().len() == crashed as usize;
        let which = match lanes {
            0 => return None,
            _ if all => format!("{crashed} of {crashed} launches"),
            1 => format!("the last {crashed} launches"),
            _ => format!("the last {CRASHED_STARTS_IN_A_ROW} launches on each device"),
        };
        let when =
            if self.settings.script.is_empty() { "" } else { " or in the trace that each start performs" };
        Some(format!("the app crashes when it starts{when}, in {which}, so nothing more could be explored"))
    }

    /// Ends the segment of a lane, if one is under way.
    fn end(&mut self, lane: usize, end: &SegmentEnd) {
        let state = &mut self.lanes[lane];
        if let Some(segment) = state.segment.take() {
            assert!(state.accounted <= state.elapsed, "lane {lane} has told of more time than it took");
            let took = state.elapsed.since(state.accounted);
            state.accounted = state.elapsed;
            self.events.push(ExploreEvent::Ended(segment, end.clone(), took));
        }
    }
}

impl Algorithm for Exploration {
    type Order = ExploreOrder;
    type Evidence = ExploreReport;

    fn order(&mut self) -> Option<ExploreOrder> {
        let free = |lane: &LaneState| lane.order.is_none() && lane.over.is_none();
        (0..self.lanes.len()).find_map(|lane| free(&self.lanes[lane]).then(|| self.choose(lane)).flatten())
    }

    fn settle(&mut self, ticket: Ticket, report: &ExploreReport) {
        let waits = |lane: &LaneState| lane.order.as_ref().is_some_and(|order| order.ticket == ticket);
        let lane = self.lanes.iter().position(waits).expect("a report is of an order that was given");
        let order = self.lanes[lane].order.take().expect("it was just found");
        self.take(lane, order.task, report.clone());
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Vec::new()
    }

    fn over(&self) -> bool {
        self.lanes.iter().all(|lane| lane.over.is_some() && lane.order.is_none())
    }
}

const fn lane_of(lane: usize) -> Lane {
    #[expect(clippy::cast_possible_truncation, reason = "there are at most a thousand devices")]
    Lane(lane as u32)
}

impl std::fmt::Debug for Exploration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration")
            .field("explorer", &self.explorer.name())
            .field("segments", &self.segments.iter().len())
            .field("performed", &self.performed)
            .finish_non_exhaustive()
    }
}
