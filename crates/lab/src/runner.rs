//! A device that runs candidates.

use retap_device::Device;
use retap_reduce::Order;

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
