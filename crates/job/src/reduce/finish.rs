//! What is done with an answer: it is recorded again, its values are made simpler, its claim is made where that is
//! still to be done, and where it flakes is looked for.

use retap_lab::{
    Account, Branch, Divergence, Done, Errand, Lab, Logged, Recorded, Recording, SessionJournal, Take, Taken,
    drive, recorded_runs,
};
use retap_reduce::{Algorithm, EventRun, Given, ReducedList, Reducing, Subset, Tally, Ticket, ValueShrinker};
use retap_trace::{Event, Step, Trace};

use super::ReduceJob;
use super::batches::Fresh;
use super::result::{BY_WIDGET, Flaked, FlakedState, Simpler};
use super::spent::ReduceSpent;
use crate::devices::Devices;
use crate::driven::Driven;
use crate::error::{Result, require};
use crate::tracefile;
use crate::watch::{JobEvent, JobProgress};

/// A flaky answer is performed so many times with a look after each event, to see where its runs diverge.
const WITNESSES: u64 = 10;

/// An answer, as people get it.
pub(super) struct Finish {
    /// The short trace, with what is seen around its own events.
    pub(super) short: Option<Trace>,
    /// The steps of the long trace, or the lines of a list, that are kept.
    pub(super) kept: Subset,
    /// What fresh runs of exactly these events showed; nothing when somebody stopped them.
    pub(super) claim: Option<Tally>,
    /// What other runs of the same events showed.
    pub(super) before: Tally,
    pub(super) batches: Vec<Fresh>,
    /// Whether the claim falls short of the rule that was given.
    pub(super) below: bool,
    pub(super) values: Vec<Simpler>,
    pub(super) flaked: Option<Flaked>,
    /// Whether the answer as it stands here was written down; not when somebody stopped that.
    recorded: bool,
}

impl Finish {
    fn of(answer: &ReducedList) -> Self {
        Self {
            short: None,
            kept: answer.subset.clone(),
            claim: answer.claim,
            before: answer.before,
            batches: answer.batches.iter().map(Fresh::of).collect(),
            below: answer.below,
            values: Vec::new(),
            flaked: None,
            recorded: true,
        }
    }

    /// Whether nothing is left to be done.
    pub(super) fn whole(&self) -> bool {
        self.claim.is_some() && self.recorded
    }

    fn shrunk(&mut self, shrinker: &ValueShrinker, given: &[Event]) {
        let kept = shrinker.kept();
        self.values = simpler(given, shrinker.best(), kept);
        self.kept = Subset::from_positions(kept.iter().filter_map(|rank| self.kept.nth(*rank)));
        self.before = shrinker.before();
        self.claim = shrinker.claim();
        let made = shrinker.claim().is_some();
        if shrinker.batches().iter().any(|batch| batch.claimed) {
            self.batches.iter_mut().for_each(|batch| batch.claimed = false);
        }
        // One that was stopped half-way is none.
        self.batches.extend(shrinker.batches().iter().map(|batch| Fresh::replayed(batch, made)));
    }
}

