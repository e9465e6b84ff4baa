//! All explorations: every app with every strategy and every seed.

use retap_explore::Percentages;
use retap_trace::{Micros, Seed};

use super::strategy::Strategy;
use super::subject::Subject;
use super::trial::{Trial, explore};
use crate::jobs::on_all_cores;

/// What was found.
#[derive(Debug)]
pub(super) struct Experiment {
    pub(super) subjects: Vec<Subject>,
    pub(super) strategies: Vec<Strategy>,
    pub(super) seeds: usize,
    /// App by app, for each app strategy by strategy, for each strategy seed by seed.
    trials: Vec<Trial>,
}

impl Experiment {
    /// Explores all apps. Strategies with the same seed begin with the same chance.
    pub(super) fn carry_out(
        subjects: Vec<Subject>,
        strategies: Vec<Strategy>,
        seeds: usize,
        mix: &Percentages,
        time: Micros,
        seed: Seed,
    ) -> anyhow::Result<Self> {
        let each = strategies.len() * seeds;
        let trials = on_all_cores(subjects.len() * each, |job| {
            let (app, strategy, run) = (job / each, job / seeds % strategies.len(), job % seeds);
            let seed = seed.branch("app", app as u64).branch("run", run as u64);
            explore(&subjects[app], strategies[strategy], mix, time, seed)
        });
        let trials = trials.into_iter().collect::<anyhow::Result<_>>()?;
        Ok(Self { subjects, strategies, seeds, trials })
    }

    /// What a strategy came to on an app, seed by seed.
    pub(super) fn trials(&self, app: usize, strategy: usize) -> &[Trial] {
        let first = (app * self.strategies.len() + strategy) * self.seeds;
        &self.trials[first..first + self.seeds]
    }

    /// Everything that a strategy came to on these apps.
    pub(super) fn all(&self, apps: &[usize], strategy: usize) -> impl Iterator<Item = &Trial> {
        apps.iter().flat_map(move |&app| self.trials(app, strategy))
    }

    /// The share of an app's code that a trial has covered, at each sample.
    #[expect(clippy::cast_precision_loss, reason = "apps have thousands of pieces of code")]
    pub(super) fn shares<'a>(&self, app: usize, trial: &'a Trial) -> impl Iterator<Item = f64> + use<'a> {
        let pieces = self.subjects[app].pieces() as f64;
        trial.covered.iter().map(move |&covered| covered as f64 / pieces)
    }

    /// The share of an app's code that each trial of a strategy ended with.
    pub(super) fn coverage(&self, app: usize, strategy: usize) -> Vec<f64> {
        let trials = self.trials(app, strategy).iter();
        trials.map(|trial| self.shares(app, trial).last().unwrap_or_default()).collect()
    }

    /// The crashes that each trial of a strategy found.
    #[expect(clippy::cast_precision_loss, reason = "apps have a handful of bugs")]
    pub(super) fn crashes(&self, app: usize, strategy: usize) -> Vec<f64> {
        self.trials(app, strategy).iter().map(|trial| trial.crashes.len() as f64).collect()
    }

    /// The mean coverage of a strategy on these apps, at each sample.
    pub(super) fn curve(&self, apps: &[usize], strategy: usize) -> Vec<f64> {
        let mut sums = vec![0.0; super::trial::SAMPLES + 1];
        let mut count = 0.0;
        for &app in apps {
            for trial in self.trials(app, strategy) {
                count += 1.0;
                for (sum, share) in sums.iter_mut().zip(self.shares(app, trial)) {
                    *sum += share;
                }
            }
        }
        sums.into_iter().map(|sum| sum / f64::max(count, 1.0)).collect()
    }
}
