//! What is done with an answer: it is recorded again, its values are made simpler, its claim is made where that is
//! still to be done, and where it flakes is looked for.

use anyhow::ensure;
use retap_lab::{
    Account, Divergence, Done, DriveError, Errand, Flow, Lab, LabError, Logged, Recorded, Recording,
    SessionJournal, Take, Taken, drive, recorded_runs,
};
use retap_reduce::{EventRun, Given, Inquiry, ReducedList, Reducing, Subset, Tally, Ticket, ValueShrinker};
use retap_trace::{Event, Step, Trace};

use super::batches::Fresh;
use super::result::{BY_WIDGET, Flaked, FlakedState, Simpler};
use super::spent::Spent;
use super::{Job, Subject};
use crate::devices::Fleet;
use crate::progress::Progress;
use crate::tracefile;

/// A flaky answer is performed so many times with a look after each event, to see where its runs part.
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

    fn polished(&mut self, polish: &ValueShrinker, given: &[Event]) {
        let kept = polish.kept();
        self.values = simpler(given, polish.best(), kept);
        self.kept = Subset::from_positions(kept.iter().filter_map(|rank| self.kept.nth(*rank)));
        self.before = polish.before();
        self.claim = polish.claim();
        let made = polish.claim().is_some();
        if polish.batches().iter().any(|batch| batch.claimed) {
            self.batches.iter_mut().for_each(|batch| batch.claimed = false);
        }
        // One that was stopped half-way is none.
        self.batches.extend(polish.batches().iter().map(|batch| Fresh::replayed(batch, made)));
    }
}

