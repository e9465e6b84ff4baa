//! One device of an exploration, as the exploration sees it.

use std::collections::BTreeSet;
use std::sync::Arc;

use retap_explore::{LookWindow, Reply, SaveId, WindowSettings};
use retap_trace::{CoverageId, Crash, Micros, Observation, Seen};

use super::{ExploreOrder, SegmentId};

pub(super) struct LaneState {
    /// What its device is doing.
    pub(super) order: Option<ExploreOrder>,
    /// Whether it takes no more orders: it has done its share, or its device was given up for this reason.
    pub(super) over: Option<LaneEnd>,
    /// The segment under way.
    pub(super) segment: Option<SegmentId>,
    /// The last look at the whole screen; none before the lane has begun, and after its device failed.
    pub(super) look: Option<(Arc<Observation>, Seen)>,
    /// What is known of the state now: of the last look, or only the activity.
    pub(super) keys: Option<Seen>,
    pub(super) window: LookWindow,
    /// Snapshots of this device that another lane has dropped.
    pub(super) to_forget: Vec<SaveId>,
    /// A crash that is to be tried again.
    pub(super) to_confirm: Option<CrashToConfirm>,
    /// The one that is being tried again.
    pub(super) confirming: Option<CrashToConfirm>,
    /// What became of the move before, for the explorer.
    pub(super) reply: Reply,
    pub(super) fresh: bool,
    pub(super) crashed: bool,
    pub(super) new_coverage: usize,
    pub(super) in_front: bool,
    /// Code that steps since the clean start have executed.
    pub(super) covered: BTreeSet<CoverageId>,
    /// Device time spent.
    pub(super) elapsed: Micros,
    /// Of it: when its segment's clean start was, when it last saw something new, and what its finished segments took.
    pub(super) started: Micros,
    pub(super) news: Micros,
    pub(super) accounted: Micros,
    /// Events in a row that the device has no means for.
    pub(super) unable_in_a_row: u32,
    /// Starts in a row that ended in a crash before anything was done.
    pub(super) crashed_starts: u32,
}

/// Why a lane takes no more orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LaneEnd {
    Done,
    GivenUp(String),
    /// The app crashes when it starts, again and again.
    CrashesAtStart,
}

/// A crash that may not come from a clean start.
#[derive(Debug, Clone)]
pub(super) struct CrashToConfirm {
    pub(super) segment: SegmentId,
    pub(super) crash: Box<Crash>,
}

impl LaneState {
    pub(super) fn new(window: WindowSettings) -> Self {
        Self {
            order: None,
            over: None,
            segment: None,
            look: None,
            keys: None,
            window: LookWindow::new(window),
            to_forget: Vec::new(),
            to_confirm: None,
            confirming: None,
            reply: Reply::Started,
            fresh: false,
            crashed: false,
            new_coverage: 0,
            in_front: true,
            covered: BTreeSet::new(),
            elapsed: Micros::ZERO,
            started: Micros::ZERO,
            news: Micros::ZERO,
            unable_in_a_row: 0,
            crashed_starts: 0,
            accounted: Micros::ZERO,
        }
    }
}
