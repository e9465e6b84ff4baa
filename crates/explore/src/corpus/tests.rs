use retap_trace::StateKey;

use super::*;
use crate::fitness::FitnessSettings;
use crate::states::Place;

/// States that were visited so many times each, all of them interesting.
fn states(visits: &[u32]) -> States {
    let mut states = States::new(FitnessSettings::default());
    for (key, &visits) in (0..).zip(visits) {
        let (id, _) = states.visit(Place::Inside(StateKey(key)));
        states.found(id, None);
        (1..visits).for_each(|_| states.count_visit(id));
    }
    states
}

/// A corpus with a save of each state, numbered alike.
fn corpus(states: &States, budget: usize) -> Corpus {
    let mut corpus = Corpus::new(Selection::Own, budget);
    for nth in 0..u32::try_from(states.len()).unwrap() {
        corpus.saved(SaveId(u64::from(nth)), StateId(nth));
    }
    corpus
}

const NONE: BTreeSet<SaveId> = BTreeSet::new();

#[test]
fn lanes_get_the_fittest_free_save_each() {
    let states = states(&[9, 2, 5]);
    let mut corpus = corpus(&states, 10);
    let mut claim = || corpus.claim(&states, &NONE);
    assert_eq!([claim(), claim(), claim()], [Some(SaveId(1)), Some(SaveId(2)), Some(SaveId(0))]);
    assert_eq!(claim(), Some(SaveId(1)), "when none is free, the fittest is shared");
    assert_eq!(claim(), Some(SaveId(2)), "and the next one next");
    corpus.release(SaveId(0));
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(0)), "a free one goes before a fitter one");
}

#[test]
fn a_lane_does_not_get_what_it_cannot_restore() {
    let states = states(&[1, 2]);
    let mut corpus = corpus(&states, 10);
    assert_eq!(corpus.claim(&states, &BTreeSet::from([SaveId(0)])), Some(SaveId(1)));
    assert_eq!(corpus.claim(&states, &BTreeSet::from([SaveId(0), SaveId(1)])), None);
}

#[test]
fn when_all_are_worn_out_the_least_restored_comes_first() {
    let states = states(&[100_000, 100_000, 100_000]);
    assert_eq!(states.fitness(StateId(0)).to_bits(), 0, "nothing is left of it");
    let mut corpus = corpus(&states, 10);
    for save in [0, 0, 1, 2, 2] {
        corpus.restored(SaveId(save));
    }
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(1)));
}

#[test]
fn the_least_fit_free_save_makes_room() {
    let states = states(&[1, 8, 5, 1]);
    let mut corpus = corpus(&states, 4);
    assert_eq!(corpus.make_room(&states, StateId(3)), Room::After(SaveId(1)));
    assert_eq!(corpus.make_room(&states, StateId(3)), Room::After(SaveId(2)), "each makes room of its own");
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(0)));
    corpus.saves.remove(&SaveId(3));
    // One is kept and claimed, two are going, and one is gone.
    assert_eq!(corpus.make_room(&states, StateId(3)), Room::Free);
    assert_eq!(corpus.make_room(&states, StateId(3)), Room::None, "the last one is in use");
    corpus.forgotten();
    assert_eq!(corpus.make_room(&states, StateId(3)), Room::Free);
}

#[test]
fn nothing_fitter_makes_room() {
    let states = states(&[2, 2, 7]);
    let mut corpus = corpus(&states, 3);
    corpus.saves.remove(&SaveId(2));
    corpus.saved(SaveId(7), StateId(1));
    assert_eq!(corpus.make_room(&states, StateId(2)), Room::None);
    assert_eq!(corpus.make_room(&states, StateId(1)), Room::After(SaveId(0)), "equally fit is enough");
}

#[test]
fn a_refused_save_means_that_something_must_go() {
    let states = states(&[3, 1, 1]);
    let mut corpus = corpus(&states, 10);
    assert_eq!(corpus.make_room(&states, StateId(2)), Room::Free);
    corpus.not_saved(true);
    assert_eq!(corpus.make_room(&states, StateId(2)), Room::After(SaveId(0)));
    corpus.forgotten();
    corpus.reserve();
    corpus.saved(SaveId(9), StateId(2));
    assert_eq!(corpus.make_room(&states, StateId(2)), Room::Free, "there was room");
}

#[test]
fn what_is_over_the_budget_goes() {
    let states = states(&[4, 2, 3]);
    let mut corpus = corpus(&states, 2);
    assert_eq!(corpus.surplus(&states), Some(SaveId(0)));
    corpus.forgotten();
    assert_eq!(corpus.surplus(&states), None);
}

#[test]
fn a_save_that_does_not_hold_is_spoilt_once_nobody_needs_it() {
    let states = states(&[1, 5]);
    let mut corpus = corpus(&states, 5);
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(0)));
    (0..LOSSES).for_each(|_| corpus.lost(SaveId(0)));
    assert_eq!(corpus.surplus(&states), None, "a lane is there");
    corpus.release(SaveId(0));
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(1)), "nobody goes there again");
    assert_eq!(corpus.surplus(&states), Some(SaveId(0)));
    assert_eq!(corpus.surplus(&states), None);
}

#[test]
fn a_restore_that_holds_makes_good_the_losses() {
    let states = states(&[1]);
    let mut corpus = corpus(&states, 5);
    for _ in 0..5 {
        (1..LOSSES).for_each(|_| corpus.lost(SaveId(0)));
        corpus.restored(SaveId(0));
    }
    assert_eq!(corpus.claim(&states, &NONE), Some(SaveId(0)));
}
