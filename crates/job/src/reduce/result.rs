//! The result of a reduction, for programs.

use std::path::PathBuf;

use retap_mdp::Prior;
use retap_reduce::schedule::ScheduleKind;
use retap_reduce::search::SearchKind;
use retap_reduce::{Rate, Tally};
use retap_trace::{Crash, Micros, Target, Trace};
use serde::{Deserialize, Serialize};

use super::batches::Fresh;
use crate::text;

/// Everything that came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReduceResult {
    /// Always `reduce`.
    pub command: &'static str,
    /// How it ended.
    pub status: ReduceStatus,
    /// What a run must reach.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(with = "text")]
    pub target: Target,
    /// Events, or lines, of what was reduced.
    pub events_before: u32,
    /// Events of the answer, or of the best so far.
    pub events_after: u32,
    /// Looks at the whole screen in the trace, which searches go by; none for other lists.
    pub looks: Option<usize>,
    /// The kept events, counted from 1.
    pub kept: Vec<u32>,
    /// Runs that gave evidence.
    pub runs: u32,
    /// Runs in which the device failed.
    pub runs_inconclusive: u32,
    /// Runs that were ordered and not needed any more.
    pub runs_withdrawn: u32,
    /// Candidates that were judged, as the papers count.
    pub trials: u32,
    /// Performances of the answer that were written down; they are no evidence.
    pub recordings: u32,
    /// Events performed in all runs and recordings.
    pub executed_events: u64,
    /// Rounds of runs.
    pub steps: u32,
    /// Time of the devices, or of the command.
    pub device_seconds: f64,
    /// What fresh runs of the answer showed.
    pub confirmed: Confirmed,
    /// The rate that this tells.
    pub rate: RateResult,
    /// What other runs of the same events showed, before the confirming ones.
    pub before: Confirmed,
    /// Answers that fresh runs did not confirm.
    pub retreats: u32,
    /// All batches of fresh runs, in order. What is claimed is one of them.
    pub batches: Vec<BatchResult>,
    /// The probability that the answer's rate is at least 0.85 (ND3MIN's p1), under the prior.
    pub p1: Option<f64>,
    /// The probability that no single event can go (ND3MIN's p2), where its Lemma 1 applies: for rules K/N, after a
    /// search that ends 1-minimal, when nothing was taken back or changed afterwards.
    pub p2: Option<f64>,
    /// The search.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(with = "text")]
    pub search: SearchKind,
    /// The rule that candidates were judged by.
    pub rule: String,
    /// The schedule.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(with = "text")]
    pub schedule: ScheduleKind,
    /// How many runs went on at once.
    pub devices: u32,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seed of all chance.
    pub seed: u64,
    /// The signatures of other crashes that were seen.
    pub other_crashes: Vec<String>,
    /// The values that were made simpler.
    pub values: Vec<Simpler>,
    /// Where runs of the same events diverge, when the target is not always reached.
    pub flaked: Option<Flaked>,
    /// The file with the answer.
    pub trace: Option<PathBuf>,
    /// The folder of the session.
    pub session: PathBuf,
    /// What is not part of the result for programs.
    #[serde(skip)]
    pub details: ReduceDetails,
}

/// How a reduction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReduceStatus {
    /// There is an answer, and fresh runs confirm it.
    Reduced,
    /// There is an answer, and fresh runs reached the target less often than the rule asks for.
    BelowTheRule,
    /// There is an answer that no fresh run confirms.
    NotConfirmed,
    /// The whole did not reach the target, or not often enough; nothing was reduced.
    NotReproducible,
    /// Somebody stopped it; it can go on.
    Interrupted,
    /// It could not go on: no device was left.
    CutShort,
    /// It could not be begun. Only a reduction that is a part of another job ends so.
    Failed,
}

impl ReduceStatus {
    /// For people.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Reduced => "reduced",
            Self::BelowTheRule => "below the rule",
            Self::NotConfirmed => "not confirmed",
            Self::NotReproducible => "not reproducible",
            Self::Interrupted => "interrupted",
            Self::CutShort => "cut short",
            Self::Failed => "failed",
        }
    }

    /// Whether there is nothing to go on with.
    pub const fn is_final(self) -> bool {
        match self {
            Self::Reduced | Self::BelowTheRule | Self::NotConfirmed | Self::NotReproducible => true,
            Self::Interrupted | Self::CutShort | Self::Failed => false,
        }
    }
}

