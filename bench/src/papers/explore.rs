//! TimeMachine and its rivals on real apps: code covered and crashes found, with equal events and with equal device time.
//!
//! As in the paper 200 ms pass before each event. This device has no snapshots: time travel performs again what led to a
//! state, and these events count like all others. Equal device time is that of the run on the app that took least of it.

use std::collections::BTreeSet;

use retap_trace::{Micros, Seed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::work::{Job, Work};
use crate::apks::{Bed, CurvePoint, Experiment, PaperApp, Scout, Scouted};
use crate::explore::{Estimate, mean};
use crate::table;

/// One exploration of one app.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Explored {
    app: String,
    strategy: String,
    seed: u64,
    #[serde(flatten)]
    scouted: Scouted,
}

const STRATEGIES: [&str; 6] = ["timetravel", "ms", "mr", "swifthand", "aware", "monkey"];
const THROTTLE: Micros = Micros::from_millis(200);
/// Seeds on the apps of SimplyDroid, and on the others.
const SEEDS: (u64, u64) = (5, 2);

pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    apps: &'a [PaperApp],
    events: u64,
    seeds: Option<u64>,
) -> Work<'a> {
    let mut jobs = Vec::new();
    let most = apps.iter().map(|app| of_app(app, seeds)).max().unwrap_or(0);
    // The first seed of every app comes before the second of any: what is there when it is stopped can be compared.
    for seed in 1..=most {
        for app in apps.iter().filter(|app| seed <= of_app(app, seeds)) {
            for strategy in STRATEGIES {
                let measure = move || {
                    let scout = Scout { strategy, events, throttle: THROTTLE, seed };
                    let scouted = bed.with(app, false, |device| {
                        Ok(scout.explore(device, &mut scout.exploration(device)?))
                    })?;
                    let explored =
                        Explored { app: app.name.clone(), strategy: strategy.to_owned(), seed, scouted };
                    Ok(serde_json::to_value(explored)?)
                };
                #[expect(clippy::cast_precision_loss, reason = "some thousands")]
                let weight = events as f64;
                jobs.push(Job {
                    key: format!("{}/{strategy}/{seed}/{events}", app.name),
                    groups: vec![format!("{}/{strategy}", app.name), app.name.clone()],
                    weight,
                    measure: Box::new(measure),
                });
            }
        }
    }
    Work { part: "c", cells, jobs }
}

fn of_app(app: &PaperApp, seeds: Option<u64>) -> u64 {
    let usual = if app.from == Experiment::SimplyDroid { SEEDS.0 } else { SEEDS.1 };
    seeds.unwrap_or(usual)
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
enum Equal {
    Events,
    Time,
}

/// Everything that was explored.
struct Experiments<'a> {
    all: &'a [Explored],
    apps: Vec<&'a str>,
}

impl<'a> Experiments<'a> {
    fn of(all: &'a [Explored], apps: &'a [PaperApp]) -> Self {
        let complete = |app: &&PaperApp| {
            let has =
                |strategy: &&str| all.iter().any(|one| one.app == app.name && one.strategy == **strategy);
            STRATEGIES.iter().all(has)
        };
        Self { all, apps: apps.iter().filter(complete).map(|app| &*app.name).collect() }
    }

    fn runs(&self, app: &str, strategy: &str) -> impl Iterator<Item = &'a Explored> {
        let (app, strategy) = (app.to_owned(), strategy.to_owned());
        self.all.iter().filter(move |one| one.app == app && one.strategy == strategy)
    }

    /// The state of a run where it is compared with others on the same app.
    fn point(&self, run: &Explored, equal: Equal) -> CurvePoint {
        let curve = &run.scouted.curve;
        let zero = CurvePoint { events: 0, device_ms: 0, covered: 0, crashes: 0 };
        let least = self.all.iter().filter(|one| one.app == run.app);
        let least = least.filter_map(|one| one.scouted.curve.last()).map(|point| point.device_ms).min();
        let fits = |point: &&CurvePoint| match equal {
            Equal::Events => true,
            Equal::Time => least.is_none_or(|least| point.device_ms <= least),
        };
        curve.iter().rev().find(fits).copied().unwrap_or(zero)
    }

    /// The mean over seeds for each app, of the share of its code or of its crashes.
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    fn by_app(&self, strategy: &str, equal: Equal, crashes: bool) -> Vec<f64> {
        let figure = |run: &Explored| {
            let point = self.point(run, equal);
            let total = run.scouted.total.map_or(f64::INFINITY, f64::from);
            if crashes { point.crashes as f64 } else { point.covered as f64 * 100.0 / total }
        };
        let of_app = |app: &&str| mean(&self.runs(app, strategy).map(figure).collect::<Vec<_>>());
        self.apps.iter().map(of_app).collect()
    }
}

