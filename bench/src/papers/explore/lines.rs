//! What is said of each strategy, and of each beside the reference.
//!
//! Intervals are of a bootstrap over apps. Those of two strategies overlap because apps differ, even where one strategy
//! is better on every app; so the differences on the same apps and seeds have intervals of their own.

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::Seed;
use serde::Serialize;
use serde_json::{Value, json};

use super::pairs::{Equal, Figure, LeftOut, Pairs, Why};
use super::{Explored, REFERENCE, STRATEGIES};
use crate::apks::{PaperApp, Scouted};
use crate::explore::{Estimate, mean};
use crate::table;

/// Code and crashes, with equal events and in equal time. Of code it is the mean over apps, of crashes the sum.
#[derive(Debug, Serialize)]
struct Figures {
    coverage: Estimate,
    coverage_in_equal_time: Estimate,
    crashes: Estimate,
    crashes_in_equal_time: Estimate,
}

/// What is said of a strategy.
#[derive(Debug, Serialize)]
struct Line {
    strategy: &'static str,
    runs: usize,
    #[serde(flatten)]
    figures: Figures,
    /// Different crashes over all apps and seeds.
    distinct: usize,
    /// Runs that stopped before their events were used up.
    ended_early: usize,
    /// Runs in which calls of the device failed, and that went on.
    with_failures: usize,
    replayed: f64,
    device_minutes: f64,
    seconds: f64,
}

/// By how much a strategy is above the reference.
#[derive(Debug, Serialize)]
struct Difference {
    strategy: &'static str,
    #[serde(flatten)]
    figures: Figures,
}

impl Figures {
    fn of(by_app: impl Fn(Equal, Figure) -> Vec<f64>) -> Self {
        let seed = Seed(1).branch("bootstrap", 0);
        let code = |equal| Estimate::mean(&by_app(equal, Figure::Code), seed);
        let crashes = |equal| Estimate::sum(&by_app(equal, Figure::Crashes), seed);
        Self {
            coverage: code(Equal::Events),
            coverage_in_equal_time: code(Equal::Time),
            crashes: crashes(Equal::Events),
            crashes_in_equal_time: crashes(Equal::Time),
        }
    }

    /// One app says nothing about others.
    fn show(&self, apps: usize) -> [String; 4] {
        let all = [self.coverage, self.coverage_in_equal_time, self.crashes, self.crashes_in_equal_time];
        all.map(|one| if apps < 2 { format!("{:.1}", one.value) } else { one.show(1) })
    }
}

impl Line {
    fn of(pairs: &Pairs<'_>, strategy: &'static str) -> Self {
        let runs = pairs.runs(strategy);
        let over = |figure: &dyn Fn(&Scouted) -> f64| {
            mean(&runs.iter().map(|run| figure(&run.scouted)).collect::<Vec<_>>())
        };
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let replayed = over(&|one| one.replayed as f64);
        Self {
            strategy,
            runs: runs.len(),
            figures: Figures::of(|equal, figure| pairs.by_app(strategy, equal, figure)),
            distinct: pairs.distinct(strategy),
            ended_early: runs.iter().filter(|run| run.early()).count(),
            with_failures: runs.iter().filter(|run| !run.scouted.failures.is_empty()).count(),
            replayed,
            device_minutes: over(&|one| one.device_seconds / 60.0),
            seconds: over(&|one| one.seconds),
        }
    }

    fn row(&self, apps: usize) -> Vec<String> {
        let first = [self.strategy.to_owned(), self.runs.to_string()];
        let counts = [self.distinct, self.ended_early, self.with_failures].map(|count| count.to_string());
        let rest = [
            format!("{:.0}", self.replayed),
            format!("{:.1}", self.device_minutes),
            format!("{:.0}", self.seconds),
        ];
        first.into_iter().chain(self.figures.show(apps)).chain(counts).chain(rest).collect()
    }
}

