//! A device that several labs use one after the other: it is opened once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retap_device::{Device, DeviceError, Inputs, Look, PersonInput, SnapshotId, Snapshots};
use retap_trace::{CoverageId, Event, Micros, Observation, Seed, Size};

/// A handle of a device. Only one lab at a time puts it to work; a run that its lab no longer waits for is waited for
/// by the next.
#[derive(Debug, Clone)]
pub struct SharedDevice {
    device: Arc<Mutex<Box<dyn Device>>>,
    name: Arc<str>,
    package: Arc<str>,
    screen: Size,
    snapshots: bool,
    inputs: bool,
}

impl SharedDevice {
    /// The first handle of this device.
    pub fn new(mut device: Box<dyn Device>) -> Self {
        Self {
            name: device.name().into(),
            package: device.package().into(),
            screen: device.screen(),
            snapshots: device.snapshots().is_some(),
            inputs: device.inputs().is_some(),
            device: Arc::new(Mutex::new(device)),
        }
    }

    pub const fn has_snapshots(&self) -> bool {
        self.snapshots
    }

    /// A worker that panicked leaves the device in some state, and every run begins with a reset.
    fn lock(&self) -> MutexGuard<'_, Box<dyn Device>> {
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_snapshots<T>(
        &self,
        what: impl FnOnce(&mut dyn Snapshots) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        self.lock().snapshots().map_or_else(|| Err(self.lacks("snapshots")), what)
    }

    fn with_inputs<T>(
        &self,
        what: impl FnOnce(&mut dyn Inputs) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        self.lock().inputs().map_or_else(|| Err(self.lacks("listening to a person")), what)
    }

    fn lacks(&self, what: &str) -> DeviceError {
        DeviceError::NotSupported { device: self.name.to_string(), what: what.to_owned() }
    }
}

impl Device for SharedDevice {
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
        self.lock().reset(seed, within)
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        self.lock().perform(event, within)
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.lock().settle(within)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.lock().observe(look, within)
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.lock().screenshot(within)
    }

    fn now(&self) -> Micros {
        self.lock().now()
    }

    fn code_name(&self, id: CoverageId) -> Option<Arc<str>> {
        self.lock().code_name(id)
    }

    fn ended_app(&self) -> Option<String> {
        self.lock().ended_app()
    }

    fn hangs(&self) -> bool {
        self.lock().hangs()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        self.snapshots.then_some(self as &mut dyn Snapshots)
    }

    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        self.inputs.then_some(self as &mut dyn Inputs)
    }
}

impl Inputs for SharedDevice {
    fn listen(&mut self, within: Micros) -> Result<(), DeviceError> {
        self.with_inputs(|inputs| inputs.listen(within))
    }

    fn next_input(&mut self, within: Micros) -> Result<Option<PersonInput>, DeviceError> {
        self.with_inputs(|inputs| inputs.next_input(within))
    }
}

impl Snapshots for SharedDevice {
    fn save(&mut self, within: Micros) -> Result<SnapshotId, DeviceError> {
        self.with_snapshots(|snapshots| snapshots.save(within))
    }

    fn load(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        self.with_snapshots(|snapshots| snapshots.load(id, within))
    }

    fn forget(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        self.with_snapshots(|snapshots| snapshots.forget(id, within))
    }
}
