//! What happens in an exploration, as it happens: files, logs and displays are made of these.

use std::sync::Arc;

use retap_explore::SaveId;
use retap_reduce::Tally;
use retap_trace::{CoverageId, Crash, Micros, Seen};

use super::{SegmentEnd, SegmentId, TimeTravelCost};

#[derive(Debug, Clone, PartialEq)]
pub enum ExploreEvent {
    /// A segment has begun; the start script's steps are in it.
    Began {
        segment: SegmentId,
        /// What going back in time has cost until then.
        cost: TimeTravelCost,
    },
    /// A step was made: so many had been made before in its segment.
    Step(SegmentId, usize),
    /// The state after so many steps of a segment was saved.
    Saved {
        save: SaveId,
        segment: SegmentId,
        /// Its steps until then.
        steps: usize,
        /// What going back in time has cost until then, without this save.
        cost: TimeTravelCost,
    },
    /// A segment is over. It took so long, with whatever led to it.
    Ended(SegmentId, SegmentEnd, Micros),
    /// The segment ended in this crash; tried again from a clean start with this result.
    Crashed(SegmentId, Box<Crash>, Option<Tally>),
    /// Branches were covered that are called so. Each device tells each of them once.
    Named(Vec<(CoverageId, Arc<str>)>),
    /// A state was seen for the first time, at the level `layout`, and what it shows in words.
    State(Seen, String),
}
