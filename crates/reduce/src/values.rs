//! After the events, their values: shorter waits, texts and swipes, widgets instead of places, and a touch instead of a
//! key that presses the widget with the focus: the keys that led the focus there can go then.
//!
//! The events of a short trace are taken one value at a time ([`ValueSearch`]). Each simpler value is tried under the
//! rule of the reduction; what passes stays. The order matters:
//!
//! 1. values, as long as touches go by place;
//! 2. the trace is read again by a caller that can perform it ([`ValueShrinker::refreshed`]), because what stood on a
//!    widget may have been typed by the trace itself; then keys become touches, and touches go by widget, where that passes;
//! 3. where anything has changed, single events once more, so that none is left that can go;
//! 4. the claim: fresh runs, reported whatever they say. Only when they are clearly worse than what was given is the
//!    latter handed back, with fresh runs of its own: those it came with have had a say in that.

mod search;

use std::collections::VecDeque;
use std::sync::Arc;

use retap_trace::Event;

use crate::auto::Pass;
use crate::rule::Rule;
use crate::{Algorithm, Ended, Outcome, Tally, Ticket, Verdict};
use search::ValueSearch;

/// Evidence of this much that the rates differ: what was given is handed back.
const WORSE: f64 = 3.0;

/// A run of events that need not stand in any trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRun {
    pub ticket: Ticket,
    pub events: Arc<[Event]>,
    /// Why, in words.
    pub label: String,
}

/// A short trace whose values are to be made simpler.
#[derive(Debug, Clone)]
pub struct Given {
    pub events: Vec<Event>,
    /// For each event that presses the widget with the focus, a touch of that widget.
    pub touches: Vec<Option<Event>>,
    /// What all runs of it have shown.
    pub known: Tally,
    /// What was claimed of it, if that was done.
    pub claim: Option<Tally>,
    /// Whether the first event launches the app: it is never dropped.
    pub rooted: bool,
}

/// Fresh runs of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    pub events: Arc<[Event]>,
    pub tally: Tally,
    pub claimed: bool,
    pub runs: Vec<Ticket>,
}

/// Makes the values of a short trace simpler.
pub struct ValueShrinker {
    /// For simpler values.
    values: Box<dyn Rule>,
    /// For single events.
    drops: Box<dyn Rule>,
    confirm_runs: u32,
    given: Given,
    best: Arc<[Event]>,
    /// Which of the given events are left.
    kept: Vec<u32>,
    stage: Stage,
    trial: Option<Trial>,
    /// What is known of each trace that was run, but for claims.
    seen: Vec<(Arc<[Event]>, Tally)>,
    /// All runs of each trace, also claims and runs whose outcome came too late to be used.
    ran: Vec<(Arc<[Event]>, Tally)>,
    batches: Vec<Replayed>,
    /// Runs that have become useless.
    useless: Vec<Ticket>,
    next_ticket: u64,
    runs: u32,
    inconclusive: u32,
    withdrawn: u32,
}

enum Stage {
    Values(VecDeque<ValueSearch>),
    /// The best events are to be read again.
    Stale,
    Aims(VecDeque<ValueSearch>),
    Drop {
        pass: Pass,
        base: Arc<[Event]>,
    },
    Claim,
    Over,
}

/// A trace that is being run.
struct Trial {
    events: Arc<[Event]>,
    tally: Tally,
    /// Runs in the order in which they began, and how they ended. Outcomes count in this order, because runs that reach
    /// their target end sooner.
    runs: VecDeque<(Ticket, Option<Outcome>)>,
    label: String,
}

impl ValueShrinker {
    /// For this trace. The claim takes so many runs; the rules are for simpler values and for single events.
    pub fn new(given: Given, rules: (Box<dyn Rule>, Box<dyn Rule>), confirm_runs: u32) -> Self {
        let (values, drops) = rules;
        let best: Arc<[Event]> = given.events.clone().into();
        let mut shrinker = Self {
            values,
            drops,
            confirm_runs,
            stage: Stage::Values(search::values(&best).into()),
            kept: (0..).take(best.len()).collect(),
            given,
            best,
            trial: None,
            seen: Vec::new(),
            ran: Vec::new(),
            batches: Vec::new(),
            useless: Vec::new(),
            next_ticket: 0,
            runs: 0,
            inconclusive: 0,
            withdrawn: 0,
        };
        shrinker.go_on();
        shrinker
    }

    /// The simplest events so far.
    pub fn best(&self) -> &[Event] {
        &self.best
    }

    pub fn given(&self) -> &[Event] {
        &self.given.events
    }

