//! Going on where an earlier process was stopped.

#[cfg(test)]
mod tests;

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
    /// The run that was launched last.
    last: Option<Ticket>,
    /// A run that went otherwise in the journal than it does now.
    stranger: Option<Ticket>,
}

impl<O: Errand, R: Account, L: Lab<O, R>> Recorded<L, O, R> {
    /// This lab, after these results.
    pub fn new(lab: L, done: Vec<Done<O, R>>) -> Self {
        let (mut known, mut stranger) = (BTreeMap::new(), None);
        for Done { order, place, .. } in &done {
            if known.insert(order.ticket(), (order.clone(), *place)).is_some() {
                stranger = Some(order.ticket());
            }
        }
        Self { lab, done: done.into(), known, launched: BTreeSet::new(), last: None, stranger }
    }
}

impl<O: Errand, R: Account, L: Lab<O, R>> Lab<O, R> for Recorded<L, O, R> {
    fn idle(&self) -> u32 {
        self.lab.idle()
    }

    fn launch(&mut self, order: O) {
        let ticket = order.ticket();
        assert!(self.last < Some(ticket), "{ticket:?} is launched after a later one, or twice");
        self.last = Some(ticket);
        match self.known.get(&ticket) {
            None => self.lab.launch(order),
            Some((known, place)) => {
                if !order.same_as(known) {
                    self.stranger = Some(ticket);
                }
                self.launched.insert(ticket);
                self.lab.occupy(*place);
            }
        }
    }

    /// A recorded run has ended, so it was not cancelled then and is not now.
    fn cancel(&mut self, ticket: Ticket) {
        if self.launched.contains(&ticket) {
            self.stranger = Some(ticket);
        }
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
        let (order, place) = &self.known[&done.order.ticket()];
        assert!(
            *order == done.order && *place == done.place,
            "{order:?} gets the result of {:?}",
            done.order
        );
        self.lab.catch_up(&done);
        if self.done.is_empty() {
            assert!(self.launched.is_empty(), "{:?} wait for a journal that is over", self.launched);
        }
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