/// What is said of a strategy.
#[derive(Debug, Serialize)]
struct Line {
    strategy: &'static str,
    coverage: Estimate,
    coverage_in_equal_time: Estimate,
    crashes: Estimate,
    crashes_in_equal_time: Estimate,
    /// Different crashes over all apps and seeds.
    distinct: usize,
    replayed: f64,
    device_minutes: f64,
    seconds: f64,
}

pub(super) fn report(all: &[Explored], apps: &[PaperApp]) -> Value {
    let experiments = Experiments::of(all, apps);
    let lines: Vec<Line> = STRATEGIES.iter().map(|strategy| line(&experiments, strategy)).collect();
    table::say(&format!("{} apps that every strategy has explored", experiments.apps.len()));
    let row = |line: &Line| {
        vec![
            line.strategy.to_owned(),
            line.coverage.show(1),
            line.coverage_in_equal_time.show(1),
            line.crashes.show(1),
            line.crashes_in_equal_time.show(1),
            line.distinct.to_string(),
            format!("{:.0}", line.replayed),
            format!("{:.1}", line.device_minutes),
            format!("{:.0}", line.seconds),
        ]
    };
    let head = [
        "strategy",
        "code %",
        "in equal time",
        "crashes",
        "in equal time",
        "distinct",
        "replayed",
        "device min",
        "s",
    ];
    table::print(&head, &lines.iter().map(row).collect::<Vec<_>>());
    table::say(
        "code, crashes: means over seeds; of code the mean over apps, of crashes the sum; in brackets 95 % over apps",
    );
    table::say("distinct: crashes over all seeds; replayed, device min, s: means of an exploration");
    table::say("");
    print_apps(&experiments);
    json!({ "apps": experiments.apps, "strategies": lines, "crashes": crashes(all) })
}

fn line(experiments: &Experiments<'_>, strategy: &'static str) -> Line {
    let seed = Seed(1).branch("bootstrap", 0);
    let coverage = |equal| Estimate::mean(&experiments.by_app(strategy, equal, false), seed);
    let crashes = |equal| Estimate::sum(&experiments.by_app(strategy, equal, true), seed);
    let runs: Vec<&Explored> =
        experiments.apps.iter().flat_map(|app| experiments.runs(app, strategy)).collect();
    let over = |figure: &dyn Fn(&Scouted) -> f64| {
        mean(&runs.iter().map(|run| figure(&run.scouted)).collect::<Vec<_>>())
    };
    let found =
        |run: &&Explored| run.scouted.crashes.iter().map(|crash| crash.signature.clone()).collect::<Vec<_>>();
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let replayed = over(&|one| one.replayed as f64);
    Line {
        strategy,
        coverage: coverage(Equal::Events),
        coverage_in_equal_time: coverage(Equal::Time),
        crashes: crashes(Equal::Events),
        crashes_in_equal_time: crashes(Equal::Time),
        distinct: runs.iter().flat_map(found).collect::<BTreeSet<_>>().len(),
        replayed,
        device_minutes: over(&|one| one.device_seconds / 60.0),
        seconds: over(&|one| one.seconds),
    }
}

/// A line for each app: code and crashes of each strategy with equal events.
fn print_apps(experiments: &Experiments<'_>) {
    let names = STRATEGIES.iter().flat_map(|name| [format!("{name}: %"), "crashes".to_owned()]);
    let head: Vec<String> = ["app".to_owned(), "runs".to_owned()].into_iter().chain(names).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let columns: Vec<(Vec<f64>, Vec<f64>)> = STRATEGIES
        .iter()
        .map(|strategy| {
            let by_app = |crashes| experiments.by_app(strategy, Equal::Events, crashes);
            (by_app(false), by_app(true))
        })
        .collect();
    let row = |(nth, app): (usize, &&str)| {
        let runs = experiments.runs(app, STRATEGIES[0]).count();
        let cells = columns
            .iter()
            .flat_map(|(code, crashes)| [format!("{:.1}", code[nth]), format!("{:.1}", crashes[nth])]);
        [(*app).to_owned(), runs.to_string()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    table::print(&head, &experiments.apps.iter().enumerate().map(row).collect::<Vec<_>>());
    table::say("");
}

/// Every crash, with the apps and the strategies that found it.
fn crashes(all: &[Explored]) -> Vec<Value> {
    let mut known = std::collections::BTreeMap::new();
    for run in all {
        for crash in &run.scouted.crashes {
            let entry = known.entry((&run.app, &crash.signature));
            let (_, who): &mut (_, BTreeSet<&str>) = entry.or_insert_with(|| (&crash.stack, BTreeSet::new()));
            who.insert(&run.strategy);
        }
    }
    let each = |((app, signature), (stack, who))| json!({ "app": app, "signature": signature, "strategies": who, "stack": stack });
    known.into_iter().map(each).collect()
}
