//! Apps whose transitions vary: what is kept must replay all the same.

use retap_suite::{Mode, SuiteSettings, Why};
use retap_trace::{Seed, Trace};

use crate::app::record;
use crate::drive::{Devices, fresh_rate, number, shrink};
use crate::generated::{Generated, Recipe, truly_covered};
use crate::table::{Table, events};

/// How many kept traces are followed in at least 19 of 20 fresh runs, and how many there are.
fn steady(vary: (f64, f64), seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut good, mut all) = (0, 0);
    for seed in seeds {
        let app = Generated::new(Recipe { seed, screens: 20, code: 200, vary });
        let (traces, sure) = app.explore(800, seed);
        let done = shrink(&app, &traces, SuiteSettings::default(), Devices::one(seed));
        let truly = truly_covered(&traces, &sure);
        let lost = done.report.lost.iter().filter(|lost| truly.contains_key(&lost.item.to_string()));
        assert_eq!(lost.count(), 0, "seed {seed}: what chance plays no part in is kept");
        for kept in &done.report.kept {
            all += 1;
            good += usize::from(fresh_rate(&app, &traces, &kept.steps, 20, Seed(seed)) >= 19);
        }
    }
    (good, all)
}

#[test]
fn what_varies_often_is_not_kept() {
    let (good, all) = steady((0.02, 0.5), 0..4);
    assert!(all > 20);
    assert_eq!(good, all);
}

#[test]
fn what_varies_now_and_then_is_hardly_ever_kept() {
    for rate in [0.2, 0.05] {
        let (good, all) = steady((0.02, rate), 10..13);
        assert!(good * 100 >= all * 98, "{good} of {all} at {rate}");
    }
}

/// An app whose way to 2 fails half of the time; behind it lie 3 and a crash.
fn doubtful() -> (Table, Vec<Trace>) {
    let mut app = Table::default().with("0 a 1 1\n1 b 2 2\n2 c 3 3\n3 x 4 4\n0 d 5 5");
    app.way(1, 'b').else_to = Some((0.5, 1));
    app.way(3, 'x').crash = Some("Npe@Main#1");
    let crashes = |seed: &Seed| record(&app, events("abcx"), *seed).0.steps[3].crash.is_some();
    let seed = (0..100).map(Seed).find(crashes).expect("the way is taken once in a hundred times");
    let traces = vec![record(&app, events("abcx"), seed).0, record(&app, events("d"), Seed(0)).0];
    (app, traces)
}

#[test]
fn what_is_lost_is_named_with_its_reason() {
    for mode in [Mode::Planned, Mode::Classic] {
        let (app, traces) = doubtful();
        let done = shrink(&app, &traces, SuiteSettings { mode, ..SuiteSettings::default() }, Devices::one(3));
        let report = &done.report;
        let names: Vec<String> = report.lost.iter().map(|lost| lost.item.to_string()).collect();
        assert!(names.contains(&"crash Npe@Main#1".to_owned()), "{mode:?}: {names:?}");
        assert_eq!(report.lost.len(), 6, "{names:?}");
        assert_eq!(report.after.transitions, 2, "a and d are kept");
        for lost in &report.lost {
            let Why::NotFollowed(at) = lost.why else { panic!("{:?}", lost.why) };
            assert_eq!((number(at.trace), at.step), (0, Some(1)), "{mode:?}");
            assert!(at.diverged > 0);
            assert_eq!(at.seen, traces[0].steps[0].after.as_ref().unwrap().actionable);
        }
        let cut: Vec<(usize, Option<u32>, u32)> =
            report.cut.iter().map(|cut| (number(cut.at.trace), cut.at.step, cut.of)).collect();
        assert_eq!(cut, [(0, Some(1), 4)], "{mode:?}");
    }
}

#[test]
fn crashes_survive() {
    let mut kept = 0;
    for seed in 0..8 {
        let app = Generated::new(Recipe { seed, screens: 12, code: 100, vary: (0.0, 0.0) });
        let (traces, _) = app.explore(600, seed);
        let done = shrink(&app, &traces, SuiteSettings::default(), Devices::one(seed));
        assert_eq!(done.report.covered_after.crashes, done.report.covered_before.crashes);
        kept += done.report.covered_after.crashes;
    }
    assert!(kept > 2, "there are crashes to keep");
}
