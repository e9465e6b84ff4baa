//! Segments: the pieces of an exploration.

use retap_explore::Lane;
use retap_trace::{Crash, Micros, Seen, Step};

/// Number of a segment, in the order in which segments began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub u32);

/// What one device did from a clean start, or from a saved state, until something ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub id: SegmentId,
    pub lane: Lane,
    pub origin: Origin,
    /// The state it began in.
    pub first: Seen,
    /// What was done and seen.
    pub steps: Vec<Step>,
}

impl Segment {
    /// Looks at the whole screen: the one with which it began, and those after its steps.
    pub fn looks(&self) -> usize {
        retap_model::count_looks(&self.steps).max(1)
    }
}

/// Where a segment began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The app was fresh and launched.
    Start,
    /// The state after so many steps of an earlier segment.
    Save {
        segment: SegmentId,
        /// How many of its steps had been made.
        steps: usize,
    },
}

/// How the words for the end of a segment begin whose device failed. The reason follows.
pub const DEVICE_FAILED: &str = "device failed: ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SegmentEnd {
    Crash(Box<Crash>),
    /// The explorer wanted a fresh start.
    Restart,
    /// The explorer went back to a saved state.
    TimeTravel,
    /// The explorer has nothing left to do.
    Finished,
    /// The budget is used up, or somebody stopped it.
    Stopped,
    DeviceFailed(String),
    /// Its process was stopped, and the device is no longer in the state that it had.
    Interrupted,
}

#[derive(Debug, Clone, Default)]
pub struct Segments(Vec<Segment>);

impl Segments {
    /// Adds a segment; its number must be the next.
    pub fn add(&mut self, segment: Segment) {
        assert_eq!(segment.id, self.next(), "segments are numbered in the order in which they begin");
        self.0.push(segment);
    }

    pub fn next(&self) -> SegmentId {
        SegmentId(u32::try_from(self.0.len()).expect("fewer segments than that"))
    }

    pub fn get(&self, id: SegmentId) -> &Segment {
        &self.0[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: SegmentId) -> &mut Segment {
        &mut self.0[id.0 as usize]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Segment> {
        self.0.iter()
    }

    /// All steps from a clean start to where a segment was after so many of its own, through all saved states.
    pub fn path(&self, segment: SegmentId, steps: usize) -> Vec<&Step> {
        let mut pieces = vec![&self.get(segment).steps[..steps]];
        let mut origin = self.get(segment).origin;
        while let Origin::Save { segment, steps } = origin {
            pieces.push(&self.get(segment).steps[..steps]);
            origin = self.get(segment).origin;
        }
        pieces.into_iter().rev().flatten().collect()
    }

    /// How many they are.
    pub fn length(&self, segment: SegmentId, steps: usize) -> usize {
        let (mut length, mut origin) = (steps, self.get(segment).origin);
        while let Origin::Save { segment, steps } = origin {
            length += steps;
            origin = self.get(segment).origin;
        }
        length
    }

    /// The time at which a segment begins, counted from the clean start that it goes back to.
    pub(super) fn begins_at(&self, origin: Origin) -> Micros {
        let Origin::Save { segment, steps } = origin else { return Micros::ZERO };
        let of = self.get(segment);
        let last = of.steps[..steps].iter().rev().find_map(|step| step.at);
        last.unwrap_or_else(|| self.begins_at(of.origin))
    }
}

/// In words, as logs have it.
impl std::fmt::Display for SegmentEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crash(crash) => write!(f, "crash {}", crash.signature),
            Self::Restart => f.write_str("restart"),
            Self::TimeTravel => f.write_str("time travel"),
            Self::Finished => f.write_str("finished"),
            Self::Stopped => f.write_str("stopped"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::DeviceFailed(why) => write!(f, "{DEVICE_FAILED}{why}"),
        }
    }
}
