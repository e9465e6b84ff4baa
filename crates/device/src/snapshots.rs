//! Snapshots of a whole device.

use retap_trace::Micros;

use crate::DeviceError;

/// Name of a snapshot on its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u64);

/// Snapshots: the whole device as it was, app, files and services.
pub trait Snapshots {
    /// Saves the device as it is now.
    fn save(&mut self, within: Micros) -> Result<SnapshotId, DeviceError>;

    /// Puts the device back. What a load returns is not believed: the caller must look at the state after it.
    fn load(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError>;

    /// Forgets a snapshot and frees its space. Forgetting an unknown one does nothing.
    fn forget(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError>;
}
