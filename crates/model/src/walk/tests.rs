use retap_trace::{Crash, CrashKind, Event, Signature};

use super::*;
use crate::paths::GraphPaths;

const TRACE: TraceNumber = TraceNumber(4);

/// One step per item: what was seen before and after (an empty word: nobody looked), and a crash.
fn steps(items: &[(&str, &str, Option<&str>)]) -> Vec<Step> {
    let look = |name: &str| (!name.is_empty()).then(|| Seen::activity(name));
    let step = |(position, &(before, after, crash)): (usize, &(&str, &str, Option<&str>))| {
        let mut step = Step::new(Event::tap(i32::try_from(position).unwrap(), 0));
        (step.before, step.after) = (look(before), look(after));
        step.crash = crash.map(|name| Crash {
            kind: CrashKind::Java,
            signature: signature(name),
            exception: name.to_owned(),
            message: String::new(),
            root_cause: None,
            frames: Vec::new(),
        });
        step
    };
    items.iter().enumerate().map(step).collect()
}

fn signature(name: &str) -> Signature {
    Signature(name.into())
}

/// From, to and steps of every edge.
fn edges(graph: &Graph) -> Vec<(String, String, std::ops::Range<usize>)> {
    let name = |id| {
        let key = graph.state(id).key;
        let activities = ["A", "B", "C", "D"].map(|name| (name, StateKey::of_activity(name)));
        let crash = ("Npe", crash_key(&signature("Npe")));
        activities.into_iter().chain([crash]).find(|&(_, known)| known == key).unwrap().0.to_owned()
    };
    graph.edges().map(|(_, edge)| (name(edge.from), name(edge.to), edge.last.steps())).collect()
}

fn walk(items: &[(&str, &str, Option<&str>)]) -> (Graph, Option<TraceSpan>) {
    let mut graph = Graph::new();
    let walk = graph.add_trace(TRACE, &steps(items), Level::Activity);
    (graph, walk)
}

fn edge(from: &str, to: &str, steps: std::ops::Range<usize>) -> (String, String, std::ops::Range<usize>) {
    (from.to_owned(), to.to_owned(), steps)
}

#[test]
fn every_step_between_two_looks_is_an_edge() {
    let (graph, walk) = walk(&[("A", "B", None), ("B", "B", None), ("B", "A", None), ("A", "C", None)]);
    assert_eq!(
        edges(&graph),
        [edge("A", "B", 0..1), edge("B", "B", 1..2), edge("B", "A", 2..3), edge("A", "C", 3..4)]
    );
    let walk = walk.unwrap();
    assert_eq!((walk.entry, walk.exit, walk.first, walk.end), (GraphStateId(0), GraphStateId(2), 0, 4));
    assert_eq!(graph.state(walk.entry).visits, 2);
    assert!(graph.edges().all(|(_, edge)| edge.last.trace == TRACE));
}

#[test]
fn an_edge_carries_all_events_between_two_looks() {
    let (graph, walk) =
        walk(&[("A", "", None), ("", "", None), ("", "B", None), ("", "", None), ("C", "", None)]);
    assert_eq!(edges(&graph), [edge("A", "B", 0..3), edge("B", "C", 3..4)]);
    assert_eq!(walk.unwrap().end, 4);
}

#[test]
fn looks_before_or_after_alone_are_enough() {
    let (before, _) = walk(&[("A", "", None), ("B", "", None), ("C", "D", None)]);
    let (after, walk) = walk(&[("", "A", None), ("", "B", None), ("", "C", None)]);
    assert_eq!(edges(&before), [edge("A", "B", 0..1), edge("B", "C", 1..2), edge("C", "D", 2..3)]);
    assert_eq!(edges(&after), [edge("A", "B", 1..2), edge("B", "C", 2..3)]);
    assert_eq!(walk.unwrap().first, 1);
}

