//! Following traces: performing steps from a clean start and seeing whether the app is where it should be after
//! each. Runs that only search may take a shortcut by a snapshot.
//!
//! | module | |
//! |---|---|
//! | `run` | a run on a device |
//! | `prefix_cache`, `prices` | which prefixes are worth a snapshot; pure |
//! | `trust` | how far a snapshot is believed; pure |
//! | `shortcuts` | runs that begin in snapshots |
//! | `follower` | a device that follows orders |
//! | `entry` | runs in a session's log |

mod entry;
mod follower;
mod prefix_cache;
mod prices;
mod run;
mod shortcuts;
mod trust;

use std::sync::Arc;

use retap_device::{Device, DeviceError};
use retap_model::crash_key;
use retap_reduce::Ticket;
use retap_suite::{Effort, Followed, Leg, ReplayOrder, Sighting};
use retap_trace::{Event, Level, Micros, Seed, Step, Trace};

use crate::{Account, Deadlines, Errand, Walk};

use run::{Course, Run};

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
    /// Whether runs that search may begin in a snapshot, where the device has them.
    pub snapshots: bool,
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
    /// Follows an order from a clean start until it is not met any more. `stop` is asked before each step.
    pub fn follow(
        &self,
        device: &mut dyn Device,
        order: &ReplayOrder,
        stop: &dyn Fn() -> bool,
    ) -> FollowReport {
        let began = device.now();
        let mut run = Run::at(Course::default(), self, device);
        let ended = run.go(order, stop, &mut |_, _| {});
        let ran = run.over(ended);
        ran.report(device.name(), device.now().since(began))
    }

    /// Follows legs once more and writes down what is seen around them, as a trace; tried a few times. `None` when
    /// none followed.
    pub fn record(&self, device: &mut dyn Device, order: &ReplayOrder) -> Option<Vec<Step>> {
        const TRIES: u64 = 6;
        (0..TRIES).find_map(|number| {
            let seed = self.seed.branch("recording", order.ticket.0).branch("try", number);
            let mut walk = Walk::begin(device, self.deadlines, self.start(), seed).ok()?;
            let mut steps = Vec::new();
            for leg in &*order.legs {
                let is_last = steps.len() + 1 == order.legs.len();
                let step = self.step(&mut walk, leg, is_last).ok()?;
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

    /// Performs a step. A crash that the last one must lead to may come late.
    fn step(&self, walk: &mut Walk<'_>, leg: &Leg, is_last: bool) -> Result<Step, DeviceError> {
        let mut step = walk.act(self.event(leg).clone())?;
        if is_last && step.crash.is_none() && self.crashes(leg) {
            let late = walk.linger()?;
            walk.amend(Some(&mut step), late, false);
        }
        Ok(step)
    }

    fn start(&self) -> retap_trace::Start {
        self.traces.first().map_or_else(Default::default, |trace| trace.header.start)
    }

    /// Whether a trace of the input begins like this.
    fn recorded(&self, legs: &[Leg]) -> bool {
        let same = |(leg, step): (&Leg, &Step)| {
            let seen = match &step.crash {
                Some(crash) => Some(crash_key(&crash.signature)),
                None => step.after.as_ref().and_then(|after| after.key(self.level)),
            };
            // Who did not look, cannot say that it was something else.
            seen.is_none_or(|seen| seen == leg.expect) && *self.event(leg) == step.event
        };
        let begins =
            |trace: &&Trace| trace.steps.len() >= legs.len() && legs.iter().zip(&trace.steps).all(same);
        self.traces.iter().any(|trace| begins(&trace))
    }

    fn event(&self, leg: &Leg) -> &Event {
        &self.recorded_step(leg).event
    }

    /// Whether what must be seen after a step is the crash that was recorded of it.
    fn crashes(&self, leg: &Leg) -> bool {
        let crash = self.recorded_step(leg).crash.as_ref();
        crash.is_some_and(|crash| crash_key(&crash.signature) == leg.expect)
    }

    fn recorded_step(&self, leg: &Leg) -> &Step {
        &self.traces[leg.step.trace.0 as usize].steps[leg.step.position as usize]
    }
}

impl Errand for ReplayOrder {
    fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Account for FollowReport {
    type Evidence = Followed;

    fn evidence(&self) -> &Followed {
        &self.followed
    }

    fn took(&self) -> Micros {
        self.followed.effort.time
    }

    fn failure(&self) -> Option<&str> {
        self.followed.inconclusive.then(|| self.why.as_deref().unwrap_or("it was stopped"))
    }

    fn lost(worker: &str, took: Micros, why: String) -> Self {
        let followed = Followed::failed(Effort { time: took, steps: 0 });
        Self { followed, device: worker.to_owned(), why: Some(why) }
    }
}
