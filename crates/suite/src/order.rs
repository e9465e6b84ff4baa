//! Runs that are wanted, and what came of them.

use std::sync::Arc;

use retap_model::crash_key;
use retap_reduce::Ticket;
use retap_trace::{CoverageId, Micros, Signature, StateKey};

use crate::material::StepRef;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// To find out whether a path is worth confirming. It may begin in a restored snapshot.
    Search,
    /// To confirm a path, or to say what is replayable at all: it must begin clean.
    Confirm,
}

/// One step to perform, and what must be seen after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// The step of the input whose event is performed.
    pub step: StepRef,
    /// The state at the level of the suite; for a crash, the state of its signature (`retap_model::crash_key`).
    pub expect: StateKey,
}

/// A run that is wanted: a fresh start, then these steps. It ends early with the first leg that is not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its number.
    pub ticket: Ticket,
    /// What must be seen before the first step, if the recording looked then.
    pub start: Option<StateKey>,
    /// The steps.
    pub legs: Arc<[Leg]>,
    /// What it is for.
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
    /// The crash that came.
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
    /// Device time.
    pub took: Micros,
}

impl Leg {
    /// Whether this is what was to be seen.
    pub fn met(&self, seen: &Sighting) -> bool {
        seen.key() == self.expect
    }
}

impl Order {
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
