//! A device that explores: it carries out one order at a time and reports what it saw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, SnapshotId};
use retap_explore::{Move, Reply, SaveId};
use retap_model::Keyer;
use retap_reduce::{EventRun, Outcome, Ticket};
use retap_trace::{CoverageId, Event, Header, Level, Micros, Seed, Seen, Signature, Start, Target, Trace};

use super::{ExplorationSettings, ExploreOrder, ExploreReport, ExploreTask, Failure, WayBack};
use crate::lab::named;
use crate::{Deadlines, Oracle, Replay, Rewound, Worker, look, rewind};

/// A device that explores. The chance of what it does is a function of the seed and of the order's number.
#[derive(Debug)]
pub struct ExploreWorker {
    device: Box<dyn Device>,
    seed: Seed,
    deadlines: Deadlines,
    /// What is done after each start of its own, such as a login. Routes contain it.
    script: Arc<[Event]>,
    throttle: Micros,
    keyer: Keyer,
    saves: BTreeMap<SaveId, SnapshotId>,
    /// Code whose names were told.
    named: BTreeSet<CoverageId>,
    /// Whether it has started the app; before that it can only do so.
    started: bool,
}

impl ExploreWorker {
    /// One worker for each device.
    pub fn fleet(settings: &ExplorationSettings, seed: Seed, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        let worker = |device| Self {
            device,
            seed,
            deadlines: Deadlines::default(),
            script: settings.script.clone(),
            throttle: settings.throttle,
            keyer: Keyer::default(),
            saves: BTreeMap::new(),
            named: BTreeSet::new(),
            started: false,
        };
        devices.into_iter().map(worker).collect()
    }

    fn attempt(
        &mut self,
        order: &ExploreOrder,
        stop: &dyn Fn() -> bool,
    ) -> Result<ExploreReport, DeviceError> {
        let seed = self.seed.branch("order", order.ticket.0);
        match &order.task {
            ExploreTask::Move { to: Move::Restart, .. } => self.start(seed),
            ExploreTask::Move { to: Move::Restore(save), back: Some(back), .. } => {
                self.restore(*save, back, seed)
            }
            ExploreTask::Confirm { events, crash, times } => {
                Ok(self.confirm((events, crash, *times), seed, stop))
            }
            // Nothing else can be done with a device that shows nobody knows what.
            _ if !self.started => Ok(ExploreReport::failed(Failure::Interrupted)),
            ExploreTask::Move { to: Move::Act(event), look, .. } => self.act(event, *look),
            ExploreTask::Move { to: Move::Save, .. } => Ok(self.save(SaveId(order.ticket.0))),
            ExploreTask::Move { to: Move::Forget(save), .. } => {
                self.forget(*save);
                Ok(ExploreReport::of(Reply::Done))
            }
            ExploreTask::Move { .. } => Ok(ExploreReport::of(Reply::Refused)),
        }
    }

    fn start(&mut self, seed: Seed) -> Result<ExploreReport, DeviceError> {
        let script = self.script.clone();
        let mut report = self.go(&script, seed)?;
        (report.reply, report.replayed) = (Reply::Started, 0);
        Ok(report)
    }

    /// A clean start, and then these events; a crash ends it.
    fn go(&mut self, events: &[Event], seed: Seed) -> Result<ExploreReport, DeviceError> {
        self.started = true;
        let mut replay = Replay::new(&mut *self.device, self.deadlines, Look::Activity);
        let mut report = ExploreReport::of(Reply::Done);
        report.add(replay.begin(Start::Launched, seed)?);
        for event in events {
            if report.crash.is_some() {
                break;
            }
            report.add(replay.perform(event)?);
            report.replayed += 1;
        }
        let seen = look(&mut *self.device, Look::Tree, self.deadlines.look)?;
        report.keys = Some(self.keyer.seen(&seen));
        report.add(seen);
        Ok(report)
    }

    fn act(&mut self, event: &Event, look: Look) -> Result<ExploreReport, DeviceError> {
        if self.throttle > Micros::ZERO {
            let wait = Event::Wait { time: self.throttle };
            self.device.perform(&wait, self.deadlines.event + self.throttle)?;
        }
        let mut replay = Replay::new(&mut *self.device, self.deadlines, look);
        let mut report = ExploreReport::of(Reply::Done);
        let seen = match replay.perform(event) {
            Ok(seen) => seen,
            // What the device has no means for is no failure of the device.
            Err(DeviceError::NotSupported { what, .. }) => {
                return Ok(ExploreReport { unable: Some(what), ..ExploreReport::of(Reply::Done) });
            }
            Err(error) => return Err(error),
        };
        report.keys = Some(match look {
            Look::Tree => self.keyer.seen(&seen),
            Look::Activity => Seen::activity(seen.activity.clone()),
        });
        report.add(seen);
        Ok(report)
    }

