//! The result of an exploration.

use std::collections::BTreeMap;
use std::path::PathBuf;

use retap_explore::StrategyKind;
use retap_lab::TimeTravelCost;
use retap_trace::Micros;
use serde::Serialize;

use super::findings::{CrashResult, Finding};
use super::reducing::ReducedResult;
use crate::text;

/// Everything that came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExploreResult {
    /// Always `explore`.
    pub command: &'static str,
    /// How it ended.
    pub status: ExploreStatus,
    /// Why it ended before its budget was used up; nothing when it did not, or when somebody stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Events that were performed.
    pub events: u64,
    /// Looks at the whole screen.
    pub looks: u64,
    /// Segments: each begins with a clean start or a restored state.
    pub segments: usize,
    /// States that were seen.
    pub states: usize,
    /// Transitions between them.
    pub transitions: usize,
    /// Branches covered.
    pub coverage: usize,
    /// All branches, where that is known.
    pub coverage_total: Option<u32>,
    /// The crashes in the order they were first seen.
    pub crashes: Vec<CrashResult>,
    /// What came of reducing them.
    pub reduced: Vec<ReducedResult>,
    /// What going back in time has cost.
    pub time_travel: TimeTravelResult,
    /// Why devices failed, and how often: the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub device_failures: Vec<DeviceFailure>,
    /// Device time over all devices.
    pub device_seconds: f64,
    /// How events were chosen.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(with = "text")]
    pub strategy: StrategyKind,
    /// How many devices.
    pub devices: u32,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seed of all chance.
    pub seed: u64,
    /// The folder of the session.
    pub session: PathBuf,
    /// What is not part of the result for programs.
    #[serde(skip)]
    pub details: ExploreDetails,
}

/// How an exploration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExploreStatus {
    /// Its budget is used up, it has found what it looked for, or the app leaves nothing to explore.
    Done,
    /// It was stopped; it can go on.
    CutShort,
}

/// What an exploration has shown besides.
#[derive(Debug, Clone)]
pub struct ExploreDetails {
    /// The crashes, with their traces.
    pub findings: Vec<Finding>,
    /// Device time over all devices.
    pub device_time: Micros,
    /// What going back in time has cost.
    pub cost: TimeTravelCost,
}

/// Why a device failed in an exploration, which ended the segment that was under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceFailure {
    /// Why.
    pub why: String,
    /// How often.
    pub times: u32,
}

impl DeviceFailure {
    /// The most frequent first.
    pub(crate) fn list(counts: &BTreeMap<String, u32>) -> Vec<Self> {
        let mut list: Vec<Self> =
            counts.iter().map(|(why, times)| Self { why: why.clone(), times: *times }).collect();
        list.sort_by_key(|failure| std::cmp::Reverse(failure.times));
        list
    }

    /// All of them in a sentence; nothing when there are none.
    pub fn in_words(list: &[Self]) -> Option<String> {
        /// More reasons are counted.
        const MOST: usize = 3;
        let times = |times: u32| if times == 1 { "once".to_owned() } else { format!("{times} times") };
        let all: u32 = list.iter().map(|failure| failure.times).sum();
        let mut reasons: Vec<String> = list
            .iter()
            .take(MOST)
            .map(|failure| match list {
                [_] => failure.why.clone(),
                _ => format!("{}: {}", times(failure.times), failure.why),
            })
            .collect();
        if list.len() > MOST {
            let others: u32 = list[MOST..].iter().map(|failure| failure.times).sum();
            reasons.push(format!("{} for other reasons", times(others)));
        }
        let reasons = reasons.join("; ");
        (all > 0)
            .then(|| format!("the device failed {}, which ended what was under way: {reasons}", times(all)))
    }
}

/// What going back in time has cost.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeTravelResult {
    /// States that were saved.
    pub saves: u32,
    /// How long that took.
    pub save_seconds: f64,
    /// How often one was restored.
    pub restores: u32,
    /// How long that took.
    pub restore_seconds: f64,
    /// Events that were performed again to get to a state.
    pub replayed_events: u64,
    /// How often it did not work.
    pub failed: u32,
}

impl TimeTravelResult {
    pub(super) fn of(cost: &TimeTravelCost) -> Self {
        Self {
            saves: cost.saves,
            save_seconds: cost.saving.as_secs_f64(),
            restores: cost.restores,
            restore_seconds: cost.restoring.as_secs_f64(),
            replayed_events: cost.replayed,
            failed: cost.failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_device_are_counted_by_their_reasons() {
        let said = |counts: &[(&str, u32)]| {
            let counts = counts.iter().map(|(why, times)| ((*why).to_owned(), *times)).collect();
            DeviceFailure::in_words(&DeviceFailure::list(&counts)).unwrap_or_default()
        };
        assert_eq!(said(&[]), "");
        let one = "the device failed once, which ended what was under way: it is gone";
        assert_eq!(said(&[("it is gone", 1)]), one);
        assert_eq!(
            said(&[("a", 1), ("b", 3), ("c", 2), ("d", 1), ("e", 1)]),
            "the device failed 8 times, which ended what was under way: 3 times: b; 2 times: c; once: a; 2 times for \
             other reasons"
        );
    }
}
