//! What an explorer is told before each move.

use retap_trace::{Micros, Observation, Seen};

use crate::explorer::SaveId;

/// What was seen after the move before, or at the start.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The look at the device. The screen it gives is the one that coordinates must stay on.
    pub observation: &'a Observation,
    /// The state keys of that look.
    pub keys: &'a Seen,
    /// Whether the look is of now. `false` means that nobody has looked since an earlier sight of the lane, or
    /// that the move before was not made: an explorer then makes a move from the old look, and learns nothing
    /// but the reply.
    pub fresh: bool,
    /// The lane's device time. It never goes back, not even when a save is restored.
    pub at: Micros,
    /// What became of the move before.
    pub reply: Reply,
    /// Whether the app under test is in front. A system dialog that the app raised, such as a question for a
    /// permission, counts as the app.
    pub in_front: bool,
    /// How many pieces of code were executed for the first time in the whole exploration, since the fresh sight
    /// before. `None` when coverage is not measured, which is not the same as nothing new.
    pub new_coverage: Option<usize>,
    /// Whether the app crashed since the sight before.
    pub crashed: bool,
}

/// What became of the move before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The app was freshly launched: at the very start, after a restart, because a restore failed, or because
    /// the driver saw fit.
    Started,
    Done,
    /// The device was saved under this name.
    Saved(SaveId),
    /// The device was put back to this save. Whether it shows the state that was saved is for the eye to tell.
    Restored(SaveId),
    /// The move could not be made: the device has no snapshots, or has no room for one more, or failed. It is
    /// as it was before.
    Refused,
}
