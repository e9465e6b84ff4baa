//! The whole phone, saved and restored under a name.

use retap_device::{Device, DeviceError, SnapshotId, Snapshots};
use retap_trace::Micros;

use super::state::{PATIENCE, State};
use super::touch::Fingers;
use super::world::World;

/// Snapshots beyond this many are refused.
const MOST: usize = 256;

/// A saved phone.
#[derive(Debug)]
pub(crate) struct Saved {
    id: SnapshotId,
    world: World,
    /// The time of day when it was saved, in seconds since 1970.
    pub(crate) at: u64,
    /// How long the phone had been running.
    pub(crate) uptime: Micros,
    /// What it takes, roughly.
    pub(crate) size: u64,
}

impl State {
    /// All saved phones, by name.
    pub(crate) fn saved(&self) -> impl Iterator<Item = (&str, &Saved)> {
        self.saved.iter().map(|(name, saved)| (name.as_str(), saved))
    }

    /// Saves the phone. A snapshot of the same name is replaced.
    pub(crate) fn save(&mut self, name: &str) -> Result<(), DeviceError> {
        self.lift()?;
        if self.saved.len() >= MOST && !self.saved.contains_key(name) {
            let why = format!("there are {MOST} snapshots already");
            return Err(DeviceError::Failed { call: "save", why });
        }
        let id = self.snapshots()?.save(PATIENCE)?;
        self.collect_log();
        let world = self.world.clone();
        let (used, _) = world.files.space();
        let saved = Saved { id, world, at: self.now_secs(), uptime: self.uptime(), size: used + (75 << 20) };
        if let Some(old) = self.saved.insert(name.to_owned(), saved) {
            self.snapshots()?.forget(old.id, PATIENCE)?;
        }
        Ok(())
    }

    /// Puts the phone back as it was. `false` when there is no such snapshot.
    pub(crate) fn load(&mut self, name: &str) -> Result<bool, DeviceError> {
        let Some(saved) = self.saved.get(name) else { return Ok(false) };
        let (id, world) = (saved.id, saved.world.clone());
        self.snapshots()?.load(id, PATIENCE)?;
        self.world = world;
        self.fingers = Fingers::default();
        Ok(true)
    }

    /// Forgets a snapshot. `false` when there is none of that name.
    pub(crate) fn forget(&mut self, name: &str) -> Result<bool, DeviceError> {
        let Some(saved) = self.saved.remove(name) else { return Ok(false) };
        self.snapshots()?.forget(saved.id, PATIENCE)?;
        Ok(true)
    }

    fn snapshots(&mut self) -> Result<&mut dyn Snapshots, DeviceError> {
        let device = self.device.name().to_owned();
        let missing = DeviceError::NotSupported { device, what: "snapshots".into() };
        self.device.snapshots().ok_or(missing)
    }
}
