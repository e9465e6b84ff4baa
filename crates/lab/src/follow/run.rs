//! A run on a device: what is seen on the way, and how long the way takes.

use std::collections::BTreeSet;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_suite::{Effort, Followed, Leg, Purpose, ReplayOrder, Sighting};
use retap_trace::{CoverageId, Level, Micros, Observation, Seen, StateKey};

use super::{FollowReport, Guide};
use crate::Replay;

/// A run so far. What it says is true of the app from a clean start, however the device came here.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub(super) start: Option<StateKey>,
    pub(super) sightings: Vec<Sighting>,
    /// How long it took to get to the start and behind each step, without pauses.
    pub(super) times: Vec<Micros>,
    /// The last look.
    pub(super) shown: Option<Seen>,
    covered: BTreeSet<CoverageId>,
}

pub(super) struct Run<'a> {
    guide: &'a Guide,
    device: &'a mut dyn Device,
    course: Course,
    keyer: Keyer,
    steps: u32,
}

/// A run that is over.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) ended: Result<End, DeviceError>,
    pub(super) course: Course,
    pub(super) steps: u32,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everything was met.
    Whole,
    /// The app did not begin as it must, or went elsewhere.
    Astray,
    /// Somebody asked to stop.
    Stopped,
}

impl Course {
    /// Device time of all this from a clean start.
    pub(super) fn took(&self) -> Micros {
        self.times.last().copied().unwrap_or_default()
    }
}

impl Ran {
    /// How long it took from a clean start to get to the launch and behind each step, as far as all was met.
    pub(super) fn met(&self) -> &[Micros] {
        let unmet = usize::from(matches!(self.ended, Ok(End::Astray)));
        &self.course.times[..self.course.times.len() - unmet]
    }

    /// What is to be said of it, after so much device time.
    pub(super) fn report(self, device: &str, time: Micros) -> FollowReport {
        let why = self.ended.as_ref().err().map(ToString::to_string);
        let inconclusive = !matches!(self.ended, Ok(End::Whole | End::Astray));
        let took = if inconclusive { time } else { self.course.took() };
        let followed = Followed::clean(self.course.start, self.course.sightings, took);
        let effort = Effort { time, steps: self.steps };
        FollowReport {
            followed: Followed { inconclusive, effort, ..followed },
            device: device.to_owned(),
            why,
        }
    }
}

impl<'a> Run<'a> {
    /// A run that has come this far, on a device that stands there; or that has yet to begin.
    pub(super) fn at(course: Course, guide: &'a Guide, device: &'a mut dyn Device) -> Self {
        Self { guide, device, course, keyer: Keyer::default(), steps: 0 }
    }

    pub(super) fn over(self, ended: Result<End, DeviceError>) -> Ran {
        Ran { ended, course: self.course, steps: self.steps }
    }

    /// Performs the steps that are left, as long as they are met; before the first, a clean start. `stop` is asked
    /// before each, and so is `pause`, which may use the device, and once more at the end. What confirms waits for a late
    /// crash, as the oracle does, and so does a run whose last step must lead to one.
    pub(super) fn go(
        &mut self,
        order: &ReplayOrder,
        stop: &dyn Fn() -> bool,
        pause: &mut dyn FnMut(&mut dyn Device, &Course),
    ) -> Result<End, DeviceError> {
        if self.course.times.is_empty() && !self.begin(order)? {
            return Ok(End::Astray);
        }
        for leg in order.legs.iter().skip(self.course.sightings.len()) {
            pause(&mut *self.device, &self.course);
            if stop() {
                return Ok(End::Stopped);
            }
            let is_last = self.course.sightings.len() + 1 == order.legs.len();
            if !self.perform(leg, is_last)? {
                return Ok(End::Astray);
            }
        }
        pause(&mut *self.device, &self.course);
        if order.purpose == Purpose::Confirm && self.dies_late()? {
            return Ok(End::Astray);
        }
        Ok(End::Whole)
    }

    /// Whether a crash comes after the last step was met. It is one of that step, which has led elsewhere then; so has a step
    /// after which the app hangs. Where the device itself ends the app meanwhile, no crash was to be seen. What a way takes is
    /// without this wait: it is no part of it.
    fn dies_late(&mut self) -> Result<bool, DeviceError> {
        if self.course.sightings.last().is_none_or(|last| last.crash.is_some()) {
            return Ok(false);
        }
        let had_ended = self.device.ended_app().is_some();
        let late = Replay::new(&mut *self.device, self.guide.deadlines, Look::Activity).linger()?;
        let crash = late.crashes.into_iter().next().map(|crash| crash.signature);
        let died = crash.is_some();
        let hangs = self.device.hangs();
        if let Some(last) = self.course.sightings.last_mut() {
            last.crash = crash;
            if hangs {
                // Whatever it shows, it is in another state than an app that goes on.
                last.state = StateKey(!last.state.0);
            }
        }
        match self.device.ended_app() {
            Some(why) if !died && !had_ended => {
                Err(DeviceError::Failed { call: "the wait for a late crash", why })
            }
            _ => Ok(died || hangs),
        }
    }

    /// A clean start. Whether it is one that the order can begin with.
    fn begin(&mut self, order: &ReplayOrder) -> Result<bool, DeviceError> {
        let began = self.device.now();
        let (start, seed) = (self.guide.start(), self.guide.seed.branch("follow", order.ticket.0));
        let seen = self.replay().begin(start, seed)?;
        let keys = self.keyer.seen(&seen);
        self.course = Course {
            start: keys.key(self.guide.level),
            sightings: Vec::new(),
            times: vec![self.device.now().since(began)],
            shown: Some(keys),
            covered: seen.coverage.into_iter().collect(),
        };
        Ok(order.begins(self.course.start))
    }

    /// Whether the step leads where it should. A crash that the last one must lead to may come late.
    fn perform(&mut self, leg: &Leg, is_last: bool) -> Result<bool, DeviceError> {
        let (guide, began) = (self.guide, self.device.now());
        self.steps += 1;
        let mut seen = self.replay().perform(guide.event(leg))?;
        if is_last && seen.crashes.is_empty() && guide.crashes(leg) {
            let mut coverage = seen.coverage;
            seen = self.replay().linger()?;
            coverage.append(&mut seen.coverage);
            seen.coverage = coverage;
        }
        let took = self.course.took() + self.device.now().since(began);
        let sighting = self.sighting(seen);
        let met = leg.met(&sighting);
        self.course.times.push(took);
        self.course.sightings.push(sighting);
        Ok(met)
    }

    fn sighting(&mut self, mut seen: Observation) -> Sighting {
        let keys = self.keyer.seen(&seen);
        let state = keys.key(self.guide.level).or_else(|| keys.key(Level::Activity));
        self.course.shown = Some(keys);
        let covered = &mut self.course.covered;
        Sighting {
            state: state.expect("the activity is always seen"),
            coverage: seen.coverage.iter().copied().filter(|id| covered.insert(*id)).collect(),
            crash: (!seen.crashes.is_empty()).then(|| seen.crashes.remove(0).signature),
        }
    }

    fn replay(&mut self) -> Replay<'_> {
        Replay::new(&mut *self.device, self.guide.deadlines, Look::Tree)
    }
}
