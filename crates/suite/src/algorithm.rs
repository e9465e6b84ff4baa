//! What the two algorithms have in common: they are asked for a batch of runs, told how it went, and asked again.

use retap_trace::Micros;

use crate::evidence::{Evidence, Noted};
use crate::input::{SuiteInput, TransitionId};
use crate::order::Purpose;
use crate::settings::SuiteSettings;

/// What an algorithm may look at.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) input: &'a SuiteInput,
    pub(crate) settings: &'a SuiteSettings,
    pub(crate) evidence: &'a Evidence,
}

/// A run that an algorithm wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) path: Vec<TransitionId>,
    pub(crate) purpose: Purpose,
    pub(crate) label: String,
}

/// A run that an algorithm wanted, and how it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finished {
    pub(crate) request: Request,
    pub(crate) noted: Noted,
}

/// How good a choice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimum {
    /// The device time of the choice.
    pub cost: Micros,
    /// No choice among the traces that were confirmed takes less.
    pub bound: Micros,
}

/// Where the work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuitePhase {
    /// Finding out how far the traces of the input can be replayed.
    Replayable,
    /// Leaving loops out.
    Loops,
    /// Putting fragments together.
    Splice,
    /// Trying what was planned.
    Search,
    /// Running the traces that are kept afresh.
    Confirm,
    Over,
}

/// A bound that kept the search from being complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// The forms of a trace without loops were too many to look at all.
    Loops,
    /// The ways to put fragments together were too many to look at all.
    Splices,
    /// The plans or the device time for improvements were used up.
    Search,
    /// A trace could not be made longer.
    Longest,
    /// The choice of traces was not proven to be the cheapest.
    Cover,
}

impl std::fmt::Display for SuitePhase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Replayable => "making the input replayable",
            Self::Loops => "leaving loops out",
            Self::Splice => "putting fragments together",
            Self::Search => "trying what was planned",
            Self::Confirm => "confirming",
            Self::Over => "over",
        })
    }
}
