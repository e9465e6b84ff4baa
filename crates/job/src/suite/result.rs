//! The result of making a suite, for programs.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use retap_suite::{Item, ItemCounts, SuiteReport, Totals, Why};
use serde::{Deserialize, Serialize};

use super::SuitePlan;

/// Everything that came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct SuiteResult {
    /// Always `suite`.
    pub command: &'static str,
    /// How it ended.
    pub status: SuiteStatus,
    /// The size of the input.
    pub before: SuiteSize,
    /// The size of the suite.
    pub after: SuiteSize,
    /// What both cover.
    pub coverage: SuiteCoverage,
    /// Steps that were followed in some runs and not in others.
    pub flaky_steps: usize,
    /// Traces of the input of which only a prefix replays.
    pub cut_traces: usize,
    /// Replays that gave evidence.
    pub replays: u32,
    /// Replays in which the device failed.
    pub replays_inconclusive: u32,
    /// Events performed in all replays.
    pub executed_events: u64,
    /// Device time of all replays.
    pub device_seconds: f64,
    /// The cost of the choice, and the least that any choice among the confirmed traces costs, in seconds.
    pub optimum: Option<(f64, f64)>,
    /// How the suite was made: `planned` or `classic`.
    pub algorithm: &'static str,
    /// How many devices.
    pub devices: u32,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seed of all chance.
    pub seed: u64,
    /// Traces that did not follow once more when they were recorded, and are written with what the input saw.
    pub traces_not_recorded: usize,
    /// The folder of the suite, once it is written.
    pub suite: Option<PathBuf>,
    /// The folder of the session.
    pub session: PathBuf,
    /// What is not part of the result for programs.
    #[serde(skip)]
    pub details: SuiteDetails,
}

/// How making a suite ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteStatus {
    /// The suite is written.
    Done,
    /// It was stopped, or no device was left; it can go on.
    CutShort,
}

/// What making a suite has shown besides.
#[derive(Debug, Clone)]
pub struct SuiteDetails {
    /// Why it could not go on; nothing when somebody stopped it.
    pub why: Option<String>,
    /// Everything in full.
    pub report: SuiteReport,
    /// What is lost, by the reason: crashes first, then states, then code.
    pub lost: Vec<(String, Vec<String>)>,
    /// Steps that were followed in some runs and not in others, in words, with how often they were and were not.
    pub flaky: Vec<(String, u32, u32)>,
}

/// The size of a suite.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SuiteSize {
    /// Traces.
    pub traces: usize,
    /// Steps of all traces.
    pub transitions: usize,
    /// Restarts of the app when it is run.
    pub restarts: usize,
    /// Device time of running it once.
    pub device_seconds: f64,
}

/// What the input covers, and the suite.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SuiteCoverage {
    /// What the input covers.
    pub before: CoveredItems,
    /// What of it the suite covers.
    pub after: CoveredItems,
    /// Every item that the suite does not cover.
    pub lost: Vec<LostItem>,
}

/// Items by their kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CoveredItems {
    /// Branches.
    pub code: usize,
    /// States.
    pub states: usize,
    /// Crashes.
    pub crashes: usize,
}

/// Something that a suite does not cover.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LostItem {
    /// What it is, in words.
    pub item: String,
    /// Why: `not_followed`, `not_covered` or `not_tried`.
    pub why: Cow<'static, str>,
}

impl SuiteResult {
    pub(super) fn of(
        report: &SuiteReport,
        plan: &SuitePlan,
        session: &Path,
        words: impl Fn(&Item) -> String,
    ) -> Self {
        let lost = |lost: &retap_suite::Lost| LostItem {
            item: words(&lost.item),
            why: Cow::Borrowed(match lost.why {
                Why::NotFollowed(_) => "not_followed",
                Why::NotCovered { .. } => "not_covered",
                Why::NotTried => "not_tried",
            }),
        };
        Self {
            command: "suite",
            status: SuiteStatus::Done,
            before: SuiteSize::of(&report.before),
            after: SuiteSize::of(&report.after),
            coverage: SuiteCoverage {
                before: CoveredItems::of(report.covered_before),
                after: CoveredItems::of(report.covered_after),
                lost: report.lost.iter().map(lost).collect(),
            },
            flaky_steps: report.flaky.len(),
            cut_traces: report.cut.len(),
            replays: report.spent.search + report.spent.confirm,
            replays_inconclusive: report.spent.inconclusive,
            executed_events: report.spent.steps,
            device_seconds: report.spent.time.as_secs_f64(),
            optimum: report.optimum.map(|optimum| (optimum.cost.as_secs_f64(), optimum.bound.as_secs_f64())),
            algorithm: if plan.classic { "classic" } else { "planned" },
            devices: plan.devices,
            platform: None,
            seed: plan.seed,
            traces_not_recorded: 0,
            suite: None,
            session: session.to_owned(),
            details: SuiteDetails { why: None, report: report.clone(), lost: Vec::new(), flaky: Vec::new() },
        }
    }
}

impl SuiteSize {
    fn of(totals: &Totals) -> Self {
        Self {
            traces: totals.traces,
            transitions: totals.transitions,
            restarts: totals.traces,
            device_seconds: totals.time.as_secs_f64(),
        }
    }
}

impl CoveredItems {
    const fn of(counts: ItemCounts) -> Self {
        Self { code: counts.code, states: counts.states, crashes: counts.crashes }
    }
}
