//! Snapshots of the whole device.
//!
//! A load that says it went well may not have. So a mark is left on the device before each save, taken away before each
//! load, and looked for after it; a load that did not bring it back is tried again.

use std::time::Duration;

use retap_device::{DeviceError, SnapshotId, Snapshots};
use retap_trace::Micros;

use crate::client::{AdbError, Deadline};

use super::AdbDevice;
use super::keeper::Keeper;

/// What is known of the device's snapshots.
#[derive(Debug)]
pub(super) enum Support {
    Unknown,
    No,
    Yes(Keeper),
}

/// The property that says which snapshot the device was saved as.
const MARK: &str = "debug.retap.snapshot";
/// How long asking may take.
const ASK: Duration = Duration::from_secs(10);
const LOADS: usize = 3;
/// How long a device may take to answer after a load.
const AWAKE: Duration = Duration::from_secs(30);
/// How long a reconnect may take.
const RECONNECT: Duration = Duration::from_secs(5);

impl AdbDevice {
    /// Finds out whether there are snapshots. Only an answer is remembered: silence may pass.
    pub(super) fn find_keeper(&mut self) -> bool {
        if matches!(self.support, Support::Unknown) {
            let deadline = Deadline::within("snapshots", ASK);
            let qmp = self.spec.qmp.as_deref();
            let found = Keeper::find(&self.transport, self.token.clone(), qmp, &deadline);
            self.support = match found {
                Ok(keeper) => Support::Yes(keeper),
                Err(AdbError::Refused { .. } | AdbError::NoServer { .. }) => Support::No,
                Err(_) => return false,
            };
        }
        matches!(self.support, Support::Yes(_))
    }

    fn keeper(&self) -> Result<Keeper, DeviceError> {
        match &self.support {
            Support::Yes(keeper) => Ok(keeper.clone()),
            _ => Err(self.unsupported("snapshots")),
        }
    }

    fn snapshot_name(&self, id: SnapshotId) -> String {
        format!("retap-{}-{}", self.run, id.0)
    }

    /// After a load every connection is dead, and the device takes a moment to wake up.
    fn wake(&mut self, deadline: &Deadline) -> Result<(), AdbError> {
        self.shell.forget();
        let part = deadline.part(deadline.what(), AWAKE);
        if matches!(self.support, Support::Yes(Keeper::Qemu(_))) {
            // Whether it helped shows at once.
            let _ = self.transport.reconnect(&part.part(deadline.what(), RECONNECT));
        }
        self.restart_watch();
        loop {
            let try_for = part.part(deadline.what(), Duration::from_secs(5));
            match self.shell.run("echo awake", &try_for) {
                Ok(output) if output.text().trim() == "awake" => return self.listen(&part),
                Ok(_) => {}
                Err(error) if error.is_drop() => {
                    part.left()?;
                    let _ = self.transport.revive(&part.part(deadline.what(), RECONNECT));
                }
                Err(AdbError::Timeout { .. }) => {
                    part.left()?;
                    let _ = self.transport.reconnect(&part.part(deadline.what(), RECONNECT));
                }
                Err(error) => return Err(error),
            }
            part.sleep(Duration::from_millis(200))?;
        }
    }

    /// Whether the mark of this snapshot is on the device. Yes, too, when the device keeps no marks.
    fn carries(&mut self, id: SnapshotId, deadline: &Deadline) -> Result<bool, AdbError> {
        if !self.marks {
            return Ok(true);
        }
        let found = self.shell.run(&format!("getprop {MARK}"), deadline)?.text();
        Ok(found.trim() == self.snapshot_name(id))
    }

    fn load_once(&mut self, id: SnapshotId, deadline: &Deadline) -> Result<bool, AdbError> {
        let name = self.snapshot_name(id);
        if self.marks {
            // Only a load that really happens brings the mark back. A device that does not hear this may yet load.
            let _ = self.shell.run(&format!("setprop {MARK} leaving"), &deadline.part(deadline.what(), ASK));
        }
        if let Support::Yes(keeper) = &self.support {
            keeper.load(&name, deadline)?;
        }
        self.wake(deadline)?;
        self.carries(id, deadline)
    }
}

impl Snapshots for AdbDevice {
    fn save(&mut self, within: Micros) -> Result<SnapshotId, DeviceError> {
        let deadline = super::deadline("save", within);
        let keeper = self.keeper()?;
        let id = SnapshotId(self.saves + 1);
        let name = self.snapshot_name(id);
        let mut save = || -> Result<(), AdbError> {
            self.shell.run(&format!("setprop {MARK} {name}"), &deadline)?;
            self.marks = self.shell.run(&format!("getprop {MARK}"), &deadline)?.text().trim() == name;
            keeper.save(&name, &deadline)?;
            if keeper.list(&deadline)?.contains(&name) {
                return Ok(());
            }
            Err(AdbError::Refused {
                request: format!("save {name}"),
                why: "it is not in the list afterwards".to_owned(),
            })
        };
        save().map_err(|error| self.failure("save", within, error))?;
        self.saves += 1;
        self.saved.insert(id, self.tuning.by_events());
        Ok(id)
    }

    fn load(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        let deadline = super::deadline("load", within);
        self.keeper()?;
        let Some(by_events) = self.saved.get(&id).cloned() else {
            return Err(DeviceError::Failed { call: "load", why: format!("there is no snapshot {}", id.0) });
        };
        let mut last = None;
        for _ in 0..LOADS {
            match self.load_once(id, &deadline) {
                Ok(true) => {
                    self.after_load();
                    let noted = self.tuning.changed_again(&by_events);
                    return noted.map_err(|error| self.failure("load", within, error));
                }
                Ok(false) => last = None,
                Err(error @ (AdbError::Timeout { .. } | AdbError::Cancelled { .. })) => {
                    return Err(self.failure("load", within, error));
                }
                Err(error) => last = Some(error),
            }
        }
        let unchanged = AdbError::Refused {
            request: "load".to_owned(),
            why: "the device is not as it was saved".to_owned(),
        };
        Err(self.failure("load", within, last.unwrap_or(unchanged)))
    }

    fn forget(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        let deadline = super::deadline("forget", within);
        let keeper = self.keeper()?;
        if !self.saved.contains_key(&id) {
            return Ok(());
        }
        keeper
            .delete(&self.snapshot_name(id), &deadline)
            .map_err(|error| self.failure("forget", within, error))?;
        self.saved.remove(&id);
        Ok(())
    }
}
