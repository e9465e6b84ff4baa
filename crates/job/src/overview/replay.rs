//! What the folder of replays tells.

use retap_lab::{Done, Report, recorded_runs};
use retap_reduce::{Order, Outcome};
use retap_trace::{Crash, Micros};
use serde::{Deserialize, Serialize};

use super::SessionReading;
use super::explore::seconds;
use super::reduce::tally;
use crate::error::Result;
use crate::reduce::{Confirmed, RateResult};
use crate::replay::{MissedRuns, ReplayPlan, ReplayStatus};

/// Replays of a trace, by their folder.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayOverview {
    /// What was to be done.
    pub plan: ReplayPlan,
    /// How it ended, once all runs are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ReplayStatus>,
    /// How many of how many runs reached the target so far.
    pub confirmed: Confirmed,
    /// The rate that this tells.
    pub rate: RateResult,
    /// Events of the trace, once all runs are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// Whether the trace does not tell where its steps lead, where that decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// Where runs left that missed it, once all are made.
    pub missed: Vec<MissedRuns>,
    /// The crashes in which runs ended, the most frequent first.
    pub crashes: Vec<CrashRuns>,
    /// Runs in which the device failed.
    pub runs_inconclusive: u32,
    /// Device time of all runs.
    #[serde(rename = "device_seconds", serialize_with = "seconds")]
    pub device_time: Micros,
}

/// Runs that ended in the same crash.
#[derive(Debug, Clone, Serialize)]
pub struct CrashRuns {
    /// The crash, as it was first seen.
    pub crash: Crash,
    /// How many they are.
    pub runs: u32,
}

/// What only the result says.
#[derive(Deserialize)]
struct ReplayOutcome {
    status: ReplayStatus,
    events: usize,
    #[serde(default)]
    blind: bool,
    missed: Vec<MissedRuns>,
}

pub(super) fn read(reading: &mut SessionReading<'_>) -> Result<ReplayOverview> {
    let runs: Vec<Done> = recorded_runs::<Order, Report>(reading.session)?;
    let tally = tally(runs.iter().map(|done| &done.report));
    let outcome: Option<ReplayOutcome> = reading.outcome()?;
    let inconclusive = runs.iter().filter(|done| done.report.ended.outcome == Outcome::Inconclusive).count();
    Ok(ReplayOverview {
        plan: reading.plan()?,
        status: outcome.as_ref().map(|outcome| outcome.status),
        confirmed: Confirmed::of(tally),
        rate: RateResult::of(tally),
        events: outcome.as_ref().map(|outcome| outcome.events),
        blind: outcome.as_ref().is_some_and(|outcome| outcome.blind),
        missed: outcome.map(|outcome| outcome.missed).unwrap_or_default(),
        crashes: CrashRuns::of(&runs),
        runs_inconclusive: u32::try_from(inconclusive).unwrap_or(u32::MAX),
        device_time: runs.iter().map(|done| done.report.took).sum(),
    })
}

impl CrashRuns {
    fn of(runs: &[Done]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for crash in runs.iter().filter_map(|done| done.report.crash.as_ref()) {
            match found.iter_mut().find(|known| known.crash.signature == crash.signature) {
                Some(known) => known.runs += 1,
                None => found.push(Self { crash: crash.clone(), runs: 1 }),
            }
        }
        found.sort_by_key(|known| std::cmp::Reverse(known.runs));
        found
    }
}
