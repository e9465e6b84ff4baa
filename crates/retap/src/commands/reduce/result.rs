//! The result of a reduction, for programs.

use std::path::PathBuf;

use retap_mdp::Prior;
use retap_reduce::{Rate, Tally};
use serde::Serialize;

use super::batches::Fresh;

/// Everything that came out.
#[derive(Debug, Serialize)]
pub(crate) struct ReduceResult {
    pub(super) command: &'static str,
    pub(crate) status: &'static str,
    pub(super) target: String,
    pub(crate) events_before: u32,
    pub(crate) events_after: u32,
    /// Looks at the whole screen in the trace, which searches go by; none for other lists.
    pub(super) looks: Option<usize>,
    /// The kept events, counted from 1.
    pub(super) kept: Vec<u32>,
    pub(super) runs: u32,
    pub(super) runs_inconclusive: u32,
    pub(super) runs_withdrawn: u32,
    pub(super) trials: u32,
    /// Performances of the answer that were written down; they are no evidence.
    pub(super) recordings: u32,
    /// Events performed in all runs and recordings.
    pub(super) executed_events: u64,
    /// Rounds of runs.
    pub(super) steps: u32,
    pub(crate) device_seconds: f64,
    pub(crate) confirmed: Confirmed,
    pub(crate) rate: RateResult,
    /// What other runs of the same events showed, before the confirming ones.
    pub(super) before: Confirmed,
    /// Answers that fresh runs did not confirm.
    pub(super) retreats: u32,
    /// All batches of fresh runs, in order. What is claimed is one of them.
    pub(super) batches: Vec<BatchResult>,
    /// The probability that the answer's rate is at least 0.85 (ND3MIN's p1), under the prior.
    pub(super) p1: Option<f64>,
    /// The probability that no single event can go (ND3MIN's p2), where its Lemma 1 applies: for rules K/N, after a
    /// search that ends 1-minimal, when nothing was taken back or changed afterwards.
    pub(super) p2: Option<f64>,
    pub(super) search: String,
    pub(super) rule: String,
    pub(super) schedule: String,
    pub(super) devices: u32,
    pub(super) seed: u64,
    pub(super) other_crashes: Vec<String>,
    /// The values that were made simpler.
    pub(super) values: Vec<Simpler>,
    /// Where runs of the same events part, when the target is not always reached.
    pub(super) flaked: Option<Flaked>,
    /// The file with the answer.
    pub(crate) trace: Option<PathBuf>,
    pub(super) session: PathBuf,
}

/// Fresh runs of an answer.
#[derive(Debug, Clone, Serialize)]
pub(super) struct BatchResult {
    /// Events of that answer.
    pub(super) events: u32,
    pub(super) reached: u32,
    pub(super) of: u32,
    /// Whether these are the runs that are claimed.
    pub(super) claimed: bool,
}

/// What is added to an event that now finds its widget wherever it is.
pub(super) const BY_WIDGET: &str = ", by its widget instead of its place";

/// A value that was made simpler.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Simpler {
    /// The step of the answer, counted from 1.
    pub(super) step: usize,
    pub(super) before: String,
    pub(super) after: String,
}

/// Where runs of the same events part.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Flaked {
    /// The events after which they do; until then all were in the same states.
    pub(super) after: usize,
    /// The last of these events, in words.
    pub(super) event: String,
    pub(super) states: Vec<FlakedState>,
}

/// A state in which some of the runs were then.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FlakedState {
    pub(super) state: String,
    pub(super) runs: u32,
    pub(super) reached: u32,
}

/// How many of how many fresh runs reached the target.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Confirmed {
    pub(crate) reached: u32,
    pub(crate) of: u32,
}

/// A rate with its 95 % interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct RateResult {
    estimate: f64,
    low: f64,
    high: f64,
}

impl BatchResult {
    pub(super) fn of(batch: &Fresh) -> Self {
        let &Fresh { events, tally, claimed, .. } = batch;
        Self { events, reached: tally.reached, of: tally.runs(), claimed }
    }
}

impl Confirmed {
    pub(super) fn of(tally: Tally) -> Self {
        Self { reached: tally.reached, of: tally.runs() }
    }
}

impl RateResult {
    pub(crate) fn of(tally: Tally) -> Self {
        let Rate { estimate, low, high } = Rate::of(tally);
        Self { estimate, low, high }
    }
}

/// ND3MIN's p1, once there are confirming runs.
pub(super) fn reliability(prior: &Prior, confirmed: Tally) -> Option<f64> {
    let (reached, runs) = (confirmed.reached, confirmed.runs());
    (runs > 0).then(|| retap_mdp::reliability(prior, reached, runs))
}
