//! The graph of what was seen: states, and the events that led from one to another [ECHO, testing trace graph].
//!
//! States and edges are numbered in the order of first view. An edge carries all events between two looks:
//! one, or a whole run where the app was not looked at after every event; its cost is their number. Edges
//! between the same two states with different events are all kept, as alternatives. Events that led back to
//! where they began are self-loops.
//!
//! Events are not stored: an edge knows in which steps of which traces they were seen, and the owner of the
//! traces has them.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use retap_trace::{Event, StateKey};
use xxhash_rust::xxh3::Xxh3;

use crate::stretch::Stretch;

#[cfg(test)]
mod tests;

/// Number of a state in its graph, by first view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphStateId(pub u32);

/// Number of an edge in its graph, by first view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// States and the events between them.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    states: Vec<GraphState>,
    edges: Vec<Edge>,
    by_key: BTreeMap<StateKey, GraphStateId>,
    by_events: BTreeMap<(GraphStateId, GraphStateId, EventsHash), EdgeId>,
}

#[derive(Debug, Clone)]
pub struct GraphState {
    /// What it is recognised by.
    pub key: StateKey,
    /// How many looks showed it.
    pub visits: u64,
    leaving: Vec<EdgeId>,
}

/// Events that led from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub from: GraphStateId,
    pub to: GraphStateId,
    /// Where the events were seen first.
    pub first: Stretch,
    /// Where the events were seen last.
    pub last: Stretch,
    /// How many times they were seen.
    pub times: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    pub states: usize,
    /// Edges between different states.
    pub transitions: usize,
    /// Edges from a state to itself.
    pub self_loops: usize,
    /// Events on all edges, each as often as it was seen.
    pub events: u64,
    /// Events on self-loops, each as often as it was seen: those without visible effect.
    pub idle_events: u64,
}

/// Stands for a list of events, so that equal lists are found without keeping them. In memory only: it is not
/// the same on every platform, and nothing is ordered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EventsHash(u128);

impl Graph {
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a look that showed this state.
    pub fn visit(&mut self, key: StateKey) -> GraphStateId {
        let next = GraphStateId(number(self.states.len()));
        let id = *self.by_key.entry(key).or_insert(next);
        if id == next {
            self.states.push(GraphState { key, visits: 0, leaving: Vec::new() });
        }
        self.states[id.0 as usize].visits += 1;
        id
    }

    /// Notes that these events, which stand at `place`, led from one state to another.
    ///
    /// # Panics
    /// When a state is of another graph, or `place` has not as many steps as there are events.
    pub fn observe_edge<'a>(
        &mut self,
        from: GraphStateId,
        to: GraphStateId,
        place: Stretch,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> EdgeId {
        let (hash, count) = EventsHash::of(events);
        assert_eq!(count, place.count(), "the events of an edge stand at its place");
        assert!((to.0 as usize) < self.states.len(), "{to:?} is not in this graph");
        let next = EdgeId(number(self.edges.len()));
        let id = *self.by_events.entry((from, to, hash)).or_insert(next);
        if id == next {
            self.states[from.0 as usize].leaving.push(id);
            self.edges.push(Edge { from, to, first: place, last: place, times: 0 });
        }
        let edge = &mut self.edges[id.0 as usize];
        edge.first = edge.first.min(place);
        edge.last = edge.last.max(place);
        edge.times += 1;
        id
    }

    /// The state with this key, if it was seen.
    pub fn find(&self, key: StateKey) -> Option<GraphStateId> {
        self.by_key.get(&key).copied()
    }

    /// One state.
    ///
    /// # Panics
    /// When the id is of another graph.
    pub fn state(&self, id: GraphStateId) -> &GraphState {
        &self.states[id.0 as usize]
    }

    /// One edge.
    ///
    /// # Panics
    /// When the id is of another graph.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// All states, in the order of first view.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (GraphStateId, &GraphState)> {
        self.states.iter().enumerate().map(|(index, state)| (GraphStateId(number(index)), state))
    }

    /// All edges, in the order of first view.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(index, edge)| (EdgeId(number(index)), edge))
    }

    pub fn statistics(&self) -> Statistics {
        let mut figures = Statistics { states: self.states.len(), ..Statistics::default() };
        for edge in &self.edges {
            let events = edge.times * u64::from(edge.events());
            figures.events += events;
            if edge.is_self_loop() {
                figures.self_loops += 1;
                figures.idle_events += events;
            } else {
                figures.transitions += 1;
            }
        }
        figures
    }
}

impl GraphState {
    /// The edges that begin here, self-loops included, in the order of first view.
    pub fn leaving(&self) -> &[EdgeId] {
        &self.leaving
    }
}

impl Edge {
    /// How many events it carries; never 0.
    pub fn events(&self) -> u32 {
        self.last.count()
    }

    /// Whether it leads back to where it begins.
    pub fn is_self_loop(&self) -> bool {
        self.from == self.to
    }
}

impl EventsHash {
    /// The hash of these events, and how many they are.
    fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> (Self, u32) {
        let mut hasher = Xxh3::new();
        let mut count = 0;
        for event in events {
            // Xxh3 joins what it is fed; the number keeps two events from reading as one.
            hasher.write_u32(count);
            event.hash(&mut hasher);
            count += 1;
        }
        (Self(hasher.digest128()), count)
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a graph has fewer than 2^32 states and edges")
}
