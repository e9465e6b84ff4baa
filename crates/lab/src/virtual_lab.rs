//! Any number of workers on one thread, in virtual time.
//!
//! A run is carried out the moment it is launched, and put down to end when its device time is over. So a
//! million runs a second go through the same loop as one a minute on a phone, and the order in which runs end
//! is a function of the seed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use retap_reduce::Ticket;
use retap_trace::Micros;

use crate::lab::named;
use crate::{Account, Done, Errand, Health, Lab, LabError, Worker};

#[derive(Debug)]
pub struct VirtualLab<W: Worker> {
    places: Vec<Place<W>>,
    /// Runs under way, by the time they end.
    ends: BTreeSet<(Micros, Ticket)>,
    running: BTreeMap<Ticket, Flight<W>>,
    /// Orders for places whose workers were given up.
    refused: VecDeque<Done<W::Order, W::Report>>,
    now: Micros,
    last_failure: Option<String>,
}

#[derive(Debug)]
struct Place<W> {
    worker: W,
    busy: bool,
    health: Health,
    /// Why its worker was given up.
    retired: Option<String>,
}

/// A run under way: its result is known, its time is not over.
#[derive(Debug)]
struct Flight<W: Worker> {
    order: W::Order,
    place: usize,
    end: Micros,
    report: W::Report,
}

impl<W: Worker> VirtualLab<W> {
    pub fn new(workers: impl IntoIterator<Item = W>) -> Self {
        let place = |worker| Place { worker, busy: false, health: Health::default(), retired: None };
        Self {
            places: workers.into_iter().map(place).collect(),
            ends: BTreeSet::new(),
            running: BTreeMap::new(),
            refused: VecDeque::new(),
            now: Micros::ZERO,
            last_failure: None,
        }
    }
}

impl<W> Place<W> {
    const fn free(&self) -> bool {
        !self.busy && self.retired.is_none()
    }
}

impl<W: Worker> Lab<W::Order, W::Report> for VirtualLab<W> {
    fn idle(&self) -> u32 {
        let free = self.places.iter().filter(|place| place.free()).count();
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    fn launch(&mut self, order: W::Order) {
        let place = match order.place() {
            Some(place) => place as usize,
            None => self.places.iter().position(Place::free).expect("runs are launched at free places"),
        };
        assert!(!self.places[place].busy, "place {place} has a run already");
        if let Some(why) = &self.places[place].retired {
            let report = W::Report::refused(self.places[place].worker.name(), why.clone());
            let place = u32::try_from(place).expect("few places");
            return self.refused.push_back(Done { order, place, at: self.now, report });
        }
        self.places[place].busy = true;
        let report = self.places[place].worker.run(&order, &|| false);
        // A run that costs no time would end before others that were launched earlier.
        let end = self.now + report.took().max(Micros(1));
        let ticket = order.ticket();
        self.ends.insert((end, ticket));
        self.running.insert(ticket, Flight { order, place, end, report });
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(flight) = self.running.remove(&ticket) {
            self.ends.remove(&(flight.end, ticket));
            self.places[flight.place].busy = false;
        }
    }

    fn next(&mut self) -> Result<Done<W::Order, W::Report>, LabError> {
        if let Some(done) = self.refused.pop_front() {
            return Ok(done);
        }
        let Some((at, ticket)) = self.ends.pop_first() else {
            let none_left = self.places.iter().all(|place| place.retired.is_some());
            return Err(LabError::idle(none_left, self.last_failure.clone()));
        };
        let Flight { order, place, report, .. } =
            self.running.remove(&ticket).expect("what ends was running");
        let place = u32::try_from(place).expect("few places");
        let done = Done { order, place, at, report };
        self.catch_up(&done);
        Ok(done)
    }

    fn now(&self) -> Micros {
        self.now
    }

    fn occupy(&mut self, place: u32) {
        if let Some(place) = self.places.get_mut(place as usize) {
            place.busy = true;
        }
    }

    fn catch_up(&mut self, done: &Done<W::Order, W::Report>) {
        self.now = self.now.max(done.at);
        if let Some(place) = self.places.get_mut(done.place as usize) {
            place.busy = false;
            let why = done.report.failure().map(|why| named(place.worker.name(), why));
            if place.health.note(&done.report) {
                place.retired.clone_from(&why);
            }
            self.last_failure = why.or(self.last_failure.take());
        }
    }

    fn revive(&mut self) {
        if self.places.iter().all(|place| place.retired.is_some()) {
            for place in &mut self.places {
                (place.retired, place.health) = (None, Health::default());
            }
            for refused in std::mem::take(&mut self.refused) {
                self.launch(refused.order);
            }
        }
    }
}