impl Job<'_> {
    pub(super) fn finish(
        &mut self,
        reduction: &dyn Reducing,
        answer: &ReducedList,
    ) -> anyhow::Result<Finish> {
        let target = self.subject.target();
        let as_it_was =
            self.subject.trace().map(|trace| tracefile::subset(trace, &answer.subset, target, String::new()));
        let mut finish = Finish::of(answer);
        let (Subject::Played { .. }, Some(short)) = (&self.subject, &as_it_was) else {
            finish.short = as_it_was;
            return Ok(finish);
        };
        let mut events: Vec<Event> = short.events().cloned().collect();
        let times = witnesses(answer.claim);
        let mut recording = self.record("the answer", &events, times, Ticket(0))?;
        if self.settings.values && recording.over() {
            let (polish, next) = self.polish(&events, &recording, reduction, answer)?;
            let given: Vec<Event> = polish.given().to_vec();
            finish.polished(&polish, &given);
            finish.below =
                finish.claim.is_some_and(|claim| claim.reached < reduction.least_confirmed(claim.runs()));
            let wanted = witnesses(finish.claim);
            if polish.changed() {
                events = polish.best().to_vec();
                // What is not yet settled may become another answer, and only answers are recorded.
                let times = if finish.claim.is_some() { wanted } else { 0 };
                recording = self.record("the answer with simpler values", &events, times, next)?;
            } else if wanted > times {
                recording = self.record("the answer, which flakes", &events, wanted, next)?;
            }
        }
        finish.recorded = recording.over();
        if finish.claim.is_some_and(|claim| claim.missed > 0) {
            let parting = Divergence::of(recording.ways()).or_else(|| self.spent.parting(&finish.kept));
            finish.flaked = parting.map(|parting| flaked(parting, &events));
        }
        let short = recording.trace().unwrap_or_else(|| self.bare(&events));
        ensure!(same_deeds(&short, &events), "the recording is not of the events that were confirmed");
        finish.short = Some(short);
        Ok(finish)
    }

    fn fleet(&self) -> &Fleet {
        self.fleet.as_ref().expect("what is played has devices")
    }

    /// A trace of these events with nothing around them.
    fn bare(&self, events: &[Event]) -> Trace {
        Trace { header: self.header(), steps: events.iter().cloned().map(Step::new).collect() }
    }

    /// Performs events so many times and writes down what is seen. Somebody may stop it before it is over.
    fn record(
        &mut self,
        what: &str,
        events: &[Event],
        times: u64,
        next: Ticket,
    ) -> anyhow::Result<Recording> {
        let mut recording = Recording::new(self.header(), events, what, times, next);
        if times == 0 {
            return Ok(recording);
        }
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is recorded");
        let studio = self.fleet().studio(&oracle, &self.context.interrupt);
        let context = self.context;
        let watch = |spent: &mut Spent, _: &Recording, done: &Done<Take, Taken>| {
            spent.recorded(&done.report.report);
            context.output.detail(format!("recording {}: {}", done.order.ticket.0, done.order.label));
        };
        self.go_through(&mut recording, studio, next, watch)?;
        Ok(recording)
    }

    /// Makes values simpler; hands back the number of the recording that comes next, too.
    fn polish(
        &mut self,
        events: &[Event],
        recording: &Recording,
        reduction: &dyn Reducing,
        answer: &ReducedList,
    ) -> anyhow::Result<(ValueShrinker, Ticket)> {
        let given = Given {
            events: as_recorded(recording).unwrap_or_else(|| events.to_vec()),
            known: answer.known(),
            claim: answer.claim,
            rooted: events.first() == Some(&Event::Launch),
        };
        let mut polish = ValueShrinker::new(given, reduction.variants(), self.settings.confirm);
        let mut next = recording.next_ticket();
        while self.drive_polish(&mut polish)? && polish.stale() {
            let fresh = self.record("simpler values, to see what they touch", polish.best(), 1, next)?;
            if !fresh.over() {
                break;
            }
            next = fresh.next_ticket();
            polish.refreshed(as_recorded(&fresh));
        }
        self.spent.withdrawn += polish.withdrawn();
        Ok((polish, next))
    }

    /// Drives a polish until it is over or stale; says whether it is.
    fn drive_polish(&mut self, polish: &mut ValueShrinker) -> anyhow::Result<bool> {
        if polish.over() {
            return Ok(true);
        }
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is polished");
        let stage = self.fleet().stage(&oracle, &self.context.interrupt);
        let progress = Progress::new(self.context.output, "values", 0);
        let (context, begun) = (self.context, polish.next_ticket());
        let watch = |spent: &mut Spent, polish: &ValueShrinker, done: &Done<EventRun>| {
            spent.add(&done.report);
            let (runs, _) = polish.runs();
            progress.set(u64::from(runs), format!("runs, {}", done.order.label));
            context.output.detail(format!("run {}: {}", done.order.ticket.0, done.order.label));
        };
        self.go_through(polish, stage, begun, watch)
    }

    /// Drives an inquiry whose runs are numbered from here on, with what the session knows of them. Says whether it is
    /// over: somebody may have stopped it, or no device is left.
    fn go_through<O: Errand, R: Account, I: Inquiry<Order = O, News = R::News>>(
        &mut self,
        inquiry: &mut I,
        lab: Box<dyn Lab<O, R>>,
        begun: Ticket,
        mut note: impl FnMut(&mut Spent, &I, &Done<O, R>),
    ) -> anyhow::Result<bool>
    where
        Done<O, R>: Logged,
    {
        let mut recorded: Vec<Done<O, R>> = recorded_runs(&self.session)?;
        recorded.retain(|done| done.order.ticket() >= begun);
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(lab, recorded);
        let (context, spent) = (self.context, &mut self.spent);
        let mut watch = |inquiry: &mut I, done: &Done<O, R>| {
            note(spent, inquiry, done);
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        match drive(inquiry, &mut lab, &mut journal, &mut watch) {
            Ok(over) => Ok(over),
            Err(DriveError::Lab(LabError::Stopped)) => Ok(false),
            Err(DriveError::Lab(error @ LabError::NoDeviceLeft { .. })) => {
                self.lost = Some(error);
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// How many times an answer is performed: often when it flakes, to see where its runs part.
fn witnesses(claim: Option<Tally>) -> u64 {
    if claim.is_some_and(|claim| claim.missed > 0) { WITNESSES } else { 1 }
}

/// The events with what was seen around them.
fn as_recorded(recording: &Recording) -> Option<Vec<Event>> {
    recording.trace().map(|trace| trace.events().cloned().collect())
}

/// Where runs of these events part, for people and programs.
pub(super) fn flaked(parting: Divergence, events: &[Event]) -> Flaked {
    let Divergence { after, branches } = parting;
    let last = after.checked_sub(1).and_then(|last| events.get(last));
    let state = |branch: retap_lab::Branch| FlakedState {
        state: branch.state,
        runs: branch.runs,
        reached: branch.reached,
    };
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
