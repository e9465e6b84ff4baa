//! The graph's shortest path as a guess [ECHO, section 3], with what the paper leaves open closed.
//!
//! Events that lead on a shortest way from the first state to the last are tried as one trace. Two screens that
//! look alike can differ inside, so the guess may fail: then the next-shortest ways without loops are tried, then
//! the way with more and more of the events around it, and in the end delta debugging works within what passed.
//!
//! Only ways whose events stand in the order of the trace are of use to a reducer. So the ways are found by one
//! walk along the trace that keeps, for each state, the few shortest ways to it: the graph need not be built.

use std::collections::BTreeMap;

use retap_trace::{Level, StateKey};

use super::{Chain, Ddmin, Material, Proposals, Reducer};
use crate::Subset;

/// How many ways are tried.
const WAYS: usize = 8;

/// ECHO as a search: the shortest ways, then more around them, then delta debugging. None when the trace recorded
/// no states.
pub fn echo(base: &Subset, material: &Material) -> Option<Chain> {
    let ways = ways(base, material.states(Level::Full)?);
    let wider = ways.first().map(|way| widened(base, way)).unwrap_or_default();
    let exact = ways.clone();
    let guesses = ways.into_iter().chain(wider).collect();
    let first = Box::new(Proposals::new("echo", base.clone(), guesses));
    Some(Chain::new("echo", first).then(move |found| {
        if exact.contains(&found) {
            Box::new(Proposals::new("echo", found, Vec::new()))
        } else {
            Box::new(Ddmin::new(found, 2)) as Box<dyn Reducer>
        }
    }))
}

/// The shortest ways through the graph of states as guesses, without the rest of ECHO.
pub fn shortest_ways(base: &Subset, material: &Material) -> Option<Proposals> {
    Some(Proposals::new("echo", base.clone(), ways(base, material.states(Level::Full)?)))
}

/// A way to a state: its length, and its last event in the arena.
#[derive(Clone, Copy)]
struct Way {
    length: u32,
    last: Option<usize>,
}

/// The events on the shortest ways from the first state of the trace to its last event, in the order of the trace,
/// shortest first; of ways of one length, the one with the later events first.
fn ways(base: &Subset, states: &[StateKey]) -> Vec<Subset> {
    let positions: Vec<u32> = base.positions().collect();
    let (Some(&first), Some((&last, others))) = (positions.first(), positions.split_last()) else {
        return Vec::new();
    };
    // (event, the way before it): ways share their beginnings.
    let mut arena: Vec<(u32, Option<usize>)> = Vec::new();
    let mut known: BTreeMap<StateKey, Vec<Way>> = BTreeMap::new();
    let start = states[first as usize];
    known.insert(start, vec![Way { length: 0, last: None }]);
    for &event in others {
        let (before, after) = (states[event as usize], states[event as usize + 1]);
        if before == after {
            continue;
        }
        for way in known.get(&before).cloned().unwrap_or_default() {
            let longer = Way { length: way.length + 1, last: Some(arena.len()) };
            let ways = known.entry(after).or_default();
            let place = ways.partition_point(|other| other.length < longer.length);
            if place < WAYS && after != start && !visits(&arena, way, after, states) {
                arena.push((event, way.last));
                ways.insert(place, longer);
                ways.truncate(WAYS);
            }
        }
    }
    let target = states[last as usize];
    let found = known.get(&target).into_iter().flatten();
    found.map(|way| Subset::from_positions(events(&arena, *way).into_iter().chain([last]))).collect()
}

/// The events of a way, in order.
fn events(arena: &[(u32, Option<usize>)], way: Way) -> Vec<u32> {
    let mut events: Vec<u32> =
        std::iter::successors(way.last, |&at| arena[at].1).map(|at| arena[at].0).collect();
    events.reverse();
    events
}

/// Whether a way comes through a state.
fn visits(arena: &[(u32, Option<usize>)], way: Way, state: StateKey, states: &[StateKey]) -> bool {
    std::iter::successors(way.last, |&at| arena[at].1).any(|at| states[arena[at].0 as usize + 1] == state)
}

/// A way with 1, 2, 4, ... events before each of its own.
fn widened(base: &Subset, way: &Subset) -> Vec<Subset> {
    let positions: Vec<u32> = base.positions().collect();
    let ranks: Vec<usize> =
        way.positions().filter_map(|event| positions.binary_search(&event).ok()).collect();
    let wide = |reach: usize| {
        let mut kept = vec![false; positions.len()];
        for &rank in &ranks {
            kept[rank.saturating_sub(reach)..=rank].fill(true);
        }
        Subset::from_positions(positions.iter().zip(kept).filter(|(_, kept)| *kept).map(|(event, _)| *event))
    };
    std::iter::successors(Some(1), |reach| Some(reach * 2))
        .take_while(|reach| *reach < positions.len())
        .map(wide)
        .collect()
}