#[test]
fn the_later_look_counts_when_the_app_moved_on_by_itself() {
    let (graph, _) = walk(&[("A", "B", None), ("C", "D", None)]);
    assert_eq!(edges(&graph), [edge("A", "C", 0..1), edge("C", "D", 1..2)]);
}

#[test]
fn a_crash_ends_the_walk_in_the_state_of_its_signature() {
    let (graph, walk) = walk(&[("A", "B", None), ("B", "D", Some("Npe"))]);
    assert_eq!(edges(&graph), [edge("A", "B", 0..1), edge("B", "Npe", 1..2)]);
    assert_eq!(graph.find(crash_key(&signature("Npe"))), Some(walk.unwrap().exit));
    assert_eq!(graph.find(StateKey::of_activity("D")), None);
}

#[test]
fn a_crash_on_the_way_is_a_dead_end() {
    let (graph, walk) = walk(&[("A", "", None), ("", "D", Some("Npe")), ("", "A", None), ("A", "B", None)]);
    assert_eq!(edges(&graph), [edge("A", "Npe", 0..2), edge("D", "A", 2..3), edge("A", "B", 3..4)]);
    assert_eq!(graph.state(walk.unwrap().exit).key, StateKey::of_activity("B"));
}

#[test]
fn looks_that_were_not_fine_enough_are_passed_over() {
    let mut trace = steps(&[("A", "A", None), ("A", "B", None)]);
    let mut graph = Graph::new();
    assert_eq!(graph.add_trace(TRACE, &trace, Level::Layout), None);
    assert_eq!(graph.statistics().states, 0);
    trace[0].before.as_mut().unwrap().layout = Some(StateKey(7));
    trace[1].after.as_mut().unwrap().layout = Some(StateKey(8));
    let walk = graph.add_trace(TRACE, &trace, Level::Layout).unwrap();
    let (_, edge) = graph.edges().next().unwrap();
    assert_eq!((edge.from, edge.to, edge.events()), (walk.entry, walk.exit, 2));
}

#[test]
fn a_trace_without_steps_walks_nowhere() {
    assert_eq!(walk(&[]).1, None);
}

#[test]
fn the_cheaper_way_between_rare_looks_has_fewer_events() {
    // From A to D by one run of four events, or by way of B with a run of two and a single event.
    let (graph, walk) = walk(&[
        ("A", "", None),
        ("", "", None),
        ("", "", None),
        ("", "D", None),
        ("D", "A", None),
        ("A", "", None),
        ("", "B", None),
        ("B", "D", None),
        ("D", "", Some("Npe")),
    ]);
    let walk = walk.unwrap();
    let mut paths = GraphPaths::new(&graph, walk.entry, walk.exit);
    let mut next = || {
        let path = paths.next().unwrap();
        let steps: Vec<_> = path.edges.iter().map(|&edge| graph.edge(edge).last.steps()).collect();
        (path.cost, steps)
    };
    assert_eq!(next(), (4, vec![5..7, 7..8, 8..9]));
    assert_eq!(next(), (5, vec![0..4, 8..9]));
}

#[test]
fn looks_are_counted_where_the_whole_screen_was_seen() {
    let mut trace = steps(&[("A", "A", None), ("A", "B", None), ("B", "B", None), ("B", "D", Some("Npe"))]);
    assert_eq!(count_looks(&trace), 0, "a look at the activity is none at the whole screen");
    trace[0].before.as_mut().unwrap().full = Some(StateKey(1));
    trace[1].after.as_mut().unwrap().full = Some(StateKey(2));
    trace[2].before.as_mut().unwrap().full = Some(StateKey(2));
    assert_eq!(count_looks(&trace), 2, "after a step and before the next one is one look");
    trace[3].after.as_mut().unwrap().layout = Some(StateKey(3));
    assert_eq!(count_looks(&trace), 3, "the look after the crash was made, too");
    let positions: Vec<_> = looks(&trace, Level::Full).collect();
    assert_eq!(positions, [(0, StateKey(1)), (2, StateKey(2))]);
    assert_eq!(count_looks(&[]), 0);
}
