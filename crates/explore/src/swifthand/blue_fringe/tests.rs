use proptest::prelude::*;

use super::*;
use crate::actions::Deed;
use crate::swifthand::looks::LookId;

const PLENTY: u64 = u64::MAX;

fn click(rank: u32) -> Name {
    Name::On(rank, Deed::Click)
}

/// A tree of ways: the look of the start, then actions and what came of them.
fn tree(ways: &[(u32, &[(u32, u32)])]) -> PrefixTree {
    let mut tree = PrefixTree::new(10_000);
    for (start, steps) in ways {
        let mut at = tree.root(LookId(*start)).unwrap();
        for &(rank, look) in *steps {
            at = tree.child(at, click(rank), LookId(look)).unwrap();
        }
    }
    tree
}

/// The looks of the states, in the order of their making.
fn looks(model: &Model) -> Vec<u32> {
    (0..model.len()).map(|state| model.state(StateId(u32::try_from(state).unwrap())).look.0).collect()
}

#[test]
fn what_looks_and_acts_alike_is_merged() {
    // A light that is switched on and off.
    let (model, _) = learn(&tree(&[(1, &[(0, 2), (0, 1), (0, 2), (0, 1)])]), PLENTY);
    assert_eq!(looks(&model), [0, 1, 2]);
    let on = model.state(StateId(1)).edges.get(click(0), LookId(2));
    assert_eq!(on, Some(StateId(2)));
    assert_eq!(model.state(StateId(2)).edges.get(click(0), LookId(1)), Some(StateId(1)));
}

#[test]
fn what_acts_otherwise_is_told_apart() {
    // Every fourth click opens another screen.
    let way: &[(u32, u32)] = &[(0, 1), (0, 1), (0, 2), (0, 1), (0, 1), (0, 1), (0, 2)];
    let (model, _) = learn(&tree(&[(1, way)]), PLENTY);
    assert_eq!(looks(&model), [0, 1, 1, 1, 2]);
    let mut at = StateId(1);
    for look in [1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2] {
        let outcomes = model.state(at).edges.of(click(0));
        assert_eq!(outcomes.iter().map(|edge| edge.look.0).collect::<Vec<_>>(), [look]);
        at = outcomes[0].to;
    }
}

#[test]
fn failing_tells_states_apart_too() {
    let ways: [(u32, &[(u32, u32)]); 2] = [(1, &[(0, 1), (1, 0)]), (1, &[(1, 2)])];
    let (model, _) = learn(&tree(&ways), PLENTY);
    assert_eq!(looks(&model), [0, 1, 1, 2]);
    assert_eq!(model.state(StateId(2)).edges.get(click(1), LookId::FAILURE), Some(StateId::FAILURE));
}

#[test]
fn the_same_way_with_two_ends_stays_open() {
    let ways: [(u32, &[(u32, u32)]); 2] = [(1, &[(0, 1)]), (1, &[(0, 2)])];
    let (model, _) = learn(&tree(&ways), PLENTY);
    assert_eq!(looks(&model), [0, 1, 2]);
    assert_eq!(model.state(StateId(1)).edges.of(click(0)).len(), 2);
}

#[test]
fn the_pair_that_matches_best_is_merged() {
    // Two states look like 5; what follows the last one is what follows the second, as far as it was gone.
    let ways: [(u32, &[(u32, u32)]); 3] = [
        (1, &[(0, 5), (0, 7), (0, 8)]),
        (1, &[(1, 5), (0, 6), (0, 7), (1, 9)]),
        (1, &[(2, 5), (0, 6), (0, 7)]),
    ];
    let (model, _) = learn(&tree(&ways), PLENTY);
    let start = &model.state(StateId(1)).edges;
    let led = |rank| start.get(click(rank), LookId(5)).unwrap();
    assert_ne!(led(0), led(1));
    assert_eq!(led(2), led(1));
}

