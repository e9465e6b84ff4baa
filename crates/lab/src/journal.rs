//! The journal: every finished run, before anyone uses its result.

use std::collections::BTreeSet;
use std::sync::Arc;

use retap_reduce::{Ended, EventRun, Goal, Order, Outcome, Subset, Ticket};
use retap_store::{Seq, Session, SessionView, StoreError};
use retap_trace::{Crash, Event, Micros, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Done, Report, Take, Taken};

/// The kind of entries that say that a run was withdrawn.
const WITHDRAWN: &str = "withdrawn";

/// Where finished runs are recorded.
pub trait Journal<O = Order, R = Report> {
    /// Records a run, which was ordered when so many runs had ended. When this returns, the run is not lost, whatever
    /// happens to the process.
    fn record(&mut self, done: &Done<O, R>, ordered_after: u64) -> Result<(), JournalError>;

    /// Records that a run was withdrawn. It is not needed to resume; it is for counting.
    fn withdrawn(&mut self, run: Withdrawn) -> Result<(), JournalError>;
}

/// A run that was stopped because it had become useless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withdrawn {
    pub ticket: Ticket,
    /// When it was stopped, on the lab's clock.
    pub at: Micros,
    /// How many runs had ended when it was ordered.
    pub ordered_after: u64,
}

/// A finished run that can stand in a session's log.
pub trait Logged: Sized {
    const KIND: &'static str;

    fn entry(&self) -> Value;

    /// The run of an entry, and what is wrong with an entry that is none.
    fn from_entry(at: Micros, entry: Value) -> Result<Self, String>;
}

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry is not a run.
    #[error("entry {seq} of the log is not a run that this retap understands: {why}")]
    Damaged { seq: u64, why: String },
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
    place: u32,
    #[serde(flatten)]
    report: ReportEntry,
}

/// A run of events that need not stand in the trace.
#[derive(Debug, Serialize, Deserialize)]
struct PlayEntry {
    ticket: u64,
    label: String,
    events: Vec<Value>,
    place: u32,
    #[serde(flatten)]
    report: ReportEntry,
}

/// A performance that was written down.
#[derive(Debug, Serialize, Deserialize)]
struct TakeEntry {
    ticket: u64,
    number: u64,
    label: String,
    events: Vec<Value>,
    place: u32,
    #[serde(flatten)]
    report: ReportEntry,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    states: Vec<(u64, String)>,
    /// Where a step pressed the widget with the focus, a touch of that widget.
    #[serde(default, skip_serializing_if = "none_of_them")]
    touches: Vec<Option<Value>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ReportEntry {
    outcome: String,
    device: String,
    performed: u32,
    took: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crash: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    path: Vec<(u32, Arc<str>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<(u64, String)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    without_widget: bool,
}

/// The session's log is the journal. A run that already stands there is not written again, so that results taken
/// from the journal can go through the same loop as new ones.
#[derive(Debug)]
pub struct SessionJournal<'a> {
    session: &'a mut Session,
    recorded: usize,
    seen: usize,
    /// Runs that are known to be withdrawn, once that was asked.
    withdrawn: Option<BTreeSet<Ticket>>,
}

impl<'a> SessionJournal<'a> {
    /// The journal of a session, which already holds so many runs.
    pub fn new(session: &'a mut Session, recorded: usize) -> Self {
        Self { session, recorded, seen: 0, withdrawn: None }
    }

    pub fn session(&mut self) -> &mut Session {
        self.session
    }
}

impl<O, R> Journal<O, R> for SessionJournal<'_>
where
    Done<O, R>: Logged,
{
    fn record(&mut self, done: &Done<O, R>, ordered_after: u64) -> Result<(), JournalError> {
        self.seen += 1;
        if self.seen > self.recorded {
            let mut entry = done.entry();
            entry["ordered_after"] = ordered_after.into();
            self.session.append(Done::<O, R>::KIND, done.at, &entry)?;
        }
        Ok(())
    }

    fn withdrawn(&mut self, run: Withdrawn) -> Result<(), JournalError> {
        let Withdrawn { ticket, at, ordered_after } = run;
        let of = Done::<O, R>::KIND;
        let known = match &mut self.withdrawn {
            Some(known) => known,
            empty => empty.insert(withdrawn_runs(self.session, of)?),
        };
        if known.insert(ticket) {
            let entry = json!({ "of": of, "ticket": ticket.0, "ordered_after": ordered_after });
            self.session.append(WITHDRAWN, at, &entry)?;
        }
        Ok(())
    }
}

/// A journal that only remembers, for tests and for runs that need no session.
impl<O: Clone, R: Clone> Journal<O, R> for Vec<Done<O, R>> {
    fn record(&mut self, done: &Done<O, R>, _: u64) -> Result<(), JournalError> {
        self.push(done.clone());
        Ok(())
    }

    fn withdrawn(&mut self, _: Withdrawn) -> Result<(), JournalError> {
        Ok(())
    }
}

/// A journal that keeps nothing, for benchmarks: nobody goes on with them.
impl<O, R> Journal<O, R> for () {
    fn record(&mut self, _: &Done<O, R>, _: u64) -> Result<(), JournalError> {
        Ok(())
    }

