//! Going on where an earlier process was stopped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use retap_reduce::{Order, Subset, Ticket};
use retap_trace::Micros;

use crate::{Done, Lab, LabError};

/// A lab whose first results come from a journal. They are handed out in the order in which they were recorded,
/// and their runs are not repeated; what was under way when the journal stopped is run anew.
#[derive(Debug)]
pub struct Recorded<L> {
    lab: L,
    done: VecDeque<Done>,
    /// What each recorded run was a run of, and its place.
    known: BTreeMap<Ticket, (Subset, u32)>,
    /// Recorded runs that count as under way.
    launched: BTreeSet<Ticket>,
    /// A run that is due now and was of something else in the journal.
    stranger: Option<Ticket>,
}

impl<L: Lab> Recorded<L> {
    /// This lab, after these results.
    pub fn new(lab: L, done: Vec<Done>) -> Self {
        let known = |done: &Done| (done.order.ticket, (done.order.subset.clone(), done.place));
        let known = done.iter().map(known).collect();
        Self { lab, done: done.into(), known, launched: BTreeSet::new(), stranger: None }
    }

    /// Whether results still come from the journal.
    pub fn replaying(&self) -> bool {
        !self.done.is_empty()
    }
}

impl<L: Lab> Lab for Recorded<L> {
    fn idle(&self) -> u32 {
        self.lab.idle()
    }

    fn launch(&mut self, order: Order) {
        match self.known.get(&order.ticket) {
            None => self.lab.launch(order),
            Some((subset, place)) => {
                if *subset != order.subset {
                    self.stranger = Some(order.ticket);
                }
                self.launched.insert(order.ticket);
                self.lab.occupy(*place);
            }
        }
    }

    /// A recorded run has ended, so it was not cancelled then and is not now.
    fn cancel(&mut self, ticket: Ticket) {
        self.lab.cancel(ticket);
    }

    fn next(&mut self) -> Result<Done, LabError> {
        if let Some(Ticket(ticket)) = self.stranger {
            return Err(LabError::AnotherStory { ticket });
        }
        let Some(done) = self.done.pop_front() else { return self.lab.next() };
        if !self.launched.remove(&done.order.ticket) {
            return Err(LabError::AnotherStory { ticket: done.order.ticket.0 });
        }
        self.lab.catch_up(&done);
        Ok(done)
    }

    fn now(&self) -> Micros {
        self.lab.now()
    }

    fn occupy(&mut self, place: u32) {
        self.lab.occupy(place);
    }

    fn catch_up(&mut self, done: &Done) {
        self.lab.catch_up(done);
    }
}
