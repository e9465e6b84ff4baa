//! One reduction: the real engine on a simulated device, one run a trial.

use retap_lab::{Deadlines, Done, Flow, Oracle, Runner, VirtualLab, drive};
use retap_reduce::rule::Fixed;
use retap_reduce::schedule::Sequential;
use retap_reduce::search::{self, Material};
use retap_reduce::{Reducing as _, Reduction, ReductionEnding, ReductionSettings};
use retap_trace::{Level, Seed};
use serde::Serialize;

use super::subject::Subject;

/// Fresh runs that confirm an answer.
const CONFIRM: u32 = 5;

/// What a search found, and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Found {
    pub(super) length: u32,
    pub(super) trials: u32,
    /// Events that trials performed.
    pub(super) executed: u64,
}

/// Reduces a trace. `None` when its crash does not come again.
/// With `one_by_one`, a pass follows that tries to leave out single events.
pub(super) fn reduce(
    subject: &Subject,
    name: &str,
    one_by_one: bool,
    seed: Seed,
) -> anyhow::Result<Option<Found>> {
    let material = Material::of(&subject.trace, &subject.target, None);
    let search = search::maker(name, &material, one_by_one).map_err(anyhow::Error::msg)?;
    let settings =
        ReductionSettings { events: material.all().len(), devices: 1, confirm_runs: CONFIRM, min_rate: None };
    let rule = Box::new(Fixed::new(1, 1).map_err(anyhow::Error::msg)?);
    let mut reduction = Reduction::new(settings, search, rule, Box::<Sequential>::default());
    let mut lab = VirtualLab::new(Runner::fleet(&oracle(subject, seed), vec![subject.device()]));
    let mut executed = 0;
    let mut watch = |_: &mut Reduction, done: &Done| {
        executed += if done.order.measures { 0 } else { u64::from(done.report.ended.events) };
        Flow::Continue
    };
    drive(&mut reduction, &mut lab, &mut (), &mut watch)?;
    Ok(match reduction.ending() {
        Some(ReductionEnding::Reduced(answer)) => {
            Some(Found { length: answer.subset.len(), trials: reduction.counts().trials, executed })
        }
        _ => None,
    })
}

/// The judge of runs of a trace.
pub(super) fn oracle(subject: &Subject, seed: Seed) -> Oracle {
    Oracle {
        trace: subject.trace.clone(),
        target: subject.target.clone(),
        level: Level::Activity,
        seed,
        deadlines: Deadlines::default(),
        strict: false,
    }
}
