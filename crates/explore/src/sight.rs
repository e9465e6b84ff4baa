//! What an explorer is told before each move.

use retap_trace::{Observation, Seen};

use crate::explorer::SaveId;

/// What was seen after the move before, or at the start.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The look at the device. The screen it gives is the one that coordinates must stay on.
    pub observation: &'a Observation,
    /// The state keys of that look.
    pub keys: &'a Seen,
    /// What became of the move before.
    pub reply: Reply,
    /// Whether the app under test is in front. A system dialog that the app raised, such as a question for a
    /// permission, counts as the app.
    pub in_front: bool,
    /// How many pieces of code were executed for the first time in the whole exploration. `None` when coverage
    /// is not measured, which is not the same as nothing new.
    pub new_coverage: Option<usize>,
    /// Whether the app crashed since the sight before.
    pub crashed: bool,
}

/// What became of the move before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The app was freshly launched: at the very start, after a restart, or because the driver saw fit.
    Started,
    /// The move was made.
    Done,
    /// The device was saved under this name.
    Saved(SaveId),
    /// The device was put back to this save. Whether it shows the state that was saved is for the eye to tell.
    Restored(SaveId),
    /// The move could not be made: the device has no snapshots, or has no room for one more, or failed.
    Refused,
}
