//! A whole reduction as one step machine: check the trace, search, confirm the answer.
//!
//! Whoever drives it asks for orders while devices are free, tells it how each run ended, and withdraws the runs
//! that have become useless. Everything it does is a function of the sequence of results it is told.

use std::collections::BTreeMap;

use crate::rule::Rule;
use crate::schedule::{Board, Lot, Schedule};
use crate::search::{Reducer, Settled};
use crate::{CandidateId, Goal, Inquiry, Ledger, Order, Outcome, Subset, Tally, Ticket, Verdict};

/// What a reduction is about besides its three axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Steps in the trace.
    pub events: u32,
    /// Devices that take runs.
    pub devices: u32,
    /// Fresh runs that confirm the answer.
    pub confirm_runs: u32,
    /// The share of first runs of the whole trace that must reach the target; without it, what the rule asks for.
    pub min_rate: Option<f64>,
}

/// Where a reduction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The whole trace is run, to see whether it reaches the target often enough.
    Check,
    /// Shorter traces are tried.
    Search,
    /// The answer is run afresh.
    Confirm,
    /// There is an ending.
    Over,
}

/// What has been spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Runs that gave evidence.
    pub runs: u32,
    /// Runs in which the device failed.
    pub inconclusive: u32,
    /// Runs that were withdrawn.
    pub withdrawn: u32,
    /// Rounds: times that all devices were free when a run was ordered.
    pub rounds: u32,
    /// Candidates that the search settled by runs.
    pub trials: u32,
}

/// How a reduction ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With a trace that fresh runs confirmed.
    Reduced(Answer),
    /// The whole trace does not reach the target often enough.
    Refused {
        /// What its runs showed.
        tally: Tally,
        /// How many of how many would have been enough.
        needed: (u32, u32),
    },
}

/// A confirmed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The steps that are kept.
    pub subset: Subset,
    /// What the fresh runs showed.
    pub confirmed: Tally,
    /// Shorter answers that fresh runs did not confirm.
    pub retreats: u32,
}

/// A reduction.
pub struct Reduction {
    settings: Settings,
    search: Box<dyn Reducer>,
    rule: Box<dyn Rule>,
    schedule: Box<dyn Schedule>,
    ledger: Ledger,
    state: State,
    open: BTreeMap<CandidateId, Lot>,
    flights: BTreeMap<Ticket, Flight>,
    /// Outcomes that wait for a run of the same candidate that began earlier.
    waiting: BTreeMap<(CandidateId, Ticket), Outcome>,
    /// Every answer the search has passed through, the whole trace first.
    history: Vec<Subset>,
    retreats: u32,
    next_ticket: u64,
    counts: Counts,
    checked: Tally,
    escalation: Option<Escalation>,
    anchor: Option<Anchor>,
}

/// The rule that the first runs of the whole trace call for, if it is another one.
type Anchor = Box<dyn Fn(Tally) -> Option<Box<dyn Rule>>>;

/// What to do when a trace turns out to be flaky.
struct Escalation {
    rule: Box<dyn Rule>,
    search: Box<dyn Reducer>,
}

enum State {
    Checking(Measure),
    Searching,
    Confirming(Measure),
    Over(Ending),
}

/// A number of runs of one trace, to see its rate.
struct Measure {
    subset: Subset,
    tally: Tally,
    running: u32,
    least: u32,
    runs: u32,
}

struct Flight {
    subset: Subset,
    goal: Goal,
    purpose: Purpose,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Try(CandidateId),
    /// For the measure of this trace in the history; `Check` is number 0 as well, but never at the same time.
    Measure(Phase, usize),
}

impl Reduction {
    /// A reduction that has not begun.
    ///
    /// # Panics
    /// When there are no devices.
    pub fn new(
        settings: Settings,
        search: Box<dyn Reducer>,
        rule: Box<dyn Rule>,
        schedule: Box<dyn Schedule>,
    ) -> Self {
        assert!(settings.devices > 0, "a reduction needs a device");
        let whole = Subset::all(settings.events);
        let measure = settings.check(&*rule, whole.clone());
        Self {
            settings,
            search,
            rule,
            schedule,
            ledger: Ledger::default(),
            state: State::Checking(measure),
            open: BTreeMap::new(),
            flights: BTreeMap::new(),
            waiting: BTreeMap::new(),
            history: vec![whole],
            retreats: 0,
            next_ticket: 0,
            counts: Counts::default(),
            checked: Tally::default(),
            escalation: None,
            anchor: None,
        }
    }

