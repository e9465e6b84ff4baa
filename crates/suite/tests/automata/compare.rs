//! Both algorithms side by side, on apps of the sizes of the paper's eighteen.

use retap_suite::{Mode, SuiteSettings};

use crate::drive::{Devices, Done, shrink};
use crate::generated::{Generated, Recipe, truly_covered};

/// Name, covered branches and screens of the apps [DetReduce, table 2].
const APPS: [(&str, u32, u32); 18] = [
    ("acar", 4427, 171),
    ("amemo", 2955, 114),
    ("amoney", 4481, 159),
    ("astrid", 6201, 170),
    ("cnote", 5089, 102),
    ("dmoney", 2387, 47),
    ("emobile", 1554, 214),
    ("explore", 6647, 105),
    ("mileage", 1766, 81),
    ("mnote", 889, 76),
    ("moneyfy", 4966, 62),
    ("sanity", 978, 186),
    ("tippy", 712, 15),
    ("todo", 1415, 58),
    ("ttable", 2651, 125),
    ("vlc", 2341, 60),
    ("whohas", 230, 15),
    ("xmp", 2079, 50),
];
const STEPS: usize = 12_000;

/// Prints one line per app; run it with `--release -- --ignored --nocapture compare`.
#[test]
#[ignore = "takes minutes; it measures and prints"]
fn side_by_side() {
    println!(
        "{:8} {:>5} {:>6} | {:>5} {:>6} {:>7} {:>6} {:>9} | {:>5} {:>6} {:>7} {:>6} {:>9} | {:>6} {:>6}",
        "app",
        "tr",
        "steps",
        "tr",
        "steps",
        "suite",
        "lost",
        "spent",
        "tr",
        "steps",
        "suite",
        "lost",
        "spent",
        "suite",
        "spent"
    );
    let mut ratios = Vec::new();
    for (number, (name, code, screens)) in (1_u64..).zip(APPS) {
        let app = Generated::new(Recipe { seed: number, screens: screens / 2 + 4, code, vary: (0.02, 0.5) });
        let (traces, sure) = app.explore(STEPS, number);
        let truly = truly_covered(&traces, &sure);
        let [classic, planned] = [Mode::Classic, Mode::Planned].map(|mode| {
            shrink(&app, &traces, SuiteSettings { mode, ..SuiteSettings::default() }, Devices::one(number))
        });
        let truly_lost =
            planned.report.lost.iter().filter(|lost| truly.contains_key(&lost.item.to_string())).count();
        assert_eq!(truly_lost, 0, "{name}: what can be replayed is kept");
        let cells = |done: &Done| {
            let report = &done.report;
            format!(
                "{:5} {:6} {:6.0}s {:6} {:8.0}s",
                report.after.traces,
                report.after.transitions,
                report.after.time.as_secs_f64(),
                report.lost.len(),
                report.spent.time.as_secs_f64()
            )
        };
        let share = |one: f64, of: f64| 100.0 * one / of;
        let suite = share(planned.report.after.time.as_secs_f64(), classic.report.after.time.as_secs_f64());
        let spent = share(planned.report.spent.time.as_secs_f64(), classic.report.spent.time.as_secs_f64());
        println!(
            "{name:8} {:5} {:6} | {} | {} | {suite:5.1}% {spent:5.1}%",
            traces.len(),
            traces.iter().map(|trace| trace.steps.len()).sum::<usize>(),
            cells(&classic),
            cells(&planned),
        );
        ratios.push((suite, spent));
    }
    let median = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        f64::midpoint(list[list.len() / 2 - 1], list[list.len() / 2])
    };
    let suites = median(ratios.iter().map(|ratio| ratio.0).collect());
    let spent = median(ratios.iter().map(|ratio| ratio.1).collect());
    println!("median: the suite takes {suites:.1} % of the time, making it {spent:.1} %");
}