impl ReduceJob<'_> {
    pub(super) fn finish(&mut self, reduction: &dyn Reducing, answer: &ReducedList) -> Result<Finish> {
        let target = self.subject.target();
        let as_it_was =
            self.subject.trace().map(|trace| tracefile::subset(trace, &answer.subset, target, String::new()));
        let mut finish = Finish::of(answer);
        let (true, Some(short)) = (self.subject.is_played(), &as_it_was) else {
            finish.short = as_it_was;
            return Ok(finish);
        };
        let mut events: Vec<Event> = short.events().cloned().collect();
        let times = witnesses(answer.claim);
        let mut recording = self.record("the answer", &events, times, Ticket(0))?;
        if self.plan.options.values && recording.over() {
            let (shrinker, next) = self.shrink_values(&events, &recording, reduction, answer)?;
            let given: Vec<Event> = shrinker.given().to_vec();
            finish.shrunk(&shrinker, &given);
            finish.below =
                finish.claim.is_some_and(|claim| claim.reached < reduction.least_confirmed(claim.runs()));
            let wanted = witnesses(finish.claim);
            if shrinker.changed() {
                events = shrinker.best().to_vec();
                // What is not yet settled may become another answer, and only answers are recorded.
                let times = if finish.claim.is_some() { wanted } else { 0 };
                recording = self.record("the answer with simpler values", &events, times, next)?;
            } else if wanted > times {
                recording = self.record("the answer, which flakes", &events, wanted, next)?;
            }
        }
        finish.recorded = recording.over();
        if finish.claim.is_some_and(|claim| claim.missed > 0) {
            let divergence = Divergence::of(recording.ways()).or_else(|| self.spent.divergence(&finish.kept));
            finish.flaked = divergence.map(|divergence| flaked(divergence, &events));
        }
        let short = recording.trace().unwrap_or_else(|| self.bare(&events));
        require!(same_deeds(&short, &events), "the recording is not of the events that were confirmed");
        finish.short = Some(short);
        Ok(finish)
    }

    fn devices(&self) -> &Devices {
        self.devices.as_ref().expect("what is played has devices")
    }

    /// A trace of these events with nothing around them.
    fn bare(&self, events: &[Event]) -> Trace {
        Trace { header: self.header(), steps: events.iter().cloned().map(Step::new).collect() }
    }

    /// Performs events so many times and writes down what is seen. Somebody may stop it before it is over.
    fn record(&mut self, what: &str, events: &[Event], times: u64, next: Ticket) -> Result<Recording> {
        let mut recording = Recording::new(self.header(), events, what, times, next);
        if times == 0 {
            return Ok(recording);
        }
        let oracle = self.subject.oracle(&self.plan).expect("only what is played is recorded");
        let lab = self.devices().recorder(&oracle, self.watching.stop());
        let watching = self.watching;
        let watch = |spent: &mut ReduceSpent, _: &Recording, done: &Done<Take, Taken>| {
            spent.recorded(&done.report.report);
            watching.tell(&JobEvent::Recording(done));
        };
        self.go_through(&mut recording, lab, next, watch)?;
        Ok(recording)
    }

    /// Makes values simpler; hands back the number of the recording that comes next, too.
    fn shrink_values(
        &mut self,
        events: &[Event],
        recording: &Recording,
        reduction: &dyn Reducing,
        answer: &ReducedList,
    ) -> Result<(ValueShrinker, Ticket)> {
        let given = Given {
            events: as_recorded(recording).unwrap_or_else(|| events.to_vec()),
            touches: recording.touches().to_vec(),
            known: answer.known(),
            claim: answer.claim,
            rooted: events.first() == Some(&Event::Launch),
        };
        let mut shrinker = ValueShrinker::new(given, reduction.variants(), self.plan.options.confirm);
        let mut next = recording.next_ticket();
        while self.drive_values(&mut shrinker)? && shrinker.stale() {
            let fresh = self.record("simpler values, to see what they touch", shrinker.best(), 1, next)?;
            if !fresh.over() {
                break;
            }
            next = fresh.next_ticket();
            shrinker.refreshed(as_recorded(&fresh).map(|events| (events, fresh.touches().to_vec())));
        }
        self.spent.withdrawn += shrinker.withdrawn();
        Ok((shrinker, next))
    }

    /// Drives the shrinker until it is over or stale; says whether it is.
    fn drive_values(&mut self, shrinker: &mut ValueShrinker) -> Result<bool> {
        if shrinker.over() {
            return Ok(true);
        }
        let oracle = self.subject.oracle(&self.plan).expect("only what is played is shrunk");
        let lab = self.devices().players(&oracle, self.watching.stop());
        let (watching, begun) = (self.watching, shrinker.next_ticket());
        let watch = |spent: &mut ReduceSpent, shrinker: &ValueShrinker, done: &Done<EventRun>| {
            spent.add(&done.report);
            let (runs, _) = shrinker.runs();
            let trying = done.order.label.clone();
            watching.tell(&JobEvent::Progress(JobProgress::Values { runs: u64::from(runs), trying }));
            watching.tell(&JobEvent::ValueRun(done));
        };
        self.go_through(shrinker, lab, begun, watch)
    }

    /// Drives an algorithm whose runs are numbered from here on, with what the session knows of them. Says whether it is
    /// over: somebody may have stopped it, or no device is left.
    fn go_through<O: Errand, R: Account, I: Algorithm<Order = O, Evidence = R::Evidence>>(
        &mut self,
        algorithm: &mut I,
        lab: Box<dyn Lab<O, R>>,
        begun: Ticket,
        mut note: impl FnMut(&mut ReduceSpent, &I, &Done<O, R>),
    ) -> Result<bool>
    where
        Done<O, R>: Logged,
    {
        let mut recorded: Vec<Done<O, R>> = recorded_runs(&self.session)?;
        recorded.retain(|done| done.order.ticket() >= begun);
        let (mut told, known) = (0, recorded.len());
        let mut journal = SessionJournal::new(&mut self.session, known);
        let mut lab = Recorded::new(lab, recorded);
        let (watching, spent) = (self.watching, &mut self.spent);
        let mut watch = |algorithm: &mut I, done: &Done<O, R>| {
            note(spent, algorithm, done);
            told += 1;
            watching.flow(told, known)
        };
        let driven = Driven::of(drive(algorithm, &mut lab, &mut journal, &mut watch))?;
        self.lost = driven.no_device_left.or(self.lost.take());
        Ok(driven.over)
    }
}