    /// The same reduction, which begins anew with this rule and this search as soon as a run of the whole trace, or
    /// a confirming run, misses. The rule it began with can then be one that believes a single run. What was learnt
    /// is kept.
    #[must_use]
    pub fn escalating(mut self, rule: Box<dyn Rule>, search: Box<dyn Reducer>) -> Self {
        self.escalation = Some(Escalation { rule, search });
        self
    }

    /// The same reduction, which takes its rule from what the first runs of the whole trace show: no shorter trace can
    /// be asked to hold more often than the trace it comes from.
    #[must_use]
    pub fn anchored(mut self, anchor: impl Fn(Tally) -> Option<Box<dyn Rule>> + 'static) -> Self {
        self.anchor = Some(Box::new(anchor));
        self
    }

    /// The rule that is in force.
    pub fn rule(&self) -> &dyn Rule {
        &*self.rule
    }

    /// How it ended, once it has.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state {
            State::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// The best trace so far that the rule has passed.
    pub fn best(&self) -> &Subset {
        self.history.last().expect("the whole trace is never forgotten")
    }

    /// Where it stands.
    pub fn phase(&self) -> Phase {
        match self.state {
            State::Checking(_) => Phase::Check,
            State::Searching => Phase::Search,
            State::Confirming(_) => Phase::Confirm,
            State::Over(_) => Phase::Over,
        }
    }

    /// What has been spent.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What the first runs of the whole trace showed.
    pub fn checked(&self) -> Tally {
        self.checked
    }

    /// Runs that are certain to come if everything goes on as it does: the rest of this turn of the search and
    /// the confirmation. A lower bound, for people who wait.
    pub fn outlook(&self) -> u32 {
        match &self.state {
            State::Checking(measure) => measure.left() + self.settings.confirm_runs,
            State::Searching => {
                let open = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
                open.saturating_add(self.settings.confirm_runs)
            }
            State::Confirming(measure) => measure.left(),
            State::Over(_) => 0,
        }
    }

    fn pick(&mut self) -> Option<(Subset, Goal, Purpose, String)> {
        let running = u32::try_from(self.flights.len()).unwrap_or(u32::MAX);
        let board = Board { open: &self.open, devices: self.settings.devices, running };
        let id = self.schedule.pick(&board)?;
        self.open.get_mut(&id).expect("a schedule picks from the board").running += 1;
        let frontier = self.search.frontier();
        let place = frontier.partition_point(|candidate| candidate.id < id);
        let candidate = &frontier[place];
        Some((candidate.subset.clone(), candidate.goal, Purpose::Try(id), candidate.label.to_string()))
    }

    fn told_trial(&mut self, ticket: Ticket, id: CandidateId, flight: &Flight, outcome: Outcome) {
        if !self.rule.ordered() || !self.open.contains_key(&id) {
            return self.count(id, flight, outcome);
        }
        self.waiting.insert((id, ticket), outcome);
        let same = |other: &&Flight| other.purpose == flight.purpose;
        let earliest = self.flights.iter().find(|(_, other)| same(other)).map(|(ticket, _)| *ticket);
        let ready = |known: Ticket| earliest.is_none_or(|flying| known < flying);
        while let Some((&(_, known), &outcome)) =
            self.waiting.range((id, Ticket(0))..=(id, Ticket(u64::MAX))).next()
            && ready(known)
        {
            self.waiting.remove(&(id, known));
            self.count(id, flight, outcome);
        }
        if !self.open.contains_key(&id) {
            // It is settled; what still waits is evidence all the same.
            for (_, outcome) in self.waiting.extract_if((id, Ticket(0))..=(id, Ticket(u64::MAX)), |_, _| true)
            {
                self.ledger.add(&flight.subset, flight.goal, outcome);
            }
        }
    }

