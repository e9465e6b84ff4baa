//! What an earlier process has seen and done, told to an explorer that goes on where it stopped.

use retap_trace::{Seen, Step};

use crate::explorer::{Lane, SaveId};

/// One thing of the past. Told in the order in which the earlier process learnt it.
#[derive(Debug, Clone, Copy)]
pub enum Past<'a> {
    /// A lane's app was freshly launched, and then looked at.
    Started {
        /// Where.
        lane: Lane,
        /// What the look showed.
        looked: Looked<'a>,
    },
    /// An event was done. A step without a state after it was not looked at.
    Step {
        /// Where.
        lane: Lane,
        /// The event, with what was seen around it.
        step: &'a Step,
        /// Whether the app was in front afterwards, as in [`Sight`](crate::Sight).
        in_front: bool,
        /// How many pieces of code it executed for the first time in the whole exploration.
        new_coverage: Option<usize>,
    },
    /// A lane was saved. Told only of saves that can still be restored.
    Saved {
        /// Where.
        lane: Lane,
        /// The save's name, which holds in this process.
        save: SaveId,
        /// The state that was saved.
        keys: &'a Seen,
    },
    /// A lane was put back to a save, and then looked at.
    Restored {
        /// Where.
        lane: Lane,
        /// To which; one that is unknown by now is no harm.
        save: SaveId,
        /// What the look showed.
        looked: Looked<'a>,
    },
    /// A lane should have been put back to a save, but only a fresh start helped. That start is told next.
    Lost {
        /// Where.
        lane: Lane,
        /// To which.
        save: SaveId,
    },
    /// A save is gone.
    Forgotten {
        /// Which.
        save: SaveId,
    },
}

/// A look of the past.
#[derive(Debug, Clone, Copy)]
pub struct Looked<'a> {
    /// The state keys.
    pub keys: &'a Seen,
    /// Whether the app was in front.
    pub in_front: bool,
    /// How many pieces of code were executed for the first time in the whole exploration.
    pub new_coverage: Option<usize>,
}

impl Past<'_> {
    /// The lane that it is about; a save that is gone is nobody's.
    pub const fn lane(&self) -> Option<Lane> {
        match *self {
            Self::Started { lane, .. }
            | Self::Step { lane, .. }
            | Self::Saved { lane, .. }
            | Self::Restored { lane, .. }
            | Self::Lost { lane, .. } => Some(lane),
            Self::Forgotten { .. } => None,
        }
    }
}
