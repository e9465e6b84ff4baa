//! What every reduction tells, whichever algorithm it follows: where it stands, what it has spent, how it ended.

use crate::rule::Rule;
use crate::{Algorithm, Order, Outcome, Subset, Tally, Ticket};

/// A reduction that can be driven.
pub trait Reducing: Algorithm<Order = Order, Evidence = Ended> {
    /// How it ended, once it has.
    fn ending(&self) -> Option<&ReductionEnding>;

    /// The best trace so far.
    fn best(&self) -> &Subset;

    fn phase(&self) -> Phase;

    fn counts(&self) -> RunCounts;

    /// Runs that are certain to come if everything goes on as it does. A lower bound, for people who wait.
    fn outlook(&self) -> u32;

    /// The rule that is in force, as it is written.
    fn rule(&self) -> String;

    /// The rules for variants of the answer: with simpler values, and without one of its events.
    fn variants(&self) -> (Box<dyn Rule>, Box<dyn Rule>);

    /// How many of so many runs of a claim must reach the target for the rule that was given.
    fn least_confirmed(&self, runs: u32) -> u32;
}

/// How a run ended, and after how many events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Whether it reached its target.
    pub outcome: Outcome,
    /// The events that were performed by then.
    pub events: u32,
}

/// Where a reduction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The whole trace is run, to see whether it reaches the target.
    Check,
    /// Shorter traces are tried.
    Search,
    /// The answer is run afresh.
    Confirm,
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// Runs that gave evidence.
    pub runs: u32,
    /// Runs in which the device failed.
    pub inconclusive: u32,
    pub withdrawn: u32,
    /// Rounds: times that all devices were free when a run was ordered.
    pub rounds: u32,
    /// Candidates that the search settled by runs.
    pub trials: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReductionEnding {
    /// With a trace and what fresh runs of it showed.
    Reduced(ReducedList),
    /// The whole trace does not reach the target, or not often enough.
    Refused {
        /// What its runs showed.
        tally: Tally,
        /// How many of how many would have been enough, where a rate was asked for.
        needed: Option<(u32, u32)>,
    },
}

/// The list that a reduction ends with, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducedList {
    /// The steps that are kept.
    pub subset: Subset,
    /// What the fresh runs showed that are claimed: they helped to choose nothing. Nothing where the claim is left to
    /// the caller that goes on with the answer.
    pub claim: Option<Tally>,
    /// What all other runs of the same steps showed, before them.
    pub before: Tally,
    /// All batches of fresh runs, the claimed one included.
    pub batches: Vec<Batch>,
    /// Answers that were measured by fresh runs and then left for one with other events.
    pub retreats: u32,
    /// Whether the claim falls short of the rule that was given.
    pub below: bool,
}

/// Fresh runs of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub list: Subset,
    pub tally: Tally,
    pub claimed: bool,
    /// Their numbers. A procedure that knows no numbers leaves this to its caller, who gives them.
    pub runs: Vec<Ticket>,
}

impl Batch {
    /// How often one list was left for another that holds events which the first did not.
    pub(crate) fn retreats(batches: &[Self]) -> u32 {
        let left = |pair: &&[Self]| !pair[1].list.minus(&pair[0].list).is_empty();
        u32::try_from(batches.windows(2).filter(left).count()).unwrap_or(u32::MAX)
    }
}

impl ReducedList {
    /// What all runs of these steps have shown.
    pub fn known(&self) -> Tally {
        let claim = self.claim.unwrap_or_default();
        Tally::new(self.before.reached + claim.reached, self.before.missed + claim.missed)
    }
}

/// A run of which only the outcome counts.
impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, events: 0 }
    }
}

impl Ended {
    /// After how many events the target was reached, if it was.
    pub fn reached(self) -> Option<u32> {
        (self.outcome == Outcome::Reached).then_some(self.events)
    }
}