    /// Takes an outcome as evidence on a candidate.
    fn count(&mut self, id: CandidateId, flight: &Flight, outcome: Outcome) {
        let tally = self.ledger.add(&flight.subset, flight.goal, outcome);
        let Some(lot) = self.open.get_mut(&id) else { return };
        *lot = Lot { running: lot.running - 1, ..Lot::new(&*self.rule, tally) };
        let verdict = self.rule.judge(tally);
        if verdict != Verdict::Open {
            self.counts.trials += 1;
            self.open.remove(&id);
            if self.search.settle(id, verdict) == Settled::Moved {
                self.look_at_frontier();
            }
        }
    }

    fn told_measure(&mut self, purpose: Purpose, outcome: Outcome) {
        if self.current_measure() != Some(purpose) {
            return;
        }
        let (State::Checking(measure) | State::Confirming(measure)) = &mut self.state else { return };
        measure.running -= 1;
        measure.tally.add(outcome);
        if purpose == Purpose::Measure(Phase::Check, 0) {
            self.ledger.add(&measure.subset, Goal::Target, outcome);
        }
        let (tally, enough) = (measure.tally, measure.enough());
        if let Some(escalation) = self.escalation.take_if(|_| tally.missed > 0) {
            return self.escalate(escalation);
        }
        match (enough, self.phase()) {
            (None, _) => {}
            (Some(enough), Phase::Check) => {
                self.checked = tally;
                if !enough {
                    return self.refuse(tally);
                }
                if let Some(rule) = self.anchor.as_ref().and_then(|anchor| anchor(tally)) {
                    self.rule = rule;
                }
                self.look_at_frontier();
            }
            (Some(true), _) => {
                let answer =
                    Answer { subset: self.best().clone(), confirmed: tally, retreats: self.retreats };
                self.state = State::Over(Ending::Reduced(answer));
            }
            (Some(false), _) => self.retreat(tally),
        }
    }

    /// It is flaky: everything anew under the stricter rule, from the check on.
    fn escalate(&mut self, escalation: Escalation) {
        let Escalation { rule, search } = escalation;
        let whole = self.history.swap_remove(0);
        let mut measure = self.settings.check(&*rule, whole.clone());
        measure.tally = self.ledger.tally(&whole, Goal::Target);
        let checking = |flight: &&Flight| flight.purpose == Purpose::Measure(Phase::Check, 0);
        measure.running = u32::try_from(self.flights.values().filter(checking).count()).unwrap_or(u32::MAX);
        self.history = vec![whole];
        self.rule = rule;
        self.search = search;
        self.open.clear();
        self.state = State::Checking(measure);
    }

    /// Fresh runs did not confirm the answer: back to the one before it.
    fn retreat(&mut self, tally: Tally) {
        if self.history.len() == 1 {
            // The whole trace passed its check by luck. All its runs count.
            let Tally { reached, missed } = self.checked;
            return self.refuse(Tally::new(reached + tally.reached, missed + tally.missed));
        }
        self.history.pop();
        self.retreats += 1;
        self.confirm();
    }

    fn refuse(&mut self, tally: Tally) {
        let (State::Checking(measure) | State::Confirming(measure)) = &self.state else { return };
        let needed = (measure.least, measure.runs);
        self.state = State::Over(Ending::Refused { tally, needed });
    }

    fn confirm(&mut self) {
        let runs = self.settings.confirm_runs;
        let measure = Measure::new(self.best().clone(), self.rule.least_confirmed(runs), runs);
        self.state = State::Confirming(measure);
        self.open.clear();
    }

    /// Puts the new frontier on the board; what the ledger can settle is settled without a run.
    fn look_at_frontier(&mut self) {
        self.state = State::Searching;
        'again: loop {
            if self.search.best() != self.best() {
                self.history.push(self.search.best().clone());
            }
            self.open.clear();
            let mut known = Vec::new();
            for candidate in self.search.frontier() {
                let tally = self.ledger.tally(&candidate.subset, candidate.goal);
                match self.rule.judge(tally) {
                    Verdict::Open => {
                        self.open.insert(candidate.id, Lot::new(&*self.rule, tally));
                    }
                    verdict => known.push((candidate.id, verdict)),
                }
            }
            for (id, verdict) in known {
                if self.search.settle(id, verdict) == Settled::Moved {
                    continue 'again;
                }
            }
            break;
        }
        if self.search.frontier().is_empty() {
            self.confirm();
        }
    }

    fn current_measure(&self) -> Option<Purpose> {
        match self.state {
            State::Checking(_) => Some(Purpose::Measure(Phase::Check, 0)),
            State::Confirming(_) => Some(Purpose::Measure(Phase::Confirm, self.history.len())),
            State::Searching | State::Over(_) => None,
        }
    }
}

