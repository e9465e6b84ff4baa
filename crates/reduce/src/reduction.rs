//! A search under a rule and a schedule as one step machine: check the trace, search, confirm the answer.
//!
//! Its driver asks for orders while devices are free, tells it how each run ended, and withdraws the runs
//! that have become useless. Everything it does is a function of the sequence of results it is told.
//!
//! **The claim.** Fresh runs that helped to choose an answer are not what is claimed of it. Only a first batch without a
//! miss is; else, when the answer is decided, one more batch is run and reported whatever it says. An answer that a
//! batch does not confirm is taken back, and the search goes on from the answer before it, with all that was learnt.

mod measure;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use measure::{Measure, Until};

use crate::auto::HOPELESS;
use crate::rule::Rule;
use crate::schedule::{Board, OpenCandidate, Schedule};
use crate::search::{Reducer, Settled};
use crate::{
    Algorithm, Batch, CandidateId, Ended, Goal, Ledger, Order, Outcome, Phase, ReducedList, Reducing,
    ReductionEnding, RunCounts, Subset, Tally, Ticket, Verdict,
};

/// How often an answer that was not confirmed is taken back.
const ROUNDS: usize = 6;
/// Runs of the whole trace that measure its rate.
const CHECK: u32 = 20;

/// What a reduction is about besides its three axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReductionSettings {
    /// Steps in the trace.
    pub events: u32,
    /// Devices that take runs.
    pub devices: u32,
    /// Fresh runs that confirm the answer.
    pub confirm_runs: u32,
    /// The share of first runs of the whole trace that must reach the target. Without it, one of twelve.
    pub min_rate: Option<f64>,
}

/// Makes the search within some events.
pub type Within = Box<dyn Fn(Subset) -> Box<dyn Reducer>>;

pub struct Reduction {
    settings: ReductionSettings,
    search: Box<dyn Reducer>,
    within: Within,
    rule: Box<dyn Rule>,
    schedule: Box<dyn Schedule>,
    /// What the search goes by.
    ledger: Ledger,
    /// All runs, also those that came too late for the search.
    ran: Ledger,
    state: State,
    open: BTreeMap<CandidateId, OpenCandidate>,
    in_flight: BTreeMap<Ticket, InFlight>,
    /// Runs of which no notice is taken, should they end.
    withdrawn: BTreeSet<Ticket>,
    /// Outcomes that wait for a run of the same candidate that began earlier.
    waiting: BTreeMap<(CandidateId, Ticket), Outcome>,
    /// Every answer the search has passed through, the whole trace first.
    history: Vec<Subset>,
    batches: Vec<Batch>,
    rounds: usize,
    next_ticket: u64,
    next_measure: u32,
    counts: RunCounts,
    doubts: Option<Doubts>,
    /// Whether the rule was given, so that a claim can fall short of it.
    strict: bool,
    /// What the first runs of the whole trace showed.
    checked: Tally,
}

/// The rule for a trace that flakes, by what the first runs of the whole trace show.
pub type Doubts = Box<dyn Fn(Tally) -> Box<dyn Rule>>;

enum State {
    /// The whole trace is run.
    Checking(Measure),
    Searching,
    Confirming(Measure),
    /// The answer is decided; what these runs show is told, whatever it is.
    Claiming(Measure),
    Over(ReductionEnding),
}

struct InFlight {
    subset: Subset,
    goal: Goal,
    purpose: Purpose,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Try(CandidateId),
    Measure(u32),
}

impl Reduction {
    /// A reduction that has not begun, by the search that `within` makes.
    ///
    /// # Panics
    /// When there are no devices.
    pub fn new(
        settings: ReductionSettings,
        within: Within,
        rule: Box<dyn Rule>,
        schedule: Box<dyn Schedule>,
    ) -> Self {
        assert!(settings.devices > 0, "a reduction needs a device");
        let whole = Subset::all(settings.events);
        let check = settings.check(whole.clone());
        Self {
            settings,
            search: within(whole.clone()),
            within,
            rule,
            schedule,
            ledger: Ledger::default(),
            ran: Ledger::default(),
            state: State::Checking(check),
            open: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            withdrawn: BTreeSet::new(),
            waiting: BTreeMap::new(),
            history: vec![whole],
            batches: Vec::new(),
            rounds: 0,
            next_ticket: 0,
            next_measure: 1,
            counts: RunCounts::default(),
            doubts: None,
            strict: true,
            checked: Tally::default(),
        }
    }

