//! Any number of workers on one thread, in virtual time.
//!
//! A run is carried out the moment it is launched, and put down to end when its device time is over. So a
//! million runs a second go through the same loop as one a minute on a phone, and the order in which runs end
//! is a function of the seed.

use std::collections::{BTreeMap, BTreeSet};

use retap_reduce::Ticket;
use retap_trace::Micros;

use crate::{Account, Done, Errand, Health, Lab, LabError, Worker};

/// Workers in virtual time.
#[derive(Debug)]
pub struct VirtualLab<W: Worker> {
    places: Vec<Place<W>>,
    /// Runs under way, by the time they end.
    ends: BTreeSet<(Micros, Ticket)>,
    running: BTreeMap<Ticket, Flight<W>>,
    now: Micros,
    last_failure: Option<String>,
}

#[derive(Debug)]
struct Place<W> {
    worker: W,
    busy: bool,
    retired: bool,
    health: Health,
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
    /// A lab with these workers.
    pub fn new(workers: impl IntoIterator<Item = W>) -> Self {
        let place = |worker| Place { worker, busy: false, retired: false, health: Health::default() };
        Self {
            places: workers.into_iter().map(place).collect(),
            ends: BTreeSet::new(),
            running: BTreeMap::new(),
            now: Micros::ZERO,
            last_failure: None,
        }
    }
}

impl<W: Worker> Lab<W::Order, W::Report> for VirtualLab<W> {
    fn idle(&self) -> u32 {
        let free = self.places.iter().filter(|place| !place.busy && !place.retired).count();
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    fn launch(&mut self, order: W::Order) {
        let free = self.places.iter().position(|place| !place.busy && !place.retired);
        let place = free.expect("runs are launched at free places");
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
        let Some((at, ticket)) = self.ends.pop_first() else {
            let none_left = self.places.iter().all(|place| place.retired);
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
            place.retired |= place.health.note(done.report.failure().is_some());
        }
        if let Some(why) = done.report.failure() {
            self.last_failure = Some(why.to_owned());
        }
    }

    fn revive(&mut self) {
        if self.places.iter().all(|place| place.retired) {
            for place in &mut self.places {
                (place.retired, place.health) = (false, Health::default());
            }
        }
    }
}
