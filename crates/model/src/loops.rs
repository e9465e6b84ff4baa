//! Loops: stretches of a trace that begin and end in the same state [DetReduce, phase 1].
//!
//! `states[i]` is the state before event `i`, and the last one the state after the last event, so a trace of n
//! events has n + 1 states. A loop `i..j` is a range of events: without them the app should end in the same
//! state. There may be quadratically many loops; they are found on demand, and only one number per state is
//! kept.

use std::collections::BTreeMap;
use std::ops::Range;

use retap_trace::StateKey;

#[cfg(test)]
mod tests;

/// The loops of a sequence of states.
#[derive(Debug, Clone)]
pub struct Loops {
    /// For each position, the next one in the same state.
    next: Vec<Option<usize>>,
    /// For each position, the end of the loop that ends first among those that begin there or later.
    first_end: Vec<Option<usize>>,
}

impl Loops {
    /// Looks at the states of a trace.
    pub fn new(states: &[StateKey]) -> Self {
        let mut ahead = BTreeMap::new();
        let mut next = vec![None; states.len()];
        let mut first_end = vec![None; states.len()];
        let mut soonest = None;
        for (position, state) in states.iter().enumerate().rev() {
            next[position] = ahead.insert(state, position);
            soonest = match (next[position], soonest) {
                (Some(here), Some(later)) => Some(usize::min(here, later)),
                (here, later) => here.or(later),
            };
            first_end[position] = soonest;
        }
        Self { next, first_end }
    }

    /// The shortest loop that begins at a position.
    pub fn nearest(&self, position: usize) -> Option<Range<usize>> {
        let end = (*self.next.get(position)?)?;
        Some(position..end)
    }

    /// The loops that begin at a position, shortest first.
    pub fn beginning_at(&self, position: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.next.get(position).copied().flatten();
        std::iter::successors(first, |&end| self.next[end]).map(move |end| position..end)
    }

    /// All loops, by their begin, then by their end.
    pub fn all(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.next.len()).flat_map(|position| self.beginning_at(position))
    }

    /// The loops with no other loop inside, by their begin. They may overlap, but none contains another.
    pub fn minimal(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.next.len()).filter_map(|position| self.nearest(position)).filter(|found| {
            let inner = self.first_end.get(found.start + 1).copied().flatten();
            inner.is_none_or(|end| end > found.end)
        })
    }
}