    /// The same reduction, which starts over as soon as a run of the whole trace, or a confirming run, misses: with the
    /// rule that the rate of the whole trace calls for. The rule it began with can then be one that believes a single
    /// run. What was learnt is kept.
    #[must_use]
    pub fn doubting(mut self, doubts: impl Fn(Tally) -> Box<dyn Rule> + 'static) -> Self {
        self.doubts = Some(Box::new(doubts));
        self.strict = false;
        self
    }

    /// What the first runs of the whole trace showed.
    pub const fn checked(&self) -> Tally {
        self.checked
    }

    fn pick(&mut self) -> Option<(Subset, Goal, Purpose, String)> {
        let running = u32::try_from(self.in_flight.len()).unwrap_or(u32::MAX);
        let board = Board { open: &self.open, devices: self.settings.devices, running };
        let id = self.schedule.pick(&board)?;
        self.open.get_mut(&id).expect("a schedule picks from the board").running += 1;
        let frontier = self.search.frontier();
        let place = frontier.partition_point(|candidate| candidate.id < id);
        let candidate = frontier.get(place).filter(|candidate| candidate.id == id);
        let candidate = candidate.expect("a frontier is in the order of its numbers");
        Some((candidate.subset.clone(), candidate.goal, Purpose::Try(id), candidate.label.to_string()))
    }

    fn told_trial(&mut self, ticket: Ticket, id: CandidateId, run: &InFlight, outcome: Outcome) {
        if !self.rule.ordered() || !self.open.contains_key(&id) {
            return self.count(id, run, outcome);
        }
        self.waiting.insert((id, ticket), outcome);
        let same = |other: &&InFlight| other.purpose == run.purpose;
        let earliest = self.in_flight.iter().find(|(_, other)| same(other)).map(|(ticket, _)| *ticket);
        let ready = |known: Ticket| earliest.is_none_or(|flying| known < flying);
        while let Some((&(_, known), &outcome)) =
            self.waiting.range((id, Ticket(0))..=(id, Ticket(u64::MAX))).next()
            && ready(known)
        {
            self.waiting.remove(&(id, known));
            self.count(id, run, outcome);
        }
        if !self.open.contains_key(&id) {
            // It is settled; what still waits is evidence all the same.
            for (_, outcome) in self.waiting.extract_if((id, Ticket(0))..=(id, Ticket(u64::MAX)), |_, _| true)
            {
                self.ledger.add(&run.subset, run.goal, outcome);
            }
        }
    }

    /// Takes an outcome as evidence on a candidate.
    fn count(&mut self, id: CandidateId, run: &InFlight, outcome: Outcome) {
        let tally = self.ledger.add(&run.subset, run.goal, outcome);
        let Some(running) = self.open.get(&id).map(|candidate| candidate.running) else { return };
        assert!(running > 0, "{id:?} has more results than runs");
        debug_assert_eq!(running as usize, self.under_way(id) + 1, "{id:?} has runs that nobody knows of");
        self.open
            .insert(id, OpenCandidate { running: running - 1, ..OpenCandidate::new(&*self.rule, tally) });
        let verdict = self.rule.judge(tally);
        if verdict != Verdict::Open {
            self.counts.trials += 1;
            self.open.remove(&id);
            if self.search.settle(id, verdict) == Settled::Moved {
                self.look_at_frontier();
            }
        }
    }

    /// Runs of a candidate that have not been counted.
    fn under_way(&self, id: CandidateId) -> usize {
        let running = self.in_flight.values().filter(|run| run.purpose == Purpose::Try(id)).count();
        running + self.waiting.range((id, Ticket(0))..=(id, Ticket(u64::MAX))).count()
    }

