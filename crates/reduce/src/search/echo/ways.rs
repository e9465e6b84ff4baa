//! The shortest ways through the states of a trace, in the order of the trace.
//!
//! Between two looks stands an edge with all events between them: one, or a whole run where the app was not looked at
//! after every event. Its cost is their number. Edges between the same two states are alternatives, and so are the ways
//! over them.
//!
//! Only ways whose events stand in the order of the trace are of use to a reducer. So they are found by one walk along
//! the trace that keeps, for each state, the few shortest ways to it: the graph need not be built.

use std::collections::BTreeMap;
use std::ops::Range;

use retap_trace::StateKey;

use crate::Subset;
use crate::search::material::Look;

/// How many ways are found.
const WAYS: usize = 8;

/// The events on a way from the first state of a trace to its last event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) events: Subset,
    /// Whether it has an edge of several events, of which some may be idle.
    pub(super) has_runs: bool,
}

/// Where an edge begins or ends: in a state, or where nobody looked. The trace begins there when its first look comes
/// late, and ends there, because what its last event led to is what is searched for.
type Place = Option<StateKey>;

/// The events between two looks, by their ranks among those that may be kept.
struct Edge {
    from: Place,
    to: Place,
    events: Range<usize>,
}

/// A way to a place: how many events it has, and its last edge in the arena.
#[derive(Clone, Copy)]
struct Partial {
    length: usize,
    last: Option<usize>,
}

/// (edge, the way before it): ways share their beginnings.
type Arena = Vec<(usize, Option<usize>)>;

/// The shortest ways through these events, shortest first; of ways of one length, the one with the later events first.
pub(super) fn ways(base: &Subset, looks: &[Look]) -> Vec<Way> {
    let positions: Vec<u32> = base.positions().collect();
    let edges = edges(&positions, looks);
    let Some((exit, others)) = edges.split_last() else { return Vec::new() };
    let mut arena = Arena::new();
    let start = edges[0].from;
    let mut known: BTreeMap<Place, Vec<Partial>> = BTreeMap::new();
    known.insert(start, vec![Partial { length: 0, last: None }]);
    for (number, edge) in others.iter().enumerate().filter(|(_, edge)| edge.from != edge.to) {
        for way in known.get(&edge.from).cloned().unwrap_or_default() {
            let longer = Partial { length: way.length + edge.events.len(), last: Some(arena.len()) };
            let ways = known.entry(edge.to).or_default();
            let place = ways.partition_point(|other| other.length < longer.length);
            if place < WAYS && edge.to != start && !visits(&arena, way, edge.to, others) {
                arena.push((number, way.last));
                ways.insert(place, longer);
                ways.truncate(WAYS);
            }
        }
    }
    let whole = |way: &Partial| {
        let mut runs: Vec<&Range<usize>> = back(&arena, *way).map(|edge| &edges[edge].events).collect();
        runs.reverse();
        runs.push(&exit.events);
        let events = runs.iter().flat_map(|run| &positions[(*run).clone()]);
        Way {
            events: Subset::from_positions(events.copied()),
            has_runs: runs.iter().any(|run| run.len() > 1),
        }
    };
    known.get(&exit.from).into_iter().flatten().map(whole).collect()
}

/// The edges of a trace, in order; the last one has its last event. Looks between which no event may be kept have none.
fn edges(positions: &[u32], looks: &[Look]) -> Vec<Edge> {
    let (Some(&first), Some(&last)) = (positions.first(), positions.last()) else { return Vec::new() };
    let begun = looks.partition_point(|look| look.0 <= first);
    let over = looks.partition_point(|look| look.0 <= last);
    let mut edges: Vec<Edge> = Vec::new();
    let (mut from, mut since) = (begun.checked_sub(1).map(|at| looks[at].1), 0);
    let ends = looks[begun..over].iter().map(|&(at, key)| (at, Some(key))).chain([(last + 1, None)]);
    for (at, to) in ends {
        let end = positions.partition_point(|&position| position < at);
        if end > since {
            edges.push(Edge { from, to, events: since..end });
        }
        (from, since) = (to, end);
    }
    edges
}

/// The edges of a way, from its last to its first.
fn back(arena: &Arena, way: Partial) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(way.last, |&at| arena[at].1).map(|at| arena[at].0)
}

/// Whether a way comes through a place.
fn visits(arena: &Arena, way: Partial, place: Place, edges: &[Edge]) -> bool {
    back(arena, way).any(|edge| edges[edge].to == place)
}

#[cfg(test)]
mod tests;