/// How many times an answer is performed: often when it flakes, to see where its runs diverge.
fn witnesses(claim: Option<Tally>) -> u64 {
    if claim.is_some_and(|claim| claim.missed > 0) { WITNESSES } else { 1 }
}

/// The events with what was seen around them.
fn as_recorded(recording: &Recording) -> Option<Vec<Event>> {
    recording.trace().map(|trace| trace.events().cloned().collect())
}

/// Where runs of these events diverge, for people and programs.
pub(super) fn flaked(divergence: Divergence, events: &[Event]) -> Flaked {
    let Divergence { after, branches } = divergence;
    let last = after.checked_sub(1).and_then(|last| events.get(last));
    let state =
        |branch: Branch| FlakedState { state: branch.state, runs: branch.runs, reached: branch.reached };
    Flaked {
        after,
        event: last.map_or_else(|| "the start".to_owned(), ToString::to_string),
        states: branches.into_iter().map(state).collect(),
    }
}

/// Whether a trace does exactly these events. Which widget stood at a place is no part of what is done there.
fn same_deeds(trace: &Trace, events: &[Event]) -> bool {
    let deed = |event: &Event| {
        let mut event = event.clone();
        if let Some(aim) = event.aim_mut().filter(|aim| aim.by == retap_trace::Aiming::Place) {
            aim.widget = None;
        }
        event
    };
    trace.steps.len() == events.len()
        && trace.events().zip(events).all(|(one, other)| deed(one) == deed(other))
}

/// The values that became simpler, by the step of the answer.
fn simpler(before: &[Event], after: &[Event], kept: &[u32]) -> Vec<Simpler> {
    let before = kept.iter().filter_map(|rank| before.get(*rank as usize));
    let deed = |event: &Event| {
        let mut event = event.clone();
        if let Some(aim) = event.aim_mut() {
            aim.widget = None;
        }
        event
    };
    let differ = before.zip(after).enumerate().filter(|(_, (before, after))| deed(before) != deed(after));
    let words = |(step, (before, after)): (usize, (&Event, &Event))| {
        let by_widget = || format!("{after}{BY_WIDGET}");
        let after = if before.to_string() == after.to_string() { by_widget() } else { after.to_string() };
        Simpler { step: step + 1, before: before.to_string(), after }
    };
    differ.map(words).collect()
}