    fn withdrawn(&mut self, _: Withdrawn) -> Result<(), JournalError> {
        Ok(())
    }
}

/// The runs of this kind that a session knows to be withdrawn.
fn withdrawn_runs(session: &SessionView, of: &str) -> Result<BTreeSet<Ticket>, JournalError> {
    let mut tickets = BTreeSet::new();
    for entry in session.read(&[WITHDRAWN], Seq::START) {
        let entry = entry?;
        let damaged = || JournalError::Damaged { seq: entry.seq.0, why: "it names no ticket".to_owned() };
        if entry.data["of"] == of {
            tickets.insert(Ticket(entry.data["ticket"].as_u64().ok_or_else(damaged)?));
        }
    }
    Ok(tickets)
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
        let Self { order, place, report, .. } = self;
        let entry = Entry {
            ticket: order.ticket.0,
            label: order.label.clone(),
            kept: order.subset.ranges().map(|range| (range.start, range.end)).collect(),
            arrive: match order.goal {
                Goal::Target => None,
                Goal::Arrive(step) => Some(step),
            },
            measures: order.measures,
            place: *place,
            report: ReportEntry::of(report),
        };
        serde_json::to_value(entry).expect("plain data")
    }

    fn from_entry(at: Micros, entry: Value) -> Result<Self, String> {
        let run: Entry = serde_json::from_value(entry).map_err(|why| why.to_string())?;
        let apart = run.kept.windows(2).all(|pair| pair[0].1 <= pair[1].0);
        if !apart || run.kept.iter().any(|(start, end)| start >= end) {
            return Err("its kept positions are not in order".to_owned());
        }
        let order = Order {
            ticket: Ticket(run.ticket),
            subset: Subset::from_ranges(run.kept.into_iter().map(|(start, end)| start..end)),
            goal: run.arrive.map_or(Goal::Target, Goal::Arrive),
            label: run.label,
            measures: run.measures,
        };
        Ok(Self { order, place: run.place, at, report: run.report.report()? })
    }
}

impl Logged for Done<EventRun> {
    const KIND: &'static str = "play";

    fn entry(&self) -> Value {
        let Self { order, place, report, .. } = self;
        let entry = PlayEntry {
            ticket: order.ticket.0,
            label: order.label.clone(),
            events: order.events.iter().map(plain).collect(),
            place: *place,
            report: ReportEntry::of(report),
        };
        serde_json::to_value(entry).expect("plain data")
    }

    fn from_entry(at: Micros, entry: Value) -> Result<Self, String> {
        let play: PlayEntry = serde_json::from_value(entry).map_err(|why| why.to_string())?;
        let events = play.events.iter().map(event).collect::<Result<_, _>>()?;
        let order = EventRun { ticket: Ticket(play.ticket), events, label: play.label };
        Ok(Self { order, place: play.place, at, report: play.report.report()? })
    }
}

impl Logged for Done<Take, Taken> {
    const KIND: &'static str = "recording";

    fn entry(&self) -> Value {
        let Self { order, place, report: Taken { report, steps, states, touches }, .. } = self;
        let entry = TakeEntry {
            ticket: order.ticket.0,
            number: order.number,
            label: order.label.clone(),
            events: order.events.iter().map(plain).collect(),
            place: *place,
            report: ReportEntry::of(report),
            steps: steps.iter().map(plain).collect(),
            states: states.clone(),
            touches: touches.iter().map(|touch| touch.as_ref().map(plain)).collect(),
        };
        serde_json::to_value(entry).expect("plain data")
    }

    fn from_entry(at: Micros, entry: Value) -> Result<Self, String> {
        let take: TakeEntry = serde_json::from_value(entry).map_err(|why| why.to_string())?;
        let events = take.events.iter().map(event).collect::<Result<_, _>>()?;
        let step = |step: &Value| Step::from_json(&step.to_string()).map_err(|why| why.to_string());
        let steps = take.steps.iter().map(step).collect::<Result<_, _>>()?;
        let order = Take { ticket: Ticket(take.ticket), number: take.number, events, label: take.label };
        let touch = |touch: &Option<Value>| touch.as_ref().map(event).transpose();
        let touches = take.touches.iter().map(touch).collect::<Result<_, _>>()?;
        let report = Taken { report: take.report.report()?, steps, states: take.states, touches };
        Ok(Self { order, place: take.place, at, report })
    }
}

#[expect(clippy::ptr_arg, reason = "serde asks for it")]
fn none_of_them(touches: &Vec<Option<Value>>) -> bool {
    touches.iter().all(Option::is_none)
}

fn plain(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data")
}

fn event(entry: &Value) -> Result<Event, String> {
    Event::from_json(&entry.to_string()).map_err(|why| why.to_string())
}

impl ReportEntry {
    fn of(report: &Report) -> Self {
        Self {
            outcome: word(report.ended.outcome).to_owned(),
            device: report.device.clone(),
            performed: report.ended.events,
            took: report.took.0,
            crash: report.crash.as_ref().map(|crash| serde_json::to_value(crash).expect("plain data")),
            failure: report.why.clone(),
            path: report.path.clone(),
            ended: report.last_state.clone(),
            without_widget: report.without_widget,
        }
    }

    fn report(self) -> Result<Report, String> {
        let outcomes = [Outcome::Reached, Outcome::Missed, Outcome::Inconclusive];
        let outcome = outcomes.into_iter().find(|outcome| word(*outcome) == self.outcome);
        let crash = self.crash.map(|crash| Crash::from_json(&crash.to_string())).transpose();
        Ok(Report {
            ended: Ended {
                outcome: outcome.ok_or_else(|| format!("'{}' is not an outcome", self.outcome))?,
                events: self.performed,
            },
            took: Micros(self.took),
            crash: crash.map_err(|error| error.to_string())?,
            device: self.device,
            why: self.failure,
            path: self.path,
            last_state: self.ended,
            without_widget: self.without_widget,
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
