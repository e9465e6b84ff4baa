//! Devices that run candidates.

use retap_device::{Device, Look};
use retap_model::Keyer;
use retap_reduce::{EventRun, Order, Outcome};
use retap_trace::Level;

use crate::{Oracle, Report, Worker, look, state_in_words};

/// A device with the oracle that judges what happens on it.
#[derive(Debug)]
pub struct Runner {
    oracle: Oracle,
    device: Box<dyn Device>,
}

impl Runner {
    /// One runner for each device.
    pub fn fleet(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        devices.into_iter().map(|device| Self { oracle: oracle.clone(), device }).collect()
    }
}

impl Worker for Runner {
    type Order = Order;
    type Report = Report;

    fn name(&self) -> &str {
        self.device.name()
    }

    fn run(&mut self, order: &Order, stop: &dyn Fn() -> bool) -> Report {
        self.oracle.run(&mut *self.device, order, stop)
    }
}

/// A device that runs candidates and, when one misses, looks at what the screen shows then. Nothing of the run itself
/// is another for that, so its rate is not.
#[derive(Debug)]
pub struct Witness(Runner);

impl Witness {
    /// One witness for each device.
    pub fn fleet(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        Runner::fleet(oracle, devices).into_iter().map(Self).collect()
    }
}

impl Worker for Witness {
    type Order = Order;
    type Report = Report;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn run(&mut self, order: &Order, stop: &dyn Fn() -> bool) -> Report {
        let mut report = self.0.run(order, stop);
        if report.ended.outcome == Outcome::Missed && report.crash.is_none() {
            let Runner { oracle, device } = &mut self.0;
            let began = device.now();
            // A device that cannot show its screen now has still performed the run.
            if let Ok(seen) = look(&mut **device, Look::Tree, oracle.deadlines.look) {
                let key = Keyer::default().seen(&seen).key(Level::Layout);
                report.last_state = Some((key.map_or(0, |key| key.0), state_in_words(&seen)));
            }
            report.took += device.now().since(began);
        }
        report
    }
}

/// A device that plays events which need not stand in a trace.
#[derive(Debug)]
pub struct Player(Runner);

impl Player {
    /// One player for each device.
    pub fn fleet(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        Runner::fleet(oracle, devices).into_iter().map(Self).collect()
    }
}

impl Worker for Player {
    type Order = EventRun;
    type Report = Report;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn run(&mut self, play: &EventRun, stop: &dyn Fn() -> bool) -> Report {
        self.0.oracle.play(&mut *self.0.device, play, stop)
    }
}
