//! Anything that wants runs and learns from them.

use crate::{Goal, Subset};

/// Number of a run. Runs are numbered in the order they are ordered, so the same results give the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A run that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub ticket: Ticket,
    /// The steps to perform.
    pub subset: Subset,
    pub goal: Goal,
    /// Why, in words.
    pub label: String,
    /// Whether it measures a rate. Where such a run went is written down, to see where runs part.
    pub measures: bool,
}

/// A step machine that wants runs: it gives orders while devices are free, and is told how each run ended.
/// What it does is a function of the sequence of results it is told.
pub trait Algorithm {
    type Order;
    /// What it learns of a run.
    type Evidence: ?Sized;

    /// The next run for a free device; `None` when there is nothing to do until a run ends.
    fn order(&mut self) -> Option<Self::Order>;

    /// Takes what came of a run that was ordered, once. Of one that was withdrawn, takes no notice.
    fn settle(&mut self, ticket: Ticket, evidence: &Self::Evidence);

    /// The runs that have become useless; they are forgotten here and should be stopped there. Asked after each run that
    /// is settled.
    fn withdraw(&mut self) -> Vec<Ticket>;

    /// Whether it wants nothing more.
    fn over(&self) -> bool;
}
