//! Following traces: performing steps from a clean start and seeing whether the app is where it should be after
//! each.

mod entry;
mod follower;

use std::collections::BTreeSet;
use std::sync::Arc;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_reduce::Ticket;
use retap_suite::{Followed, Leg, Order, Sighting};
use retap_trace::{Event, Level, Micros, Observation, Seed, StateKey, Step, Trace};

use crate::{Account, Deadlines, Errand, Replay, Walk};

pub use follower::Follower;

/// Everything that runs of one suite share.
#[derive(Debug, Clone)]
pub struct Guide {
    /// The traces whose steps are performed; all begin alike.
    pub traces: Arc<[Trace]>,
    /// The level at which states are compared.
    pub level: Level,
    /// Every run has a seed of its own, branched off by its ticket.
    pub seed: Seed,
    /// How long calls may take.
    pub deadlines: Deadlines,
}

/// How a run went, and on which device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowReport {
    /// What was seen.
    pub followed: Followed,
    /// The device.
    pub device: String,
    /// What went wrong with it, when the run says nothing.
    pub why: Option<String>,
}

impl Guide {
    /// Follows an order until it is not met any more. `stop` is asked before each step.
    pub fn follow(&self, device: &mut dyn Device, order: &Order, stop: &dyn Fn() -> bool) -> FollowReport {
        let began = device.now();
        let mut followed =
            Followed { inconclusive: false, start: None, sightings: Vec::new(), took: Micros::ZERO };
        let mut why = None;
        match self.attempt(device, order, stop, &mut followed) {
            Ok(true) => {}
            Ok(false) => followed.inconclusive = true,
            Err(error) => {
                followed.inconclusive = true;
                why = Some(error.to_string());
            }
        }
        followed.took = device.now().since(began);
        FollowReport { followed, device: device.name().to_owned(), why }
    }

    /// Whether it came to an end of its own.
    fn attempt(
        &self,
        device: &mut dyn Device,
        order: &Order,
        stop: &dyn Fn() -> bool,
        followed: &mut Followed,
    ) -> Result<bool, DeviceError> {
        let seed = self.seed.branch("follow", order.ticket.0);
        let mut keyer = Keyer::default();
        let mut replay = Replay::new(device, self.deadlines, Look::Tree);
        let first = replay.begin(self.start(), seed)?;
        let mut covered: BTreeSet<_> = first.coverage.iter().copied().collect();
        followed.start = keyer.seen(&first).key(self.level);
        if !order.begins(followed.start) {
            return Ok(true);
        }
        for leg in &*order.legs {
            if stop() {
                return Ok(false);
            }
            let seen = replay.perform(self.event(leg))?;
            let new = seen.coverage.iter().copied().filter(|id| covered.insert(*id)).collect();
            let sighting = Sighting {
                state: self.state(&mut keyer, &seen),
                coverage: new,
                crash: seen.crashes.first().map(|crash| crash.signature.clone()),
            };
            let met = leg.met(&sighting);
            followed.sightings.push(sighting);
            if !met {
                break;
            }
        }
        Ok(true)
    }

    /// Follows legs once more and writes down what is seen around them, as a trace; tried a few times. `None` when
    /// none followed.
    pub fn record(&self, device: &mut dyn Device, order: &Order) -> Option<Vec<Step>> {
        const TRIES: u64 = 6;
        (0..TRIES).find_map(|number| {
            let seed = self.seed.branch("recording", order.ticket.0).branch("try", number);
            let mut walk = Walk::begin(device, self.deadlines, self.start(), seed).ok()?;
            let mut steps = Vec::new();
            for leg in &*order.legs {
                let step = walk.act(self.event(leg).clone()).ok()?;
                let sighting = Sighting {
                    state: step.after.as_ref().and_then(|after| after.key(self.level))?,
                    coverage: Vec::new(),
                    crash: step.crash.as_ref().map(|crash| crash.signature.clone()),
                };
                steps.push(step);
                if !leg.met(&sighting) {
                    return None;
                }
            }
            Some(steps)
        })
    }

    fn start(&self) -> retap_trace::Start {
        self.traces.first().map_or_else(Default::default, |trace| trace.header.start)
    }

    fn event(&self, leg: &Leg) -> &Event {
        let step = leg.step;
        &self.traces[step.trace.0 as usize].steps[step.position as usize].event
    }

    fn state(&self, keyer: &mut Keyer, seen: &Observation) -> StateKey {
        let keys = keyer.seen(seen);
        keys.key(self.level).or_else(|| keys.key(Level::Activity)).expect("the activity is always seen")
    }
}

impl Errand for Order {
    fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Account for FollowReport {
    type News = Followed;

    fn news(&self) -> &Followed {
        &self.followed
    }

    fn took(&self) -> Micros {
        self.followed.took
    }

    fn failure(&self) -> Option<&str> {
        self.followed.inconclusive.then(|| self.why.as_deref().unwrap_or("it was stopped"))
    }

    fn lost(worker: &str, took: Micros, why: String) -> Self {
        let followed = Followed { inconclusive: true, start: None, sightings: Vec::new(), took };
        Self { followed, device: worker.to_owned(), why: Some(why) }
    }
}
