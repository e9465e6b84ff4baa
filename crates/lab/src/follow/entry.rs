//! Runs of a suite as they stand in a session's log.

use retap_model::TraceNumber;
use retap_reduce::Ticket;
use retap_suite::{Effort, Followed, Leg, Purpose, ReplayOrder, Sighting, StepRef};
use retap_trace::{CoverageId, Micros, Signature, StateKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FollowReport;
use crate::{Done, Logged};

#[derive(Serialize, Deserialize)]
struct Entry {
    ticket: u64,
    label: String,
    confirms: bool,
    begins: Option<u64>,
    /// Trace, position, state.
    legs: Vec<(u32, u32, u64)>,
    place: u32,
    device: String,
    took: u64,
    /// What was really spent, device time and steps, where it is not what the way takes: a snapshot has shortened the way, or
    /// a late crash was waited for at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent: Option<(u64, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recalled: Option<u32>,
    inconclusive: bool,
    start: Option<u64>,
    seen: Vec<SightingEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct SightingEntry {
    state: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crash: Option<String>,
}

impl Logged for Done<ReplayOrder, FollowReport> {
    const KIND: &'static str = "follow";

    fn entry(&self) -> Value {
        let Self { order, place, report, .. } = self;
        let followed = &report.followed;
        let leg = |leg: &Leg| (leg.step.trace.0, leg.step.position, leg.expect.0);
        let sighting = |seen: &Sighting| SightingEntry {
            state: seen.state.0,
            coverage: seen.coverage.iter().map(|id| id.0).collect(),
            crash: seen.crash.as_ref().map(ToString::to_string),
        };
        let effort = followed.effort;
        let usual = Effort { time: followed.took, steps: count(&followed.sightings) };
        let entry = Entry {
            ticket: order.ticket.0,
            label: order.label.clone(),
            confirms: order.purpose == Purpose::Confirm,
            begins: order.start.map(|key| key.0),
            legs: order.legs.iter().map(leg).collect(),
            place: *place,
            device: report.device.clone(),
            took: followed.took.0,
            spent: (effort != usual).then_some((effort.time.0, effort.steps)),
            recalled: followed.recalled,
            inconclusive: followed.inconclusive,
            start: followed.start.map(|key| key.0),
            seen: followed.sightings.iter().map(sighting).collect(),
            failure: report.why.clone(),
        };
        serde_json::to_value(entry).expect("plain data")
    }

    fn from_entry(at: Micros, entry: Value) -> Result<Self, String> {
        let entry: Entry = serde_json::from_value(entry).map_err(|why| why.to_string())?;
        let leg = |(trace, position, expect)| Leg {
            step: StepRef { trace: TraceNumber(trace), position },
            expect: StateKey(expect),
        };
        let sighting = |seen: SightingEntry| Sighting {
            state: StateKey(seen.state),
            coverage: seen.coverage.into_iter().map(CoverageId).collect(),
            crash: seen.crash.map(|signature| Signature(signature.into())),
        };
        let order = ReplayOrder {
            ticket: Ticket(entry.ticket),
            start: entry.begins.map(StateKey),
            legs: entry.legs.into_iter().map(leg).collect(),
            purpose: if entry.confirms { Purpose::Confirm } else { Purpose::Search },
            label: entry.label,
        };
        let seen = entry.seen.into_iter().map(sighting).collect();
        let followed = Followed::clean(entry.start.map(StateKey), seen, Micros(entry.took));
        let effort = entry.spent.map(|(time, steps)| Effort { time: Micros(time), steps });
        let followed = Followed {
            inconclusive: entry.inconclusive,
            recalled: entry.recalled,
            effort: effort.unwrap_or(followed.effort),
            ..followed
        };
        let report = FollowReport { followed, device: entry.device, why: entry.failure };
        Ok(Self { order, place: entry.place, at, report })
    }
}

fn count(sightings: &[Sighting]) -> u32 {
    u32::try_from(sightings.len()).expect("a short run")
}
