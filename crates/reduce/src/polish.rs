//! After the events, their values: shorter waits, texts and swipes, and widgets instead of places.
//!
//! The events of a trace that cannot lose one any more are taken one value at a time ([`Knob`]). Each simpler value
//! is tried under the rule of the reduction; what passes stays. In the end fresh runs confirm the polished trace;
//! if they do not, the last change is taken back, and so on, down to the trace that was given, which was confirmed
//! before.

mod knob;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use retap_trace::Event;

use crate::rule::Rule;
use crate::schedule::Lot;
use crate::{Ended, Inquiry, Outcome, Tally, Ticket, Verdict};
use knob::Knob;

/// A run of events that need not stand in any trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    /// Its number.
    pub ticket: Ticket,
    /// What to do.
    pub events: Arc<[Event]>,
    /// Why, in words.
    pub label: String,
}

/// Makes the values of a short trace simpler.
pub struct Polish {
    rule: Box<dyn Rule>,
    confirm_runs: u32,
    /// The trace that was given, and every simpler one that passed.
    history: Vec<Arc<[Event]>>,
    given: Tally,
    knobs: VecDeque<Knob>,
    state: State,
    flights: BTreeMap<Ticket, Arc<[Event]>>,
    next_ticket: u64,
    runs: u32,
    inconclusive: u32,
}

enum State {
    Trying(Trial),
    Confirming(Trial),
    Over(Tally),
}

/// A trace that is being run.
struct Trial {
    events: Arc<[Event]>,
    tally: Tally,
    running: u32,
}

impl Polish {
    /// A polish of these events, whose confirming runs showed this.
    pub fn new(events: Vec<Event>, confirmed: Tally, rule: Box<dyn Rule>, confirm_runs: u32) -> Self {
        let knobs = knob::knobs(&events).into();
        let mut polish = Self {
            rule,
            confirm_runs,
            history: vec![events.into()],
            given: confirmed,
            knobs,
            state: State::Over(confirmed),
            flights: BTreeMap::new(),
            next_ticket: 0,
            runs: 0,
            inconclusive: 0,
        };
        polish.go_on();
        polish
    }

    /// The simplest events so far.
    pub fn best(&self) -> &[Event] {
        self.history.last().expect("what was given is never forgotten")
    }

    /// What confirming runs of the best showed, once it is over.
    pub fn confirmed(&self) -> Option<Tally> {
        match self.state {
            State::Over(tally) => Some(tally),
            _ => None,
        }
    }

    /// Whether anything has become simpler.
    pub fn changed(&self) -> bool {
        self.history.len() > 1
    }

    /// Runs that gave evidence, and runs in which the device failed.
    pub const fn runs(&self) -> (u32, u32) {
        (self.runs, self.inconclusive)
    }

    /// The next simpler trace to try, or the confirmation, or the end.
    fn go_on(&mut self) {
        let best = self.history.last().expect("what was given is never forgotten");
        while let Some(knob) = self.knobs.front() {
            if let Some(events) = knob.turned(best) {
                self.state = State::Trying(Trial::new(&events));
                return;
            }
            self.knobs.pop_front();
        }
        self.state = if self.history.len() > 1 {
            State::Confirming(Trial::new(best))
        } else {
            State::Over(self.given)
        };
    }

    fn settle_trial(&mut self) {
        let State::Trying(trial) = &self.state else { return };
        let verdict = self.rule.judge(trial.tally);
        if verdict == Verdict::Open {
            return;
        }
        let passed = verdict == Verdict::Pass;
        if passed {
            self.history.push(trial.events.clone());
        }
        self.knobs.front_mut().expect("a trial is of a knob").settle(passed);
        self.go_on();
    }

    fn settle_confirmation(&mut self) {
        let State::Confirming(trial) = &self.state else { return };
        let (runs, tally) = (self.confirm_runs, trial.tally);
        if tally.missed > runs - self.rule.least_confirmed(runs) {
            self.history.pop();
            self.go_on();
        } else if tally.runs() >= runs {
            self.state = State::Over(tally);
        }
    }
}

impl Inquiry for Polish {
    type Order = Play;
    type News = Ended;

    fn order(&mut self) -> Option<Play> {
        let (trial, wanted, what) = match &mut self.state {
            State::Over(_) => return None,
            State::Trying(trial) => {
                let wanted = Lot::new(&*self.rule, trial.tally).to_pass;
                (trial, wanted, self.knobs.front().expect("a trial is of a knob").to_string())
            }
            State::Confirming(trial) => {
                let wanted = self.confirm_runs.saturating_sub(trial.tally.runs());
                (trial, wanted, "confirmation of simpler values".to_owned())
            }
        };
        if trial.running >= wanted {
            return None;
        }
        trial.running += 1;
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.flights.insert(ticket, trial.events.clone());
        Some(Play { ticket, events: trial.events.clone(), label: what })
    }

    fn told(&mut self, ticket: Ticket, &Ended { outcome, .. }: &Ended) {
        let Some(events) = self.flights.remove(&ticket) else { return };
        match outcome {
            Outcome::Inconclusive => self.inconclusive += 1,
            _ => self.runs += 1,
        }
        let (State::Trying(trial) | State::Confirming(trial)) = &mut self.state else { return };
        if Arc::ptr_eq(&events, &trial.events) {
            trial.running -= 1;
            trial.tally.add(outcome);
        }
        self.settle_trial();
        self.settle_confirmation();
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        let current = match &self.state {
            State::Trying(trial) | State::Confirming(trial) => Some(&trial.events),
            State::Over(_) => None,
        };
        let useless = |events: &Arc<[Event]>| current.is_none_or(|current| !Arc::ptr_eq(events, current));
        self.flights.extract_if(.., |_, events| useless(events)).map(|(ticket, _)| ticket).collect()
    }

    fn over(&self) -> bool {
        matches!(self.state, State::Over(_))
    }
}

impl Trial {
    /// A copy of the events, because runs are told apart by where their events are kept: the confirmation of a trace
    /// is not to be mixed up with its trial.
    fn new(events: &[Event]) -> Self {
        Self { events: events.into(), tally: Tally::default(), running: 0 }
    }
}

impl std::fmt::Debug for Polish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Polish")
            .field("best", &self.best())
            .field("knobs", &self.knobs.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
