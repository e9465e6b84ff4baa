//! Which runs are compared: those on apps and with seeds that every strategy has explored to an end. A strategy with an
//! easier app or a luckier seed than another would be better by that alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Explored, STRATEGIES};
use crate::apks::{CurvePoint, PaperApp};
use crate::explore::mean;

/// What is equal where runs are compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Equal {
    Events,
    Time,
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Figure {
    /// The share of the code, in percent.
    Code,
    Crashes,
}

/// The runs that are compared.
#[derive(Debug)]
pub(super) struct Pairs<'a> {
    runs: Vec<&'a Explored>,
    /// Apps with at least one such seed.
    pub(super) apps: Vec<&'a str>,
    pub(super) left_out: Vec<LeftOut<'a>>,
    /// The device time that runs are compared at, by app.
    least: BTreeMap<&'a str, u64>,
}

/// An app with a seed that is not compared.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct LeftOut<'a> {
    pub(super) app: &'a str,
    pub(super) seed: u64,
    pub(super) why: Why,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Why {
    /// These strategies have not explored it.
    NotFinished(Vec<&'static str>),
    /// Runs of these strategies failed, with what ended them.
    Failed(Vec<(String, String)>),
    /// How much code the app has is not known.
    NoTotal,
}

impl Why {
    /// Why runs of all strategies with one seed cannot be compared.
    fn of(runs: &[&Explored]) -> Option<Self> {
        let lacks = |strategy: &&str| runs.iter().all(|run| run.strategy != **strategy);
        let missing: Vec<_> = STRATEGIES.into_iter().filter(lacks).collect();
        if !missing.is_empty() {
            return Some(Self::NotFinished(missing));
        }
        let failed: Vec<_> = runs.iter().filter(|run| run.scouted.failed).collect();
        if !failed.is_empty() {
            let words =
                |run: &&&Explored| (run.strategy.clone(), run.scouted.ended.clone().unwrap_or_default());
            return Some(Self::Failed(failed.iter().map(words).collect()));
        }
        runs.iter().any(|run| run.total().is_none()).then_some(Self::NoTotal)
    }
}

impl Explored {
    fn total(&self) -> Option<u32> {
        self.scouted.total.filter(|&total| total > 0)
    }

    /// Whether it stopped before its events were used up.
    pub(super) fn early(&self) -> bool {
        self.scouted.ended.is_some()
    }
}

impl<'a> Pairs<'a> {
    pub(super) fn of(all: &'a [Explored], apps: &'a [PaperApp]) -> Self {
        let (mut runs, mut left_out, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for app in apps {
            let of_app = || all.iter().filter(|run| run.app == app.name);
            let before = runs.len();
            for seed in of_app().map(|run| run.seed).collect::<BTreeSet<_>>() {
                let some: Vec<&Explored> = of_app().filter(|run| run.seed == seed).collect();
                match Why::of(&some) {
                    Some(why) => left_out.push(LeftOut { app: &app.name, seed, why }),
                    None => runs.extend(some),
                }
            }
            if runs.len() > before {
                known.push(&*app.name);
            }
        }
        let least = known.iter().filter_map(|app| Some((*app, least(&runs, app)?))).collect();
        Self { runs, apps: known, left_out, least }
    }

    /// How many pairs of an app and a seed there are, those that are left out included.
    pub(super) fn count(&self) -> usize {
        self.runs.len() / STRATEGIES.len() + self.left_out.len()
    }

    /// Runs on all apps.
    pub(super) fn runs(&self, strategy: &str) -> Vec<&'a Explored> {
        self.runs.iter().filter(|run| run.strategy == strategy).copied().collect()
    }

    /// The seeds of an app.
    pub(super) fn seeds(&self, app: &str) -> usize {
        self.runs.iter().filter(|run| run.app == app).count() / STRATEGIES.len()
    }

    /// The state of a run where it is compared with others on the same app.
    fn point(&self, run: &Explored, equal: Equal) -> CurvePoint {
        let zero = CurvePoint { events: 0, device_ms: 0, covered: 0, crashes: 0 };
        let least = self.least.get(&*run.app);
        let fits = |point: &&CurvePoint| match equal {
            Equal::Events => true,
            Equal::Time => least.is_none_or(|least| point.device_ms <= *least),
        };
        run.scouted.curve.iter().rev().find(fits).copied().unwrap_or(zero)
    }

    /// The mean over seeds, for each app.
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    pub(super) fn by_app(&self, strategy: &str, equal: Equal, figure: Figure) -> Vec<f64> {
        let of_run = |run: &&Explored| {
            let point = self.point(run, equal);
            match figure {
                Figure::Crashes => point.crashes as f64,
                Figure::Code => point.covered as f64 * 100.0 / run.total().map_or(f64::NAN, f64::from),
            }
        };
        let runs = self.runs(strategy);
        let of_app =
            |app: &&str| mean(&runs.iter().filter(|run| run.app == **app).map(of_run).collect::<Vec<_>>());
        self.apps.iter().map(of_app).collect()
    }

    /// By how much each app's mean is above that of another strategy, with the same seeds.
    pub(super) fn differences(&self, strategy: &str, other: &str, equal: Equal, figure: Figure) -> Vec<f64> {
        let theirs = self.by_app(other, equal, figure);
        self.by_app(strategy, equal, figure)
            .into_iter()
            .zip(theirs)
            .map(|(ours, theirs)| ours - theirs)
            .collect()
    }

    /// Different crashes. Two apps may well have crashes of one signature.
    pub(super) fn distinct(&self, strategy: &str) -> usize {
        let runs = self.runs(strategy).into_iter();
        let found =
            runs.flat_map(|run| run.scouted.crashes.iter().map(|crash| (&*run.app, &*crash.signature)));
        found.collect::<BTreeSet<_>>().len()
    }
}

/// The least device time of a run on an app that used up its events. One that stopped early stays where it was: its
/// time says nothing of how fast a strategy is.
fn least(runs: &[&Explored], app: &str) -> Option<u64> {
    let whole = runs.iter().filter(|run| run.app == app && !run.early());
    whole.filter_map(|run| run.scouted.curve.last()).map(|point| point.device_ms).min()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::apks::{FoundCrash, Scouted, apps};

    /// A run with 100 pieces of code that takes so many seconds, half of which it has covered half of its code in.
    pub(in super::super) fn explored(
        app: &str,
        strategy: &str,
        seed: u64,
        covered: usize,
        seconds: u64,
    ) -> Explored {
        let point = |events, device_ms, covered| CurvePoint { events, device_ms, covered, crashes: 1 };
        let curve = vec![point(1000, seconds * 500, covered / 2), point(2000, seconds * 1000, covered)];
        let crash = FoundCrash { signature: "E@x#1".to_owned(), seen: 1, stack: Vec::new() };
        let scouted = Scouted {
            events: 2000,
            replayed: 0,
            restores: 0,
            starts: 1,
            states: 1,
            covered,
            total: Some(100),
            device_seconds: 60.0,
            seconds: 1.0,
            crashes: vec![crash],
            device_crashes: Vec::new(),
            failures: Vec::new(),
            ended: None,
            failed: false,
            curve,
        };
        Explored { app: app.to_owned(), strategy: strategy.to_owned(), seed, scouted }
    }

    /// By every strategy, with the same result.
    pub(in super::super) fn whole(app: &str, seed: u64, covered: usize) -> Vec<Explored> {
        STRATEGIES.iter().map(|strategy| explored(app, strategy, seed, covered, 100)).collect()
    }

    fn table() -> Vec<PaperApp> {
        apps(&["Tippy".to_owned(), "markor".to_owned()]).unwrap()
    }

    fn code(pairs: &Pairs<'_>, strategy: &str, equal: Equal) -> Vec<f64> {
        pairs.by_app(strategy, equal, Figure::Code)
    }

    #[test]
    fn strategies_are_compared_on_the_same_seeds() {
        let mut all = whole("Tippy", 1, 40);
        // One strategy was lucky with a seed that another has not explored.
        all.extend(whole("Tippy", 2, 90).into_iter().filter(|run| run.strategy != "monkey"));
        all.push(explored("markor", "ms", 1, 70, 100));
        let apps = table();
        let pairs = Pairs::of(&all, &apps);
        assert_eq!(pairs.apps, ["Tippy"]);
        for strategy in STRATEGIES {
            assert_eq!(code(&pairs, strategy, Equal::Events), [40.0], "{strategy}");
            assert_eq!(pairs.runs(strategy).len(), 1);
        }
        assert_eq!((pairs.seeds("Tippy"), pairs.seeds("markor"), pairs.count()), (1, 0, 3));
        assert_eq!(pairs.left_out[0].why, Why::NotFinished(vec!["monkey"]));
        assert_eq!((pairs.left_out[1].app, pairs.left_out[1].seed), ("markor", 1));
    }

    #[test]
    fn a_run_that_failed_decides_nothing() {
        let mut all = whole("Tippy", 1, 40);
        all.extend(whole("Tippy", 2, 60));
        let broken = &mut all[STRATEGIES.len()].scouted;
        (broken.failed, broken.ended) = (true, Some("no device".to_owned()));
        broken.curve = vec![CurvePoint { events: 0, device_ms: 1, covered: 0, crashes: 0 }];
        let apps = table();
        let pairs = Pairs::of(&all, &apps);
        let why = vec![("timetravel".to_owned(), "no device".to_owned())];
        assert_eq!(pairs.left_out, [LeftOut { app: "Tippy", seed: 2, why: Why::Failed(why) }]);
        for equal in [Equal::Events, Equal::Time] {
            assert_eq!(code(&pairs, "ms", equal), [40.0]);
        }
    }

    #[test]
    fn equal_time_is_the_least_of_a_run_that_used_its_events() {
        let mut all = whole("Tippy", 1, 40);
        // Slower than the others, and one that had nothing left to do after a tenth of the time.
        all[0] = explored("Tippy", STRATEGIES[0], 1, 80, 200);
        all[1] = explored("Tippy", STRATEGIES[1], 1, 30, 10);
        all[1].scouted.ended = Some("nothing was left to do".to_owned());
        let apps = table();
        let pairs = Pairs::of(&all, &apps);
        assert_eq!(code(&pairs, STRATEGIES[0], Equal::Events), [80.0]);
        assert_eq!(code(&pairs, STRATEGIES[0], Equal::Time), [40.0]);
        assert_eq!(code(&pairs, STRATEGIES[1], Equal::Time), [30.0]);
        assert_eq!(code(&pairs, STRATEGIES[2], Equal::Time), [40.0]);
    }

    #[test]
    fn an_app_whose_code_is_not_counted_has_no_share_of_it() {
        for total in [None, Some(0)] {
            let mut all = whole("Tippy", 1, 40);
            all.extend(whole("markor", 1, 60));
            all[3].scouted.total = total;
            let apps = table();
            let pairs = Pairs::of(&all, &apps);
            assert_eq!(pairs.left_out, [LeftOut { app: "Tippy", seed: 1, why: Why::NoTotal }]);
            assert_eq!(code(&pairs, "aware", Equal::Events), [60.0]);
        }
    }

    #[test]
    fn crashes_of_two_apps_are_two() {
        let mut all = whole("Tippy", 1, 40);
        all.extend(whole("Tippy", 2, 40));
        all.extend(whole("markor", 1, 40));
        let apps = table();
        assert_eq!(Pairs::of(&all, &apps).distinct("ms"), 2);
    }

    #[test]
    fn differences_are_of_the_same_apps() {
        let mut all = whole("Tippy", 1, 40);
        all.extend(whole("markor", 1, 60));
        for run in all.iter_mut().filter(|run| run.strategy == "ms") {
            run.scouted.curve[1].covered -= 10;
        }
        let apps = table();
        let pairs = Pairs::of(&all, &apps);
        assert_eq!(pairs.differences("ms", "timetravel", Equal::Events, Figure::Code), [-10.0, -10.0]);
        assert_eq!(pairs.differences("mr", "timetravel", Equal::Time, Figure::Crashes), [0.0, 0.0]);
    }
}
