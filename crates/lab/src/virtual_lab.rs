//! Any number of devices on one thread, in virtual time.
//!
//! A run is carried out the moment it is launched, and put down to end when its device time is over. So a
//! million runs a second go through the same loop as one a minute on a phone, and the order in which runs end
//! is a function of the seed.

use std::collections::{BTreeMap, BTreeSet};

use retap_device::Device;
use retap_reduce::{Order, Outcome, Ticket};
use retap_trace::Micros;

use crate::{Done, Health, Lab, LabError, Oracle, Report};

/// Devices in virtual time.
#[derive(Debug)]
pub struct VirtualLab {
    oracle: Oracle,
    devices: Vec<Bench>,
    /// Runs under way, by the time they end.
    ends: BTreeSet<(Micros, Ticket)>,
    running: BTreeMap<Ticket, Flight>,
    now: Micros,
    last_failure: Option<String>,
}

/// A place for one device.
#[derive(Debug)]
struct Bench {
    device: Box<dyn Device>,
    busy: bool,
    retired: bool,
    health: Health,
}

/// A run under way: its result is known, its time is not over.
#[derive(Debug)]
struct Flight {
    order: Order,
    place: usize,
    end: Micros,
    report: Report,
}

impl VirtualLab {
    /// A lab with these devices.
    pub fn new(oracle: Oracle, devices: Vec<Box<dyn Device>>) -> Self {
        let bench = |device| Bench { device, busy: false, retired: false, health: Health::default() };
        Self {
            oracle,
            devices: devices.into_iter().map(bench).collect(),
            ends: BTreeSet::new(),
            running: BTreeMap::new(),
            now: Micros::ZERO,
            last_failure: None,
        }
    }
}

impl Lab for VirtualLab {
    fn idle(&self) -> u32 {
        let free = self.devices.iter().filter(|bench| !bench.busy && !bench.retired).count();
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    fn launch(&mut self, order: Order) {
        let place = self.devices.iter().position(|bench| !bench.busy && !bench.retired);
        let place = place.expect("runs are launched on free devices");
        let bench = &mut self.devices[place];
        bench.busy = true;
        let report = self.oracle.run(&mut *bench.device, &order, &|| false);
        // A run that costs no time would end before others that were launched earlier.
        let end = self.now + report.took.max(Micros(1));
        self.ends.insert((end, order.ticket));
        self.running.insert(order.ticket, Flight { order, place, end, report });
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(flight) = self.running.remove(&ticket) {
            self.ends.remove(&(flight.end, ticket));
            self.devices[flight.place].busy = false;
        }
    }

    fn next(&mut self) -> Result<Done, LabError> {
        let Some((at, ticket)) = self.ends.pop_first() else {
            let none_left = self.devices.iter().all(|bench| bench.retired);
            return Err(LabError::idle(none_left, self.last_failure.clone()));
        };
        let Flight { order, place, report, .. } =
            self.running.remove(&ticket).expect("what ends was running");
        let place = u32::try_from(place).expect("few devices");
        let done = Done { order, place, at, report };
        self.catch_up(&done);
        Ok(done)
    }

    fn now(&self) -> Micros {
        self.now
    }

    fn occupy(&mut self, place: u32) {
        if let Some(bench) = self.devices.get_mut(place as usize) {
            bench.busy = true;
        }
    }

    fn catch_up(&mut self, done: &Done) {
        self.now = self.now.max(done.at);
        if let Some(bench) = self.devices.get_mut(done.place as usize) {
            bench.busy = false;
            bench.retired |= bench.health.note(done.report.outcome == Outcome::Inconclusive);
        }
        if done.report.why.is_some() {
            self.last_failure.clone_from(&done.report.why);
        }
    }
}
