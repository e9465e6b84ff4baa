//! What the folder of a suite in the making tells.

use std::path::PathBuf;

use retap_lab::{FollowReport, recorded_runs};
use retap_suite::ReplayOrder;
use serde::{Deserialize, Serialize};

use super::SessionReading;
use crate::error::Result;
use crate::suite::{SuiteCoverage, SuiteManifest, SuitePlan, SuiteSize};

/// A suite that was or is being made, by the folder of its session.
#[derive(Debug, Clone, Serialize)]
pub struct SuiteOverview {
    /// What was to be done.
    pub plan: SuitePlan,
    /// What came of it, once it is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<SuiteOutcome>,
    /// Replays that were made so far.
    pub replays: usize,
    /// The folder of the suite, once it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// What that folder says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<SuiteManifest>,
}

/// What came of making a suite.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is what the result of a suite calls so")]
pub struct SuiteOutcome {
    pub before: SuiteSize,
    pub after: SuiteSize,
    pub coverage: SuiteCoverage,
    pub flaky_steps: usize,
    pub cut_traces: usize,
    pub device_seconds: f64,
}

pub(super) fn read(reading: &mut SessionReading<'_>) -> Result<SuiteOverview> {
    let folder = reading.dir().join("suite");
    let result: Option<SuiteOutcome> = reading.outcome()?;
    let manifest = result.is_some().then(|| SuiteManifest::read(&folder));
    let manifest = manifest.and_then(|read| reading.or_damage(read));
    reading.damage.extend(manifest.iter().flat_map(|manifest| manifest.damage(&folder)));
    Ok(SuiteOverview {
        plan: reading.plan()?,
        replays: recorded_runs::<ReplayOrder, FollowReport>(reading.session)?.len(),
        suite: result.is_some().then_some(folder),
        result,
        manifest,
    })
}
