//! The food app [ND3MIN, section 2]: a dialog that appears half of the time, and the three taps that work
//! whether it does or not.

use retap_reduce::search::{Ddmin, Reducer as _, Settled};
use retap_reduce::{Subset, Verdict};
use retap_trace::Start;

use crate::recorder::Sample;
use crate::runs::{Runs, all};

const DINER: Sample = Sample {
    name: "diner",
    device: "sim:diner",
    start: Start::Launched,
    seed: 1,
    target: Some("activity:LoginActivity"),
    note: "48 events, of which three always reach the login [ND3MIN, section 2]",
    script: include_str!("scripts/diner.script"),
};
const WITHOUT_DIALOG: &str = "sim:diner?dialog=0";
const WITH_DIALOG: &str = "sim:diner?dialog=1";

/// The panel at the bottom, or the space bar; beside the dialog; the panel above the keyboard.
const ANSWER: [u32; 3] = [12, 21, 28];

const RUNS: u32 = 200;

#[test]
fn the_trace_always_arrives() {
    let trace = DINER.trace();
    assert!((40..=60).contains(&trace.steps.len()));
    assert_eq!(Runs::new(&trace, DINER.device).count(&all(&trace), 20), 20);
    for spec in [WITHOUT_DIALOG, WITH_DIALOG] {
        assert!(Runs::new(&trace, spec).reaches(&all(&trace)), "{spec}");
    }
}

#[test]
fn three_events_always_work_and_no_fewer_of_them() {
    let trace = DINER.trace();
    let mut runs = Runs::new(&trace, DINER.device);
    assert_eq!(runs.count(&ANSWER, RUNS), RUNS);
    let [panel, beside, above] = ANSWER;
    for fewer in [&[panel][..], &[beside], &[above], &[panel, beside], &[panel, above], &[beside, above], &[]]
    {
        let reached = runs.count(fewer, RUNS);
        assert!(reached * 10 < RUNS * 9, "{fewer:?} reaches it in {reached} of {RUNS} runs");
    }
}

#[test]
fn each_half_of_the_answer_works_half_of_the_time() {
    let trace = DINER.trace();
    let mut runs = Runs::new(&trace, DINER.device);
    let [panel, beside, above] = ANSWER;
    for half in [&[panel][..], &[beside, above]] {
        let reached = runs.count(half, RUNS);
        assert!((80..=120).contains(&reached), "{half:?} reaches it in {reached} of {RUNS} runs");
    }
}

#[test]
fn no_two_events_of_the_trace_are_reliable() {
    let trace = DINER.trace();
    let (mut calm, mut asked) = (Runs::new(&trace, WITHOUT_DIALOG), Runs::new(&trace, WITH_DIALOG));
    let (mut in_calm, mut when_asked) = (0, 0);
    for first in all(&trace) {
        assert!(!(calm.reaches(&[first]) && asked.reaches(&[first])), "{first} works alone");
        for second in first + 1..all(&trace).len().try_into().expect("short") {
            let pair = [first, second];
            let works = (calm.reaches(&pair), asked.reaches(&pair));
            in_calm += u32::from(works.0);
            when_asked += u32::from(works.1);
            assert_ne!(works, (true, true), "{pair:?} works with and without the dialog");
        }
    }
    assert!(in_calm > 20 && when_asked > 5, "{in_calm} pairs work without the dialog, {when_asked} with it");
}

/// Classic delta debugging: one run decides.
fn one_run_answer(runs: &mut Runs, events: u32) -> Vec<u32> {
    let mut search = Ddmin::new(Subset::all(events), 2);
    while !search.frontier().is_empty() {
        for candidate in search.frontier().to_vec() {
            let reached = runs.reaches(&positions(&candidate.subset));
            let verdict = if reached { Verdict::Pass } else { Verdict::Fail };
            if search.settle(candidate.id, verdict) == Settled::Moved {
                break;
            }
        }
    }
    positions(search.best())
}

fn positions(subset: &Subset) -> Vec<u32> {
    subset.positions().collect()
}

#[test]
fn one_run_delta_debugging_ends_with_an_unreliable_answer() {
    const SEARCHES: u32 = 20;
    let trace = DINER.trace();
    let mut runs = Runs::new(&trace, DINER.device);
    let events = trace.steps.len().try_into().expect("short");
    let mut unreliable = 0;
    for _ in 0..SEARCHES {
        let answer = one_run_answer(&mut runs, events);
        let reached = runs.count(&answer, RUNS);
        unreliable += u32::from(reached * 10 < RUNS * 9);
    }
    assert!(unreliable * 10 >= SEARCHES * 9, "only {unreliable} of {SEARCHES} answers were unreliable");
}
