//! The calculator [ECHO, figure 2]: its testing trace graph, and the shortest way to the crash.

use retap_model::{Graph, GraphPaths, TraceNumber};
use retap_trace::{Level, Seed, Start};

use crate::recorder::Sample;
use crate::runs::{Runs, all, some, without};

const ADDI: Sample = Sample {
    name: "addi",
    device: "sim:addi",
    start: Start::Launched,
    seed: 1,
    target: None,
    note: "162 events, of which e0, e1, e160 and e161 matter [ECHO, figure 2]",
    script: include_str!("scripts/addi.script"),
};

const ANSWER: [u32; 4] = [0, 1, 160, 161];

#[test]
fn the_graph_is_that_of_the_figure() {
    let trace = ADDI.trace();
    assert_eq!(trace.steps.len(), 162);
    let mut graph = Graph::new();
    let walk = graph.add_trace(TraceNumber(0), &trace.steps, Level::Full).expect("every step was looked at");
    let figures = graph.statistics();
    // The text of the paper counts 37 states; its table counts the crash as one more.
    assert_eq!(figures.states, 37 + 1);
    assert_eq!((figures.events, figures.idle_events), (162, 85));
    for (position, idle) in [(0, false), (1, false), (2, true), (3, true), (4, false), (159, false)] {
        let step = &trace.steps[position];
        assert_eq!(step.before == step.after, idle, "e{position}");
    }

    let mut paths = GraphPaths::new(&graph, walk.entry, walk.exit);
    let shortest = paths.next().expect("the trace itself is a way");
    let places =
        shortest.edges.iter().map(|&edge| graph.edge(edge)).inspect(|edge| assert_eq!(edge.times, 1));
    assert_eq!(places.map(|edge| edge.first.first).collect::<Vec<_>>(), ANSWER);
    assert!(paths.next().is_none_or(|next| next.cost > shortest.cost), "there is one shortest way");
    let with_effect = figures.events - figures.idle_events;
    assert_eq!(with_effect - shortest.cost, 73, "events with effect that are not on the way");
}

#[test]
fn four_events_crash_it_and_no_three_of_them() {
    let trace = ADDI.trace();
    let last = trace.steps.last().and_then(|step| step.crash.as_ref()).expect("the last event crashes it");
    assert_eq!(last.exception, "android.content.ActivityNotFoundException");
    let mut runs = Runs::new(&trace, ADDI.device);
    assert_eq!(runs.count(&all(&trace), 20), 20);
    assert_eq!(runs.count(&ANSWER, 20), 20);
    for gone in ANSWER {
        assert!(!runs.reaches(&without(&ANSWER, gone)), "without e{gone}");
    }
}

#[test]
fn nothing_crashes_without_the_four() {
    const SUBSETS: u32 = 2_000;
    let trace = ADDI.trace();
    let mut runs = Runs::new(&trace, ADDI.device);
    let mut dice = Seed(162).dice();
    let mut crashed = 0;
    for _ in 0..SUBSETS {
        let chance = dice.unit();
        let mut kept = some(&all(&trace), chance, &mut dice);
        // Most subsets lack one of the four, and show little: give many of them all but one, or all.
        if dice.chance(0.7) {
            let spared = dice.below(5);
            kept.extend((0..).zip(ANSWER).filter(|(number, _)| *number != spared).map(|(_, needed)| needed));
            kept.sort_unstable();
            kept.dedup();
        }
        if runs.reaches(&kept) {
            crashed += 1;
            assert!(ANSWER.iter().all(|needed| kept.contains(needed)), "{kept:?}");
        }
    }
    assert!(crashed > SUBSETS / 50, "only {crashed} of {SUBSETS} crashed, so little was shown");
}

#[test]
fn every_way_down_ends_with_the_four() {
    let trace = ADDI.trace();
    let mut runs = Runs::new(&trace, ADDI.device);
    for seed in 0..50 {
        let mut dice = Seed(seed).dice();
        let kept = runs.minimise(all(&trace), &mut dice);
        assert_eq!(kept, ANSWER, "seed {seed}");
    }
}
