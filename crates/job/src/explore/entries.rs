//! The entries of an exploration in its session's log.

use std::path::PathBuf;

use retap_lab::TimeTravelCost;
use retap_trace::Seen;
use serde::{Deserialize, Serialize};

use crate::reduce::ReduceStatus;

pub(crate) const BEGUN: &str = "segment begun";
pub(crate) const ENDED: &str = "segment ended";
pub(crate) const SAVED: &str = "saved";
pub(crate) const CRASHED: &str = "crash";
pub(crate) const REDUCED: &str = "reduced";
/// Those that come again, in this order, when the exploration is resumed.
pub(crate) const KINDS: [&str; 4] = [BEGUN, ENDED, SAVED, CRASHED];

/// A segment that has begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Begun {
    pub(crate) segment: u32,
    pub(crate) lane: u32,
    pub(crate) trace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<(u32, usize)>,
    pub(crate) first: SeenEntry,
    #[serde(default, skip_serializing_if = "CostEntry::is_nothing")]
    pub(crate) cost: CostEntry,
}

/// A state, as it stands in the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SeenEntry {
    activity: String,
    keys: [Option<u64>; 3],
}

/// What going back in time has cost since the exploration was begun; each save has an entry of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct CostEntry {
    saving: u64,
    restores: u32,
    restoring: u64,
    replayed: u64,
    failed: u32,
}

/// A segment that is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EndedEntry {
    pub(crate) segment: u32,
    pub(crate) events: u64,
    pub(crate) took: u64,
    pub(crate) end: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SavedEntry {
    pub(crate) save: u64,
    pub(crate) segment: u32,
    pub(crate) steps: usize,
    #[serde(default, skip_serializing_if = "CostEntry::is_nothing")]
    pub(crate) cost: CostEntry,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CrashEntry {
    pub(crate) segment: u32,
    pub(crate) signature: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tried_again: Option<(u32, u32)>,
    /// Events from a clean start.
    pub(crate) events: usize,
    /// The file of the whole trace, when this is the best one so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<PathBuf>,
}

/// A crash whose reduction has come to an end, with an answer or with none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ReducedEntry {
    pub(crate) signature: String,
    pub(crate) status: ReduceStatus,
    pub(crate) events: u32,
    /// How many of how many runs reached it.
    pub(crate) confirmed: (u32, u32),
    /// The answer, in the folder of the exploration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<PathBuf>,
}

impl SeenEntry {
    pub(crate) fn of(seen: &Seen) -> Self {
        let keys = [seen.actionable, seen.layout, seen.full].map(|key| key.map(|key| key.0));
        Self { activity: seen.activity.to_string(), keys }
    }

    pub(crate) fn seen(&self) -> Seen {
        let [actionable, layout, full] = self.keys.map(|key| key.map(retap_trace::StateKey));
        Seen { actionable, layout, full, ..Seen::activity(self.activity.as_str()) }
    }
}

impl CostEntry {
    pub(crate) const fn of(cost: TimeTravelCost) -> Self {
        let TimeTravelCost { saves: _, saving, restores, restoring, replayed, failed } = cost;
        Self { saving: saving.0, restores, restoring: restoring.0, replayed, failed }
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
