//! What a device is: the traits [`Device`] and [`Snapshots`], typed errors, and the conformance suite that
//! every backend must pass.
//!
//! Absent here: any backend, any algorithm, any thread. Calls block; one thread drives one device; every call
//! has a deadline on the device's own clock, which may be virtual.

#![warn(missing_docs)]

mod check;
pub mod conformance;
mod error;
mod inputs;
mod snapshots;

use std::sync::Arc;

use retap_trace::{CoverageId, Event, Micros, Observation, Seed, Size};

pub use check::{Check, DeviceHealth};
pub use error::DeviceError;
pub use inputs::{Inputs, PersonInput};
pub use snapshots::{SnapshotId, Snapshots};

/// How closely to look at a device. Finer looks cost more: a tree dump takes a second on an emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    /// The activity in front, crashes and coverage.
    Activity,
    /// The GUI tree as well.
    Tree,
}

/// A device with one app under test.
pub trait Device: Send + std::fmt::Debug {
    /// The device as `--device` names it, with its serial where it has one.
    fn name(&self) -> &str;

    /// The package of the app under test.
    fn package(&self) -> &str;

    /// The screen in portrait.
    fn screen(&self) -> Size;

    /// Makes everything fresh: app data cleared, app not running, home screen in front, portrait, log empty.
    ///
    /// The seed governs all chance of the run that follows, where the backend can govern it; others ignore it.
    /// So the result of a run depends on the run, not on the device that it was given to.
    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError>;

    /// Does the event. Returns when the device has taken it, not when the app is done with it.
    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError>;

    /// Waits until the app is idle, or looks idle. Returns `false` when it still was not after `within`: not an
    /// error, apps may animate for ever.
    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError>;

    /// Looks at the device.
    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError>;

    /// What the screen shows, as a PNG file.
    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError>;

    /// The device's clock: real or virtual, it never goes back, not even when a snapshot is restored.
    fn now(&self) -> Micros;

    /// The name of a piece of code that it has told of, as people know it, where it knows one.
    fn code_name(&self, _: CoverageId) -> Option<Arc<str>> {
        None
    }

    /// Why the app was ended by the device itself since the last reset, where it was: a run without a crash proves nothing
    /// of the app then.
    fn ended_app(&self) -> Option<String> {
        None
    }

    /// Whether the app's main thread never comes back, where the device knows: Android says so only once the app is to take
    /// something in. Others do not show an app that hangs.
    fn hangs(&self) -> bool {
        false
    }

    /// Snapshots of the whole device, where it has them.
    fn snapshots(&mut self) -> Option<&mut dyn Snapshots>;

    /// What a person does on it, where it has a screen or keys that a person can reach.
    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        None
    }
}