impl Difference {
    fn of(pairs: &Pairs<'_>, strategy: &'static str) -> Self {
        let figures = Figures::of(|equal, figure| pairs.differences(strategy, REFERENCE, equal, figure));
        Self { strategy, figures }
    }
}

pub(in crate::papers) fn report(all: &[Explored], apps: &[PaperApp]) -> Value {
    let pairs = Pairs::of(all, apps);
    for note in notes(&pairs) {
        table::say(&note);
    }
    let lines = STRATEGIES.map(|strategy| Line::of(&pairs, strategy));
    print_lines(&lines, pairs.apps.len());
    let others = STRATEGIES.into_iter().filter(|strategy| *strategy != REFERENCE);
    let differences: Vec<Difference> = others.map(|strategy| Difference::of(&pairs, strategy)).collect();
    print_differences(&differences, pairs.apps.len());
    print_apps(&pairs);
    json!({
        "apps": pairs.apps,
        "left_out": pairs.left_out,
        "strategies": lines,
        "against": REFERENCE,
        "differences": differences,
        "crashes_of_all_runs": crashes(all),
    })
}

/// What is compared, and what is left out with its reason.
fn notes(pairs: &Pairs<'_>) -> Vec<String> {
    let (count, out) = (pairs.count(), pairs.left_out.len());
    let compared = format!(
        "{} of {count} pairs of an app and a seed are compared, on {} apps",
        count - out,
        pairs.apps.len()
    );
    let name = |out: &LeftOut<'_>| format!("{}/{}", out.app, out.seed);
    let kind = |title: &str, words: &dyn Fn(&LeftOut<'_>) -> Option<String>| {
        let some: Vec<String> = pairs.left_out.iter().filter_map(words).collect();
        (!some.is_empty()).then(|| format!("left out, {title}: {}: {}", some.len(), some.join("; ")))
    };
    let kinds = [
        kind("not explored by every strategy yet", &|out| match &out.why {
            Why::NotFinished(missing) => Some(format!("{} ({})", name(out), missing.join(", "))),
            _ => None,
        }),
        kind("a run failed", &|out| match &out.why {
            Why::Failed(runs) => {
                let words = runs.iter().map(|(strategy, why)| format!("{strategy}: {why}"));
                Some(format!("{} ({})", name(out), words.collect::<Vec<_>>().join(", ")))
            }
            _ => None,
        }),
        kind("how much code there is is not known", &|out| (out.why == Why::NoTotal).then(|| name(out))),
    ];
    [compared].into_iter().chain(kinds.into_iter().flatten()).collect()
}

fn print_lines(lines: &[Line], apps: usize) {
    let head = [
        "strategy",
        "runs",
        "code %",
        "in equal time",
        "crashes",
        "in equal time",
        "distinct",
        "ended early",
        "with failures",
        "replayed",
        "device min",
        "s",
    ];
    table::print(&head, &lines.iter().map(|line| line.row(apps)).collect::<Vec<_>>());
    table::say(
        "code, crashes: means over seeds; of code the mean over apps, of crashes the sum; in brackets 95 % over apps, \
         by a bootstrap",
    );
    table::say(
        "distinct: crashes over all seeds; ended early: runs that stopped before their events were used up, which count \
         as they were then; with failures: calls of the device failed, and the run went on",
    );
    table::say("replayed, device min, s: means of an exploration");
    table::say("");
}

fn print_differences(differences: &[Difference], apps: usize) {
    let title = format!("against {REFERENCE}");
    let head = [&*title, "code %", "in equal time", "crashes", "in equal time"];
    let row = |one: &Difference| {
        [one.strategy.to_owned()].into_iter().chain(one.figures.show(apps)).collect::<Vec<_>>()
    };
    table::print(&head, &differences.iter().map(row).collect::<Vec<_>>());
    table::say(&format!(
        "differences on the same apps and seeds, positive where {REFERENCE} is worse; in brackets 95 % over the {apps} apps, \
         by a bootstrap"
    ));
    table::say("");
}

