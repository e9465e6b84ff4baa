use retap_trace::Key;

use super::*;
use crate::stretch::TraceNumber;

fn place(trace: u32, step: usize) -> Stretch {
    Stretch::new(TraceNumber(trace), step..step + 1)
}

#[test]
fn states_are_numbered_by_first_sight() {
    let mut graph = Graph::new();
    let keys = [30, 10, 30, 20, 10, 30].map(StateKey);
    let ids = keys.map(|key| graph.visit(key));
    assert_eq!(ids.map(|id| id.0), [0, 1, 0, 2, 1, 0]);
    let visits: Vec<_> = graph.states().map(|(id, state)| (id.0, state.key.0, state.visits)).collect();
    assert_eq!(visits, [(0, 30, 3), (1, 10, 2), (2, 20, 1)]);
    assert_eq!(graph.find(StateKey(20)), Some(GraphStateId(2)));
    assert_eq!(graph.find(StateKey(40)), None);
    assert_eq!(graph.state(GraphStateId(1)).key, StateKey(10));
}

#[test]
fn equal_events_are_one_edge_and_others_lie_beside_it() {
    let mut graph = Graph::new();
    let (a, b) = (graph.visit(StateKey(1)), graph.visit(StateKey(2)));
    let (tap, back) = (Event::tap(5, 5), Event::key(Key::BACK));
    let first = graph.observe_edge(a, b, place(0, 3), [&tap]);
    let other = graph.observe_edge(a, b, place(0, 7), [&back]);
    let again = graph.observe_edge(a, b, place(1, 0), [&tap]);
    assert_eq!(first, again);
    assert_ne!(first, other);
    let edge = graph.edge(first);
    assert_eq!((edge.first, edge.last, edge.times), (place(0, 3), place(1, 0), 2));
    assert_eq!(graph.state(a).leaving(), [first, other]);
    assert!(graph.state(b).leaving().is_empty());
}

#[test]
fn direction_and_number_of_events_tell_edges_apart() {
    let mut graph = Graph::new();
    let (a, b) = (graph.visit(StateKey(1)), graph.visit(StateKey(2)));
    let tap = Event::tap(5, 5);
    let run = Stretch::new(TraceNumber(0), 0..2);
    let edges = [
        graph.observe_edge(a, b, place(0, 0), [&tap]),
        graph.observe_edge(b, a, place(0, 1), [&tap]),
        graph.observe_edge(a, b, run, [&tap, &tap]),
        graph.observe_edge(a, a, place(0, 2), [&tap]),
    ];
    assert_eq!(edges.map(|edge| edge.0), [0, 1, 2, 3]);
    assert_eq!(graph.edge(edges[2]).events(), 2);
    assert!(graph.edge(edges[3]).is_self_loop());
}

#[test]
fn figures_count_events_as_often_as_they_were_seen() {
    let mut graph = Graph::new();
    let (a, b) = (graph.visit(StateKey(1)), graph.visit(StateKey(2)));
    let tap = Event::tap(5, 5);
    graph.observe_edge(a, b, Stretch::new(TraceNumber(0), 0..3), [&tap, &tap, &tap]);
    graph.observe_edge(b, b, place(0, 3), [&tap]);
    graph.observe_edge(b, b, place(0, 4), [&tap]);
    let expected = Statistics { states: 2, transitions: 1, self_loops: 1, events: 5, idle_events: 2 };
    assert_eq!(graph.statistics(), expected);
    assert_eq!(Graph::new().statistics(), Statistics::default());
}

#[test]
#[should_panic(expected = "the events of an edge stand at its place")]
fn an_edge_needs_a_step_for_each_event() {
    let mut graph = Graph::new();
    let a = graph.visit(StateKey(1));
    graph.observe_edge(a, a, place(0, 0), [&Event::tap(1, 1), &Event::tap(2, 2)]);
}
