//! The entries of an exploration in its session's log.

use std::path::PathBuf;

use retap_lab::TimeTravelCost;
use retap_trace::Seen;
use serde::{Deserialize, Serialize};

use crate::reduce::ReduceStatus;

pub(super) const BEGUN: &str = "segment begun";
pub(super) const ENDED: &str = "segment ended";
pub(super) const SAVED: &str = "saved";
pub(super) const CRASHED: &str = "crash";
pub(super) const REDUCED: &str = "reduced";
/// Those that come again, in this order, when the exploration is resumed.
pub(super) const KINDS: [&str; 4] = [BEGUN, ENDED, SAVED, CRASHED];

/// A segment that has begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) segment: u32,
    pub(super) lane: u32,
    pub(super) trace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<(u32, usize)>,
    pub(super) first: SeenEntry,
    #[serde(default, skip_serializing_if = "CostEntry::is_nothing")]
    pub(super) cost: CostEntry,
}

/// A state, as it stands in the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SeenEntry {
    activity: String,
    keys: [Option<u64>; 3],
}

/// What going back in time has cost since the exploration was begun; each save has an entry of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct CostEntry {
    saving: u64,
    restores: u32,
    restoring: u64,
    replayed: u64,
    failed: u32,
}

/// A segment that is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) segment: u32,
    pub(super) events: u64,
    pub(super) took: u64,
    pub(super) end: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct SavedEntry {
    pub(super) save: u64,
    pub(super) segment: u32,
    pub(super) steps: usize,
    #[serde(default, skip_serializing_if = "CostEntry::is_nothing")]
    pub(super) cost: CostEntry,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CrashEntry {
    pub(super) segment: u32,
    pub(super) signature: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tried_again: Option<(u32, u32)>,
    /// Events from a clean start.
    pub(super) events: usize,
    /// The file of the whole trace, when this is the best one so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trace: Option<PathBuf>,
}

/// A crash whose reduction has come to an end, with an answer or with none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ReducedEntry {
    pub(super) signature: String,
    pub(super) status: ReduceStatus,
    pub(super) events: u32,
    /// How many of how many runs reached it.
    pub(super) confirmed: (u32, u32),
    /// The answer, in the folder of the exploration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trace: Option<PathBuf>,
}

impl SeenEntry {
    pub(super) fn of(seen: &Seen) -> Self {
        let keys = [seen.actionable, seen.layout, seen.full].map(|key| key.map(|key| key.0));
        Self { activity: seen.activity.to_string(), keys }
    }

    pub(super) fn seen(&self) -> Seen {
        let [actionable, layout, full] = self.keys.map(|key| key.map(retap_trace::StateKey));
        Seen { actionable, layout, full, ..Seen::activity(self.activity.as_str()) }
    }
}

impl CostEntry {
    pub(super) const fn of(cost: TimeTravelCost) -> Self {
        let TimeTravelCost { saves: _, saving, restores, restoring, replayed, failed } = cost;
        Self { saving: saving.0, restores, restoring: restoring.0, replayed, failed }
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
