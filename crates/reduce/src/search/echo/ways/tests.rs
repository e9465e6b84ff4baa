use proptest::prelude::*;

use super::*;

/// Looks at these positions of a trace: states by number.
fn looks(seen: &[(u32, u64)]) -> Vec<Look> {
    seen.iter().map(|&(position, state)| (position, StateKey(state))).collect()
}

/// The events of all ways, and whether each has runs.
fn found(events: u32, seen: &[(u32, u64)]) -> Vec<(Vec<u32>, bool)> {
    let way = |way: Way| (way.events.positions().collect(), way.has_runs);
    ways(&Subset::all(events), &looks(seen)).into_iter().map(way).collect()
}

#[test]
fn the_cheaper_way_is_the_one_with_fewer_events() {
    // From 1 to 3 by one run of four events, or by two edges of one event each.
    let seen = [(0, 1), (4, 3), (5, 1), (6, 2), (7, 3)];
    assert_eq!(found(8, &seen), [(vec![5, 6, 7], false), (vec![0, 1, 2, 3, 7], true)]);
}

#[test]
fn parallel_edges_are_alternatives_and_the_later_one_comes_first() {
    let seen = [(0, 1), (1, 2), (2, 1), (3, 2), (4, 1), (6, 2)];
    assert_eq!(found(7, &seen), [(vec![2, 6], false), (vec![0, 6], false), (vec![4, 5, 6], true)]);
}

#[test]
fn what_comes_before_the_first_look_is_on_every_way() {
    assert_eq!(found(7, &[(2, 1), (4, 1), (6, 2)]), [(vec![0, 1, 4, 5, 6], true)]);
}

#[test]
fn the_last_run_ends_with_the_last_event() {
    assert_eq!(found(6, &[(0, 1), (1, 2), (3, 1), (6, 9)]), [(vec![3, 4, 5], true)]);
}

#[test]
fn events_that_may_not_be_kept_are_on_no_way() {
    let ways = ways(&Subset::from_positions([0, 3, 4, 6]), &looks(&[(0, 1), (1, 2), (3, 2), (6, 3)]));
    assert_eq!(ways, [Way { events: Subset::from_positions([0, 3, 4, 6]), has_runs: true }]);
    assert_eq!(found(0, &[(0, 1), (1, 1)]), []);
}

/// Whether these events are a way: whole edges, each going on where the one before ended, no state twice.
fn is_way(chosen: &[&Edge], exit: &Edge, start: Place) -> bool {
    let mut been = vec![start];
    for edge in chosen {
        if been.last() != Some(&edge.from) || been.contains(&edge.to) {
            return false;
        }
        been.push(edge.to);
    }
    been.last() == Some(&exit.from)
}

proptest! {
    /// The ways are the shortest of all there are. A few states and up to a dozen edges, so that all can be tried.
    #[test]
    fn the_shortest_ways_are_found(runs in prop::collection::vec((0_u64..5, 1_u32..4), 2..12)) {
        let mut at = 0;
        let seen: Vec<(u32, u64)> = runs.iter().map(|&(state, events)| {
            at += events;
            (at - events, state)
        }).collect();
        let positions: Vec<u32> = (0..at).collect();
        let edges = edges(&positions, &looks(&seen));
        let (exit, others) = edges.split_last().expect("there are events");
        let mut all: Vec<usize> = (0_u32..1 << others.len())
            .map(|choice| {
                let chosen = others.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1);
                chosen.map(|(_, edge)| edge).collect::<Vec<&Edge>>()
            })
            .filter(|chosen| is_way(chosen, exit, edges[0].from))
            .map(|chosen| chosen.iter().map(|edge| edge.events.len()).sum::<usize>() + exit.events.len())
            .collect();
        all.sort_unstable();
        let found: Vec<usize> = found(at, &seen).iter().map(|(events, _)| events.len()).collect();
        prop_assert_eq!(found.first(), all.first());
        prop_assert!(found.is_sorted());
        prop_assert!(found.len() <= WAYS && found.len() <= all.len());
    }
}