/// A line for each app: code and crashes of each strategy with equal events.
fn print_apps(pairs: &Pairs<'_>) {
    let names = STRATEGIES.iter().flat_map(|name| [format!("{name}: %"), "crashes".to_owned()]);
    let head: Vec<String> = ["app".to_owned(), "runs".to_owned()].into_iter().chain(names).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let columns = STRATEGIES.map(|strategy| {
        [Figure::Code, Figure::Crashes].map(|figure| pairs.by_app(strategy, Equal::Events, figure))
    });
    let row = |(nth, app): (usize, &&str)| {
        let cells = columns.iter().flatten().map(|column| format!("{:.1}", column[nth]));
        let first = [(*app).to_owned(), pairs.seeds(app).to_string()];
        first.into_iter().chain(cells).collect::<Vec<_>>()
    };
    table::print(&head, &pairs.apps.iter().enumerate().map(row).collect::<Vec<_>>());
    table::say("runs: of each strategy");
    table::say("");
}

/// Every crash, with the apps and the strategies that found it, also in runs that are not compared.
fn crashes(all: &[Explored]) -> Vec<Value> {
    let mut known = BTreeMap::new();
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

#[cfg(test)]
mod tests {
    use super::super::pairs::tests::{explored, whole};
    use super::*;
    use crate::apks::apps;

    #[test]
    fn what_is_left_out_is_named_with_its_reason() {
        let mut all = whole("Tippy", 1, 40);
        all.extend(whole("Tippy", 2, 40));
        all[7].scouted.failed = true;
        all[7].scouted.ended = Some("it is gone".to_owned());
        all.extend(whole("markor", 1, 40));
        all[12].scouted.total = None;
        all.push(explored("markor", "ms", 2, 40, 1));
        let apps = apps(&[]).unwrap();
        let words = notes(&Pairs::of(&all, &apps));
        let missing = "left out, not explored by every strategy yet: 1: markor/2 \
                       (timetravel, mr, swifthand, aware, monkey)";
        assert_eq!(
            words,
            [
                "1 of 4 pairs of an app and a seed are compared, on 1 apps",
                missing,
                "left out, a run failed: 1: Tippy/2 (ms: it is gone)",
                "left out, how much code there is is not known: 1: markor/1",
            ]
        );
    }

    #[test]
    fn runs_that_ended_early_and_failures_are_counted() {
        let mut all = whole("Tippy", 1, 40);
        all.extend(whole("Tippy", 2, 40));
        all[0].scouted.ended = Some("nothing was left to do".to_owned());
        all[1].scouted.failures.push("it did not answer".to_owned());
        let apps = apps(&[]).unwrap();
        let pairs = Pairs::of(&all, &apps);
        let [first, second] = [STRATEGIES[0], STRATEGIES[1]].map(|strategy| Line::of(&pairs, strategy));
        assert_eq!((first.runs, first.ended_early, first.with_failures), (2, 1, 0));
        assert_eq!((second.runs, second.ended_early, second.with_failures), (2, 0, 1));
        // Of one app there is no interval.
        assert_eq!(first.row(1)[2], "40.0");
        assert_eq!(first.row(2)[2], "40.0 [40.0, 40.0]");
    }

    #[test]
    fn a_difference_that_is_the_same_on_every_app_is_certain() {
        let mut all = whole("Tippy", 1, 10);
        all.extend(whole("markor", 1, 90));
        for run in all.iter_mut().filter(|run| run.strategy == "aware") {
            run.scouted.curve[1].covered += 4;
        }
        let apps = apps(&[]).unwrap();
        let pairs = Pairs::of(&all, &apps);
        let alone = Line::of(&pairs, "aware").figures.show(2);
        assert_eq!(alone[0], "54.0 [14.0, 94.0]");
        let shown = Difference::of(&pairs, "aware").figures.show(2);
        assert_eq!(shown[0], "4.0 [4.0, 4.0]");
    }
}
