//! How often does a trace reach its target?

use std::collections::BTreeSet;

use crate::{Algorithm, Ended, Goal, Order, Outcome, Subset, Tally, Ticket};

/// A number of runs of one trace, to see its rate. Runs in which a device failed are made up for.
#[derive(Debug, Clone)]
pub struct Measurement {
    subset: Subset,
    runs: u32,
    tally: Tally,
    inconclusive: u32,
    in_flight: BTreeSet<Ticket>,
    next_ticket: u64,
}

impl Measurement {
    /// So many runs of this subsequence.
    pub fn new(subset: Subset, runs: u32) -> Self {
        let tally = Tally::default();
        Self { subset, runs, tally, inconclusive: 0, in_flight: BTreeSet::new(), next_ticket: 0 }
    }

    /// What the runs so far showed.
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Runs in which the device failed.
    pub const fn inconclusive(&self) -> u32 {
        self.inconclusive
    }
}

impl Algorithm for Measurement {
    type Order = Order;
    type Evidence = Ended;

    fn order(&mut self) -> Option<Order> {
        let flying = u32::try_from(self.in_flight.len()).unwrap_or(u32::MAX);
        if self.tally.runs().saturating_add(flying) >= self.runs {
            return None;
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.in_flight.insert(ticket);
        let label = format!("measurement of {} events", self.subset.len());
        Some(Order { ticket, subset: self.subset.clone(), goal: Goal::Target, label, measures: true })
    }

    fn settle(&mut self, ticket: Ticket, &Ended { outcome, .. }: &Ended) {
        if self.in_flight.remove(&ticket) {
            self.tally.add(outcome);
            self.inconclusive += u32::from(outcome == Outcome::Inconclusive);
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Vec::new()
    }

    fn over(&self) -> bool {
        self.tally.runs() >= self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_up_for_devices_that_fail() {
        let mut measurement = Measurement::new(Subset::all(3), 4);
        let mut ordered = 0;
        while !measurement.over() {
            let order = measurement.order().expect("not over, none under way");
            let outcomes = [Outcome::Inconclusive, Outcome::Reached, Outcome::Missed];
            measurement.settle(order.ticket, &Ended { outcome: outcomes[ordered % 3], events: 3 });
            ordered += 1;
        }
        assert_eq!((ordered, measurement.tally(), measurement.inconclusive()), (6, Tally::new(2, 2), 2));
        assert_eq!(measurement.order(), None);
    }

    #[test]
    fn orders_no_more_than_needed() {
        let mut measurement = Measurement::new(Subset::all(3), 4);
        assert_eq!(std::iter::from_fn(|| measurement.order()).count(), 4);
    }
}