    fn save(&mut self, save: SaveId) -> ExploreReport {
        let saved = self.device.snapshots().and_then(|snapshots| snapshots.save(self.deadlines.reset).ok());
        ExploreReport::of(match saved {
            Some(snapshot) => {
                self.saves.insert(save, snapshot);
                Reply::Saved(save)
            }
            None => Reply::Refused,
        })
    }

    fn forget(&mut self, save: SaveId) {
        if let (Some(snapshot), Some(snapshots)) = (self.saves.remove(&save), self.device.snapshots()) {
            // One that cannot be deleted takes space and does no other harm.
            let _ = snapshots.forget(snapshot, self.deadlines.reset);
        }
    }

    /// By its snapshot where it has one, else by the events that lead there; a clean start when neither helps.
    fn restore(&mut self, save: SaveId, back: &WayBack, seed: Seed) -> Result<ExploreReport, DeviceError> {
        let Some(snapshot) = self.saves.get(&save).copied() else {
            return match &back.route {
                Some(route) => self.replay(save, route, &back.shown, seed),
                None if self.started => Ok(ExploreReport::of(Reply::Refused)),
                None => self.start(seed),
            };
        };
        match rewind(&mut *self.device, snapshot, &back.shown, self.deadlines)? {
            Rewound::Back(seen) => {
                let mut report = ExploreReport::of(Reply::Restored(save));
                report.keys = Some(self.keyer.seen(&seen));
                report.add(*seen);
                Ok(report)
            }
            Rewound::Lost => self.start(seed),
        }
    }

    /// Goes back to a saved state by performing what led to it.
    fn replay(
        &mut self,
        save: SaveId,
        route: &[Event],
        shown: &Seen,
        seed: Seed,
    ) -> Result<ExploreReport, DeviceError> {
        let mut report = self.go(route, seed)?;
        let arrived =
            report.keys.as_ref().and_then(|keys| keys.key(Level::Layout)) == shown.key(Level::Layout);
        if arrived && report.crash.is_none() {
            report.reply = Reply::Restored(save);
            return Ok(report);
        }
        let mut fresh = self.start(seed.branch("lost", 0))?;
        fresh.coverage.append(&mut report.coverage);
        Ok(fresh)
    }

    fn confirm(
        &mut self,
        (events, crash, times): (&Arc<[Event]>, &Signature, u32),
        seed: Seed,
        stop: &dyn Fn() -> bool,
    ) -> ExploreReport {
        let mut report = ExploreReport::of(Reply::Done);
        for run in 0..times {
            let oracle = Oracle {
                trace: Arc::new(Trace { header: Header::new(self.device.package()), steps: Vec::new() }),
                target: Target::Crash(crash.clone()),
                level: Level::Activity,
                seed: seed.branch("run", u64::from(run)),
                deadlines: self.deadlines,
                strict: false,
            };
            let play = EventRun { ticket: Ticket(0), events: events.clone(), label: String::new() };
            let outcome = oracle.play(&mut *self.device, &play, stop).ended.outcome;
            report.confirmed.add(outcome);
            if outcome == Outcome::Reached {
                break;
            }
        }
        report
    }
}

impl Worker for ExploreWorker {
    type Order = ExploreOrder;
    type Report = ExploreReport;

    fn name(&self) -> &str {
        self.device.name()
    }

    fn run(&mut self, order: &ExploreOrder, stop: &dyn Fn() -> bool) -> ExploreReport {
        let began = self.device.now();
        let mut report = match self.attempt(order, stop) {
            Ok(report) => report,
            Err(error) => {
                let why = named(self.device.name(), &error.to_string());
                ExploreReport::failed(Failure::Device(why))
            }
        };
        let new = report.coverage.iter().filter(|id| self.named.insert(**id));
        report.names = new.filter_map(|id| Some((*id, self.device.code_name(*id)?))).collect();
        report.took = self.device.now().since(began);
        report
    }
}