    fn told_measure(&mut self, ticket: Ticket, number: u32, outcome: Outcome) {
        let Some(measure) = self.measure_mut().filter(|measure| measure.number == number) else { return };
        assert!(measure.running > 0, "measure {number} has more results than runs");
        measure.running -= 1;
        measure.tally.add(outcome);
        let (tally, enough, subset) = (measure.tally, measure.enough(), measure.subset.clone());
        self.ledger.add(&subset, Goal::Target, outcome);
        if let State::Confirming(_) | State::Claiming(_) = self.state {
            let batch = self.batches.last_mut().expect("a batch is under way");
            batch.tally = tally;
            if outcome != Outcome::Inconclusive {
                batch.runs.push(ticket);
            }
        }
        if tally.missed > 0 && self.counts_doubt() {
            return self.doubt();
        }
        let Some(enough) = enough else { return };
        match self.state {
            State::Checking(_) if enough => self.check_passed(tally),
            State::Checking(_) => self.refuse(),
            State::Confirming(_) if enough => self.decide(),
            State::Confirming(_) => self.retreat(),
            State::Claiming(_) => self.end(tally),
            State::Searching | State::Over(_) => {}
        }
    }

    /// Whether a miss now means that the trace is flaky, and that was not known.
    fn counts_doubt(&self) -> bool {
        let measured = match &self.state {
            State::Checking(measure) => measure.until == Until::All,
            State::Confirming(_) => false,
            _ => true,
        };
        self.doubts.is_some() && !measured
    }

    /// It is flaky: the rate of the whole trace is measured, and everything starts over under the rule for that rate.
    fn doubt(&mut self) {
        let whole = self.history.swap_remove(0);
        let mut measure = Measure::new(self.number(), whole.clone(), CHECK, Until::All);
        measure.tally = self.ledger.tally(&whole, Goal::Target);
        self.history = vec![whole];
        self.open.clear();
        self.state = State::Checking(measure);
        if let Some(enough) = self.measure_mut().and_then(|measure| measure.enough()) {
            let tally = self.ledger.tally(&self.history[0], Goal::Target);
            if enough { self.check_passed(tally) } else { self.refuse() }
        }
    }

    /// The whole trace reaches its target.
    fn check_passed(&mut self, tally: Tally) {
        self.checked = tally;
        let measured = matches!(&self.state, State::Checking(measure) if measure.until == Until::All);
        if let Some(doubts) = self.doubts.take_if(|_| measured) {
            self.rule = doubts(tally);
            self.begin_anew();
        }
        self.look_at_frontier();
    }

    fn refuse(&mut self) {
        let needed = match &self.state {
            State::Checking(Measure { until: Until::Least(least), runs, .. }) => Some((*least, *runs)),
            _ => None,
        };
        let tally = self.ledger.tally(&Subset::all(self.settings.events), Goal::Target);
        self.state = State::Over(ReductionEnding::Refused { tally, needed });
    }

    fn confirm(&mut self) {
        let runs = self.settings.confirm_runs;
        let until = Until::Least(self.rule.least_confirmed(runs));
        let measure = self.batch(until, false);
        self.state = State::Confirming(measure);
    }

    fn batch(&mut self, until: Until, claimed: bool) -> Measure {
        let subset = self.best().clone();
        self.open.clear();
        self.batches.push(Batch { list: subset.clone(), tally: Tally::default(), claimed, runs: Vec::new() });
        Measure::new(self.number(), subset, self.settings.confirm_runs, until)
    }

    fn number(&mut self) -> u32 {
        self.next_measure += 1;
        self.next_measure
    }

    /// The answer stands. What confirmed it is its claim only if it was the first batch, and without a miss: one that
    /// might as well have sent the search on is not.
    fn decide(&mut self) {
        if let [batch] = &mut self.batches[..]
            && batch.tally.missed == 0
        {
            batch.claimed = true;
            let tally = batch.tally;
            return self.end(tally);
        }
        let measure = self.batch(Until::All, true);
        self.state = State::Claiming(measure);
    }

