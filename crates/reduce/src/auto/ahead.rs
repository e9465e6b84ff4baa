//! The default reducer on any number of devices: it runs ahead on the likelier outcome.
//!
//! The procedure asks for one run at a time. While that run is under way, other devices take the runs that it would ask
//! for next if the likelier outcome came. Outcomes are used in the order in which their runs of a list began, because
//! runs that reach their target end sooner; for the same reason a run that turns out to be off the way is not used
//! later, either. With one device nothing is run ahead, and the runs are exactly those of the procedure.

use std::collections::{BTreeMap, VecDeque};

use super::Auto;
use crate::rule::Rule;
use crate::{
    Algorithm, Ended, Goal, Ledger, Order, Outcome, Phase, Reducing, ReductionEnding, RunCounts, Subset,
    Tally, Ticket,
};

/// The default reduction as something that can be driven.
#[derive(Debug, Clone)]
pub struct Ahead {
    auto: Auto,
    /// Runs of each list that the procedure has not used yet, in the order in which they began.
    runs: BTreeMap<Subset, VecDeque<Run>>,
    in_flight: BTreeMap<Ticket, Subset>,
    next_ticket: u64,
    counts: RunCounts,
    /// All runs of each list, whether the procedure used them or not.
    ran: Ledger,
    /// The runs that the procedure used in batches, in order.
    fresh: Vec<Ticket>,
    /// The ending of the procedure, with what it does not know.
    ending: Option<ReductionEnding>,
}

/// A run: under way, or ended and not yet used.
#[derive(Debug, Clone, Copy)]
struct Run {
    ticket: Ticket,
    ended: Option<Ended>,
}

impl Ahead {
    pub fn new(auto: Auto) -> Self {
        let mut ahead = Self {
            auto,
            runs: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            next_ticket: 0,
            counts: RunCounts::default(),
            ran: Ledger::default(),
            fresh: Vec::new(),
            ending: None,
        };
        ahead.go_on();
        ahead
    }

    /// Follows the procedure along the runs that have begun, on the likelier outcome of those under way. Says which
    /// run it would want first that has not begun, and how many of each list it would use until then.
    fn likely(&self) -> (Option<super::WantedRun>, BTreeMap<Subset, usize>) {
        let mut used: BTreeMap<Subset, usize> = BTreeMap::new();
        if self.runs.is_empty() {
            return (self.auto.wanted(), used);
        }
        let mut auto = self.auto.clone();
        while let Some(wanted) = auto.wanted() {
            let nth = used.entry(wanted.list.clone()).or_default();
            let Some(run) = self.runs.get(&wanted.list).and_then(|runs| runs.get(*nth)) else {
                return (Some(wanted), used);
            };
            *nth += 1;
            match run.ended {
                Some(ended) => auto.settle(ended.reached()),
                None => auto.settle((wanted.chance >= 0.5).then_some(wanted.list.len())),
            }
        }
        (None, used)
    }

    /// Gives the procedure the outcomes that it waits for.
    fn go_on(&mut self) {
        while let Some(wanted) = self.auto.wanted() {
            let Some(runs) = self.runs.get_mut(&wanted.list) else { return };
            let Some(&Run { ticket, ended: Some(ended) }) = runs.front() else { return };
            runs.pop_front();
            if runs.is_empty() {
                self.runs.remove(&wanted.list);
            }
            if self.auto.phase() == Phase::Confirm {
                self.fresh.push(ticket);
            }
            self.auto.settle(ended.reached());
        }
        self.ending = self.auto.ending().cloned();
        if let Some(ReductionEnding::Reduced(answer)) = &mut self.ending {
            let all = self.ran.tally(&answer.subset, Goal::Target);
            let claim = answer.claim.unwrap_or_default();
            answer.before = Tally::new(all.reached - claim.reached, all.missed - claim.missed);
            let mut fresh = self.fresh.iter().copied();
            for batch in &mut answer.batches {
                batch.runs = fresh.by_ref().take(batch.tally.runs() as usize).collect();
            }
        }
    }
}

impl Algorithm for Ahead {
    type Order = Order;
    type Evidence = Ended;

    fn order(&mut self) -> Option<Order> {
        let (wanted, _) = self.likely();
        let super::WantedRun { list, purpose, measures, .. } = wanted?;
        if self.in_flight.is_empty() {
            self.counts.rounds += 1;
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.runs.entry(list.clone()).or_default().push_back(Run { ticket, ended: None });
        self.in_flight.insert(ticket, list.clone());
        Some(Order { ticket, subset: list, goal: Goal::Target, label: purpose, measures })
    }

    fn settle(&mut self, ticket: Ticket, &ended: &Ended) {
        let Some(list) = self.in_flight.remove(&ticket) else { return };
        let runs = self.runs.get_mut(&list).expect("a run under way is known");
        let place = runs.iter().position(|run| run.ticket == ticket).expect("a run under way is known");
        if ended.outcome == Outcome::Inconclusive {
            self.counts.inconclusive += 1;
            runs.remove(place);
        } else {
            self.counts.runs += 1;
            runs[place].ended = Some(ended);
            self.ran.add(&list, Goal::Target, ended.outcome);
        }
        self.go_on();
    }

    /// What lies off the likely way is forgotten, also what has ended: if only runs under way were withdrawn, hits would
    /// be left over.
    fn withdraw(&mut self) -> Vec<Ticket> {
        if self.runs.is_empty() {
            return Vec::new();
        }
        let (_, used) = self.likely();
        let mut useless = Vec::new();
        self.runs.retain(|list, runs| {
            let along = used.get(list).copied().unwrap_or_default().min(runs.len());
            useless.extend(runs.drain(along..).filter(|run| run.ended.is_none()).map(|run| run.ticket));
            !runs.is_empty()
        });
        useless.sort_unstable();
        for ticket in &useless {
            self.in_flight.remove(ticket);
            self.counts.withdrawn += 1;
        }
        useless
    }

    fn over(&self) -> bool {
        self.ending.is_some()
    }
}

impl Reducing for Ahead {
    fn ending(&self) -> Option<&ReductionEnding> {
        self.ending.as_ref()
    }

    fn best(&self) -> &Subset {
        self.auto.best()
    }

    fn phase(&self) -> Phase {
        self.auto.phase()
    }

    fn counts(&self) -> RunCounts {
        RunCounts { trials: self.ran.len(), ..self.counts }
    }

    fn outlook(&self) -> u32 {
        self.auto.outlook()
    }

    fn rule(&self) -> String {
        "auto".to_owned()
    }

    fn variants(&self) -> (Box<dyn Rule>, Box<dyn Rule>) {
        let (values, drops) = self.auto.variants();
        (Box::new(values), Box::new(drops))
    }

    /// It asks nothing of a claim: what fresh runs show is told.
    fn least_confirmed(&self, _: u32) -> u32 {
        0
    }
}
