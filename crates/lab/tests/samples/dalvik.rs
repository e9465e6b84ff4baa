//! The system browser [SimplyDroid, figure 1]: its tree, and the four events that crash it.

use retap_model::Hierarchy;
use retap_trace::{Level, Seed, Start, StateKey, Step, Trace};

use crate::recorder::Sample;
use crate::runs::{Runs, all, some, without};

const DALVIK: Sample = Sample {
    name: "dalvik",
    device: "sim:dalvik",
    start: Start::Stopped,
    seed: 1,
    target: None,
    note: "36 events, of which 1, 22, 23 and 36 matter [SimplyDroid, figure 1]",
    script: include_str!("scripts/dalvik.script"),
};

/// Events 1, 22, 23 and 36.
const ANSWER: [u32; 4] = [0, 21, 22, 35];

/// The activity before each event.
fn states(trace: &Trace) -> Vec<StateKey> {
    let before = |step: &Step| step.before.as_ref().and_then(|seen| seen.key(Level::Activity));
    trace.steps.iter().map(|step| before(step).expect("every step was looked at")).collect()
}

#[test]
fn the_tree_is_that_of_the_figure() {
    let trace = DALVIK.trace();
    let tree = Hierarchy::new(&states(&trace));
    assert_eq!(tree.len(), 36);
    // The paper counts events from 1.
    let children = |node: usize| tree.children(node - 1).map(|child| child + 1).collect::<Vec<_>>();
    let size = |node: usize| tree.size(node - 1);
    assert_eq!(children(1), [2, 7, 17, 18, 21, 22]);
    assert_eq!([2, 7, 17, 18, 21, 22].map(size), [5, 10, 1, 3, 1, 15]);
    assert_eq!(children(2), [3, 4, 5, 6]);
    assert_eq!(children(7), (8..=16).collect::<Vec<_>>());
    assert_eq!(children(18), [19, 20]);
    assert_eq!(children(22), [23]);
    assert_eq!(children(23), (24..=36).collect::<Vec<_>>());
    assert_eq!((tree.level_of_last(), tree.deepest_level()), (3, 3));
}

#[test]
fn four_events_crash_it_and_no_three_of_them() {
    let trace = DALVIK.trace();
    let last = trace.steps.last().and_then(|step| step.crash.as_ref()).expect("the last event crashes it");
    assert_eq!(last.exception, "android.content.ActivityNotFoundException");
    assert!(trace.steps[..35].iter().all(|step| step.crash.is_none()));
    let mut runs = Runs::new(&trace, DALVIK.device);
    assert_eq!(runs.count(&all(&trace), 20), 20);
    assert_eq!(runs.count(&ANSWER, 20), 20);
    for gone in ANSWER {
        assert!(!runs.reaches(&without(&ANSWER, gone)), "without event {}", gone + 1);
        assert!(!runs.reaches(&without(&all(&trace), gone)), "all without event {}", gone + 1);
    }
}

#[test]
fn nothing_crashes_without_the_four() {
    const SUBSETS: u32 = 20_000;
    let trace = DALVIK.trace();
    let mut runs = Runs::new(&trace, DALVIK.device);
    let mut dice = Seed(41).dice();
    let mut crashed = 0;
    for _ in 0..SUBSETS {
        let chance = 0.3 + 0.69 * dice.unit();
        let kept = some(&all(&trace), chance, &mut dice);
        if runs.reaches(&kept) {
            crashed += 1;
            assert!(ANSWER.iter().all(|needed| kept.contains(needed)), "{kept:?}");
        }
    }
    assert!(crashed > SUBSETS / 50, "only {crashed} of {SUBSETS} crashed, so little was shown");
}

#[test]
fn every_way_down_ends_with_the_four() {
    let trace = DALVIK.trace();
    let mut runs = Runs::new(&trace, DALVIK.device);
    for seed in 0..50 {
        let mut dice = Seed(seed).dice();
        let kept = runs.minimise(all(&trace), &mut dice);
        assert_eq!(kept, ANSWER, "seed {seed}");
    }
}
