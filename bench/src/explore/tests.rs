//! A small slice of the experiment, and what must be true of it.

use retap_generate::Share;
use retap_sim::Profile;
use retap_trace::{Micros, Seed};

use super::comparison::{Group, Line, Pair};
use super::experiment::Experiment;
use super::plot::plot;
use super::proof::REPLAYS;
use super::strategy::{Strategy, mix};
use super::subject::{Shape, Subject};
use super::trial::SAMPLES;

const MINUTES: u64 = 10;

/// Two apps, each explored once with every strategy for ten minutes.
fn slice(seed: u64) -> Experiment {
    let shape = Shape {
        traps: Share::percent(25),
        links: Share::percent(20),
        depth: 5,
        profile: Profile::EMULATOR_2020,
    };
    let subject = |number| Subject::generate(number, seed, shape).unwrap();
    let strategies = Strategy::USUAL.into_iter().chain(Strategy::VARIANTS).collect();
    let time = Micros::from_secs(60 * MINUTES);
    Experiment::carry_out(vec![subject(0), subject(1)], strategies, 1, &mix(None).unwrap(), time, Seed(seed))
        .unwrap()
}

fn everything(experiment: &Experiment) -> Vec<Line> {
    let strategies = 0..experiment.strategies.len();
    let of = |group| strategies.clone().map(move |strategy| Line::of(experiment, group, strategy));
    Group::ALL.into_iter().flat_map(of).collect()
}

#[test]
fn one_seed_one_result() {
    let (once, again, other) = (slice(1), slice(1), slice(2));
    assert_eq!(everything(&once), everything(&again));
    assert_ne!(everything(&once), everything(&other));
    for strategy in 0..once.strategies.len() {
        for app in 0..2 {
            assert_eq!(once.trials(app, strategy), again.trials(app, strategy));
        }
    }
}

#[test]
fn a_pair_differs_in_its_traps_only() {
    let slice = slice(3);
    let [traps, plain] = &slice.subjects[..] else { panic!("a pair") };
    assert!(traps.traps && !plain.traps);
    assert_eq!((traps.recipe.deadends, plain.recipe.deadends), (Share::percent(25), Share::NONE));
    let mut same = traps.recipe;
    (same.deadends, same.loops) = (Share::NONE, Share::NONE);
    assert_eq!(same, plain.recipe);
    assert_eq!((traps.known.len(), traps.pieces()), (8, 600));
    assert_eq!((Group::Traps.apps(&slice), Group::Plain.apps(&slice)), (vec![0], vec![1]));
}

#[test]
fn coverage_grows_and_crashes_are_planted_ones() {
    let seed = 1;
    let slice = slice(seed);
    let mut crashes = 0;
    for (app, subject) in slice.subjects.iter().enumerate() {
        for (strategy, name) in slice.strategies.iter().enumerate() {
            let what = format!("seed {seed}, {name} on {}", subject.name());
            for trial in slice.trials(app, strategy) {
                assert_eq!(trial.covered.len(), SAMPLES + 1, "{what}");
                assert!(trial.covered.is_sorted(), "{what}: {:?}", trial.covered);
                assert!(trial.covered[0] == 0 && trial.covered[SAMPLES] > 0, "{what}");
                assert!(trial.covered[SAMPLES] <= subject.pieces(), "{what}");
                assert_eq!(trial.unknown, [], "{what}");
                assert!(trial.crashes.len() <= subject.known.len(), "{what}");
                for proof in &trial.crashes {
                    // A bug that always crashes is missed only where another one came first.
                    let missed = REPLAYS - proof.reached;
                    assert!(proof.flaky || missed == proof.died, "{what}: {proof:?}");
                }
                assert!(trial.events > 100, "{what}: {}", trial.events);
                crashes += trial.crashes.len();
            }
        }
    }
    assert!(crashes > 0, "seed {seed}: the shallowest bug is two events away");
}

#[test]
fn only_time_travel_saves_and_goes_back() {
    let slice = slice(1);
    for (strategy, name) in slice.strategies.iter().enumerate() {
        let travels = name.name().starts_with("timetravel");
        let saves: u32 = slice.all(&[0, 1], strategy).map(|trial| trial.travels.saves).sum();
        assert_eq!(saves > 0, travels, "seed 1, {name}");
    }
}

/// What is published is compared with what is published, and what aims with what aims.
#[test]
fn time_travel_and_restarts_are_compared_under_the_same_events() {
    let slice = slice(1);
    let coverage = |strategy: Strategy| {
        let place = slice.strategies.iter().position(|&one| one == strategy).unwrap();
        slice.coverage(0, place)[0] + slice.coverage(1, place)[0]
    };
    let pairs = Pair::all(&slice, Group::All);
    let ratios = [
        ("aimed, patience 50", coverage(Strategy::TimeTravel) / coverage(Strategy::Mr)),
        ("aimed, patience 200", coverage(Strategy::Patient) / coverage(Strategy::PatientMr)),
        ("blind, patience 50", coverage(Strategy::Blind) / coverage(Strategy::BlindMr)),
        ("blind, patience 200: published", coverage(Strategy::Published) / coverage(Strategy::PublishedMr)),
    ];
    assert_eq!(pairs.len(), ratios.len());
    for (pair, (both, ratio)) in pairs.iter().zip(ratios) {
        assert_eq!(pair.both, both);
        assert!((pair.against.coverage.value - ratio).abs() < 1e-9, "{pair:?}: {ratio}");
    }
}

#[test]
fn a_picture_has_a_curve_for_each_strategy_and_group() {
    let svg = plot(&everything(&slice(1)), 6.0);
    assert_eq!(svg.matches("<polyline").count(), 2 * (Strategy::USUAL.len() + Strategy::VARIANTS.len()));
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    assert!(svg.contains("hours") && svg.contains("share of the app's code") && svg.contains("timetravel"));
}
