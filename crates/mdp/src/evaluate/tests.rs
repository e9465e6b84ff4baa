use super::*;
use crate::schedules::{PROMISING, heuristic, round_robin, sequential};

fn paper(n: u32) -> Setting {
    Setting::new(n, 15, 20, 18).unwrap()
}

fn near(ours: f64, known: f64) {
    assert!((ours - known).abs() < 1e-9, "{ours} is not {known}");
}

#[test]
fn the_heuristic_costs_what_is_known() {
    let known = [1.287_888_103_75, 1.559_517_244_11, 1.797_655_861_644, 2.034_709_670_959, 2.230_469_746_582];
    let runs = [16.439_440_519, 22.203_859_088, 26.880_203_409, 29.900_268_104, 32.635_677_034];
    for (n, (known, runs)) in (1..).zip(known.into_iter().zip(runs)) {
        let setting = paper(n);
        let schedule = |tallies: &[(u32, u32)]| heuristic(&setting, tallies, PROMISING);
        let cost = evaluate(&setting, &Prior::recovered(), &schedule).unwrap();
        near(cost.steps, known);
        near(cost.runs, runs);
    }
}

#[test]
fn round_robin_costs_what_is_known() {
    let known =
        [1.287_888_103_75, 1.646_299_337_154, 2.041_564_773_829, 2.553_171_634_723, 3.068_513_109_018];
    let runs = [16.439_440_519, 22.982_724_241, 30.062_494_732, 36.439_815_355, 43.264_002_52];
    let states = [4, 31, 257, 2005, 15_889];
    for (n, ((known, runs), states)) in (1..).zip(known.into_iter().zip(runs).zip(states)) {
        let setting = paper(n);
        let schedule = |tallies: &[(u32, u32)]| round_robin(&setting, tallies);
        let cost = evaluate(&setting, &Prior::recovered(), &schedule).unwrap();
        near(cost.steps, known);
        near(cost.runs, runs);
        assert_eq!(cost.states, states);
    }
}

#[test]
fn a_cursor_makes_round_robin_a_little_better() {
    let steps = |n| evaluate(&paper(n), &Prior::recovered(), &RoundRobin(paper(n))).unwrap().steps;
    assert!(steps(4) < 2.553 && steps(5) < 3.068, "{} {}", steps(4), steps(5));
}

#[test]
fn sequential_costs_what_is_known() {
    let known =
        [1.287_888_103_75, 2.209_520_123_235, 2.879_035_511_326, 3.365_610_421_936, 3.719_223_815_866];
    let runs = [16.439_440_519, 31.070_158_515, 41.680_454_606, 49.390_328_458, 54.993_428_628];
    for (n, (known, runs)) in (1..).zip(known.into_iter().zip(runs)) {
        let setting = paper(n);
        let schedule = |tallies: &[(u32, u32)]| sequential(&setting, tallies);
        let cost = evaluate(&setting, &Prior::recovered(), &schedule).unwrap();
        near(cost.steps, known);
        near(cost.runs, runs);
    }
}

#[test]
fn a_single_certain_run() {
    let setting = Setting::new(1, 1, 1, 1).unwrap();
    let sure = Prior::new(vec![1.0], vec![1.0]).unwrap();
    let cost = evaluate(&setting, &sure, &RoundRobin(setting)).unwrap();
    assert_eq!(cost, Cost { steps: 1.0, runs: 1.0, states: 1 });
}

#[test]
fn a_schedule_that_breaks_the_rules_is_named() {
    let wrong = |runs: Vec<u32>| {
        let schedule = move |_: &[(u32, u32)]| runs.clone();
        evaluate(&paper(2), &Prior::recovered(), &schedule).unwrap_err().to_string()
    };
    assert_eq!(wrong(vec![1]), "the schedule gave 1 numbers of runs for 2 candidates");
    assert_eq!(wrong(vec![0, 0]), "the schedule gave no runs in the state [(0, 0), (0, 0)]");
    assert_eq!(wrong(vec![8, 8]), "the schedule gave 16 runs to 15 devices");
    assert_eq!(
        wrong(vec![21, 0]),
        "the schedule gave 21 runs to a candidate with the tally (0, 0), but it has 20 left"
    );
}
