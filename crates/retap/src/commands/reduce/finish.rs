//! What is done with a confirmed answer: it is written down anew, its values are made simpler, and where it flakes
//! is looked for.

use retap_lab::{
    Done, DriveError, Flow, LabError, Parting, Recorded, Recording, SessionJournal, drive, record,
    recorded_runs,
};
use retap_reduce::{Answer, Inquiry as _, Play, Polish, Reduction, Subset, Tally, rule};
use retap_trace::{Event, Trace};

use super::result::{Flaked, FlakedState, Simpler};
use super::{Job, Subject};
use crate::devices::Fleet;
use crate::progress::Progress;
use crate::tracefile;

/// A flaky answer is performed so many times with a look after each event, to see where its runs part.
const WITNESSES: u64 = 10;

/// A confirmed answer, as people get it.
pub(super) struct Finish {
    /// The short trace, with what is seen around its own events.
    pub(super) short: Option<Trace>,
    pub(super) confirmed: Tally,
    pub(super) values: Vec<Simpler>,
    pub(super) flaked: Option<Flaked>,
    /// Whether somebody stopped it before it was done.
    pub(super) interrupted: bool,
}

impl Job<'_> {
    pub(super) fn finish(&mut self, reduction: &Reduction, answer: &Answer) -> anyhow::Result<Finish> {
        let (kept, target) = (&answer.subset, self.subject.target());
        let as_it_was =
            self.subject.trace().map(|trace| tracefile::subset(trace, kept, target, String::new()));
        let mut finish = Finish {
            short: as_it_was,
            confirmed: answer.confirmed,
            values: Vec::new(),
            flaked: None,
            interrupted: false,
        };
        let (Subject::Played { .. }, Some(short)) = (&self.subject, &finish.short) else { return Ok(finish) };
        let mut recording = self.record(&short.events().cloned().collect::<Vec<_>>(), answer.confirmed)?;
        if self.settings.values
            && let Some(recorded) = &recording.trace
        {
            let events: Vec<Event> = recorded.events().cloned().collect();
            let rule = rule::parse(&reduction.rule().to_string()).map_err(anyhow::Error::msg)?;
            let polish = Polish::new(events.clone(), answer.confirmed, rule, self.settings.confirm);
            let polish = self.polish(polish)?;
            finish.interrupted = !polish.over();
            if let (Some(confirmed), true) = (polish.confirmed(), polish.changed()) {
                finish.values = simpler(&events, polish.best());
                finish.confirmed = confirmed;
                recording = self.record(polish.best(), confirmed)?;
            }
        }
        if finish.confirmed.missed > 0 {
            let parting = Parting::of(&recording.ways).or_else(|| self.spent.parting(kept));
            finish.flaked = parting.map(|parting| self.flaked(parting, kept));
        }
        finish.short = recording.trace.or(finish.short);
        Ok(finish)
    }

    /// Performs events and writes down what is seen.
    fn record(&mut self, events: &[Event], confirmed: Tally) -> anyhow::Result<Recording> {
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is recorded");
        let device = self.settings.device.as_deref().expect("what is played has a device");
        let mut device = Fleet::reopen(device, 1, &self.context.interrupt)?.devices.remove(0);
        let times = if confirmed.missed > 0 { WITNESSES } else { 1 };
        let recording = record(&oracle, &mut *device, events, times);
        self.spent.events += recording.events;
        self.spent.time += recording.took;
        Ok(recording)
    }

    fn polish(&mut self, mut polish: Polish) -> anyhow::Result<Polish> {
        let oracle = self.subject.oracle(&self.settings).expect("only what is played is polished");
        let device = self.settings.device.as_deref().expect("what is played has a device");
        let interrupt = &self.context.interrupt;
        let stage = Fleet::reopen(device, self.settings.devices, interrupt)?.stage(&oracle, interrupt);
        let recorded: Vec<Done<Play>> = recorded_runs(&self.session)?;
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
        match drive(&mut polish, &mut lab, &mut journal, &mut watch) {
            Ok(_) | Err(DriveError::Lab(LabError::Stopped | LabError::NoDeviceLeft { .. })) => Ok(polish),
            Err(error) => Err(error.into()),
        }
    }

    /// Where runs of these events part, for people and programs.
    pub(super) fn flaked(&self, parting: Parting, kept: &Subset) -> Flaked {
        let Parting { after, branches } = parting;
        let last = after.checked_sub(1).and_then(|last| kept.positions().nth(last));
        let state = |branch: retap_lab::Branch| FlakedState {
            state: branch.state,
            runs: branch.runs,
            reached: branch.reached,
        };
        Flaked {
            after,
            event: last.map_or_else(|| "the start".to_owned(), |position| self.subject.words(position)),
            states: branches.into_iter().map(state).collect(),
        }
    }
}

/// The values in which two lists of events differ.
fn simpler(before: &[Event], after: &[Event]) -> Vec<Simpler> {
    let differ = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let words = |(step, (before, after)): (usize, (&Event, &Event))| {
        let by_widget = || format!("{after}, by its widget instead of its place");
        let after = if before.to_string() == after.to_string() { by_widget() } else { after.to_string() };
        Simpler { step: step + 1, before: before.to_string(), after }
    };
    differ.map(words).collect()
}
