use proptest::prelude::*;

use super::*;

fn tree(states: &str) -> Hierarchy {
    Hierarchy::new(&states.bytes().map(|state| StateKey(state.into())).collect::<Vec<_>>())
}

fn parents(tree: &Hierarchy) -> Vec<Option<usize>> {
    (0..tree.len()).map(|node| tree.parent(node)).collect()
}

/// Figure 1 of the paper; its event numbers are one more than ours.
#[test]
fn the_figure_of_the_paper() {
    let tree = tree(&format!("MMLLLLMDDDDDDDDDMMPPMMIi{}", "i".repeat(12)));
    assert_eq!(tree.len(), 36);
    let paper = |nodes: Vec<usize>| nodes.into_iter().map(|node| node + 1).collect::<Vec<_>>();
    let children = |node: usize| paper(tree.children(node - 1).collect());
    assert_eq!(children(1), [2, 7, 17, 18, 21, 22]);
    assert_eq!(children(22), [23]);
    assert_eq!(children(23), (24..=36).collect::<Vec<_>>());
    assert_eq!([2, 7, 17, 18, 21, 22].map(|node: usize| tree.size(node - 1)), [5, 10, 1, 3, 1, 15]);
    assert_eq!(tree.subtree(21), 21..36);
    assert_eq!((tree.level_of_last(), tree.deepest_level()), (3, 3));
}

#[test]
fn small_trees() {
    assert!(tree("").is_empty());
    assert_eq!(tree("").level_of_last(), 0);
    assert_eq!(parents(&tree("A")), [None]);
    // The root is never compared: the second event is its child although the state is the same.
    assert_eq!(parents(&tree("AAA")), [None, Some(0), Some(0)]);
    assert_eq!(parents(&tree("ABAB")), [None, Some(0), Some(1), Some(0)]);
    // Back to a state further up: what lies between is left behind, and may come again below.
    let back = tree("ABCDBD");
    assert_eq!(parents(&back), [None, Some(0), Some(1), Some(2), Some(0), Some(4)]);
    assert_eq!((back.level_of_last(), back.deepest_level()), (2, 3));
}

#[test]
fn long_ways_of_distinct_states_take_no_quadratic_time() {
    let states: Vec<_> = (0..300_000).map(StateKey).collect();
    let tree = Hierarchy::new(&states);
    assert_eq!(tree.level_of_last(), 299_999);
    assert_eq!(tree.size(1), 299_999);
}

/// The rule as the paper words it, walking up node by node.
fn walked(states: &[StateKey]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = Vec::new();
    for (event, state) in states.iter().enumerate() {
        let mut above = event.checked_sub(1);
        while let Some(node) = above.filter(|&node| node > 0 && states[node] != *state) {
            above = parents[node];
        }
        parents.push(above.and_then(|node| if node == 0 { Some(event - 1) } else { parents[node] }));
    }
    parents
}

proptest! {
    #[test]
    fn is_what_walking_up_gives(states in prop::collection::vec((0_u64..6).prop_map(StateKey), 0..60)) {
        prop_assert_eq!(parents(&Hierarchy::new(&states)), walked(&states));
    }

    #[test]
    fn the_laws_hold(states in prop::collection::vec((0_u64..6).prop_map(StateKey), 1..60)) {
        let tree = Hierarchy::new(&states);
        for node in 0..tree.len() {
            let ways_up = || std::iter::successors(Some(node), |&node| tree.parent(node));
            let mut above: Vec<_> = ways_up().filter(|&node| node > 0).map(|node| states[node]).collect();
            let height = above.len();
            above.sort_unstable();
            above.dedup();
            prop_assert_eq!(above.len(), height, "states are distinct above {}", node);
            prop_assert_eq!(tree.level(node), height);
            prop_assert!(tree.parent(node).is_none_or(|parent| parent < node));

            let below = (0..tree.len()).filter(|&other| {
                std::iter::successors(Some(other), |&other| tree.parent(other)).any(|above| above == node)
            });
            prop_assert_eq!(below.collect::<Vec<_>>(), tree.subtree(node).collect::<Vec<_>>());
            let children = (0..tree.len()).filter(|&other| tree.parent(other) == Some(node));
            prop_assert_eq!(children.collect::<Vec<_>>(), tree.children(node).collect::<Vec<_>>());
        }
        for above in std::iter::successors(Some(tree.len() - 1), |&node| tree.parent(node)) {
            let last = (0..tree.len()).rfind(|&node| tree.level(node) == tree.level(above));
            prop_assert_eq!(last, Some(above), "ancestors of the last event are last on their level");
        }
    }
}
