//! A device that is counted and can be asked what became of it, while a lab uses it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_jvm::{JvmComponents, JvmDevice};
use retap_trace::{CoverageId, Crash, Event, Micros, Observation, Seed, Size};

/// A handle of a device. Clones are of the same device.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    inside: Arc<Mutex<Inside>>,
    name: Arc<str>,
    package: Arc<str>,
    screen: Size,
}

#[derive(Debug)]
struct Inside {
    device: JvmDevice,
    counts: Counts,
    /// Crashes of the device's own from before it was handed out.
    earlier: usize,
}

/// What was done with a device.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) events: u64,
    pub(crate) resets: u64,
    pub(crate) looks: u64,
    /// Calls that failed, but for what the device has no means for.
    pub(crate) failures: Vec<String>,
}

impl Watched {
    pub(super) fn new(device: JvmDevice) -> Self {
        let (name, package, screen) = (device.name().into(), device.package().into(), device.screen());
        let inside = Inside { device, counts: Counts::default(), earlier: 0 };
        Self { inside: Arc::new(Mutex::new(inside)), name, package, screen }
    }

    /// Begins to count from nothing.
    pub(super) fn begin(&self) {
        let mut inside = self.lock();
        inside.earlier = inside.device.own_crashes().len();
        inside.counts = Counts::default();
    }

    pub(crate) fn counts(&self) -> Counts {
        self.lock().counts.clone()
    }

    /// What ended the app because of the device and not of the app.
    pub(crate) fn own_crashes(&self) -> Vec<Crash> {
        let inside = self.lock();
        inside.device.own_crashes()[inside.earlier..].to_vec()
    }

    pub(crate) fn coverage_total(&self) -> Option<u32> {
        self.lock().device.coverage_total()
    }

    pub(crate) fn build(&self) -> String {
        self.lock().device.build()
    }

    pub(crate) fn components(&self) -> JvmComponents {
        self.lock().device.components().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call<T>(
        &self,
        count: fn(&mut Counts) -> Option<&mut u64>,
        call: impl FnOnce(&mut JvmDevice) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let Inside { device, counts, .. } = &mut *self.lock();
        let done = call(device);
        match &done {
            Ok(_) => {
                if let Some(number) = count(counts) {
                    *number += 1;
                }
            }
            Err(DeviceError::NotSupported { .. }) => {}
            Err(error) => counts.failures.push(error.to_string()),
        }
        done
    }
}

impl Device for Watched {
    fn name(&self) -> &str {
        &self.name
    }

    fn package(&self) -> &str {
        &self.package
    }

    fn screen(&self) -> Size {
        self.screen
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.call(|counts| Some(&mut counts.resets), |device| device.reset(seed, within))
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        let count: fn(&mut Counts) -> Option<&mut u64> =
            if matches!(event, Event::Wait { .. }) { |_| None } else { |counts| Some(&mut counts.events) };
        self.call(count, |device| device.perform(event, within))
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.call(|_| None, |device| device.settle(within))
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.call(|counts| Some(&mut counts.looks), |device| device.observe(look, within))
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.call(|_| None, |device| device.screenshot(within))
    }

    fn now(&self) -> Micros {
        self.lock().device.now()
    }

    fn code_name(&self, id: CoverageId) -> Option<Arc<str>> {
        self.lock().device.code_name(id)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}