/// What is reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReducedOf {
    /// The events of a trace.
    Trace,
    /// The lines of a text.
    Text,
}

/// What a reduction has shown besides.
#[derive(Debug, Clone)]
pub struct ReduceDetails {
    /// What was reduced.
    pub of: ReducedOf,
    /// The device that it ran on; nothing for commands.
    pub device: Option<String>,
    /// Whether the search had come to an answer.
    pub answered: bool,
    /// The short trace.
    pub answer: Option<Trace>,
    /// The kept events or lines in words, but for the last ones of many.
    pub kept_in_words: Vec<String>,
    /// Whether there is a claim: the confirming runs were all made.
    pub claimed: bool,
    /// The least of how many runs that `min_rate` asks for.
    pub needed: Option<(u32, u32)>,
    /// What was last said about a run that did not end well.
    pub trouble: Option<String>,
    /// Why no device was left.
    pub no_device_left: Option<String>,
    /// Whose prior p1 and p2 rest on.
    pub whose_prior: &'static str,
    /// Time of the devices, or of the command.
    pub device_time: Micros,
    /// Other crashes that were seen, with the file of a trace to each.
    pub other_crashes: Vec<(Crash, PathBuf)>,
}

impl ReduceResult {
    /// What fresh runs of the answer showed.
    pub const fn claim(&self) -> Tally {
        self.confirmed.tally()
    }
}

/// Fresh runs of an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchResult {
    /// Events of that answer.
    pub events: u32,
    /// Runs that reached the target.
    pub reached: u32,
    /// All runs.
    pub of: u32,
    /// Whether these are the runs that are claimed.
    pub claimed: bool,
}

/// What is added to an event that now finds its widget wherever it is.
pub const BY_WIDGET: &str = ", by its widget instead of its place";

/// A value that was made simpler.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Simpler {
    /// The step of the answer, counted from 1.
    pub step: usize,
    /// The event as it was.
    pub before: String,
    /// The event as it is now.
    pub after: String,
}

/// Where runs of the same events diverge.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flaked {
    /// The events after which they do; until then all were in the same states.
    pub after: usize,
    /// The last of these events, in words.
    pub event: String,
    /// The states in which they were then.
    pub states: Vec<FlakedState>,
}

/// A state in which some of the runs were then.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlakedState {
    /// The state, in words.
    pub state: String,
    /// Runs that were there.
    pub runs: u32,
    /// How many of them reached the target.
    pub reached: u32,
}

/// How many of how many fresh runs reached the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Confirmed {
    /// Runs that reached the target.
    pub reached: u32,
    /// All runs.
    pub of: u32,
}

/// A rate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateResult {
    /// The best guess.
    pub estimate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl BatchResult {
    pub(super) fn of(batch: &Fresh) -> Self {
        let &Fresh { events, tally, claimed, .. } = batch;
        Self { events, reached: tally.reached, of: tally.runs(), claimed }
    }
}

impl Confirmed {
    /// The runs as a tally.
    pub const fn tally(self) -> Tally {
        Tally { reached: self.reached, missed: self.of.saturating_sub(self.reached) }
    }

    /// What a tally says.
    pub fn of(tally: Tally) -> Self {
        Self { reached: tally.reached, of: tally.runs() }
    }
}

impl RateResult {
    /// The rate that a tally tells.
    pub fn of(tally: Tally) -> Self {
        let Rate { estimate, low, high } = Rate::of(tally);
        Self { estimate, low, high }
    }
}

/// ND3MIN's p1, once there are confirming runs.
pub(super) fn reliability(prior: &Prior, confirmed: Tally) -> Option<f64> {
    let (reached, runs) = (confirmed.reached, confirmed.runs());
    (runs > 0).then(|| retap_mdp::reliability(prior, reached, runs))
}
