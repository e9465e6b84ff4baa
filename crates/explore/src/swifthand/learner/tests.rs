use proptest::prelude::*;
use retap_trace::StateKey;

use super::*;
use crate::actions::Deed;

fn click(rank: u32) -> Name {
    Name::On(rank, Deed::Click)
}

fn look(learner: &mut Learner, key: u64) -> LookId {
    learner.looks.meet(StateKey(key), Vec::new())
}

/// Walks from a start. Returns the states, the start's first.
fn walk(learner: &mut Learner, start: u64, steps: &[(u32, u64)]) -> Vec<StateId> {
    let first = look(learner, start);
    let mut at = learner.begin(first);
    let mut states = vec![at.state];
    for &(rank, key) in steps {
        let next = look(learner, key);
        at = learner.step(at, click(rank), next);
        states.push(at.state);
    }
    states
}

#[test]
fn screens_that_look_alike_are_one_state_until_contradicted() {
    let mut learner = Learner::new();
    // The first click stays on the screen, as far as can be seen.
    assert_eq!(walk(&mut learner, 1, &[(0, 1)]), [StateId(1), StateId(1)]);
    assert_eq!((learner.model.len(), learner.rebuilds()), (2, 0));
    // The second click opens another one: the screen after the first was a state of its own.
    let states = walk(&mut learner, 1, &[(0, 1), (0, 2)]);
    assert_eq!(learner.rebuilds(), 1);
    assert_eq!(learner.model.len(), 4);
    let again = walk(&mut learner, 1, &[(0, 1), (0, 2)]);
    assert_eq!(again[2], states[2], "the last state came with the new model");
    assert_ne!(again[0], again[1]);
    assert_eq!(learner.start(), Some(again[0]));
    assert_eq!(learner.rebuilds(), 1);
}

#[test]
fn what_varies_on_the_very_same_way_is_not_explained() {
    let mut learner = Learner::new();
    for key in [1, 2, 3, 2, 1] {
        walk(&mut learner, 1, &[(0, key)]);
    }
    assert_eq!(learner.rebuilds(), 0);
    assert_eq!(learner.model.state(StateId(1)).edges.of(click(0)).len(), 3);
}

#[test]
fn a_failure_is_a_state_like_others() {
    let mut learner = Learner::new();
    let first = look(&mut learner, 1);
    let start = learner.begin(first);
    let failed = learner.step(start, Name::Back, LookId::FAILURE);
    assert_eq!(failed.state, StateId::FAILURE);
    assert_eq!(learner.model.len(), 2);
}

#[test]
fn a_place_out_of_nowhere_is_no_start() {
    let mut learner = Learner::new();
    let (one, two) = (look(&mut learner, 1), look(&mut learner, 2));
    let start = learner.begin(one);
    assert_ne!(learner.appear(two).state, start.state);
    assert_eq!(learner.start(), Some(start.state));
}

proptest! {
    #[test]
    fn rebuilds_are_few_and_places_stay_true(
        ways in prop::collection::vec(prop::collection::vec((0..3_u32, 1..6_u64), 0..15), 1..200),
    ) {
        let mut learner = Learner::new();
        for way in &ways {
            let first = look(&mut learner, 1);
            let mut at = learner.begin(first);
            for &(rank, key) in way {
                let next = look(&mut learner, key);
                at = learner.step(at, click(rank), next);
                prop_assert_eq!(learner.model.state(at.state).look, next);
            }
        }
        // Each but the first few grew the tree by an eighth: 9/8 to the power of 60 is more than 1000.
        let (mut size, mut most) = (1, 0);
        while size < learner.tree.len() {
            size += 1 + size / SHARE;
            most += 1;
        }
        prop_assert!(learner.rebuilds() <= most, "{} of {}", learner.rebuilds(), most);
    }
}