    /// Which of the given events are left, counted from 0.
    pub fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// Whether the events have to be read again before it goes on; see [`ValueShrinker::refreshed`].
    pub fn stale(&self) -> bool {
        matches!(self.stage, Stage::Stale)
    }

    /// Takes the same events with what is seen around them now, or as they are when they could not be read.
    pub fn refreshed(&mut self, seen: Option<(Vec<Event>, Vec<Option<Event>>)>) {
        if !self.stale() {
            return;
        }
        let (events, touches) = seen.filter(|(events, _)| events.len() == self.best.len()).unzip();
        if let Some(events) = events {
            self.best = events.into();
        }
        self.stage = Stage::Aims(search::aims(&self.best, &touches.unwrap_or_default()).into());
        self.go_on();
    }

    /// What is claimed of the best events, once it is over.
    pub fn claim(&self) -> Option<Tally> {
        let made = || self.batches.iter().rev().find(|batch| batch.claimed).map(|batch| batch.tally);
        match self.stage {
            Stage::Over => made().or(self.given.claim),
            _ => None,
        }
    }

    /// What other runs of the best events showed.
    pub fn before(&self) -> Tally {
        let given = if self.changed() { Tally::default() } else { self.given.known };
        let here = tally(&self.ran, &self.best);
        let claim = self.claim().unwrap_or_default();
        Tally::new(given.reached + here.reached - claim.reached, given.missed + here.missed - claim.missed)
    }

    /// All batches of fresh runs.
    pub fn batches(&self) -> &[Replayed] {
        &self.batches
    }

    /// Whether anything has become simpler.
    pub fn changed(&self) -> bool {
        *self.best != *self.given.events
    }

    /// Runs that gave evidence, and runs in which the device failed.
    pub const fn runs(&self) -> (u32, u32) {
        (self.runs, self.inconclusive)
    }

    pub const fn withdrawn(&self) -> u32 {
        self.withdrawn
    }

    /// The number of the next run.
    pub const fn next_ticket(&self) -> Ticket {
        Ticket(self.next_ticket)
    }

    fn rule(&self) -> &dyn Rule {
        if matches!(self.stage, Stage::Drop { .. }) { &*self.drops } else { &*self.values }
    }

    /// Goes on until a run is wanted, the events are stale, or it is over.
    fn go_on(&mut self) {
        while self.trial.is_none() && !matches!(self.stage, Stage::Stale | Stage::Over) {
            self.step();
        }
    }

    /// The next simpler trace to try, or the next stage.
    fn step(&mut self) {
        match &mut self.stage {
            Stage::Values(searches) | Stage::Aims(searches) => {
                let Some(search) = searches.front() else { return self.searches_done() };
                let Some(events) = search.proposed(&self.best) else {
                    searches.pop_front();
                    return;
                };
                let label = search.to_string();
                self.try_out(events.into(), label);
            }
            Stage::Drop { pass, base } => {
                let Some(shorter) = pass.shorter() else { return self.claim_now() };
                let events = shorter.iter().map(|event| base[*event as usize].clone()).collect();
                let label = format!("without step {}", pass.event().map_or(0, |event| event + 1));
                self.try_out(events, label);
            }
            Stage::Claim => {
                let label = "confirmation of simpler values".to_owned();
                self.batches.push(Replayed {
                    events: self.best.clone(),
                    tally: Tally::default(),
                    claimed: true,
                    runs: Vec::new(),
                });
                self.trial = Some(Trial::new(self.best.clone(), Tally::default(), label));
            }
            Stage::Stale | Stage::Over => {}
        }
    }

    fn searches_done(&mut self) {
        self.stage = match self.stage {
            Stage::Values(_) if self.changed() => Stage::Stale,
            Stage::Values(_) => Stage::Aims(search::aims(&self.best, &self.given.touches).into()),
            _ if self.changed() => {
                let events = u32::try_from(self.best.len()).expect("a short trace");
                let pass = Pass::new((0..events).collect(), self.given.rooted.then_some(0));
                Stage::Drop { pass, base: self.best.clone() }
            }
            _ => return self.claim_now(),
        };
    }

    /// The events are settled. What was given and claimed need not be claimed again.
    fn claim_now(&mut self) {
        let claimed = !self.changed() && self.given.claim.is_some();
        self.stage = if claimed { Stage::Over } else { Stage::Claim };
    }

    /// Tries events, unless it is known what comes of them.
    fn try_out(&mut self, events: Arc<[Event]>, label: String) {
        let tally = tally(&self.seen, &events);
        self.trial = Some(Trial::new(events, tally, label));
        self.conclude();
    }

