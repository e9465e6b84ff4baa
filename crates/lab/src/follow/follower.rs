//! A device that follows traces.

use retap_device::Device;
use retap_suite::Order;

use super::{FollowReport, Guide};
use crate::Worker;

/// A device with the guide that says where to go on it.
#[derive(Debug)]
pub struct Follower {
    guide: Guide,
    device: Box<dyn Device>,
}

impl Follower {
    /// One follower for each device.
    pub fn fleet(guide: &Guide, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        devices.into_iter().map(|device| Self { guide: guide.clone(), device }).collect()
    }
}

impl Worker for Follower {
    type Order = Order;
    type Report = FollowReport;

    fn name(&self) -> &str {
        self.device.name()
    }

    fn run(&mut self, order: &Order, stop: &dyn Fn() -> bool) -> FollowReport {
        self.guide.follow(&mut *self.device, order, stop)
    }
}
