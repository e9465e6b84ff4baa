//! A small slice of the experiment, and what must be true of it.

use std::sync::{Arc, OnceLock};

use retap_lab::{Flow, drive};
use retap_mdp::{Policy, Prior};
use retap_reduce::{Measurement, Rate, Subset};
use retap_trace::{Event, Seed};

use super::case::{self, Case};
use super::experiment::{Experiment, SCHEDULES, policy};
use super::plain::{self, Table4};
use super::subject::EVENTS;
use super::trial::{DEVICES, RUNS, Trial, lab, reduce};
use super::turns::Turns;

fn solved() -> &'static Arc<Policy> {
    static SOLVED: OnceLock<Arc<Policy>> = OnceLock::new();
    SOLVED.get_or_init(|| policy(&Prior::recovered()).unwrap())
}

/// The first three cases of an app: two that the launch reaches, and one that takes events.
fn three(seed: Seed) -> Vec<Case> {
    let mut cases = case::cases(&case::PAPER, seed, 0).unwrap();
    cases.truncate(3);
    cases
}

/// How often these events of a case reach its target, in many fresh runs.
fn rate(case: &Case, events: &Subset) -> f64 {
    let mut measurement = Measurement::new(events.clone(), 200);
    let mut lab = lab(case, Seed(4711));
    drive(&mut measurement, &mut lab, &mut (), &mut |_, _| Flow::Continue).unwrap();
    Rate::of(measurement.tally()).estimate
}

#[test]
fn the_cases_have_the_shape_of_the_tables() {
    let keys = case::keys(&case::PAPER, usize::MAX);
    assert_eq!(keys.len(), 49);
    assert_eq!(keys.iter().filter(|(_, events)| *events == 0).count(), 11);
    assert_eq!((&*keys[8].0, keys[8].1), ("2-5", 23));
    assert_eq!([0, 1, 4, 5, 49, 500].map(|only| case::apps(&case::PAPER, only)), [0, 1, 1, 2, 11, 11]);
}

#[test]
fn a_case_is_500_taps_that_reach_an_activity_almost_always() {
    let seed = Seed(3);
    let cases = case::cases(&case::PAPER, seed, 2).unwrap();
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
    for (case, (key, needed)) in three(seed).iter().zip(case::keys(&case::PAPER, 3)) {
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
    let slice = |seed: u64| Experiment::carry_out(&case::PAPER, Seed(seed), 3, 1, solved()).unwrap();
    let (once, again, other) = (slice(1), slice(1), slice(2));
    assert_eq!((once.all(), once.plain().collect::<Vec<_>>()), (again.all(), again.plain().collect()));
    assert_ne!(once.all(), other.all());
    assert_eq!((once.len(), once.all().len(), once.of_case(2).len()), (3, 3, 1));
    assert_eq!(once.all()[2], once.of_case(2)[0]);
}

/// The hard cases are what they are called: further away and less sure.
#[test]
fn hard_cases_are_deeper_and_flakier() {
    let (seed, policy) = (Seed(7), solved());
    let cases = case::cases(&case::HARD, seed, 0).unwrap();
    assert_eq!(cases.len(), 4);
    let mut events = 0;
    for case in &cases {
        assert_eq!(case.trace.steps.len(), EVENTS as usize);
        assert!(rate(case, &Subset::empty()) < 0.01, "seed 7: the launch does not reach {}", case.activity);
        let trial = reduce(case, "heuristic", policy, seed).unwrap();
        events += trial.map_or(0, |trial| trial.answer.subset.len());
    }
    assert!(events > 8, "seed 7: {events} events in four answers");
}

#[test]
fn table_4_counts_only_what_became_shorter() {
    let seed = Seed(7);
    let case = &case::cases(&case::HARD, seed, 0).unwrap()[0];
    let trial = reduce(case, "heuristic", solved(), seed).unwrap().unwrap();
    let plain = plain::reduce(case, &trial, seed).unwrap();
    assert_eq!(plain, plain::reduce(case, &trial, seed).unwrap());
    let (one, none) = (Table4::of([&plain].into_iter()), Table4::of([].into_iter()));
    assert_eq!((one.answers, none.answers, none.shorter), (1, 0, 0));
    assert!(one.shorter == 0 || one.plain_events < one.events, "{one:?}");
    let near = |value: f64, known: f64| (value - known).abs() < 0.005;
    // The eight rows of the paper's table; which of the three illegible checks is 4 does not change the sum.
    let rows =
        [[3, 2], [5, 3], [16, 11], [23, 15], [3, 2], [11, 10], [5, 4], [4, 3]].map(|row| row.map(f64::from));
    let mean = |column: usize| rows.iter().map(|row| row[column]).sum::<f64>() / 8.0;
    assert!(near(mean(0), plain::PAPER.events) && near(mean(1), plain::PAPER.plain_events));
}
