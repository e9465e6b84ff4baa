//! One reduction: the real engine on simulated devices, as ND3MIN sets it up.

use std::sync::Arc;

use retap_device::Device;
use retap_lab::{Deadlines, Done, Flow, Lab as _, Oracle, Runner, VirtualLab, drive};
use retap_mdp::{Policy, Prior};
use retap_reduce::rule::Fixed;
use retap_reduce::schedule;
use retap_reduce::search::Ddmin;
use retap_reduce::{Phase, ReducedList, Reducing as _, Reduction, ReductionEnding, ReductionSettings, Tally};
use retap_trace::{Level, Micros, Seed};

use super::case::Case;
use super::metered::Metered;
use super::subject::EVENTS;
use super::turns::{Counted, Turns};

pub(super) const DEVICES: u32 = 15;
/// A candidate passes with so many successes ..
pub(super) const LEAST: u32 = 18;
/// .. in so many runs.
pub(super) const RUNS: u32 = 20;
/// k starts with so many parts, and restarts with as many.
pub(super) const PARTS: u32 = 5;

/// What a reduction found and cost.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    /// What the first runs of the whole trace showed.
    pub(super) whole: Tally,
    /// What the search ended with: the paper's answer, which it reports whether or not fresh runs confirm it.
    pub(super) found: u32,
    pub(super) answer: ReducedList,
    /// Rounds of the search, and those of the first check, as the paper counts them. With the schedule `async`, which
    /// has no rounds, what the engine counts: times that all devices were free when a run was ordered.
    pub(super) steps: u32,
    /// Turns of the search with no more candidates than the optimal schedule has a table for.
    pub(super) few: Turns,
    pub(super) runs: u32,
    pub(super) withdrawn: u32,
    /// The time that all devices together were busy, for withdrawn runs too.
    pub(super) device_time: Micros,
    pub(super) elapsed: Micros,
}

/// What the reduction had come to at the turning points.
#[derive(Debug, Default)]
struct Course {
    /// Rounds, when the check of the whole trace was over.
    checked: u32,
    /// Rounds and events left, when the search was over.
    searched: Option<(u32, u32)>,
}

/// Reduces a case. `None` when the reduction refused: the whole trace did not reach its target often enough.
pub(super) fn reduce(
    case: &Case,
    schedule: &str,
    policy: &Arc<Policy>,
    seed: Seed,
) -> anyhow::Result<Option<Trial>> {
    let schedule = schedule::parse(schedule, || Ok(policy.clone())).map_err(anyhow::Error::msg)?;
    let (schedule, turns) = Counted::new(schedule, PARTS);
    let mut reduction = Reduction::new(
        // The paper refuses a trace with fewer than 15 of 20.
        ReductionSettings { events: EVENTS, devices: DEVICES, confirm_runs: RUNS, min_rate: Some(0.75) },
        Box::new(|base| Box::new(Ddmin::new(base, PARTS))),
        Box::new(Fixed::new(LEAST, RUNS).map_err(anyhow::Error::msg)?),
        Box::new(schedule),
    );
    let mut lab = lab(case, seed);
    let mut course = Course::default();
    let mut watch = |reduction: &mut Reduction, _: &Done| {
        course.note(reduction);
        Flow::Continue
    };
    drive(&mut reduction, &mut lab, &mut (), &mut watch)?;
    let Some(ReductionEnding::Reduced(answer)) = reduction.ending().cloned() else { return Ok(None) };
    let counts = reduction.counts();
    let (rounds, found) = course.searched.expect("what is confirmed was found by the search");
    Ok(Some(Trial {
        whole: reduction.checked(),
        found,
        answer,
        // The engine keeps all devices busy during the check; the paper checks in whole rounds.
        steps: RUNS.div_ceil(DEVICES) + (rounds - course.checked),
        few: turns.get(),
        runs: counts.runs,
        withdrawn: counts.withdrawn,
        device_time: lab.busy(),
        elapsed: lab.now(),
    }))
}

/// Fifteen devices with the app of a case, and the judge of its runs.
pub(super) fn lab(case: &Case, seed: Seed) -> Metered {
    let oracle = Oracle {
        trace: case.trace.clone(),
        target: case.target(),
        level: Level::Activity,
        seed,
        deadlines: Deadlines::default(),
        strict: false,
    };
    let device = |_| Box::new(case.app.device()) as Box<dyn Device>;
    Metered::new(VirtualLab::new(Runner::fleet(&oracle, (0..DEVICES).map(device).collect())))
}

impl Trial {
    /// The paper's p1: how likely the answer's rate is at least 0.85.
    pub(super) fn p1(&self, prior: &Prior) -> f64 {
        let claim = self.answer.claim.unwrap_or_default();
        retap_mdp::reliability(prior, claim.reached, claim.runs())
    }

    /// The paper's p2: how likely no single event can go.
    pub(super) fn p2(&self, prior: &Prior) -> f64 {
        retap_mdp::minimality(prior, LEAST, RUNS, self.answer.subset.len())
    }
}

impl Course {
    fn note(&mut self, reduction: &Reduction) {
        let rounds = reduction.counts().rounds;
        match reduction.phase() {
            Phase::Check => self.checked = rounds,
            Phase::Search => {}
            Phase::Confirm | Phase::Over => {
                self.searched.get_or_insert((rounds, reduction.best().len()));
            }
        }
    }
}
