//! A device that follows traces.

use retap_device::Device;
use retap_suite::{Purpose, ReplayOrder};

use super::shortcuts::Shortcuts;
use super::{FollowReport, Guide};
use crate::Worker;

/// A device with the guide that says where to go on it.
#[derive(Debug)]
pub struct Follower {
    guide: Guide,
    device: Box<dyn Device>,
    shortcuts: Shortcuts,
}

impl Follower {
    /// One follower for each device.
    pub fn fleet(guide: &Guide, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        let follower = |device| Self { guide: guide.clone(), device, shortcuts: Shortcuts::default() };
        devices.into_iter().map(follower).collect()
    }
}

impl Worker for Follower {
    type Order = ReplayOrder;
    type Report = FollowReport;

    fn name(&self) -> &str {
        self.device.name()
    }

    /// What confirms begins clean, always.
    fn run(&mut self, order: &ReplayOrder, stop: &dyn Fn() -> bool) -> FollowReport {
        let Self { guide, device, shortcuts } = self;
        let searches = order.purpose == Purpose::Search;
        if searches && guide.snapshots && device.snapshots().is_some() {
            return shortcuts.follow(guide, &mut **device, order, stop);
        }
        guide.follow(&mut **device, order, stop)
    }
}

/// Nobody else would delete the snapshots.
impl Drop for Follower {
    fn drop(&mut self) {
        self.shortcuts.clear(&self.guide, &mut *self.device);
    }
}
