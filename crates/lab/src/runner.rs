//! Devices that run candidates.

use retap_device::Device;
use retap_reduce::{Order, Play};

use crate::{Oracle, Report, Worker};

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
    type Order = Play;
    type Report = Report;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn run(&mut self, play: &Play, stop: &dyn Fn() -> bool) -> Report {
        self.0.oracle.play(&mut *self.0.device, play, stop)
    }
}
