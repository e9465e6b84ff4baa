//! A strategy on a group of apps, and how time travel compares with it.

use std::collections::BTreeMap;

use retap_trace::Seed;
use serde::Serialize;

use super::estimate::{Estimate, a12, mean};
use super::experiment::Experiment;
use super::proof::Proofs;
use super::strategy::Strategy;

/// Apps that are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Group {
    /// With dead ends and loops.
    Traps,
    /// Without.
    Plain,
    All,
}

/// What is said of a strategy on a group of apps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Line {
    pub(super) group: Group,
    pub(super) strategy: &'static str,
    /// The mean share of an app's code.
    pub(super) coverage: Estimate,
    /// Unique crashes of an exploration, summed over the apps.
    pub(super) crashes: Estimate,
    /// Time travel compared with it; not of time travel itself.
    pub(super) timetravel: Option<Against>,
    /// Means of an exploration.
    pub(super) events: f64,
    pub(super) saves: f64,
    pub(super) restores: f64,
    /// Bugs that were found, by how many actions in the right order they take.
    pub(super) depths: BTreeMap<u32, Found>,
    /// Replays of the crashes of bugs that always crash, and of those that do so only sometimes.
    pub(super) certain: Proofs,
    pub(super) flaky: Proofs,
    /// Mean coverage over time.
    pub(super) curve: Vec<f64>,
}

/// How many of the bugs of one depth were found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Found {
    /// Bugs in all apps.
    pub(super) planted: u32,
    /// The share of them that an exploration finds.
    pub(super) share: f64,
}

/// Time travel compared with another strategy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Against {
    /// Its mean coverage by that of the other.
    pub(super) coverage: Estimate,
    /// Its crashes by those of the other.
    pub(super) crashes: Estimate,
    /// Effect sizes: the mean over apps of those between the seeds of the one and of the other.
    pub(super) coverage_a12: f64,
    pub(super) crashes_a12: f64,
}

/// What going back is worth: time travel compared with restarts under the same source of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Pair {
    pub(super) group: Group,
    /// How both choose events, and after how many without progress they are stuck.
    pub(super) both: &'static str,
    #[serde(flatten)]
    pub(super) against: Against,
}

impl Group {
    pub(super) const ALL: [Self; 3] = [Self::Traps, Self::Plain, Self::All];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Traps => "with dead ends and loops",
            Self::Plain => "without",
            Self::All => "all",
        }
    }

    /// The numbers of its apps.
    pub(super) fn apps(self, experiment: &Experiment) -> Vec<usize> {
        let inside = |traps: bool| match self {
            Self::Traps => traps,
            Self::Plain => !traps,
            Self::All => true,
        };
        let subjects = experiment.subjects.iter().enumerate();
        subjects.filter(|(_, subject)| inside(subject.traps)).map(|(app, _)| app).collect()
    }
}

impl Line {
    pub(super) fn of(experiment: &Experiment, group: Group, strategy: usize) -> Self {
        let apps = group.apps(experiment);
        let values = |of: &dyn Fn(usize) -> Vec<f64>| apps.iter().map(|&app| mean(&of(app))).collect();
        let coverage: Vec<f64> = values(&|app| experiment.coverage(app, strategy));
        let crashes: Vec<f64> = values(&|app| experiment.crashes(app, strategy));
        let seed = bootstrap();
        let proofs = |flaky: bool| {
            let found = experiment.all(&apps, strategy).flat_map(|trial| &trial.crashes);
            Proofs::of(found.filter(|proof| proof.flaky == flaky))
        };
        let each = |of: &dyn Fn(&super::trial::Trial) -> f64| {
            mean(&experiment.all(&apps, strategy).map(of).collect::<Vec<_>>())
        };
        #[expect(clippy::cast_precision_loss, reason = "an exploration has thousands of events")]
        let events = each(&|trial| trial.events as f64);
        Self {
            group,
            strategy: experiment.strategies[strategy].name(),
            coverage: Estimate::mean(&coverage, seed),
            crashes: Estimate::sum(&crashes, seed),
            timetravel: Against::of(experiment, &apps, strategy, seed),
            events,
            saves: each(&|trial| f64::from(trial.travels.saves)),
            restores: each(&|trial| f64::from(trial.travels.restores)),
            depths: Found::by_depth(experiment, &apps, strategy),
            certain: proofs(false),
            flaky: proofs(true),
            curve: experiment.curve(&apps, strategy),
        }
    }
}

impl Found {
    fn by_depth(experiment: &Experiment, apps: &[usize], strategy: usize) -> BTreeMap<u32, Self> {
        let mut depths: BTreeMap<u32, Self> = BTreeMap::new();
        for bug in apps.iter().flat_map(|&app| experiment.subjects[app].known.values()) {
            depths.entry(bug.depth).or_default().planted += 1;
        }
        let seeds = f64::from(u32::try_from(experiment.seeds.max(1)).unwrap_or(u32::MAX));
        for proof in experiment.all(apps, strategy).flat_map(|trial| &trial.crashes) {
            let found = depths.entry(proof.depth).or_default();
            found.share += 1.0 / (seeds * f64::from(found.planted.max(1)));
        }
        depths
    }
}

impl Against {
    /// Time travel compared with a strategy; nothing of time travel itself.
    fn of(experiment: &Experiment, apps: &[usize], other: usize, seed: Seed) -> Option<Self> {
        let own = place(experiment, Strategy::TimeTravel)?;
        (own != other).then(|| Self::between(experiment, apps, own, other, seed))
    }

    fn between(experiment: &Experiment, apps: &[usize], own: usize, other: usize, seed: Seed) -> Self {
        let ratio = |of: &dyn Fn(usize, usize) -> Vec<f64>| {
            let values = |strategy| apps.iter().map(|&app| mean(&of(app, strategy))).collect::<Vec<_>>();
            Estimate::ratio(&values(own), &values(other), seed)
        };
        let effect = |of: &dyn Fn(usize, usize) -> Vec<f64>| {
            mean(&apps.iter().map(|&app| a12(&of(app, own), &of(app, other))).collect::<Vec<_>>())
        };
        let coverage = |app, strategy| experiment.coverage(app, strategy);
        let crashes = |app, strategy| experiment.crashes(app, strategy);
        Self {
            coverage: ratio(&coverage),
            crashes: ratio(&crashes),
            coverage_a12: effect(&coverage),
            crashes_a12: effect(&crashes),
        }
    }
}

impl Pair {
    /// Time travel and restarts: both as they are here, both as published, and what lies between where it was measured.
    pub(super) fn all(experiment: &Experiment, group: Group) -> Vec<Self> {
        let apps = group.apps(experiment);
        let pairs = [
            ("aimed, patience 50", Strategy::TimeTravel, Strategy::Mr),
            ("aimed, patience 200", Strategy::Patient, Strategy::PatientMr),
            ("blind, patience 50", Strategy::Blind, Strategy::BlindMr),
            ("blind, patience 200: published", Strategy::Published, Strategy::PublishedMr),
        ];
        let pair = |(both, own, other)| {
            let (own, other) = (place(experiment, own)?, place(experiment, other)?);
            let against = Against::between(experiment, &apps, own, other, bootstrap());
            Some(Self { group, both, against })
        };
        pairs.into_iter().filter_map(pair).collect()
    }
}

/// Where the trials of a strategy are.
fn place(experiment: &Experiment, strategy: Strategy) -> Option<usize> {
    experiment.strategies.iter().position(|&one| one == strategy)
}

/// The chance of all intervals.
fn bootstrap() -> Seed {
    Seed(1).branch("bootstrap", 0)
}
