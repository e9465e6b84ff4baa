//! The result of making a suite, for programs.

use std::path::{Path, PathBuf};

use retap_suite::{Item, ItemCounts, SuiteReport, Totals, Why};
use serde::Serialize;

use super::Settings;

/// Everything that came out.
#[derive(Debug, Serialize)]
pub(super) struct SuiteResult {
    command: &'static str,
    pub(super) status: &'static str,
    before: Size,
    after: Size,
    coverage: Coverage,
    flaky_steps: usize,
    cut_traces: usize,
    replays: u32,
    replays_inconclusive: u32,
    executed_events: u64,
    device_seconds: f64,
    /// The cost of the choice, and the least that any choice among the confirmed traces costs, in seconds.
    optimum: Option<(f64, f64)>,
    algorithm: &'static str,
    devices: u32,
    seed: u64,
    pub(super) suite: Option<PathBuf>,
    session: PathBuf,
}

#[derive(Debug, Serialize)]
struct Size {
    traces: usize,
    transitions: usize,
    restarts: usize,
    device_seconds: f64,
}

#[derive(Debug, Serialize)]
struct Coverage {
    before: Covered,
    after: Covered,
    lost: Vec<LostItem>,
}

#[derive(Debug, Serialize)]
struct Covered {
    code: usize,
    states: usize,
    crashes: usize,
}

#[derive(Debug, Serialize)]
struct LostItem {
    item: String,
    why: &'static str,
}

impl SuiteResult {
    pub(super) fn of(
        report: &SuiteReport,
        settings: &Settings,
        session: &Path,
        words: impl Fn(&Item) -> String,
    ) -> Self {
        let lost = |lost: &retap_suite::Lost| LostItem {
            item: words(&lost.item),
            why: match lost.why {
                Why::NotFollowed(_) => "not_followed",
                Why::NotCovered { .. } => "not_covered",
                Why::NotTried => "not_tried",
            },
        };
        Self {
            command: "suite",
            status: "done",
            before: Size::of(&report.before),
            after: Size::of(&report.after),
            coverage: Coverage {
                before: Covered::of(report.covered_before),
                after: Covered::of(report.covered_after),
                lost: report.lost.iter().map(lost).collect(),
            },
            flaky_steps: report.flaky.len(),
            cut_traces: report.cut.len(),
            replays: report.spent.search + report.spent.confirm,
            replays_inconclusive: report.spent.inconclusive,
            executed_events: report.spent.steps,
            device_seconds: report.spent.time.as_secs_f64(),
            optimum: report.optimum.map(|optimum| (optimum.cost.as_secs_f64(), optimum.bound.as_secs_f64())),
            algorithm: if settings.classic { "classic" } else { "planned" },
            devices: settings.devices,
            seed: settings.seed,
            suite: None,
            session: session.to_owned(),
        }
    }
}

impl Size {
    fn of(totals: &Totals) -> Self {
        Self {
            traces: totals.traces,
            transitions: totals.transitions,
            restarts: totals.traces,
            device_seconds: totals.time.as_secs_f64(),
        }
    }
}

impl Covered {
    const fn of(counts: ItemCounts) -> Self {
        Self { code: counts.code, states: counts.states, crashes: counts.crashes }
    }
}
