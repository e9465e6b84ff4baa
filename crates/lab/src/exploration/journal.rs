//! The journal of an exploration on devices that cannot repeat what they did: every report as it came, so that going
//! on after a stop is telling the exploration the same again. Screens are kept once each, as blobs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_device::Look;
use retap_explore::{Lane, Move, Reply, SaveId};
use retap_model::Keyer;
use retap_reduce::{Tally, Ticket};
use retap_store::{BlobId, Seq, Session, SessionView};
use retap_trace::{CoverageId, Crash, Event, GuiTree, Micros, Observation, Seen, Signature};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ExploreOrder, ExploreReport, ExploreTask, Failure};
use crate::{Done, Journal, JournalError, Withdrawn};

/// The kind of its entries in the log.
const KIND: &str = "explored";

/// Writes reports into a session that others write to as well.
#[derive(Debug)]
pub struct ExploreJournal<'a> {
    session: &'a RefCell<Session>,
    /// Reports that already stand in the log.
    recorded: usize,
    seen: usize,
    screens: BTreeSet<BlobId>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    ticket: u64,
    lane: u32,
    task: TaskEntry,
    #[serde(flatten)]
    report: ReportEntry,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TaskEntry {
    Event { event: Value, tree: bool },
    Save,
    Restore(u64),
    Forget(u64),
    Restart,
    Confirm(String),
}

#[derive(Debug, Serialize, Deserialize)]
struct ReportEntry {
    reply: ReplyEntry,
    took: u64,
    /// The look, without its tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<Value>,
    /// The tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screen: Option<BlobId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<u32>,
    /// Not a map: its numbers would come back as texts through what is flattened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<(u32, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crash: Option<Value>,
    #[serde(default)]
    replayed: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unable: Option<String>,
    #[serde(default)]
    confirmed: (u32, u32),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReplyEntry {
    Started,
    Done,
    Saved(u64),
    Restored(u64),
    Refused,
}

impl<'a> ExploreJournal<'a> {
    /// The journal of a session, which already holds so many reports.
    pub fn new(session: &'a RefCell<Session>, recorded: usize) -> Self {
        Self { session, recorded, seen: 0, screens: BTreeSet::new() }
    }

    fn report(&mut self, report: &ExploreReport) -> Result<ReportEntry, JournalError> {
        let mut screen = None;
        if let Some(tree) = report.seen.as_ref().and_then(|seen| seen.tree.as_ref()) {
            let text = serde_json::to_vec(tree).expect("plain data");
            let id = BlobId::of(&text);
            if self.screens.insert(id) {
                self.session.borrow_mut().put(&text)?;
            }
            screen = Some(id);
        }
        let without_tree = |seen: &Arc<Observation>| plain(&Observation { tree: None, ..(**seen).clone() });
        Ok(ReportEntry {
            reply: ReplyEntry::of(report.reply),
            took: report.took.0,
            seen: report.seen.as_ref().map(without_tree),
            screen,
            coverage: report.coverage.iter().map(|id| id.0).collect(),
            names: report.names.iter().map(|(id, name)| (id.0, name.to_string())).collect(),
            crash: report.crash.as_ref().map(plain),
            replayed: report.replayed,
            unable: report.unable.clone(),
            confirmed: (report.confirmed.reached, report.confirmed.missed),
            failure: match &report.failure {
                Some(Failure::Device(why) | Failure::GivenUp(why)) => Some(why.clone()),
                Some(Failure::Interrupted) | None => None,
            },
            interrupted: report.failure == Some(Failure::Interrupted),
        })
    }
}

impl Journal<ExploreOrder, ExploreReport> for ExploreJournal<'_> {
    fn record(&mut self, done: &Done<ExploreOrder, ExploreReport>, _: u64) -> Result<(), JournalError> {
        // A device that was given up may have another chance when the exploration is resumed: the order stays open.
        if let Some(Failure::GivenUp(_)) = done.report.failure {
            return Ok(());
        }
        self.seen += 1;
        if self.seen > self.recorded {
            let report = self.report(&done.report)?;
            let ExploreOrder { ticket, lane, task } = &done.order;
            let entry = Entry { ticket: ticket.0, lane: lane.0, task: TaskEntry::of(task), report };
            self.session.borrow_mut().append(KIND, done.at, &entry)?;
        }
        Ok(())
    }

    /// An exploration withdraws nothing.
    fn withdrawn(&mut self, _: Withdrawn) -> Result<(), JournalError> {
        Ok(())
    }
}

/// All orders with their reports that a session has recorded, as they came.
pub fn recorded_orders(
    session: &SessionView,
) -> Result<Vec<Done<ExploreOrder, ExploreReport>>, JournalError> {
    let mut screens = Screens { session, known: BTreeMap::new() };
    session
        .read(&[KIND], Seq::START)
        .map(|entry| {
            let entry = entry?;
            let damaged = |why: String| JournalError::Damaged { seq: entry.seq.0, why };
            let Entry { ticket, lane, task, report } =
                serde_json::from_value(entry.data).map_err(|error| damaged(error.to_string()))?;
            let task = task.task().map_err(damaged)?;
            let order = ExploreOrder { ticket: Ticket(ticket), lane: Lane(lane), task };
            let report = report.report(&mut screens).map_err(|error| match error {
                Unreadable::Store(error) => error,
                Unreadable::Damaged(why) => damaged(why),
            })?;
            if !answers(&order, report.reply) {
                return Err(damaged(format!("{:?} is no answer to {:?}", report.reply, order.task)));
            }
            Ok(Done { order, place: lane, at: entry.at, report })
        })
        .collect()
}

