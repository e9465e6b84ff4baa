//! A way through an app that is written down as it goes: each event with what was seen around it.

use std::collections::BTreeSet;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_trace::{CoverageId, Event, Micros, Observation, Seed, Seen, Start, Step};

use crate::{Deadlines, Replay};

/// A way through an app, from a clean start.
#[derive(Debug)]
pub struct Walk<'a> {
    replay: Replay<'a>,
    keyer: Keyer,
    began: Micros,
    seen: Observation,
    keys: Seen,
    /// A step is credited with the code that no earlier step of the walk has executed.
    covered: BTreeSet<CoverageId>,
}

impl<'a> Walk<'a> {
    /// Makes the device fresh and looks at it.
    pub fn begin(
        device: &'a mut dyn Device,
        deadlines: Deadlines,
        start: Start,
        seed: Seed,
    ) -> Result<Self, DeviceError> {
        let began = device.now();
        let mut replay = Replay::new(device, deadlines, Look::Tree);
        let seen = replay.begin(start, seed)?;
        let mut keyer = Keyer::default();
        let keys = keyer.seen(&seen);
        let covered = seen.coverage.iter().copied().collect();
        Ok(Self { replay, keyer, began, seen, keys, covered })
    }

    /// The last look.
    pub const fn seen(&self) -> &Observation {
        &self.seen
    }

    /// The state keys of the last look.
    pub const fn keys(&self) -> &Seen {
        &self.keys
    }

    /// Device time since the start.
    pub fn elapsed(&self) -> Micros {
        self.replay.now().since(self.began)
    }

    /// Performs an event and writes it down.
    pub fn act(&mut self, event: Event) -> Result<Step, DeviceError> {
        let at = self.elapsed();
        let mut after = self.replay.perform(&event)?;
        let keys = self.keyer.seen(&after);
        let gained = after.coverage.iter().copied().filter(|id| self.covered.insert(*id));
        let step = Step {
            at: Some(at),
            coverage: gained.collect(),
            before: Some(std::mem::replace(&mut self.keys, keys.clone())),
            after: Some(keys),
            crash: if after.crashes.is_empty() { None } else { Some(after.crashes.remove(0)) },
            ..Step::new(event)
        };
        self.seen = after;
        Ok(step)
    }
}
