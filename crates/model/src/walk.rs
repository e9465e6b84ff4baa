//! How a recorded trace walks through the graph.
//!
//! A position is a place between two events: position 0 is before the first step. What was seen at a position
//! is the state before the step that follows or, when nobody looked then, the state after the step that came
//! before. Where the two differ, the app moved on by itself, and the later look counts: the next event was done
//! in that state. So the edges of a trace always hang together.
//!
//! Positions without a look at the wanted level are passed over: the edge between two looks carries all events
//! between them. A crash is a look too: it leads to the state of its signature, and from there no edge leads on.

use retap_trace::{Level, Seen, StateKey, Step};

use crate::graph::{Graph, GraphStateId};
use crate::keys::crash_key;
use crate::stretch::{Stretch, TraceNumber};

#[cfg(test)]
mod tests;

/// Where a trace entered the graph and where it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceSpan {
    /// The state at the first look.
    pub entry: GraphStateId,
    /// The state at the last look; that of the crash when the trace ends with one.
    pub exit: GraphStateId,
    /// The position of the first look: the steps before it are on no edge.
    pub first: usize,
    /// The position of the last look: the steps from there on are on no edge.
    pub end: usize,
}

impl Graph {
    /// Adds what a trace saw at a level. Returns `None` when it never looked that closely.
    pub fn add_trace(&mut self, trace: TraceNumber, steps: &[Step], level: Level) -> Option<TraceSpan> {
        let mut span: Option<TraceSpan> = None;
        let mut since: Option<(GraphStateId, usize)> = None;
        for (position, key, crashed) in sights(steps, level) {
            let state = self.visit(key);
            if let Some((from, start)) = since {
                let events = steps[start..position].iter().map(|step| &step.event);
                self.observe_edge(from, state, Stretch::new(trace, start..position), events);
            }
            since = (!crashed).then_some((state, position));
            let (entry, first) = span.map_or((state, position), |span| (span.entry, span.first));
            span = Some(TraceSpan { entry, exit: state, first, end: position });
        }
        span
    }
}

/// Position and state of every look at this level, in order; crashes apart.
pub fn looks(steps: &[Step], level: Level) -> impl Iterator<Item = (usize, StateKey)> {
    sights(steps, level).filter(|(_, _, crashed)| !crashed).map(|(position, key, _)| (position, key))
}

/// How many looks at the whole screen stand in a trace. The one after the crash that ends it is among them: it was
/// made, though its state is no part of the span.
pub fn count_looks<'a>(steps: impl IntoIterator<Item = &'a Step>) -> usize {
    let whole = |seen: &Option<Seen>| {
        seen.as_ref().is_some_and(|seen| seen.actionable.or(seen.layout).or(seen.full).is_some())
    };
    let (mut looks, mut after) = (0, false);
    for step in steps {
        // What was seen after a step and before the next one is one look.
        looks += usize::from(after || whole(&step.before));
        after = whole(&step.after);
    }
    looks + usize::from(after)
}

/// Position and state of every look, and whether it was a crash. A crash and a look may share a position.
fn sights(steps: &[Step], level: Level) -> impl Iterator<Item = (usize, StateKey, bool)> {
    (0..=steps.len()).flat_map(move |position| {
        let before = position.checked_sub(1).map(|index| &steps[index]);
        let next = steps.get(position);
        let crash = before.and_then(|step| step.crash.as_ref());
        let key = |seen: &Option<Seen>| seen.as_ref().and_then(|seen| seen.key(level));
        // What is on the screen after the crash that ends a trace is no part of it.
        let over = next.is_none() && crash.is_some();
        let state = next
            .and_then(|step| key(&step.before))
            .or_else(|| before.and_then(|step| key(&step.after)))
            .filter(|_| !over);
        let crash = crash.map(|crash| (position, crash_key(&crash.signature), true));
        crash.into_iter().chain(state.map(|key| (position, key, false)))
    })
}
