//! Snapshots as shortcuts for runs that search.
//!
//! Invariant: no prefix of the input is said to fail because it did so from a snapshot, and none that was followed
//! before: a clean start must show it, or what depends on it would be lost. Of other paths, which are only ideas, a
//! snapshot is believed once it has earned that ([`Trust`]).

use retap_device::{Device, SnapshotId};
use retap_suite::{Leg, ReplayOrder, Sighting};
use retap_trace::{Level, StateKey};

use super::prefix_cache::PrefixCache;
use super::prices::Prices;
use super::run::{Course, End, Ran, Run};
use super::trust::Trust;
use super::{FollowReport, Guide};
use crate::{Rewound, rewind};

/// The most snapshots on a device: each takes as much space as the memory of the phone.
const MOST: usize = 16;

/// The snapshots on a device.
#[derive(Debug)]
pub(super) struct Shortcuts {
    cache: PrefixCache<Saved>,
    prices: Prices,
    trust: Trust,
    /// Whether the device has said that it saves nothing.
    refused: bool,
}

#[derive(Debug)]
struct Saved {
    snapshot: SnapshotId,
    /// What was seen on the way to it.
    course: Course,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            cache: PrefixCache::new(MOST),
            prices: Prices::default(),
            trust: Trust::default(),
            refused: false,
        }
    }
}

impl Shortcuts {
    /// Follows an order, from a snapshot where one helps.
    pub(super) fn follow(
        &mut self,
        guide: &Guide,
        device: &mut dyn Device,
        order: &ReplayOrder,
        stop: &dyn Fn() -> bool,
    ) -> FollowReport {
        let began = device.now();
        let course = self.go_back(guide, device, order);
        let recalled = course.as_ref().map(|course| course.sightings.len());
        let ran = self.attempt(guide, device, order, stop, course);
        let doubtful = recalled.filter(|_| self.doubts(guide, order, &ran));
        self.cache.ran(&order.legs, ran.met());
        let Some(length) = doubtful else {
            if recalled.is_some() && matches!(ran.ended, Ok(End::Whole)) {
                self.trust.note(true);
            }
            let mut report = ran.report(device.name(), device.now().since(began));
            report.followed.recalled = recalled.and_then(|length| u32::try_from(length).ok());
            return report;
        };
        let mut report = guide.follow(device, order, stop);
        if !report.followed.inconclusive {
            let right = ran.ended.is_ok() && keys(&ran.course.sightings) == keys(&report.followed.sightings);
            self.trust.note(right);
            if !right {
                self.drop_one(guide, device, &order.legs[..length]);
            }
        }
        report.followed.effort.steps += ran.steps;
        report.followed.effort.time = device.now().since(began);
        report
    }

    /// Forgets all snapshots.
    pub(super) fn clear(&mut self, guide: &Guide, device: &mut dyn Device) {
        for saved in self.cache.clear() {
            forget(guide, device, saved.snapshot);
        }
    }

    /// Whether what a run from a snapshot has come to must be seen from a clean start.
    fn doubts(&self, guide: &Guide, order: &ReplayOrder, ran: &Ran) -> bool {
        match ran.ended {
            Ok(End::Whole | End::Stopped) => false,
            Ok(End::Astray) => {
                let prefix = &order.legs[..ran.course.sightings.len()];
                !self.trust.earned() || self.cache.knows(prefix) || guide.recorded(prefix)
            }
            Err(_) => true,
        }
    }

    /// Puts the device back to the best snapshot there is for an order.
    fn go_back(&mut self, guide: &Guide, device: &mut dyn Device, order: &ReplayOrder) -> Option<Course> {
        if self.trust.lost() {
            return None;
        }
        let (length, saved) = self.cache.best(&order.legs, &self.prices)?;
        let (snapshot, course) = (saved.snapshot, saved.course.clone());
        let shown = course.shown.as_ref().filter(|_| order.begins(course.start))?;
        let began = device.now();
        let rewound = rewind(device, snapshot, shown, guide.deadlines);
        let back = matches!(rewound, Ok(Rewound::Back(seen)) if seen.crashes.is_empty());
        self.prices.load.paid(device.now().since(began), back);
        if !back {
            self.drop_one(guide, device, &order.legs[..length]);
        }
        back.then_some(course)
    }

    /// Follows an order from here, or from a clean start.
    fn attempt(
        &mut self,
        guide: &Guide,
        device: &mut dyn Device,
        order: &ReplayOrder,
        stop: &dyn Fn() -> bool,
        course: Option<Course>,
    ) -> Ran {
        let recalled = course.as_ref().map(|course| course.sightings.len());
        let saves = !self.refused && !self.trust.lost();
        let worth = self.cache.worth(&order.legs, recalled, &self.prices).filter(|_| saves);
        let mut run = Run::at(course.unwrap_or_default(), guide, device);
        let mut pause = |device: &mut dyn Device, course: &Course| {
            let length = course.sightings.len();
            if worth == Some(length) {
                self.save(guide, device, &order.legs[..length], course);
            }
        };
        let ended = run.go(order, stop, &mut pause);
        run.over(ended)
    }

    fn save(&mut self, guide: &Guide, device: &mut dyn Device, legs: &[Leg], course: &Course) {
        // A look that shows too little could not tell whether it was restored; and after a crash the app is gone.
        let crashed = course.sightings.last().is_some_and(|last| last.crash.is_some());
        let shown = course.shown.as_ref().and_then(|shown| shown.key(Level::Full));
        if crashed || shown.is_none() {
            return;
        }
        let began = device.now();
        let Some(snapshots) = device.snapshots() else { return };
        let saved = snapshots.save(guide.deadlines.reset);
        self.prices.save.paid(device.now().since(began), saved.is_ok());
        match saved {
            Ok(snapshot) => {
                let saved = Saved { snapshot, course: course.clone() };
                if let Some(gone) = self.cache.keep(legs, saved) {
                    forget(guide, device, gone.snapshot);
                }
            }
            Err(error) => self.refused |= !error.passing(),
        }
    }

    fn drop_one(&mut self, guide: &Guide, device: &mut dyn Device, legs: &[Leg]) {
        if let Some(gone) = self.cache.remove(legs) {
            forget(guide, device, gone.snapshot);
        }
    }
}

/// One that cannot be deleted takes space and does no other harm.
fn forget(guide: &Guide, device: &mut dyn Device, snapshot: SnapshotId) {
    if let Some(snapshots) = device.snapshots() {
        let _ = snapshots.forget(snapshot, guide.deadlines.look);
    }
}

/// Where a run went. Code that is executed now and then says nothing about a snapshot.
fn keys(sightings: &[Sighting]) -> Vec<StateKey> {
    sightings.iter().map(Sighting::key).collect()
}
