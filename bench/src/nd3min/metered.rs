//! A lab in virtual time that counts what its devices were busy with, withdrawn runs included.

use std::collections::BTreeMap;

use retap_lab::{Done, Lab, LabError, Runner, VirtualLab};
use retap_reduce::{Order, Ticket};
use retap_trace::Micros;

/// A lab with a meter.
#[derive(Debug)]
pub(super) struct Metered {
    lab: VirtualLab<Runner>,
    began: BTreeMap<Ticket, Micros>,
    busy: Micros,
}

impl Metered {
    pub(super) fn new(lab: VirtualLab<Runner>) -> Self {
        Self { lab, began: BTreeMap::new(), busy: Micros::ZERO }
    }

    /// The time that all devices together were busy.
    pub(super) fn busy(&self) -> Micros {
        self.busy
    }

    fn ended(&mut self, ticket: Ticket) {
        if let Some(began) = self.began.remove(&ticket) {
            self.busy += self.lab.now().since(began);
        }
    }
}

impl Lab for Metered {
    fn idle(&self) -> u32 {
        self.lab.idle()
    }

    fn launch(&mut self, order: Order) {
        self.began.insert(order.ticket, self.lab.now());
        self.lab.launch(order);
    }

    fn cancel(&mut self, ticket: Ticket) {
        self.ended(ticket);
        self.lab.cancel(ticket);
    }

    fn next(&mut self) -> Result<Done, LabError> {
        let done = self.lab.next()?;
        self.ended(done.order.ticket);
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

    fn revive(&mut self) {
        self.lab.revive();
    }
}
