//! Snapshots: exact clones of the phone.

use retap_device::{DeviceError, SnapshotId, Snapshots};
use retap_trace::Micros;

use super::SimDevice;
use crate::profile::SnapshotCosts;

impl SimDevice {
    fn snapshot_costs(&self) -> Result<SnapshotCosts, DeviceError> {
        let missing = || DeviceError::NotSupported { device: self.name.clone(), what: "snapshots".into() };
        self.profile.snapshots.ok_or_else(missing)
    }
}

impl Snapshots for SimDevice {
    fn save(&mut self, within: Micros) -> Result<SnapshotId, DeviceError> {
        let costs = self.snapshot_costs()?;
        self.call("save", costs.save, within)?;
        self.saves += 1;
        let id = SnapshotId(self.saves);
        self.saved.insert(id, self.machine.clone());
        Ok(id)
    }

    fn load(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        let costs = self.snapshot_costs()?;
        let failed = |why: String| Err(DeviceError::Failed { call: "load", why });
        self.call("load", costs.load, within)?;
        let Some(saved) = self.saved.get(&id) else {
            return failed(format!("there is no snapshot {}", id.0));
        };
        if self.chances.faults.chance(self.faults.bad_load) {
            return failed("the snapshot could not be read".into());
        }
        self.machine = saved.clone();
        if self.chances.faults.chance(self.faults.garbage) {
            self.machine.stop_app();
        }
        Ok(())
    }

    fn forget(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        self.call("forget", Micros::ZERO, within)?;
        self.saved.remove(&id);
        Ok(())
    }
}