#[test]
fn without_budget_there_is_one_state_for_each_look() {
    let way: &[(u32, u32)] = &[(0, 1), (0, 1), (0, 2), (0, 1), (0, 1), (0, 1), (0, 2)];
    let (model, _) = learn(&tree(&[(1, way)]), 0);
    assert_eq!(looks(&model), [0, 1, 2]);
}

/// Ways through an automaton whose states may look alike: (moves, looks, actions taken on each way).
fn automaton() -> impl Strategy<Value = (Vec<[usize; 3]>, Vec<u32>, Vec<Vec<usize>>)> {
    (1..8_usize).prop_flat_map(|states| {
        let moves = prop::collection::vec([0..states, 0..states, 0..states], states);
        let looks = prop::collection::vec(0..4_u32, states);
        let ways = prop::collection::vec(prop::collection::vec(0..3_usize, 0..12), 1..20);
        (moves, looks, ways)
    })
}

/// The tree of the ways. A state other than the first that looks like 0 is failure, from which nothing goes on.
fn walk(moves: &[[usize; 3]], looks: &[u32], ways: &[Vec<usize>]) -> PrefixTree {
    let look = |state: usize| LookId(if state == 0 { looks[0] + 1 } else { looks[state] });
    let mut tree = PrefixTree::new(10_000);
    for way in ways {
        let (mut state, mut at) = (0, tree.root(look(0)).unwrap());
        for &action in way {
            state = moves[state][action];
            at = tree.child(at, click(u32::try_from(action).unwrap()), look(state)).unwrap();
            if at == TreeId::FAILURE {
                break;
            }
        }
    }
    tree
}

/// Every way of the tree is a way of the model, through states that look as the tree says.
fn assert_explains(tree: &PrefixTree, model: &Model, state_of: &[StateId]) -> Result<(), TestCaseError> {
    for (node, &state) in tree.nodes().iter().zip(state_of) {
        prop_assert_eq!(node.look, model.state(state).look);
        for edge in node.edges.iter() {
            let led = model.state(state).edges.get(edge.name, edge.look);
            prop_assert_eq!(led, Some(state_of[edge.to.index()]));
        }
    }
    Ok(())
}

fn is_deterministic(model: &Model) -> bool {
    let states = (0..model.len()).map(|state| model.state(StateId(u32::try_from(state).unwrap())));
    states.into_iter().all(|state| state.edges.by_action().all(|outcomes| outcomes.len() == 1))
}

proptest! {
    #[test]
    fn a_model_of_an_automaton_explains_it_without_guessing((moves, looks, ways) in automaton()) {
        let tree = walk(&moves, &looks, &ways);
        let (model, state_of) = learn(&tree, PLENTY);
        assert_explains(&tree, &model, &state_of)?;
        prop_assert!(is_deterministic(&model), "{:?}", model);
        prop_assert!(model.len() <= tree.len());
    }

    #[test]
    fn states_that_look_different_are_learned_exactly((moves, _, ways) in automaton()) {
        let looks: Vec<_> = (1..).step_by(2).take(moves.len()).collect();
        let tree = walk(&moves, &looks, &ways);
        let (model, _) = learn(&tree, PLENTY);
        let mut visited: Vec<_> = tree.nodes().iter().map(|node| node.look).collect();
        visited.sort_unstable();
        visited.dedup();
        prop_assert_eq!(model.len(), visited.len());
    }

    #[test]
    fn a_model_explains_what_varies_too(
        ways in prop::collection::vec((1..3_u32, prop::collection::vec((0..3_u32, 0..4_u32), 0..12)), 1..20),
        budget in prop_oneof![Just(PLENTY), 0..50_u64],
    ) {
        let mut tree = PrefixTree::new(10_000);
        for (start, steps) in &ways {
            let mut at = tree.root(LookId(*start)).unwrap();
            for &(rank, look) in steps {
                at = tree.child(at, click(rank), LookId(look)).unwrap();
                if look == 0 {
                    break;
                }
            }
        }
        let (model, state_of) = learn(&tree, budget);
        assert_explains(&tree, &model, &state_of)?;
    }
}