/// Whether a device that was asked for this may say that. A saved state is named by its order.
fn answers(order: &ExploreOrder, reply: Reply) -> bool {
    match (&order.task, reply) {
        (ExploreTask::Move { to: Move::Save, .. }, Reply::Saved(save)) => save.0 == order.ticket.0,
        (ExploreTask::Move { to: Move::Restore(save), .. }, Reply::Restored(to)) => *save == to,
        (_, Reply::Saved(_) | Reply::Restored(_)) => false,
        _ => true,
    }
}

/// Screens that were read, each once.
struct Screens<'a> {
    session: &'a SessionView,
    known: BTreeMap<BlobId, GuiTree>,
}

enum Unreadable {
    Store(JournalError),
    Damaged(String),
}

impl Screens<'_> {
    fn get(&mut self, id: BlobId) -> Result<GuiTree, Unreadable> {
        if let Some(tree) = self.known.get(&id) {
            return Ok(tree.clone());
        }
        let text = self.session.get(&id).map_err(|error| Unreadable::Store(error.into()))?;
        let tree = GuiTree::from_json(&String::from_utf8_lossy(&text)).map_err(Unreadable::damaged)?;
        self.known.insert(id, tree.clone());
        Ok(tree)
    }
}

impl Unreadable {
    fn damaged(why: impl std::fmt::Display) -> Self {
        Self::Damaged(why.to_string())
    }
}

impl TaskEntry {
    fn of(task: &ExploreTask) -> Self {
        match task {
            ExploreTask::Move { to: Move::Act(event), look, .. } => {
                Self::Event { event: plain(event), tree: *look == Look::Tree }
            }
            ExploreTask::Move { to: Move::Save, .. } => Self::Save,
            ExploreTask::Move { to: Move::Restore(save), .. } => Self::Restore(save.0),
            ExploreTask::Move { to: Move::Forget(save), .. } => Self::Forget(save.0),
            ExploreTask::Move { to: Move::Restart | Move::Stop, .. } => Self::Restart,
            ExploreTask::Confirm { crash, .. } => Self::Confirm(crash.to_string()),
        }
    }

    fn task(self) -> Result<ExploreTask, String> {
        let (to, look) = match self {
            Self::Event { event, tree } => {
                let event = Event::from_json(&event.to_string()).map_err(|error| error.to_string())?;
                (Move::Act(event), if tree { Look::Tree } else { Look::Activity })
            }
            Self::Save => (Move::Save, Look::Tree),
            Self::Restore(save) => (Move::Restore(SaveId(save)), Look::Tree),
            Self::Forget(save) => (Move::Forget(SaveId(save)), Look::Tree),
            Self::Restart => (Move::Restart, Look::Tree),
            Self::Confirm(crash) => {
                let crash = Signature(crash.into());
                return Ok(ExploreTask::Confirm { events: Arc::new([]), crash, times: 0 });
            }
        };
        Ok(ExploreTask::Move { to, look, back: None })
    }
}

impl ReportEntry {
    fn report(self, screens: &mut Screens<'_>) -> Result<ExploreReport, Unreadable> {
        let seen = self.seen.map(|seen| Observation::from_json(&seen.to_string()));
        let mut seen = seen.transpose().map_err(Unreadable::damaged)?;
        if let (Some(seen), Some(screen)) = (&mut seen, self.screen) {
            seen.tree = Some(screens.get(screen)?);
        }
        let keys = seen.as_ref().map(|seen| match seen.tree {
            Some(_) => Keyer::default().seen(seen),
            None => Seen::activity(seen.activity.clone()),
        });
        let crash = self.crash.map(|crash| Crash::from_json(&crash.to_string()));
        let failure = self.failure.map(Failure::Device);
        Ok(ExploreReport {
            reply: self.reply.reply(),
            seen: seen.map(Arc::new),
            keys,
            coverage: self.coverage.into_iter().map(CoverageId).collect(),
            names: self.names.into_iter().map(|(id, name)| (CoverageId(id), name.into())).collect(),
            crash: crash.transpose().map_err(Unreadable::damaged)?,
            replayed: self.replayed,
            unable: self.unable,
            confirmed: Tally::new(self.confirmed.0, self.confirmed.1),
            failure: failure.or_else(|| self.interrupted.then_some(Failure::Interrupted)),
            took: Micros(self.took),
        })
    }
}

impl ReplyEntry {
    const fn of(reply: Reply) -> Self {
        match reply {
            Reply::Started => Self::Started,
            Reply::Done => Self::Done,
            Reply::Saved(save) => Self::Saved(save.0),
            Reply::Restored(save) => Self::Restored(save.0),
            Reply::Refused => Self::Refused,
        }
    }

    const fn reply(self) -> Reply {
        match self {
            Self::Started => Reply::Started,
            Self::Done => Reply::Done,
            Self::Saved(save) => Reply::Saved(SaveId(save)),
            Self::Restored(save) => Reply::Restored(SaveId(save)),
            Self::Refused => Reply::Refused,
        }
    }
}

fn plain(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_of_what_was_asked() {
        let order = |to| {
            let task = ExploreTask::Move { to, look: Look::Tree, back: None };
            ExploreOrder { ticket: Ticket(4), lane: Lane(0), task }
        };
        let (save, restore) = (order(Move::Save), order(Move::Restore(SaveId(2))));
        assert!(answers(&save, Reply::Saved(SaveId(4))) && !answers(&save, Reply::Saved(SaveId(2))));
        assert!(
            answers(&restore, Reply::Restored(SaveId(2))) && !answers(&restore, Reply::Restored(SaveId(4)))
        );
        assert!(answers(&restore, Reply::Started) && !answers(&save, Reply::Restored(SaveId(2))));
    }
}
