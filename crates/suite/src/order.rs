//! Runs that are wanted, and what came of them.

use std::sync::Arc;

use retap_model::crash_key;
use retap_reduce::Ticket;
use retap_trace::{CoverageId, Micros, Signature, StateKey};

use crate::input::StepRef;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// To find out whether a path is worth confirming. It may begin in a restored snapshot; but that a prefix of the
    /// input is not followed, a clean start must show.
    Search,
    /// To confirm a path, or to say what is replayable at all: it must begin clean.
    Confirm,
}

/// One step to perform, and what must be seen after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leg {
    /// The step of the input whose event is performed.
    pub step: StepRef,
    /// The state at the level of the suite; for a crash, the state of its signature (`retap_model::crash_key`).
    pub expect: StateKey,
}

/// A run that is wanted: a fresh start, then these steps. It ends early with the first leg that is not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayOrder {
    pub ticket: Ticket,
    /// What must be seen before the first step, if the recording looked then.
    pub start: Option<StateKey>,
    pub legs: Arc<[Leg]>,
    pub purpose: Purpose,
    /// Why, in words.
    pub label: String,
}

/// What was seen after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// The state at the level of the suite.
    pub state: StateKey,
    /// Code that this step executed and nothing before it in the run had, the launch included.
    pub coverage: Vec<CoverageId>,
    pub crash: Option<Signature>,
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// Whether the device failed, not the app. Then nothing else here counts but the time.
    pub inconclusive: bool,
    /// What was seen before the first step.
    pub start: Option<StateKey>,
    /// What was seen after each step, up to and including the first that did not meet its leg.
    pub sightings: Vec<Sighting>,
    /// Device time of a run of all this from a clean start.
    pub took: Micros,
    /// Where the device was put back to a snapshot: how many of the sightings are those of the run that saved it.
    /// None for a run from a clean start.
    pub recalled: Option<u32>,
    /// What was really spent.
    pub effort: Effort,
}

/// What a run took of its device, with everything that led to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Device time.
    pub time: Micros,
    pub steps: u32,
}

impl Followed {
    /// A run from a clean start that saw this.
    ///
    /// # Panics
    /// When there are 2^32 sightings.
    pub fn clean(start: Option<StateKey>, sightings: Vec<Sighting>, took: Micros) -> Self {
        let steps = u32::try_from(sightings.len()).expect("a short run");
        let effort = Effort { time: took, steps };
        Self { inconclusive: false, start, sightings, took, recalled: None, effort }
    }

    /// A run in which the device failed.
    pub fn failed(effort: Effort) -> Self {
        let nothing = Self::clean(None, Vec::new(), effort.time);
        Self { inconclusive: true, effort, ..nothing }
    }
}

impl Leg {
    /// Whether this is what was to be seen.
    pub fn met(&self, seen: &Sighting) -> bool {
        seen.key() == self.expect
    }
}

impl ReplayOrder {
    /// Whether the run begins as it must.
    pub fn begins(&self, start: Option<StateKey>) -> bool {
        begins(self.start, start)
    }
}

impl Sighting {
    /// The state, or that of the crash.
    pub fn key(&self) -> StateKey {
        self.crash.as_ref().map_or(self.state, crash_key)
    }
}

/// Where one of the two did not look, there is nothing to compare.
pub(crate) fn begins(wanted: Option<StateKey>, seen: Option<StateKey>) -> bool {
    wanted.is_none() || seen.is_none() || wanted == seen
}
