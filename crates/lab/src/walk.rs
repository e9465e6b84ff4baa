//! A way through an app that is written down as it goes: each event with what was seen around it.

use std::collections::BTreeSet;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_trace::{CoverageId, Event, Found, Micros, Observation, Seed, Seen, Start, Step};

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

    /// The device's clock.
    pub fn now(&self) -> Micros {
        self.replay.now()
    }

    /// Device time since the start.
    pub fn elapsed(&self) -> Micros {
        self.now().since(self.began)
    }

    /// Performs an event and writes it down.
    pub fn act(&mut self, event: Event) -> Result<Step, DeviceError> {
        let at = self.elapsed();
        let after = self.replay.perform(&event)?;
        Ok(self.step(event, at, after))
    }

    /// Writes down an event that somebody else began to perform at this time on the device's clock. It is told what was seen
    /// before and after it.
    pub fn witness(
        &mut self,
        began: Micros,
        event: impl FnOnce(&Observation, &Observation) -> Event,
    ) -> Result<Step, DeviceError> {
        let after = self.replay.rest()?;
        let event = event(&self.seen, &after);
        Ok(self.step(event, began.since(self.began), after))
    }

    /// Looks at the device while nobody does anything. What was seen counts once [`Self::amend`] is told of it.
    pub fn glance(&mut self) -> Result<Observation, DeviceError> {
        self.replay.see()
    }

    /// Waits for late effects of what was done last while the app is still busy, and looks. What was seen counts once
    /// [`Self::amend`] is told of it.
    pub fn linger(&mut self) -> Result<Observation, DeviceError> {
        self.replay.linger()
    }

    /// What came of a step after it was written down: code that it executed, a crash, and, where nothing else was done
    /// until then, the state it led to. Says whether anything is new.
    pub fn amend(&mut self, last: Option<&mut Step>, mut seen: Observation, undisturbed: bool) -> bool {
        let keys = self.keyer.seen(&seen);
        let mut gained: Vec<CoverageId> =
            seen.coverage.iter().copied().filter(|id| self.covered.insert(*id)).collect();
        let crash = if seen.crashes.is_empty() { None } else { Some(seen.crashes.remove(0)) };
        let mut news = false;
        if let Some(last) = last {
            news = !gained.is_empty() || crash.is_some() || undisturbed && last.after.as_ref() != Some(&keys);
            last.coverage.append(&mut gained);
            last.crash = last.crash.take().or(crash);
            if undisturbed {
                last.after = Some(keys.clone());
            }
        }
        if undisturbed {
            (self.keys, self.seen) = (keys, seen);
        }
        news
    }

    fn step(&mut self, event: Event, at: Micros, mut after: Observation) -> Step {
        let keys = self.keyer.seen(&after);
        let gained = after.coverage.iter().copied().filter(|id| self.covered.insert(*id));
        let step = Step {
            at: Some(at),
            found: Found::of(&event, &self.seen),
            coverage: gained.collect(),
            before: Some(std::mem::replace(&mut self.keys, keys.clone())),
            after: Some(keys),
            crash: if after.crashes.is_empty() { None } else { Some(after.crashes.remove(0)) },
            ..Step::new(event)
        };
        self.seen = after;
        step
    }
}
