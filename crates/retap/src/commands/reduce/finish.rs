//! What is done with an answer: it is written down anew, its values are made simpler, its claim is made where that is
//! still to be done, and where it flakes is looked for.

use anyhow::ensure;
use retap_lab::{
    Done, DriveError, Flow, LabError, Parting, Recorded, Recording, SessionJournal, drive, record,
    recorded_runs,
};
use retap_reduce::{Answer, Given, Inquiry as _, Play, Polish, Reducing, Subset, Tally};
use retap_trace::{Event, Step, Trace};

use super::result::{BY_WIDGET, BatchResult, Flaked, FlakedState, Simpler};
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
    pub(super) batches: Vec<BatchResult>,
    /// Whether the claim falls short of the rule that was given.
    pub(super) below: bool,
    pub(super) values: Vec<Simpler>,
    pub(super) flaked: Option<Flaked>,
}

impl Finish {
    fn of(answer: &Answer) -> Self {
        let batch = |batch: &retap_reduce::Batch| BatchResult {
            events: batch.list.len(),
            reached: batch.tally.reached,
            of: batch.tally.runs(),
            claimed: batch.claimed,
        };
        Self {
            short: None,
            kept: answer.subset.clone(),
            claim: answer.claim,
            before: answer.before,
            batches: answer.batches.iter().map(batch).collect(),
            below: answer.below,
            values: Vec::new(),
            flaked: None,
        }
    }

    fn polished(&mut self, polish: &Polish, given: &[Event]) {
        let kept = polish.kept();
        self.values = simpler(given, polish.best(), kept);
        self.kept = Subset::from_positions(kept.iter().filter_map(|rank| self.kept.nth(*rank)));
        self.before = polish.before();
        self.claim = polish.claim();
        if polish.batches().iter().any(|batch| batch.claimed) {
            self.batches.iter_mut().for_each(|batch| batch.claimed = false);
        }
        self.batches.extend(polish.batches().iter().map(|batch| BatchResult {
            events: u32::try_from(batch.events.len()).unwrap_or(u32::MAX),
            reached: batch.tally.reached,
            of: batch.tally.runs(),
            claimed: batch.claimed,
        }));
    }
}

impl Job<'_> {
    pub(super) fn finish(&mut self, reduction: &dyn Reducing, answer: &Answer) -> anyhow::Result<Finish> {
        let target = self.subject.target();
        let as_it_was =
            self.subject.trace().map(|trace| tracefile::subset(trace, &answer.subset, target, String::new()));
        let mut finish = Finish::of(answer);
        let (Subject::Played { .. }, Some(short)) = (&self.subject, &as_it_was) else {
            finish.short = as_it_was;
            return Ok(finish);
        };
        let mut events: Vec<Event> = short.events().cloned().collect();
        let mut recording = self.record(&events, answer.claim.unwrap_or_default())?;
        if self.settings.values {
            let polish = self.polish(&events, &recording, reduction, answer)?;
            let given: Vec<Event> = polish.given().to_vec();
            finish.polished(&polish, &given);
            finish.below =
                finish.claim.is_some_and(|claim| claim.reached < reduction.least_confirmed(claim.runs()));
            if polish.changed() {
                events = polish.best().to_vec();
                recording = self.record(&events, finish.claim.unwrap_or_default())?;
            }
        }
        if finish.claim.is_some_and(|claim| claim.missed > 0) {
            let parting = Parting::of(&recording.ways).or_else(|| self.spent.parting(&finish.kept));
            finish.flaked = parting.map(|parting| flaked(parting, &events));
        }
        let short = recording.trace.unwrap_or_else(|| self.bare(&events));
        ensure!(same_deeds(&short, &events), "the recording is not of the events that were confirmed");
        finish.short = Some(short);
        Ok(finish)
    }

    /// A trace of these events with nothing around them.
    fn bare(&self, events: &[Event]) -> Trace {
        let header = self.subject.trace().expect("what is played is a trace").header.clone();
        Trace { header, steps: events.iter().cloned().map(Step::new).collect() }
    }

    /// Performs events and writes down what is seen.
    fn record(&mut self, events: &[Event], claim: Tally) -> anyhow::Result<Recording> {
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is recorded");
        let device = self.settings.device.as_deref().expect("what is played has a device");
        let mut device = Fleet::reopen(device, 1, &self.context.interrupt)?.devices.remove(0);
        let times = if claim.missed > 0 { WITNESSES } else { 1 };
        let recording = record(&oracle, &mut *device, events, times);
        self.spent.recorded(&recording);
        Ok(recording)
    }

    fn polish(
        &mut self,
        events: &[Event],
        recording: &Recording,
        reduction: &dyn Reducing,
        answer: &Answer,
    ) -> anyhow::Result<Polish> {
        let given = Given {
            events: as_recorded(recording).unwrap_or_else(|| events.to_vec()),
            known: answer.known(),
            claim: answer.claim,
            rooted: events.first() == Some(&Event::Launch),
        };
        let mut polish = Polish::new(given, reduction.variants(), self.settings.confirm);
        while self.drive_polish(&mut polish)? && polish.stale() {
            let fresh = self.record(polish.best(), Tally::default())?;
            polish.refreshed(as_recorded(&fresh));
        }
        Ok(polish)
    }

    /// Drives a polish until it is over or stale; says whether it is.
    fn drive_polish(&mut self, polish: &mut Polish) -> anyhow::Result<bool> {
        if polish.over() {
            return Ok(true);
        }
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is polished");
        let device = self.settings.device.as_deref().expect("what is played has a device");
        let interrupt = &self.context.interrupt;
        let stage = Fleet::reopen(device, self.settings.devices, interrupt)?.stage(&oracle, interrupt);
        let mut recorded: Vec<Done<Play>> = recorded_runs(&self.session)?;
        let begun = polish.next_ticket();
        recorded.retain(|done| done.order.ticket >= begun);
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(stage, recorded);
        let progress = Progress::new(self.context.output, "values", 0);
        let (context, spent) = (self.context, &mut self.spent);
        let mut watch = |polish: &Polish, done: &Done<Play>| {
            spent.add(&done.report);
            let (runs, _) = polish.runs();
            progress.set(u64::from(runs), format!("runs, {}", done.order.label));
            context.output.detail(format!("run {}: {}", done.order.ticket.0, done.order.label));
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        match drive(polish, &mut lab, &mut journal, &mut watch) {
            Ok(over) => Ok(over),
            Err(DriveError::Lab(LabError::Stopped | LabError::NoDeviceLeft { .. })) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The events with what was seen around them.
fn as_recorded(recording: &Recording) -> Option<Vec<Event>> {
    recording.trace.as_ref().map(|trace| trace.events().cloned().collect())
}

/// Where runs of these events part, for people and programs.
pub(super) fn flaked(parting: Parting, events: &[Event]) -> Flaked {
    let Parting { after, branches } = parting;
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
