//! A small slice of the experiment, and what must be true of it.

use std::sync::{Arc, OnceLock};

use retap_lab::{Flow, drive};
use retap_mdp::{Policy, Prior};
use retap_reduce::{Measurement, Rate, Subset};
use retap_trace::{Event, Seed};

use super::case::{self, Case};
use super::experiment::{Experiment, SCHEDULES, policy};
use super::subject::EVENTS;
use super::trial::{DEVICES, Forgetful, RUNS, Trial, lab, reduce};
use super::turns::Turns;

fn solved() -> &'static Arc<Policy> {
    static SOLVED: OnceLock<Arc<Policy>> = OnceLock::new();
    SOLVED.get_or_init(|| policy(&Prior::recovered()).unwrap())
}

/// The first three cases of an app: two that the launch reaches, and one that takes events.
fn three(seed: Seed) -> Vec<Case> {
    let mut cases = case::cases(seed, 0).unwrap();
    cases.truncate(3);
    cases
}

/// How often these events of a case reach its target, in many fresh runs.
fn rate(case: &Case, events: &Subset) -> f64 {
    let mut measurement = Measurement::new(events.clone(), 200);
    let mut lab = lab(case, Seed(4711));
    drive(&mut measurement, &mut lab, &mut Forgetful, &mut |_, _| Flow::Continue).unwrap();
    Rate::of(measurement.tally()).estimate
}

#[test]
fn the_cases_have_the_shape_of_the_tables() {
    let keys = case::keys(usize::MAX);
    assert_eq!(keys.len(), 49);
    assert_eq!(keys.iter().filter(|(_, events)| *events == 0).count(), 11);
    assert_eq!((&*keys[8].0, keys[8].1), ("2-5", 23));
    assert_eq!([0, 1, 4, 5, 49, 500].map(case::apps), [0, 1, 1, 2, 11, 11]);
}

#[test]
fn a_case_is_500_taps_that_reach_an_activity_almost_always() {
    let seed = Seed(3);
    let cases = case::cases(seed, 2).unwrap();
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(case.trace.steps.len(), EVENTS as usize);
        assert!(case.trace.events().all(|event| matches!(event, Event::Tap(_))));
        let rate = rate(case, &Subset::all(EVENTS));
        assert!(rate > 0.8, "seed {}: {} is reached at a rate of {rate}", seed.0, case.activity);
    }
    assert!(rate(&cases[0], &Subset::empty()) > 0.99, "the launch reaches it");
    assert!(cases[1..].iter().all(|case| rate(case, &Subset::empty()) < 0.01), "these take events");
}

#[test]
fn an_answer_is_enough_and_each_of_its_events_is_needed() {
    let (seed, policy) = (Seed(5), solved());
    for (case, (key, needed)) in three(seed).iter().zip(case::keys(3)) {
        for schedule in SCHEDULES {
            let Trial { answer, whole, steps, few, .. } =
                reduce(case, schedule, policy, seed).unwrap().unwrap();
            let what = format!("seed {}, case {key}, {schedule}: {:?}", seed.0, answer.subset);
            let claim = answer.claim.expect("an answer has a claim");
            assert_eq!((claim.runs(), answer.below), (RUNS, claim.reached < 18), "{what}");
            assert!(whole.runs() == RUNS && whole.reached >= 15, "{what}");
            assert!((1..=few.rounds).contains(&few.turns) && few.rounds <= steps, "{what}: {few:?}");
            assert_eq!(answer.subset.is_empty(), needed == 0, "{what}");
            assert!(rate(case, &answer.subset) > 0.85, "{what} is enough");
            for rank in 0..answer.subset.len() {
                let less = answer.subset.without(&(rank..rank + 1));
                assert!(rate(case, &less) < 0.9, "{what} does without its event {rank}");
            }
        }
    }
}

#[test]
fn what_the_launch_reaches_takes_four_steps_as_in_the_paper() {
    let (seed, policy) = (Seed(6), solved());
    let case = &three(seed)[0];
    for schedule in ["round-robin", "heuristic", "optimal"] {
        let trial = reduce(case, schedule, policy, seed).unwrap().unwrap();
        assert_eq!((trial.steps, trial.found), (4, 0), "{schedule}");
        // The empty trace is a turn of its own: fifteen runs, then three that matter.
        assert_eq!(trial.few, Turns { turns: 1, rounds: 2 }, "{schedule}");
        // Twenty to check, eighteen that pass, twenty to confirm.
        assert_eq!((trial.runs, trial.withdrawn), (58, 2), "{schedule}");
        assert!(trial.device_time > trial.elapsed, "{schedule}");
        assert!(trial.device_time.0 <= trial.elapsed.0 * u64::from(DEVICES), "{schedule}");
    }
}

#[test]
fn one_seed_one_result() {
    let slice = |seed: u64| Experiment::carry_out(Seed(seed), 3, 1, solved()).unwrap();
    let (once, again, other) = (slice(1), slice(1), slice(2));
    assert_eq!(once, again);
    assert_ne!(once, other);
    assert_eq!((once.len(), once.all().len(), once.of_case(2).len()), (3, 3, 1));
    assert_eq!(once.all()[2], once.of_case(2)[0]);
}
