//! What a device is asked to do in an exploration, and what it reports.

use std::sync::Arc;

use retap_device::Look;
use retap_explore::{Lane, Move, Reply};
use retap_reduce::{Tally, Ticket};
use retap_trace::{CoverageId, Crash, Event, Micros, Observation, Seen, Signature};

use crate::{Account, Errand};

/// Something for the device of a lane to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploreOrder {
    /// Its number. A state that it saves is named by it.
    pub ticket: Ticket,
    /// The lane, which is the place in the lab.
    pub lane: Lane,
    pub task: ExploreTask,
}

/// What the device of a lane is asked to do.
#[expect(clippy::large_enum_variant, reason = "there is one for each device at a time")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExploreTask {
    Move {
        to: Move,
        /// How closely to look after an event.
        look: Look,
        /// For going back to a saved state: what it shows, and how to get there.
        back: Option<WayBack>,
    },
    /// Run these events from a clean start until a run ends with this crash, but not for ever.
    Confirm {
        events: Arc<[Event]>,
        crash: Signature,
        /// The most runs.
        times: u32,
    },
}

/// How to get back to a saved state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayBack {
    /// The state that was saved.
    pub shown: Seen,
    /// The events that lead there from a clean start, for a device that has no snapshot of it.
    pub route: Option<Arc<[Event]>>,
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct ExploreReport {
    /// What became of the move, for the explorer. A restore that ended in a clean start is answered as a start.
    pub reply: Reply,
    /// The look at the device afterwards; none where nobody looked.
    pub seen: Option<Arc<Observation>>,
    /// Its state keys.
    pub keys: Option<Seen>,
    /// Code that was executed since the report before.
    pub coverage: Vec<CoverageId>,
    /// The names of such of it as the worker had not told of, where the device knows them.
    pub names: Vec<(CoverageId, Arc<str>)>,
    /// The crash that was seen since then.
    pub crash: Option<Crash>,
    /// Events that were performed to get back to a saved state; a snapshot takes none.
    pub replayed: u32,
    /// What the device has no means for. It is as it was.
    pub unable: Option<String>,
    /// What the runs that try a crash again showed.
    pub confirmed: Tally,
    /// Why nothing came of it.
    pub failure: Option<Failure>,
    /// The device time it took.
    pub took: Micros,
}

/// Why nothing came of an order. How the device is now is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    Device(String),
    /// The device has failed again and again, or its worker is gone: it takes no more orders.
    GivenUp(String),
    /// The order goes on from a state that only an earlier process had.
    Interrupted,
}

impl ExploreReport {
    /// A report of which only this is known.
    pub(super) const fn of(reply: Reply) -> Self {
        Self {
            reply,
            seen: None,
            keys: None,
            coverage: Vec::new(),
            names: Vec::new(),
            crash: None,
            replayed: 0,
            unable: None,
            confirmed: Tally { reached: 0, missed: 0 },
            failure: None,
            took: Micros::ZERO,
        }
    }

    pub(super) fn failed(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::of(Reply::Refused) }
    }

    /// Takes in a look: what is new in it is kept, and it is the latest.
    pub(super) fn add(&mut self, mut seen: Observation) {
        self.coverage.append(&mut seen.coverage);
        if self.crash.is_none() && !seen.crashes.is_empty() {
            self.crash = Some(seen.crashes.remove(0));
        }
        self.seen = Some(Arc::new(seen));
    }
}

impl Errand for ExploreOrder {
    fn ticket(&self) -> Ticket {
        self.ticket
    }

    fn place(&self) -> Option<u32> {
        Some(self.lane.0)
    }

    /// A journal does not keep the way back: it follows from what was done before.
    fn same_as(&self, other: &Self) -> bool {
        let task = match (&self.task, &other.task) {
            (ExploreTask::Move { to, look, .. }, ExploreTask::Move { to: other, look: closely, .. }) => {
                to == other && look == closely
            }
            (ExploreTask::Confirm { crash, .. }, ExploreTask::Confirm { crash: other, .. }) => crash == other,
            _ => false,
        };
        task && self.ticket == other.ticket && self.lane == other.lane
    }
}

impl Account for ExploreReport {
    type Evidence = Self;

    fn evidence(&self) -> &Self {
        self
    }

    fn took(&self) -> Micros {
        self.took
    }

    fn failure(&self) -> Option<&str> {
        match &self.failure {
            Some(Failure::Device(why) | Failure::GivenUp(why)) => Some(why),
            Some(Failure::Interrupted) | None => None,
        }
    }

    /// Only a performed event shows that a device works: one that starts the app and then breaks at every event is
    /// broken.
    fn shows_health(&self) -> bool {
        self.failure.is_none() && self.reply == Reply::Done && self.seen.is_some()
    }

    fn lost(_: &str, took: Micros, why: String) -> Self {
        Self { took, ..Self::failed(Failure::Device(why)) }
    }

    fn refused(_: &str, why: String) -> Self {
        Self::failed(Failure::GivenUp(why))
    }
}
