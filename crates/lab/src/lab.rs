//! What a lab is: places with workers that take orders.

use retap_reduce::{Order, Ticket};
use retap_trace::Micros;

use crate::{Done, Report};

/// Places with workers that take orders. Neither blocking nor asynchronous: launching returns at once, and only
/// [`Lab::next`] waits.
pub trait Lab<O = Order, R = Report> {
    /// Places that are free now.
    fn idle(&self) -> u32;

    /// Starts a run at the first free place.
    fn launch(&mut self, order: O);

    /// Stops a run; nothing will be heard of it.
    fn cancel(&mut self, ticket: Ticket);

    /// Waits for the next run to end.
    fn next(&mut self) -> Result<Done<O, R>, LabError>;

    /// The lab's clock: virtual time, or time since the lab was opened.
    fn now(&self) -> Micros;

    /// Keeps a place taken for a run of an earlier process, until that run is caught up with.
    fn occupy(&mut self, place: u32);

    /// Takes note of a run of an earlier process, taken from its journal: its place is free again, the clock goes
    /// forward to its end, and its device's failures count. Later orders then go as they would have gone.
    fn catch_up(&mut self, done: &Done<O, R>);

    /// Gives every worker another chance, if an earlier process had given all of them up.
    fn revive(&mut self);
}

/// Why a lab cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// Every device failed again and again.
    #[error("nothing is left to run it on: {}", last.as_deref().unwrap_or("none was given"))]
    NoDeviceLeft {
        /// What the last one said.
        last: Option<String>,
    },
    /// The journal is of another reduction.
    #[error(
        "run {ticket} in the journal is of other events than the run that is due now; \
         the trace, the settings or the program have changed: start again in a new folder"
    )]
    AnotherStory { ticket: u64 },
    /// Somebody asked to stop while runs were under way.
    #[error("stopped while runs were under way")]
    Stopped,
    /// Nothing was running, so nothing can end. A fault of ours.
    #[error("waited for a run, but none was under way")]
    NothingRuns,
}

impl LabError {
    /// Why a lab with nothing under way has nothing to hand out.
    pub(crate) fn idle(none_left: bool, last: Option<String>) -> Self {
        if none_left { Self::NoDeviceLeft { last } } else { Self::NothingRuns }
    }
}

/// Why a worker failed, with its name: with several, people have to know which one to look after.
pub(crate) fn named(worker: &str, why: &str) -> String {
    if why.contains(worker) { why.to_owned() } else { format!("{worker}: {why}") }
}

impl<O, R, L: Lab<O, R> + ?Sized> Lab<O, R> for Box<L> {
    fn idle(&self) -> u32 {
        (**self).idle()
    }

    fn launch(&mut self, order: O) {
        (**self).launch(order);
    }

    fn cancel(&mut self, ticket: Ticket) {
        (**self).cancel(ticket);
    }

    fn next(&mut self) -> Result<Done<O, R>, LabError> {
        (**self).next()
    }

    fn now(&self) -> Micros {
        (**self).now()
    }

    fn occupy(&mut self, place: u32) {
        (**self).occupy(place);
    }

    fn catch_up(&mut self, done: &Done<O, R>) {
        (**self).catch_up(done);
    }

    fn revive(&mut self) {
        (**self).revive();
    }
}
