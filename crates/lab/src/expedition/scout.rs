//! A device that explores: it carries out one task at a time and says what it saw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, SnapshotId};
use retap_explore::{Lane, SaveId};
use retap_model::Keyer;
use retap_reduce::{Outcome, Play, Tally, Ticket};
use retap_trace::{
    CoverageId, Crash, Event, Level, Micros, Observation, Seed, Seen, Signature, Start, Target,
};
use retap_trace::{Header, Trace};

use super::ExpeditionSettings;
use crate::{Deadlines, Oracle, Replay, Rewound, look, rewind};

/// Something for a scout to do.
#[derive(Debug, Clone)]
pub enum Task {
    /// Make the app fresh, launch it, and go through the start script.
    Start,
    /// Do this to the app, and look at it: at the whole tree, or only at what is in front.
    Act {
        /// What.
        event: Event,
        /// How closely to look afterwards.
        look: Look,
    },
    /// Save the device.
    Save(SaveId),
    /// Put the device back to a save.
    Restore {
        /// Which.
        save: SaveId,
        /// The state that was saved.
        shown: Seen,
        /// The events that lead there from a clean start, for a device that has no such snapshot.
        route: Option<Arc<[Event]>>,
    },
    /// Drop a save.
    Forget(SaveId),
    /// Run these events from a clean start until a run ends with this crash, but not for ever.
    Confirm {
        /// The events.
        events: Arc<[Event]>,
        /// The crash.
        crash: Signature,
        /// The most runs.
        times: u32,
    },
}

/// What came of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// What became of it.
    pub became: Became,
    /// The look at the device afterwards; none where nobody looked.
    pub seen: Option<Observation>,
    /// Its state keys.
    pub keys: Option<Seen>,
    /// Code that was executed since the sighting before.
    pub coverage: Vec<CoverageId>,
    /// The names of such of it as the scout had not told of, where the device knows them.
    pub names: Vec<(CoverageId, Arc<str>)>,
    /// The crash that was seen since then.
    pub crash: Option<Crash>,
    /// The device's clock when the task began and when it was over.
    pub time: (Micros, Micros),
}

/// What became of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Became {
    /// The app is fresh and launched.
    Started {
        /// Whether that is all that was left of a restore that failed.
        lost: bool,
    },
    /// The event was performed.
    Acted,
    /// The device was saved.
    Saved,
    /// The device shows a save again.
    Restored {
        /// The events that were performed to get there; a snapshot takes none.
        replayed: u32,
    },
    /// The save is gone.
    Forgotten,
    /// It cannot be done here; the device is as it was.
    Refused,
    /// The device never does such an event, for this reason; it is as it was.
    Unable(String),
    /// The runs showed this.
    Confirmed(Tally),
    /// The device failed; how it is now is not known.
    Failed(String),
}

/// A device that explores.
#[derive(Debug)]
pub struct Scout {
    device: Box<dyn Device>,
    lane: Lane,
    seed: Seed,
    deadlines: Deadlines,
    /// What is done after each start of its own, such as a login. Routes contain it.
    script: Arc<[Event]>,
    throttle: Micros,
    keyer: Keyer,
    saves: BTreeMap<SaveId, SnapshotId>,
    /// Code whose names were told.
    named: BTreeSet<CoverageId>,
    /// Starts and restores so far: each has chance of its own.
    starts: u64,
}

impl Scout {
    /// A scout with this device. What comes after each start is a function of the seed and the number of the start.
    pub fn new(device: Box<dyn Device>, lane: Lane, seed: Seed, settings: &ExpeditionSettings) -> Self {
        Self {
            device,
            lane,
            seed,
            deadlines: Deadlines::default(),
            script: settings.script.clone(),
            throttle: settings.throttle,
            keyer: Keyer::default(),
            saves: BTreeMap::new(),
            named: BTreeSet::new(),
            starts: 0,
        }
    }

    /// Its lane.
    pub const fn lane(&self) -> Lane {
        self.lane
    }

    /// The device's clock.
    pub fn now(&self) -> Micros {
        self.device.now()
    }

    /// The package under test.
    pub fn package(&self) -> &str {
        self.device.package()
    }

    /// Whether the device can save itself.
    pub fn has_snapshots(&mut self) -> bool {
        self.device.snapshots().is_some()
    }

    /// Carries a task out.
    pub fn carry_out(&mut self, task: &Task) -> Sighting {
        let began = self.device.now();
        let mut sighting = match self.attempt(task) {
            Ok(sighting) => sighting,
            Err(error) => Sighting::of(Became::Failed(error.to_string())),
        };
        let new = sighting.coverage.iter().filter(|id| self.named.insert(**id));
        sighting.names = new.filter_map(|id| Some((*id, self.device.code_name(*id)?))).collect();
        sighting.time = (began, self.device.now());
        sighting
    }

    fn attempt(&mut self, task: &Task) -> Result<Sighting, DeviceError> {
        match task {
            Task::Start => self.start(false),
            Task::Act { event, look } => self.act(event, *look),
            Task::Save(save) => Ok(self.save(*save)),
            Task::Restore { save, shown, route } => self.restore(*save, shown, route.as_deref()),
            Task::Forget(save) => {
                if let (Some(snapshot), Some(snapshots)) = (self.saves.remove(save), self.device.snapshots())
                {
                    // One that cannot be deleted takes space and does no other harm.
                    let _ = snapshots.forget(snapshot, self.deadlines.reset);
                }
                Ok(Sighting::of(Became::Forgotten))
            }
            Task::Confirm { events, crash, times } => Ok(self.confirm(events, crash, *times)),
        }
    }

