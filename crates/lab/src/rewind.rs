//! Restoring a snapshot, and not believing it.

use retap_device::{Device, DeviceError, Look, SnapshotId};
use retap_model::Keyer;
use retap_trace::{Level, Observation, Seen};

use crate::{Deadlines, look};

/// How a restore went.
#[derive(Debug, Clone, PartialEq)]
pub enum Rewound {
    /// The device shows the state that was saved.
    Back(Box<Observation>),
    /// It does not, after every try. Only a clean start helps; whatever is shown now says nothing about the app.
    Lost,
}

/// Loads a snapshot and looks whether the device shows the state that was saved. Loads fail now and then, and
/// some that succeed restore something else: each is tried again, a bounded number of times.
pub fn rewind(
    device: &mut dyn Device,
    snapshot: SnapshotId,
    saved: &Seen,
    deadlines: Deadlines,
) -> Result<Rewound, DeviceError> {
    const TRIES: usize = 4;
    let mut keyer = Keyer::default();
    for _ in 0..TRIES {
        let Some(snapshots) = device.snapshots() else { return Ok(Rewound::Lost) };
        match snapshots.load(snapshot, deadlines.reset) {
            Ok(()) => {}
            Err(error) if error.passing() => continue,
            Err(error) => return Err(error),
        }
        let shown = look(device, Look::Tree, deadlines.look)?;
        if keyer.seen(&shown).key(Level::Full) == saved.key(Level::Full) {
            return Ok(Rewound::Back(Box::new(shown)));
        }
    }
    Ok(Rewound::Lost)
}
