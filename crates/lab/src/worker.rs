//! What carries out orders: a device with its oracle, a command, a device that explores.

use std::fmt::Debug;

use retap_reduce::{Ended, EventRun, Order, Outcome, Ticket};
use retap_trace::Micros;

use crate::Report;

/// Carries out orders, one at a time. A lab has one at each of its places.
pub trait Worker: Send + Debug {
    /// What it can be asked to do.
    type Order: Errand;
    /// What it says when it is done.
    type Report: Account;

    /// Its name, for people.
    fn name(&self) -> &str;

    /// Carries an order out. `stop` is asked now and then, and ends it early.
    fn run(&mut self, order: &Self::Order, stop: &dyn Fn() -> bool) -> Self::Report;
}

/// Something to be done, under a number of its own.
pub trait Errand: Clone + PartialEq + Send + Debug + 'static {
    fn ticket(&self) -> Ticket;

    /// The place where it must be done; at any free one when there is none.
    fn place(&self) -> Option<u32> {
        None
    }

    /// Whether this is what stands in a journal under its number.
    fn same_as(&self, recorded: &Self) -> bool {
        self == recorded
    }
}

/// What came of an errand.
pub trait Account: Clone + PartialEq + Send + Debug + 'static {
    /// The part that an algorithm learns from.
    type Evidence: ?Sized;

    fn evidence(&self) -> &Self::Evidence;

    /// The time it took, on the worker's clock.
    fn took(&self) -> Micros;

    /// Why it came to nothing, when the worker failed and not what was tried.
    fn failure(&self) -> Option<&str>;

    /// Whether it shows that the worker works: failures before it count no more.
    fn shows_health(&self) -> bool {
        self.failure().is_none()
    }

    /// The account of a worker that never came back.
    fn lost(worker: &str, took: Micros, why: String) -> Self;

    /// The account of an order for a worker that was given up before.
    fn refused(worker: &str, why: String) -> Self {
        Self::lost(worker, Micros::ZERO, why)
    }
}

impl Errand for Order {
    fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Errand for EventRun {
    fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Account for Report {
    type Evidence = Ended;

    fn evidence(&self) -> &Ended {
        &self.ended
    }

    fn took(&self) -> Micros {
        self.took
    }

    fn failure(&self) -> Option<&str> {
        match self.ended.outcome {
            Outcome::Inconclusive => Some(self.why.as_deref().unwrap_or("it was stopped")),
            _ => None,
        }
    }

    fn lost(worker: &str, took: Micros, why: String) -> Self {
        Self { took, why: Some(why), ..Self::begun(worker) }
    }
}
