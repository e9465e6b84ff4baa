//! What holds of every suite, whatever the app.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use retap_reduce::Algorithm as _;
use retap_suite::{Mode, Purpose, Reading, Shrink, SuiteInput, SuiteSettings};
use retap_trace::{Micros, Trace};

use crate::app::{RESTART, STEP};
use crate::drive::{Devices, Done, confirmations, shrink};
use crate::generated::{Generated, Recipe, truly_covered};

fn recipe() -> impl Strategy<Value = Recipe> {
    let vary = prop_oneof![3 => Just((0.0, 0.0)), 1 => Just((0.03, 0.5)), 1 => Just((0.1, 0.5))];
    (any::<u64>(), 2_u32..14, 10_u32..200, vary).prop_map(|(seed, screens, code, vary)| Recipe {
        seed,
        screens,
        code,
        vary,
    })
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![3 => Just(Mode::Planned), 1 => Just(Mode::Classic)]
}

fn settings(mode: Mode) -> SuiteSettings {
    SuiteSettings { mode, runs: 4, sure: 12, ..SuiteSettings::default() }
}

/// Everything that must hold of an answer.
fn check(
    traces: &[Trace],
    sure: &[usize],
    done: &Done,
    settings: SuiteSettings,
) -> Result<(), TestCaseError> {
    let report = &done.report;
    // Nothing that can be replayed is lost, and what is lost is named.
    let truly = truly_covered(traces, sure);
    for lost in &report.lost {
        let had = truly.get(&lost.item.to_string());
        prop_assert!(had.is_none(), "{} of trace {had:?} is lost: {:?}", lost.item, lost.why);
    }
    prop_assert_eq!(report.covered_after.all() + report.lost.len(), report.covered_before.all());
    // Every trace was confirmed, is there for something, and stands in the input piece by piece.
    for kept in &report.kept {
        let confirmed = confirmations(done, traces, &kept.steps);
        prop_assert!(confirmed >= settings.runs as usize, "{} of {} runs", confirmed, settings.runs);
        prop_assert!(kept.confirmed.reached as usize <= confirmed);
        prop_assert!(!kept.only.is_empty() || settings.mode == Mode::Classic);
    }
    // It is never dearer than what can be replayed of the input.
    let time = |steps: usize| Micros(RESTART.0 + STEP.0 * steps as u64);
    let input: Micros = sure.iter().filter(|&&steps| steps > 0).map(|&steps| time(steps)).sum();
    let all_sure = sure.iter().zip(traces).all(|(sure, trace)| *sure == trace.steps.len());
    prop_assert!(report.after.time <= input || !all_sure, "{} > {}", report.after.time, input);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_everything_is_confirmed(recipe in recipe(), steps in 1_usize..300, mode in mode(), devices in 1_u32..6, snapshots: bool) {
        let app = Generated::new(recipe);
        let (traces, sure) = app.explore(steps, recipe.seed);
        let devices = Devices { count: devices, faults: 0.01, snapshots, seed: recipe.seed };
        let done = shrink(&app, &traces, settings(mode), devices);
        check(&traces, &sure, &done, settings(mode))?;
    }

    #[test]
    fn the_same_results_give_the_same_answer(recipe in recipe(), steps in 1_usize..120, mode in mode(), stop in any::<prop::sample::Index>()) {
        let app = Generated::new(recipe);
        let (traces, _) = app.explore(steps, recipe.seed);
        let devices = Devices { count: 3, faults: 0.02, snapshots: true, seed: recipe.seed };
        let done = shrink(&app, &traces, settings(mode), devices);
        let again = shrink(&app, &traces, settings(mode), devices);
        prop_assert_eq!(&done.report, &again.report);

        // A journal of results, fed again, leads to the same orders: with one device the order is plain.
        let done = shrink(&app, &traces, settings(mode), Devices { count: 1, ..devices });
        let input = Arc::new(SuiteInput::read(&traces, Reading::default()).unwrap());
        let mut resumed = Shrink::new(input, SuiteSettings { devices: 1, ..settings(mode) });
        for (order, run) in &done.runs[..stop.index(done.runs.len() + 1)] {
            let due = resumed.order();
            prop_assert_eq!(due.as_ref(), Some(order));
            resumed.settle(order.ticket, run);
        }
        let progress = resumed.progress();
        prop_assert!(progress.runs as usize <= done.runs.len());
        prop_assert_eq!(progress.outlook == 0, resumed.over());
    }
}

#[test]
fn a_run_is_never_ordered_again_without_need() {
    for mode in [Mode::Planned, Mode::Classic] {
        let app = Generated::new(Recipe { seed: 5, screens: 12, code: 200, vary: (0.0, 0.0) });
        let (traces, _) = app.explore(600, 5);
        let done = shrink(&app, &traces, settings(mode), Devices::one(5));
        let mut times: BTreeMap<Vec<_>, (u32, u32)> = BTreeMap::new();
        for (order, _) in &done.runs {
            let steps: Vec<_> = order.legs.iter().map(|leg| leg.step).collect();
            let times = times.entry(steps).or_default();
            match order.purpose {
                Purpose::Search => times.0 += 1,
                Purpose::Confirm => times.1 += 1,
            }
        }
        let most = times.values().fold((0, 0), |most, times| (most.0.max(times.0), most.1.max(times.1)));
        assert!(most.0 <= 1 && most.1 <= 4, "{mode:?}: {most:?}");
    }
}

/// Where nothing is left to chance, runs from snapshots tell the same, and take less.
#[test]
fn snapshots_change_the_cost_and_nothing_else() {
    let app = Generated::new(Recipe { seed: 8, screens: 14, code: 300, vary: (0.0, 0.0) });
    let (traces, _) = app.explore(1_000, 8);
    let [plain, saved] = [false, true].map(|snapshots| {
        let devices = Devices { snapshots, ..Devices::one(8) };
        shrink(&app, &traces, settings(Mode::Planned), devices)
    });
    let recalled = |done: &Done, purpose: Purpose| {
        let of = done.runs.iter().filter(|(order, _)| order.purpose == purpose);
        of.filter(|(_, run)| run.recalled.is_some()).count()
    };
    assert!(recalled(&saved, Purpose::Search) > 10, "{}", recalled(&saved, Purpose::Search));
    assert_eq!(recalled(&saved, Purpose::Confirm), 0);
    let (spent, without) = (saved.report.spent, plain.report.spent);
    assert!(spent.time < without.time && spent.steps < without.steps, "{spent:?}, {without:?}");
    assert_eq!(retap_suite::SuiteReport { spent: without, ..saved.report }, plain.report);
}

#[test]
fn more_devices_are_sooner_done() {
    let app = Generated::new(Recipe { seed: 8, screens: 14, code: 300, vary: (0.0, 0.0) });
    let (traces, sure) = app.explore(1_000, 8);
    let elapsed = [1, 4].map(|count| {
        let devices = Devices { count, ..Devices::one(8) };
        let done = shrink(&app, &traces, settings(Mode::Planned), devices);
        check(&traces, &sure, &done, settings(Mode::Planned)).unwrap();
        done.elapsed
    });
    assert!(elapsed[1].0 * 2 < elapsed[0].0, "{elapsed:?}");
}
