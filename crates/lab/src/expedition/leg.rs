//! Legs: the pieces of an exploration.

use retap_explore::Lane;
use retap_trace::{Crash, Micros, Seen, Step};

/// Number of a leg, in the order in which legs began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LegId(pub u32);

/// A way of one device: from a clean start, or from a saved state, to whatever ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// Its number.
    pub id: LegId,
    /// The device that it was on.
    pub lane: Lane,
    /// Where it began.
    pub origin: Origin,
    /// The state it began in.
    pub first: Seen,
    /// What was done and seen.
    pub steps: Vec<Step>,
}

impl Leg {
    /// Looks at the whole screen: the one with which it began, and those after its steps.
    pub fn looks(&self) -> usize {
        retap_model::count_looks(&self.steps).max(1)
    }
}

/// Where a leg began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The app was fresh and launched.
    Start,
    /// The state after so many steps of an earlier leg.
    Save {
        /// That leg.
        leg: LegId,
        /// How many of its steps had been made.
        steps: usize,
    },
}

/// Why a leg ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LegEnd {
    /// The app crashed.
    Crash(Box<Crash>),
    /// The explorer wanted a fresh start.
    Restart,
    /// The explorer went back to a saved state.
    Travel,
    /// The explorer has nothing left to do.
    Finished,
    /// The budget is used up, or somebody stopped it.
    Stopped,
    /// The device failed.
    DeviceFailed(String),
}

/// All legs so far.
#[derive(Debug, Clone, Default)]
pub struct Legs(Vec<Leg>);

impl Legs {
    /// Adds a leg; its number must be the next.
    pub fn add(&mut self, leg: Leg) {
        assert_eq!(leg.id, self.next(), "legs are numbered in the order in which they begin");
        self.0.push(leg);
    }

    /// The number of the next leg.
    pub fn next(&self) -> LegId {
        LegId(u32::try_from(self.0.len()).expect("fewer legs than that"))
    }

    /// A leg.
    pub fn get(&self, id: LegId) -> &Leg {
        &self.0[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: LegId) -> &mut Leg {
        &mut self.0[id.0 as usize]
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Leg> {
        self.0.iter()
    }

    /// The whole way from a clean start to where a leg stood after so many of its steps, through all saves.
    pub fn way(&self, leg: LegId, steps: usize) -> Vec<&Step> {
        let mut pieces = vec![&self.get(leg).steps[..steps]];
        let mut origin = self.get(leg).origin;
        while let Origin::Save { leg, steps } = origin {
            pieces.push(&self.get(leg).steps[..steps]);
            origin = self.get(leg).origin;
        }
        pieces.into_iter().rev().flatten().collect()
    }

    /// The length of that way.
    pub fn length(&self, leg: LegId, steps: usize) -> usize {
        let (mut length, mut origin) = (steps, self.get(leg).origin);
        while let Origin::Save { leg, steps } = origin {
            length += steps;
            origin = self.get(leg).origin;
        }
        length
    }

    /// The time at which a leg begins, counted from the clean start that it goes back to.
    pub(super) fn begins_at(&self, origin: Origin) -> Micros {
        let Origin::Save { leg, steps } = origin else { return Micros::ZERO };
        let of = self.get(leg);
        let last = of.steps[..steps].iter().rev().find_map(|step| step.at);
        last.unwrap_or_else(|| self.begins_at(of.origin))
    }
}

/// In words, as logs have it.
impl std::fmt::Display for LegEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crash(crash) => write!(f, "crash {}", crash.signature),
            Self::Restart => f.write_str("restart"),
            Self::Travel => f.write_str("travel"),
            Self::Finished => f.write_str("finished"),
            Self::Stopped => f.write_str("stopped"),
            Self::DeviceFailed(why) => write!(f, "device failed: {why}"),
        }
    }
}
