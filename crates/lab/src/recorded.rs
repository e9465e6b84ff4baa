//! Going on where an earlier process was stopped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use retap_reduce::{Order, Ticket};
use retap_trace::Micros;

use crate::{Account, Done, Errand, Lab, LabError, Report};

/// A lab whose first results come from a journal. They are handed out in the order in which they were recorded,
/// and their runs are not repeated; what was under way when the journal stopped is run again.
#[derive(Debug)]
pub struct Recorded<L, O = Order, R = Report> {
    lab: L,
    done: VecDeque<Done<O, R>>,
    /// What each recorded run was a run of, and its place.
    known: BTreeMap<Ticket, (O, u32)>,
    /// Recorded runs that count as under way.
    launched: BTreeSet<Ticket>,
    /// A run that is due now and was of something else in the journal.
    stranger: Option<Ticket>,
}

impl<O: Errand, R: Account, L: Lab<O, R>> Recorded<L, O, R> {
    /// This lab, after these results.
    pub fn new(lab: L, done: Vec<Done<O, R>>) -> Self {
        let known = |done: &Done<O, R>| (done.order.ticket(), (done.order.clone(), done.place));
        let known = done.iter().map(known).collect();
        Self { lab, done: done.into(), known, launched: BTreeSet::new(), stranger: None }
    }
}

impl<O: Errand, R: Account, L: Lab<O, R>> Lab<O, R> for Recorded<L, O, R> {
    fn idle(&self) -> u32 {
        self.lab.idle()
    }

    fn launch(&mut self, order: O) {
        match self.known.get(&order.ticket()) {
            None => self.lab.launch(order),
            Some((known, place)) => {
                if !order.same_as(known) {
                    self.stranger = Some(order.ticket());
                }
                self.launched.insert(order.ticket());
                self.lab.occupy(*place);
            }
        }
    }

    /// A recorded run has ended, so it was not cancelled then and is not now.
    fn cancel(&mut self, ticket: Ticket) {
        self.lab.cancel(ticket);
    }

    fn next(&mut self) -> Result<Done<O, R>, LabError> {
        if let Some(Ticket(ticket)) = self.stranger {
            return Err(LabError::AnotherStory { ticket });
        }
        let Some(done) = self.done.pop_front() else { return self.lab.next() };
        if !self.launched.remove(&done.order.ticket()) {
            return Err(LabError::AnotherStory { ticket: done.order.ticket().0 });
        }
        self.lab.catch_up(&done);
        // A process that had no worker left ended there. What comes next is of a later one, or of this one.
        self.lab.revive();
        Ok(done)
    }

    fn now(&self) -> Micros {
        self.lab.now()
    }

    fn occupy(&mut self, place: u32) {
        self.lab.occupy(place);
    }

    fn catch_up(&mut self, done: &Done<O, R>) {
        self.lab.catch_up(done);
    }

    fn revive(&mut self) {
        self.lab.revive();
    }
}