    fn start(&mut self, lost: bool) -> Result<Sighting, DeviceError> {
        let script = self.script.clone();
        let mut sighting = self.go(&script)?.0;
        sighting.became = Became::Started { lost };
        Ok(sighting)
    }

    /// A clean start, and then these events; a crash ends it. Says how many were performed.
    fn go(&mut self, events: &[Event]) -> Result<(Sighting, u32), DeviceError> {
        self.starts += 1;
        let seed = self.seed.branch("start", self.starts);
        let mut replay = Replay::new(&mut *self.device, self.deadlines, Look::Activity);
        let (mut sighting, mut performed) = (Sighting::of(Became::Acted), 0);
        sighting.add(replay.begin(Start::Launched, seed)?);
        for event in events {
            if sighting.crash.is_some() {
                break;
            }
            sighting.add(replay.perform(event)?);
            performed += 1;
        }
        let seen = look(&mut *self.device, Look::Tree, self.deadlines.look)?;
        sighting.keys = Some(self.keyer.seen(&seen));
        sighting.add(seen);
        Ok((sighting, performed))
    }

    fn act(&mut self, event: &Event, look: Look) -> Result<Sighting, DeviceError> {
        if self.throttle > Micros::ZERO {
            let wait = Event::Wait { time: self.throttle };
            self.device.perform(&wait, self.deadlines.event + self.throttle)?;
        }
        let mut replay = Replay::new(&mut *self.device, self.deadlines, look);
        let mut sighting = Sighting::of(Became::Acted);
        let seen = match replay.perform(event) {
            Ok(seen) => seen,
            // What the device has no means for is no failure of the device.
            Err(DeviceError::NotSupported { what, .. }) => return Ok(Sighting::of(Became::Unable(what))),
            Err(error) => return Err(error),
        };
        sighting.keys = Some(match look {
            Look::Tree => self.keyer.seen(&seen),
            Look::Activity => Seen::activity(seen.activity.clone()),
        });
        sighting.add(seen);
        Ok(sighting)
    }

    fn save(&mut self, save: SaveId) -> Sighting {
        let saved = self.device.snapshots().and_then(|snapshots| snapshots.save(self.deadlines.reset).ok());
        Sighting::of(match saved {
            Some(snapshot) => {
                self.saves.insert(save, snapshot);
                Became::Saved
            }
            None => Became::Refused,
        })
    }

    /// By its snapshot where it has one, else by the events that lead there; a clean start when neither helps.
    fn restore(
        &mut self,
        save: SaveId,
        shown: &Seen,
        route: Option<&[Event]>,
    ) -> Result<Sighting, DeviceError> {
        if let Some(snapshot) = self.saves.get(&save).copied() {
            return match rewind(&mut *self.device, snapshot, shown, self.deadlines)? {
                Rewound::Back(seen) => {
                    let mut sighting = Sighting::of(Became::Restored { replayed: 0 });
                    sighting.keys = Some(self.keyer.seen(&seen));
                    sighting.add(*seen);
                    Ok(sighting)
                }
                Rewound::Lost => self.start(true),
            };
        }
        match route {
            Some(route) => self.replay(route, shown),
            None => Ok(Sighting::of(Became::Refused)),
        }
    }

    /// Goes to a saved state on foot.
    fn replay(&mut self, route: &[Event], shown: &Seen) -> Result<Sighting, DeviceError> {
        let (mut sighting, replayed) = self.go(route)?;
        let arrived =
            sighting.keys.as_ref().and_then(|keys| keys.key(Level::Layout)) == shown.key(Level::Layout);
        if arrived && sighting.crash.is_none() {
            sighting.became = Became::Restored { replayed };
            return Ok(sighting);
        }
        let mut fresh = self.start(true)?;
        fresh.coverage.append(&mut sighting.coverage);
        Ok(fresh)
    }

    fn confirm(&mut self, events: &Arc<[Event]>, crash: &Signature, times: u32) -> Sighting {
        let mut tally = Tally::default();
        for _ in 0..times {
            self.starts += 1;
            let oracle = Oracle {
                trace: Arc::new(Trace { header: Header::new(self.device.package()), steps: Vec::new() }),
                target: Target::Crash(crash.clone()),
                level: Level::Activity,
                seed: self.seed.branch("confirm", self.starts),
                deadlines: self.deadlines,
            };
            let play = Play { ticket: Ticket(0), events: events.clone(), label: String::new() };
            let report = oracle.play(&mut *self.device, &play, &|| false);
            tally.add(report.ended.outcome);
            if report.ended.outcome == Outcome::Reached {
                break;
            }
        }
        Sighting::of(Became::Confirmed(tally))
    }
}

impl Sighting {
    /// A task of which only this is known; also for a scout whose thread is gone.
    pub(super) const fn of(became: Became) -> Self {
        Self {
            became,
            seen: None,
            keys: None,
            coverage: Vec::new(),
            names: Vec::new(),
            crash: None,
            time: (Micros::ZERO, Micros::ZERO),
        }
    }

    /// Takes in a look: its news are kept, and it is the latest.
    fn add(&mut self, mut seen: Observation) {
        self.coverage.append(&mut seen.coverage);
        if self.crash.is_none() && !seen.crashes.is_empty() {
            self.crash = Some(seen.crashes.remove(0));
        }
        self.seen = Some(seen);
    }

    /// The time it took.
    pub fn took(&self) -> Micros {
        self.time.1.since(self.time.0)
    }
}
