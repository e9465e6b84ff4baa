//! One device of an exploration, as the expedition sees it.

use std::collections::BTreeSet;

use retap_explore::{Reply, SaveId, Window, WindowSettings};
use retap_trace::{CoverageId, Crash, Event, Micros, Observation, Seen};

use super::LegId;
use crate::Health;

/// How a lane stands.
pub(super) struct LaneState {
    /// The leg under way.
    pub(super) leg: Option<LegId>,
    /// The last look at the whole screen; none before the lane has begun, and after its device failed.
    pub(super) look: Option<(Observation, Seen)>,
    /// What is known of the state now: of the last look, or only the activity.
    pub(super) keys: Option<Seen>,
    pub(super) window: Window,
    pub(super) health: Health,
    /// What it said when it was given up.
    pub(super) over: Option<String>,
    /// What it is doing.
    pub(super) doing: Doing,
    /// Snapshots to drop that other lanes have no use for any more.
    pub(super) chores: Vec<SaveId>,
    /// A crash that is to be tried again.
    pub(super) doubtful: Option<Box<Doubtful>>,
    /// What became of the move before, for the explorer.
    pub(super) reply: Reply,
    pub(super) fresh: bool,
    pub(super) crashed: bool,
    pub(super) new_coverage: usize,
    pub(super) in_front: bool,
    /// Code that steps of the way to here have executed.
    pub(super) on_the_way: BTreeSet<CoverageId>,
    /// Device time when it began, when it was last heard of, when its way began, and when it last saw something new.
    pub(super) began: Option<Micros>,
    pub(super) now: Micros,
    pub(super) leg_began: Micros,
    pub(super) news: Micros,
    /// The time that its finished legs took.
    pub(super) accounted: Micros,
    /// Time that earlier processes spent.
    pub(super) before: Micros,
}

#[derive(Debug, Clone)]
pub(super) enum Doing {
    Nothing,
    Starting,
    Acting(Event),
    Saving(SaveId),
    Restoring(SaveId),
    Forgetting,
    /// Something that its explorer need not hear of.
    Chore,
    Confirming(Box<Doubtful>),
}

/// A crash that may not come from a clean start.
#[derive(Debug, Clone)]
pub(super) struct Doubtful {
    pub(super) leg: LegId,
    pub(super) crash: Crash,
}

impl LaneState {
    pub(super) fn new(window: WindowSettings) -> Self {
        Self {
            leg: None,
            look: None,
            keys: None,
            window: Window::new(window),
            health: Health::default(),
            over: None,
            doing: Doing::Nothing,
            chores: Vec::new(),
            doubtful: None,
            reply: Reply::Started,
            fresh: false,
            crashed: false,
            new_coverage: 0,
            in_front: true,
            on_the_way: BTreeSet::new(),
            began: None,
            now: Micros::ZERO,
            leg_began: Micros::ZERO,
            news: Micros::ZERO,
            accounted: Micros::ZERO,
            before: Micros::ZERO,
        }
    }

    /// Device time spent, with that of earlier processes.
    pub(super) fn elapsed(&self) -> Micros {
        self.before + self.began.map_or(Micros::ZERO, |began| self.now.since(began))
    }
}