    /// Fresh runs did not confirm the answer: the search goes on from the one before it, with all that was learnt.
    fn retreat(&mut self) {
        self.rounds += 1;
        if self.history.len() == 1 || self.rounds >= ROUNDS {
            return self.decide();
        }
        self.history.pop();
        self.begin_anew();
        self.look_at_frontier();
    }

    /// A new search within the best trace so far. It numbers its candidates from the beginning, so what still waits for
    /// those of the old one is forgotten.
    fn begin_anew(&mut self) {
        let tried = |run: &InFlight| matches!(run.purpose, Purpose::Try(_));
        assert!(
            !self.in_flight.values().any(tried),
            "a search begins while runs of the one before it are under way: their candidates have the same numbers"
        );
        self.waiting.clear();
        self.search = (self.within)(self.best().clone());
    }

    fn end(&mut self, claim: Tally) {
        let (subset, runs) = (self.best().clone(), claim.runs());
        let all = self.ran.tally(&subset, Goal::Target);
        let (batch, others) = self.batches.split_last().expect("an answer was measured");
        assert!(batch.claimed && others.iter().all(|other| !other.claimed), "one batch is claimed, the last");
        assert_eq!(batch.list, subset, "the claim is of another list than the answer");
        assert_eq!(batch.runs.len(), runs as usize, "the claim does not count each of its runs once");
        assert!(
            claim.reached <= all.reached && claim.missed <= all.missed,
            "the claim counts runs that were not made: {claim:?} of {all:?}"
        );
        let answer = ReducedList {
            claim: Some(claim),
            before: Tally::new(all.reached - claim.reached, all.missed - claim.missed),
            retreats: Batch::retreats(&self.batches),
            batches: std::mem::take(&mut self.batches),
            below: claim.reached < self.least_confirmed(runs),
            subset,
        };
        self.state = State::Over(ReductionEnding::Reduced(answer));
    }

