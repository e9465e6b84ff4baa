use proptest::prelude::*;
use retap_trace::{Event, Level, Seen, StateKey, Step};

use super::*;
use crate::stretch::{Stretch, TraceNumber};

/// A graph with an edge for each (from, to, number of events), seen one after the other.
fn graph(states: u32, edges: &[(u32, u32, usize)]) -> Graph {
    let mut graph = Graph::new();
    for state in 0..states {
        graph.visit(StateKey(state.into()));
    }
    let mut step = 0;
    for (number, &(from, to, events)) in edges.iter().enumerate() {
        let run = vec![Event::tap(i32::try_from(number).unwrap(), 0); events];
        let place = Stretch::new(TraceNumber(0), step..step + events);
        graph.observe_edge(GraphStateId(from), GraphStateId(to), place, &run);
        step += events;
    }
    graph
}

/// The paths found. No graph here has a thousand: a search that repeats itself fails, and does not hang.
fn found(graph: &Graph, from: u32, to: u32) -> Vec<(u64, Vec<u32>)> {
    let paths = GraphPaths::new(graph, GraphStateId(from), GraphStateId(to));
    paths.take(1_000).map(|path| (path.cost, path.edges.iter().map(|edge| edge.0).collect())).collect()
}

/// Every loopless path, sorted as the module says.
fn brute_force(graph: &Graph, from: u32, to: u32) -> Vec<(u64, Vec<u32>)> {
    let mut all = Vec::new();
    let mut partial = vec![(GraphStateId(from), vec![GraphStateId(from)], Vec::new())];
    while let Some((here, been, edges)) = partial.pop() {
        if here == GraphStateId(to) {
            all.push(edges);
            continue;
        }
        for &id in graph.state(here).leaving() {
            let next = graph.edge(id).to;
            if !been.contains(&next) {
                let grown = |list: &Vec<_>| list.iter().copied().chain([next]).collect::<Vec<_>>();
                partial.push((next, grown(&been), edges.iter().copied().chain([id]).collect()));
            }
        }
    }
    let cost = |edges: &Vec<EdgeId>| edges.iter().map(|&id| u64::from(graph.edge(id).events())).sum::<u64>();
    let later =
        |edges: &Vec<EdgeId>| edges.iter().map(|&id| Reverse(graph.edge(id).last)).collect::<Vec<_>>();
    all.sort_by_key(|edges| (cost(edges), later(edges)));
    all.into_iter().map(|edges| (cost(&edges), edges.iter().map(|edge| edge.0).collect())).collect()
}

#[test]
fn the_later_of_two_equal_ways_comes_first() {
    let diamond = graph(4, &[(0, 1, 1), (1, 3, 1), (0, 2, 1), (2, 3, 1)]);
    assert_eq!(found(&diamond, 0, 3), [(2, vec![2, 3]), (2, vec![0, 1])]);
}

#[test]
fn parallel_edges_are_alternatives() {
    let parallel = graph(2, &[(0, 1, 1), (0, 1, 2), (0, 0, 1), (0, 1, 1)]);
    assert_eq!(found(&parallel, 0, 1), [(1, vec![3]), (1, vec![0]), (2, vec![1])]);
}

#[test]
fn a_run_of_events_costs_their_number() {
    let windowed = graph(3, &[(0, 2, 5), (0, 1, 2), (1, 2, 2)]);
    assert_eq!(found(&windowed, 0, 2), [(4, vec![1, 2]), (5, vec![0])]);
}

#[test]
fn the_only_way_to_stay_is_to_do_nothing() {
    let ring = graph(2, &[(0, 1, 1), (1, 0, 1), (0, 0, 1)]);
    assert_eq!(found(&ring, 0, 0), [(0, vec![])]);
}

#[test]
fn there_may_be_no_way() {
    assert_eq!(found(&graph(3, &[(0, 1, 1), (2, 1, 1)]), 0, 2), []);
}

#[test]
fn costs_can_be_chosen_and_are_never_nothing() {
    let two = graph(3, &[(0, 2, 1), (0, 1, 1), (1, 2, 1)]);
    let dear = GraphPaths::weighted(&two, GraphStateId(0), GraphStateId(2), |edge| {
        if edge.from == GraphStateId(0) { 0 } else { 7 }
    });
    assert_eq!(dear.map(|path| path.cost).collect::<Vec<_>>(), [1, 8]);
}

#[test]
fn a_large_ladder_gives_a_few_paths_without_all_of_them() {
    let rungs: Vec<_> = (0..200).flat_map(|at| [(at, at + 1, 1), (at, at + 1, 1), (at, at, 1)]).collect();
    let ladder = graph(201, &rungs);
    let paths: Vec<_> = GraphPaths::new(&ladder, GraphStateId(0), GraphStateId(200)).take(5).collect();
    assert!(paths.iter().all(|path| path.cost == 200));
    assert_eq!(paths.len(), 5);
}

/// The example of the paper: 162 events, of which the first two and the last two are enough.
#[test]
fn a_long_trace_comes_down_to_its_shortest_path() {
    let mut names = vec!["first", "menu"];
    names.extend((2..160).map(|event| ["item", "help", "list", "list"][event % 4]));
    names.extend(["list", "editor", "error"]);
    let steps: Vec<Step> = (0..names.len() - 1)
        .map(|event| Step {
            before: Some(Seen::activity(names[event])),
            after: Some(Seen::activity(names[event + 1])),
            ..Step::new(Event::tap(i32::try_from(event).unwrap(), 0))
        })
        .collect();
    assert_eq!(steps.len(), 162);
    let mut graph = Graph::new();
    let walk = graph.add_trace(TraceNumber(0), &steps, Level::Activity).unwrap();
    let shortest = GraphPaths::new(&graph, walk.entry, walk.exit).next().unwrap();
    let events: Vec<_> = shortest.edges.iter().map(|&edge| graph.edge(edge).last.steps().start).collect();
    assert_eq!(events, [0, 1, 160, 161]);
}

prop_compose! {
    fn multigraph()(states in 2_u32..7)(
        states in Just(states),
        edges in prop::collection::vec((0..states, 0..states, 1_usize..4), 0..14),
    ) -> Graph {
        graph(states, &edges)
    }
}

proptest! {
    #[test]
    fn paths_are_all_loopless_paths_in_order(graph in multigraph()) {
        prop_assert_eq!(found(&graph, 0, 1), brute_force(&graph, 0, 1));
    }
}
