//! What an explorer is, and the moves it can make.

use retap_trace::Event;

use crate::sight::Sight;

/// Decides what to do next in an app, on one device or on several. A function of its seed and of the sights it
/// was given, in their order.
pub trait Explorer: Send {
    /// Its name, as `--strategy` takes it.
    fn name(&self) -> &str;

    /// The next move of a lane. What became of it is told in the lane's next sight.
    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move;
}

/// One device of an exploration, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(pub u32);

/// What an explorer wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Do this to the app.
    Act(Event),
    /// Save the whole device as it is now. The next sight names the save.
    Save,
    /// Put the device back to a save, which may be one of another lane.
    Restore(SaveId),
    /// Drop a save and free its space.
    Forget(SaveId),
    /// Start over: a fresh app, launched. A new trace starts here.
    Restart,
    /// There is nothing left to do.
    Stop,
}

/// Name of a saved device state. The driver gives it out; to an explorer it is only a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SaveId(pub u64);

impl<E: Explorer + ?Sized> Explorer for Box<E> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        (**self).next(lane, seen)
    }
}
