//! What an app does: blocks of effects.

use std::sync::Arc;

use retap_trace::{Dice, Micros};

use super::{ActivityId, Expr, KnobId, PermissionId, SiteId, Template, TimerId, VarId, WidgetId, WindowId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// Effects, one after the other.
pub type Block = Box<[Effect]>;

/// One thing an app does.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Executes code: the coverage ids from the first number up to but not the second.
    Cover(u32, u32),
    /// Gives a variable a value.
    Set(VarId, Expr),
    /// Appends to a list.
    Push(VarId, Expr),
    /// Takes an item out of a list, by number from 0; outside the list, does nothing.
    Remove(VarId, Expr),
    /// Starts an activity on top of this one.
    Open(ActivityId),
    /// Shows another screen of this activity.
    Show(WindowId),
    /// Puts a dialog or menu on top.
    Overlay(WindowId),
    /// Takes the topmost dialog or menu away.
    Close,
    Finish,
    /// Ends all activities of the app.
    Exit,
    /// Leaves the app for another one, which comes on top.
    Leave(OutsideApp),
    /// Does one or the other.
    If(Expr, BlockId, Option<BlockId>),
    /// Leaves it to chance.
    Chance(Probability, BlockId, Option<BlockId>),
    /// Does something later, if the process still lives.
    After(Micros, BlockId),
    StartTimer(TimerId),
    StopTimer(TimerId),
    /// Calls the network: after the latency one block or the other. Without a network it fails.
    Fetch {
        /// How long it takes.
        latency: Latency,
        fail: Probability,
        /// Done when the answer comes.
        reply: BlockId,
        /// Done when it does not.
        error: Option<BlockId>,
    },
    /// Asks for a permission, by a dialog of the system unless it was granted before.
    Ask(PermissionId, Option<BlockId>, Option<BlockId>),
    /// Keeps the main thread busy: input waits.
    Busy(Micros),
    /// Gives a field the focus, which brings up the keyboard.
    Focus(WidgetId),
    Log(char, Arc<str>, Template),
    /// Crashes; nothing after it happens.
    Crash(SiteId),
    /// Never comes back: the app does not respond any more.
    Hang(SiteId),
}

/// A probability: as written, or a knob's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probability {
    /// As written.
    Fixed(f64),
    Knob(KnobId),
}

/// How long something takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Latency {
    Fixed(Micros),
    /// Anything between the two.
    Uniform(Micros, Micros),
    /// Lognormal with this median and spread.
    Lognormal(Micros, f64),
}

/// An app outside the app under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutsideApp {
    Settings,
    Browser,
    Camera,
    Share,
}

impl BlockId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Latency {
    /// How long it takes this time. A fixed latency draws nothing.
    pub fn draw(self, dice: &mut Dice) -> Micros {
        match self {
            Self::Fixed(time) => time,
            Self::Uniform(low, high) => low + Micros(dice.below(high.since(low).0.saturating_add(1))),
            Self::Lognormal(median, spread) => dice.lognormal(median, spread),
        }
    }
}