impl Inquiry for Reduction {
    type Order = Order;
    type News = Outcome;

    fn order(&mut self) -> Option<Order> {
        let (subset, goal, purpose, label) = match &mut self.state {
            State::Over(_) => return None,
            State::Checking(measure) | State::Confirming(measure) if measure.spare() == 0 => return None,
            State::Checking(measure) => {
                measure.running += 1;
                let label = format!("check of all {} events", measure.subset.len());
                (measure.subset.clone(), Goal::Target, Purpose::Measure(Phase::Check, 0), label)
            }
            State::Confirming(measure) => {
                measure.running += 1;
                let label = format!("confirmation of {} events", measure.subset.len());
                let purpose = Purpose::Measure(Phase::Confirm, self.history.len());
                (measure.subset.clone(), Goal::Target, purpose, label)
            }
            State::Searching => self.pick()?,
        };
        if self.flights.is_empty() {
            self.counts.rounds += 1;
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.flights.insert(ticket, Flight { subset: subset.clone(), goal, purpose });
        let measures = matches!(purpose, Purpose::Measure(..));
        Some(Order { ticket, subset, goal, label, measures })
    }

    fn told(&mut self, ticket: Ticket, &outcome: &Outcome) {
        let Some(flight) = self.flights.remove(&ticket) else { return };
        match outcome {
            Outcome::Inconclusive => self.counts.inconclusive += 1,
            _ => self.counts.runs += 1,
        }
        match flight.purpose {
            Purpose::Try(id) => self.told_trial(ticket, id, &flight, outcome),
            Purpose::Measure(..) => self.told_measure(flight.purpose, outcome),
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        let current = self.current_measure();
        let useless = |flight: &Flight| match flight.purpose {
            Purpose::Try(id) => !self.open.contains_key(&id),
            measure @ Purpose::Measure(..) => current != Some(measure),
        };
        let tickets: Vec<Ticket> =
            self.flights.iter().filter(|(_, flight)| useless(flight)).map(|(ticket, _)| *ticket).collect();
        for ticket in &tickets {
            self.flights.remove(ticket);
            self.counts.withdrawn += 1;
        }
        tickets
    }

    fn over(&self) -> bool {
        self.ending().is_some()
    }
}

impl Settings {
    /// The first runs of the whole trace.
    fn check(&self, rule: &dyn Rule, whole: Subset) -> Measure {
        let check = rule.check();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the runs")]
        let least = |rate: f64| (rate.clamp(0.0, 1.0) * f64::from(check.runs())).ceil() as u32;
        Measure::new(whole, self.min_rate.map_or(check.reached, least), check.runs())
    }
}

impl Measure {
    fn new(subset: Subset, least: u32, runs: u32) -> Self {
        Self { subset, tally: Tally::default(), running: 0, least, runs }
    }

    fn left(&self) -> u32 {
        self.runs.saturating_sub(self.tally.runs())
    }

    fn spare(&self) -> u32 {
        self.left().saturating_sub(self.running)
    }

    /// Whether enough runs reached the target, as soon as that is certain; a yes waits for all runs, because
    /// people are told the rate.
    fn enough(&self) -> Option<bool> {
        if self.tally.missed > self.runs - self.least {
            Some(false)
        } else {
            (self.left() == 0).then_some(true)
        }
    }
}

impl std::fmt::Debug for Reduction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reduction")
            .field("search", &format_args!("{}", self.search))
            .field("rule", &format_args!("{}", self.rule))
            .field("schedule", &format_args!("{}", self.schedule))
            .field("phase", &self.phase())
            .field("best", self.best())
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}
