//! The journal: every finished run, before anyone uses its result.

use std::sync::Arc;

use retap_reduce::{Goal, Order, Outcome, Subset, Ticket};
use retap_store::{Seq, Session, SessionView, StoreError};
use retap_trace::{Crash, Micros};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Done, Report};

/// Where finished runs are recorded.
pub trait Journal<O = Order, R = Report> {
    /// Records a run. When this returns, the run is not lost, whatever happens to the process.
    fn record(&mut self, done: &Done<O, R>) -> Result<(), JournalError>;
}

/// A finished run that can stand in a session's log.
pub trait Logged: Sized {
    /// The kind of its entries.
    const KIND: &'static str;

    /// Its entry.
    fn entry(&self) -> Value;

    /// The run of an entry, and what is wrong with an entry that is none.
    fn from_entry(at: Micros, entry: Value) -> Result<Self, String>;
}

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry is not a run.
    #[error("entry {seq} of the log is not a run that this retap understands: {why}")]
    Damaged {
        /// Its number.
        seq: u64,
        /// What is wrong.
        why: String,
    },
}

/// A run as it stands in the log.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    ticket: u64,
    label: String,
    /// The kept positions as ranges, the end not included.
    kept: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arrive: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    measures: bool,
    outcome: String,
    place: u32,
    device: String,
    performed: u32,
    took: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crash: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    path: Vec<(u32, Arc<str>)>,
}

/// The session's log is the journal. A run that already stands there is not written again, so that results taken
/// from the journal can go through the same loop as new ones.
#[derive(Debug)]
pub struct SessionJournal<'a> {
    session: &'a mut Session,
    recorded: usize,
    seen: usize,
}

impl<'a> SessionJournal<'a> {
    /// The journal of a session, which already holds so many runs.
    pub fn new(session: &'a mut Session, recorded: usize) -> Self {
        Self { session, recorded, seen: 0 }
    }

    /// The session behind it.
    pub fn session(&mut self) -> &mut Session {
        self.session
    }
}

impl<O, R> Journal<O, R> for SessionJournal<'_>
where
    Done<O, R>: Logged,
{
    fn record(&mut self, done: &Done<O, R>) -> Result<(), JournalError> {
        self.seen += 1;
        if self.seen > self.recorded {
            self.session.append(Done::<O, R>::KIND, done.at, &done.entry())?;
        }
        Ok(())
    }
}

/// A journal that only remembers, for tests and for runs that need no session.
impl<O: Clone, R: Clone> Journal<O, R> for Vec<Done<O, R>> {
    fn record(&mut self, done: &Done<O, R>) -> Result<(), JournalError> {
        self.push(done.clone());
        Ok(())
    }
}

/// All runs that a session has recorded, in order.
pub fn recorded_runs<O, R>(session: &SessionView) -> Result<Vec<Done<O, R>>, JournalError>
where
    Done<O, R>: Logged,
{
    session
        .read(&[Done::<O, R>::KIND], Seq::START)
        .map(|entry| {
            let entry = entry?;
            let damaged = |why| JournalError::Damaged { seq: entry.seq.0, why };
            Done::from_entry(entry.at, entry.data).map_err(damaged)
        })
        .collect()
}

impl Logged for Done {
    const KIND: &'static str = "run";

    fn entry(&self) -> Value {
        serde_json::to_value(Entry::of(self)).expect("plain data")
    }

    fn from_entry(at: Micros, entry: Value) -> Result<Self, String> {
        let run: Entry = serde_json::from_value(entry).map_err(|why| why.to_string())?;
        run.done(at)
    }
}

impl Entry {
    fn of(done: &Done) -> Self {
        let Done { order, place, report, .. } = done;
        Self {
            ticket: order.ticket.0,
            label: order.label.clone(),
            kept: order.subset.ranges().map(|range| (range.start, range.end)).collect(),
            arrive: match order.goal {
                Goal::Target => None,
                Goal::Arrive(step) => Some(step),
            },
            measures: order.measures,
            outcome: word(report.outcome).to_owned(),
            place: *place,
            device: report.device.clone(),
            performed: report.events,
            took: report.took.0,
            crash: report.crash.as_ref().map(|crash| serde_json::to_value(crash).expect("plain data")),
            failure: report.why.clone(),
            path: report.path.clone(),
        }
    }

    fn done(self, at: Micros) -> Result<Done, String> {
        let outcomes = [Outcome::Reached, Outcome::Missed, Outcome::Inconclusive];
        let outcome = outcomes.into_iter().find(|outcome| word(*outcome) == self.outcome);
        let outcome = outcome.ok_or_else(|| format!("'{}' is not an outcome", self.outcome))?;
        if !self.kept.is_sorted() || self.kept.iter().any(|(start, end)| start >= end) {
            return Err("its kept positions are not in order".to_owned());
        }
        let crash = self.crash.map(|crash| Crash::from_json(&crash.to_string())).transpose();
        Ok(Done {
            order: Order {
                ticket: Ticket(self.ticket),
                subset: Subset::from_ranges(self.kept.into_iter().map(|(start, end)| start..end)),
                goal: self.arrive.map_or(Goal::Target, Goal::Arrive),
                label: self.label,
                measures: self.measures,
            },
            place: self.place,
            at,
            report: Report {
                outcome,
                events: self.performed,
                took: Micros(self.took),
                crash: crash.map_err(|error| error.to_string())?,
                device: self.device,
                why: self.failure,
                path: self.path,
            },
        })
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Reached => "reached",
        Outcome::Missed => "missed",
        Outcome::Inconclusive => "inconclusive",
    }
}