    /// Puts the new frontier on the board; what the ledger can settle is settled without a run.
    fn look_at_frontier(&mut self) {
        assert!(!self.over(), "a reduction that is over searches on");
        self.state = State::Searching;
        'again: loop {
            self.note_best();
            self.open.clear();
            let mut known = Vec::new();
            for candidate in self.search.frontier() {
                debug_assert!(
                    candidate.subset.ranges().all(|run| run.end <= self.settings.events),
                    "{:?} has events that the trace lacks",
                    candidate.id
                );
                let tally = self.ledger.tally(&candidate.subset, candidate.goal);
                match self.rule.judge(tally) {
                    Verdict::Open => {
                        self.open.insert(candidate.id, OpenCandidate::new(&*self.rule, tally));
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

    /// Takes note of the answer that the search has come to. Only taking answers back makes it longer.
    fn note_best(&mut self) {
        let (now, before) = (self.search.best(), self.best());
        if now == before {
            return;
        }
        assert!(now.len() < before.len(), "the answer grew from {} to {} events", before.len(), now.len());
        debug_assert!(now.minus(before).is_empty(), "the answer has events that the one before it lacks");
        self.history.push(now.clone());
    }

    fn measure_mut(&mut self) -> Option<&mut Measure> {
        match &mut self.state {
            State::Checking(measure) | State::Confirming(measure) | State::Claiming(measure) => Some(measure),
            State::Searching | State::Over(_) => None,
        }
    }

    fn current_measure(&self) -> Option<u32> {
        match &self.state {
            State::Checking(measure) | State::Confirming(measure) | State::Claiming(measure) => {
                Some(measure.number)
            }
            State::Searching | State::Over(_) => None,
        }
    }

    /// The run that the measure at hand still lacks.
    fn measured(&mut self) -> Option<(Subset, Goal, Purpose, String)> {
        let what = match &self.state {
            State::Checking(_) => "check of all",
            State::Claiming(_) => "confirmation of",
            _ => "batch of",
        };
        let measure = self.measure_mut().filter(|measure| measure.spare() > 0)?;
        measure.running += 1;
        let label = format!("{what} {} events", measure.subset.len());
        Some((measure.subset.clone(), Goal::Target, Purpose::Measure(measure.number), label))
    }
}

impl Algorithm for Reduction {
    type Order = Order;
    type Evidence = Ended;

    fn order(&mut self) -> Option<Order> {
        let (subset, goal, purpose, label) = match &self.state {
            State::Over(_) => return None,
            State::Searching => self.pick()?,
            _ => self.measured()?,
        };
        if self.in_flight.is_empty() {
            self.counts.rounds += 1;
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let devices = self.settings.devices;
        assert!(
            self.in_flight.len() < devices as usize,
            "{ticket:?} is ordered while all {devices} devices run"
        );
        let before = self.in_flight.last_key_value();
        assert!(before.is_none_or(|(last, _)| *last < ticket), "{ticket:?} is ordered after a later one");
        self.in_flight.insert(ticket, InFlight { subset: subset.clone(), goal, purpose });
        let measures = matches!(purpose, Purpose::Measure(_));
        Some(Order { ticket, subset, goal, label, measures })
    }

    fn settle(&mut self, ticket: Ticket, &Ended { outcome, .. }: &Ended) {
        let Some(run) = self.in_flight.remove(&ticket) else {
            assert!(self.withdrawn.contains(&ticket), "{ticket:?} ends, but it is not under way");
            return;
        };
        if outcome == Outcome::Inconclusive {
            self.counts.inconclusive += 1;
        } else {
            self.counts.runs += 1;
            self.ran.add(&run.subset, run.goal, outcome);
        }
        match run.purpose {
            Purpose::Try(id) => self.told_trial(ticket, id, &run, outcome),
            Purpose::Measure(number) => self.told_measure(ticket, number, outcome),
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        let current = self.current_measure();
        let useless = |run: &InFlight| match run.purpose {
            Purpose::Try(id) => !self.open.contains_key(&id),
            Purpose::Measure(number) => current != Some(number),
        };
        let tickets: Vec<Ticket> =
            self.in_flight.iter().filter(|(_, run)| useless(run)).map(|(ticket, _)| *ticket).collect();
        for ticket in &tickets {
            self.in_flight.remove(ticket);
            self.counts.withdrawn += 1;
        }
        self.withdrawn.extend(&tickets);
        tickets
    }

    fn over(&self) -> bool {
        matches!(self.state, State::Over(_))
    }
}

impl Reducing for Reduction {
    fn ending(&self) -> Option<&ReductionEnding> {
        match &self.state {
            State::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// The best trace so far that the rule has passed.
    fn best(&self) -> &Subset {
        self.history.last().expect("the whole trace is never forgotten")
    }

    fn phase(&self) -> Phase {
        match self.state {
            State::Checking(_) => Phase::Check,
            State::Searching => Phase::Search,
            State::Confirming(_) | State::Claiming(_) => Phase::Confirm,
            State::Over(_) => Phase::Over,
        }
    }

    fn counts(&self) -> RunCounts {
        self.counts
    }

    fn outlook(&self) -> u32 {
        match &self.state {
            State::Checking(_) => self.settings.confirm_runs + 1,
            State::Searching => {
                let open = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
                open.saturating_add(self.settings.confirm_runs)
            }
            State::Confirming(measure) | State::Claiming(measure) => measure.left(),
            State::Over(_) => 0,
        }
    }

    fn rule(&self) -> String {
        self.rule.to_string()
    }

    fn variants(&self) -> (Box<dyn Rule>, Box<dyn Rule>) {
        (self.rule.clone(), self.rule.clone())
    }

    fn least_confirmed(&self, runs: u32) -> u32 {
        if self.strict { self.rule.least_confirmed(runs) } else { 0 }
    }
}

impl ReductionSettings {
    /// The first runs of the whole trace.
    fn check(&self, whole: Subset) -> Measure {
        match self.min_rate {
            None => Measure::new(0, whole, HOPELESS, Until::Hit),
            Some(rate) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of the runs"
                )]
                let least = libm::ceil(rate.clamp(0.0, 1.0) * f64::from(CHECK) - 1e-9) as u32;
                Measure::new(0, whole, CHECK, Until::Least(least))
            }
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