    /// Whether the trial at hand is over; if so, what follows from it.
    fn conclude(&mut self) {
        let Some(trial) = &self.trial else { return };
        let (tally, events) = (trial.tally, trial.events.clone());
        if matches!(self.stage, Stage::Claim) {
            if tally.runs() >= self.confirm_runs {
                self.claimed(tally);
            }
            return;
        }
        let passed = match self.rule().judge(tally) {
            Verdict::Open => return,
            verdict => verdict == Verdict::Pass,
        };
        self.end_trial();
        if passed {
            self.best = events;
        }
        match &mut self.stage {
            Stage::Values(searches) | Stage::Aims(searches) => {
                searches.front_mut().expect("a trial is of a value").settle(passed);
            }
            Stage::Drop { pass, .. } => {
                pass.settle(passed);
                self.kept = pass.list().to_vec();
            }
            Stage::Stale | Stage::Claim | Stage::Over => {}
        }
    }

    fn end_trial(&mut self) {
        let runs = self.trial.take().map(|trial| trial.runs).unwrap_or_default();
        self.useless.extend(runs.into_iter().filter(|(_, ended)| ended.is_none()).map(|(ticket, _)| ticket));
    }

    fn claimed(&mut self, tally: Tally) {
        self.end_trial();
        self.stage = Stage::Over;
        let known = self.given.known;
        let worse = u64::from(tally.reached) * u64::from(known.runs())
            < u64::from(known.reached) * u64::from(tally.runs());
        if self.changed() && worse && Tally::apart(known, tally) >= WORSE {
            self.batches.last_mut().expect("it was just made").claimed = false;
            self.best = self.given.events.clone().into();
            self.kept = (0..).take(self.best.len()).collect();
            // What was known has helped to choose between the two, so it is not the claim.
            self.stage = Stage::Claim;
        }
    }

    fn used(&mut self, ticket: Ticket, outcome: Outcome) {
        let Some(trial) = &mut self.trial else { return };
        trial.tally.add(outcome);
        if matches!(self.stage, Stage::Claim) {
            let batch = self.batches.last_mut().expect("a claim is under way");
            batch.tally = trial.tally;
            batch.runs.push(ticket);
        } else {
            add(&mut self.seen, &trial.events, outcome);
        }
        self.conclude();
        if self.trial.is_none() {
            self.go_on();
        }
    }
}

impl Algorithm for ValueShrinker {
    type Order = EventRun;
    type Evidence = Ended;

    fn order(&mut self) -> Option<EventRun> {
        let claiming = matches!(self.stage, Stage::Claim);
        let tally = self.trial.as_ref()?.tally;
        let wanted = if claiming {
            self.confirm_runs.saturating_sub(tally.runs())
        } else {
            self.rule().to_pass(tally)
        };
        let trial = self.trial.as_mut()?;
        if trial.runs.len() >= wanted as usize {
            return None;
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        trial.runs.push_back((ticket, None));
        Some(EventRun { ticket, events: trial.events.clone(), label: trial.label.clone() })
    }

    fn settle(&mut self, ticket: Ticket, &Ended { outcome, .. }: &Ended) {
        let Some(trial) = &mut self.trial else { return };
        let Some(place) = trial.runs.iter().position(|(run, _)| *run == ticket) else { return };
        if outcome == Outcome::Inconclusive {
            self.inconclusive += 1;
            trial.runs.remove(place);
        } else {
            self.runs += 1;
            trial.runs[place].1 = Some(outcome);
            add(&mut self.ran, &trial.events, outcome);
        }
        while let Some(trial) = &mut self.trial
            && let Some(&(ticket, Some(outcome))) = trial.runs.front()
        {
            trial.runs.pop_front();
            self.used(ticket, outcome);
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        self.withdrawn += u32::try_from(self.useless.len()).unwrap_or(u32::MAX);
        std::mem::take(&mut self.useless)
    }

    fn over(&self) -> bool {
        matches!(self.stage, Stage::Over | Stage::Stale)
    }
}

fn tally(known: &[(Arc<[Event]>, Tally)], events: &[Event]) -> Tally {
    let of = known.iter().find(|(known, _)| **known == *events);
    of.map(|(_, tally)| *tally).unwrap_or_default()
}

/// Counts one more outcome of events.
fn add(known: &mut Vec<(Arc<[Event]>, Tally)>, events: &Arc<[Event]>, outcome: Outcome) {
    let place = known.iter().position(|(known, _)| known == events).unwrap_or_else(|| {
        known.push((events.clone(), Tally::default()));
        known.len() - 1
    });
    known[place].1.add(outcome);
}

impl Trial {
    fn new(events: Arc<[Event]>, tally: Tally, label: String) -> Self {
        Self { events, tally, runs: VecDeque::new(), label }
    }
}

impl std::fmt::Debug for ValueShrinker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ValueShrinker")
            .field("best", &self.best)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
