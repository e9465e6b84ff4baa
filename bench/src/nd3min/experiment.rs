//! All reductions of the experiment: every case of every seed with every schedule.

use std::ops::ControlFlow;
use std::sync::Arc;

use retap_mdp::{Policy, Prior, Setting, solve};
use retap_trace::Seed;

use super::case::{self, Case, Kind};
use super::plain::{self, Plain};
use super::trial::{DEVICES, LEAST, PARTS, RUNS, Trial, reduce};
use crate::jobs::on_all_cores;

pub(super) const SCHEDULES: [&str; 4] = ["round-robin", "heuristic", "optimal", "async"];
/// The place of the one that the others are compared with.
pub(super) const OPTIMAL: usize = 2;

/// What was found. Each seed has apps and traces of its own: what one app is like must not decide the whole.
#[derive(Debug, Clone)]
pub(super) struct Experiment {
    /// Which set of cases.
    pub(super) kind: &'static Kind,
    /// Cases of each seed.
    pub(super) cases: usize,
    /// Seed by seed, and for each seed case by case: what each schedule came to.
    trials: Vec<Vec<Option<Trial>>>,
    /// Case by case in the same order: what plain delta debugging then makes of the answer of the optimal schedule.
    plain: Vec<Option<Plain>>,
}

impl Experiment {
    /// Reduces the first `only` cases of so many seeds.
    pub(super) fn carry_out(
        kind: &'static Kind,
        seed: Seed,
        only: usize,
        seeds: usize,
        policy: &Arc<Policy>,
    ) -> anyhow::Result<Self> {
        let seeds: Vec<Seed> = (0..seeds as u64).map(|nth| seed.branch("seed", nth)).collect();
        let apps = case::apps(kind, only);
        let drawn = on_all_cores(seeds.len() * apps, |job| case::cases(kind, seeds[job / apps], job % apps));
        let drawn = drawn.into_iter().collect::<Result<Vec<Vec<Case>>, _>>()?;
        let drawn: Vec<(Seed, Case)> = drawn
            .chunks(apps.max(1))
            .zip(&seeds)
            .flat_map(|(apps, seed)| {
                let cases = apps.iter().flatten().take(only).zip(0..);
                cases.map(|(case, nth)| (seed.branch("reduce", nth), case.clone()))
            })
            .collect();
        let done = on_all_cores(drawn.len() * SCHEDULES.len(), |job| {
            let (seed, case) = &drawn[job / SCHEDULES.len()];
            reduce(case, SCHEDULES[job % SCHEDULES.len()], policy, *seed)
        });
        let done = done.into_iter().collect::<Result<Vec<_>, _>>()?;
        let trials: Vec<Vec<Option<Trial>>> = done.chunks(SCHEDULES.len()).map(<[_]>::to_vec).collect();
        let plain = on_all_cores(drawn.len(), |job| {
            let (seed, case) = &drawn[job];
            trials[job][OPTIMAL].as_ref().map(|trial| plain::reduce(case, trial, *seed)).transpose()
        });
        let plain = plain.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Self { kind, cases: drawn.len() / seeds.len().max(1), trials, plain })
    }

    /// Cases of all seeds.
    pub(super) fn len(&self) -> usize {
        self.trials.len()
    }

    /// What the schedules came to in each case that none of them refused.
    pub(super) fn all(&self) -> Vec<Vec<&Trial>> {
        self.trials.iter().filter_map(|four| finished(four)).collect()
    }

    /// The same with every seed of one case.
    pub(super) fn of_case(&self, case: usize) -> Vec<Vec<&Trial>> {
        self.trials.iter().skip(case).step_by(self.cases).filter_map(|four| finished(four)).collect()
    }

    /// What plain delta debugging made of each answer of the optimal schedule.
    pub(super) fn plain(&self) -> impl Iterator<Item = &Plain> {
        self.plain.iter().flatten()
    }

    /// How many reductions a schedule refused.
    pub(super) fn refused(&self, schedule: usize) -> usize {
        self.trials.iter().filter(|four| four[schedule].is_none()).count()
    }
}

fn finished(four: &[Option<Trial>]) -> Option<Vec<&Trial>> {
    four.iter().map(Option::as_ref).collect()
}

/// The optimal schedule for as many candidates as the search has parts.
pub(super) fn policy(prior: &Prior) -> anyhow::Result<Arc<Policy>> {
    let setting = Setting::new(PARTS, DEVICES, RUNS, LEAST)?;
    let threads = std::thread::available_parallelism()?;
    Ok(Arc::new(solve(setting, prior, threads, &mut |_| ControlFlow::Continue(()))?))
}
