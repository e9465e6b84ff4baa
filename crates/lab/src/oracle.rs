//! The oracle: replays a candidate on a device and judges whether it reached what it had to.

use std::sync::Arc;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_reduce::{Goal, Order, Outcome};
use retap_trace::{Crash, Level, Observation, Seed, Target, Trace};

use crate::{Deadlines, Replay, Report};

/// Everything that runs of one reduction share.
#[derive(Debug, Clone)]
pub struct Oracle {
    /// The trace whose subsequences are run.
    pub trace: Arc<Trace>,
    /// What a run must reach.
    pub target: Target,
    /// The level at which recorded states are compared.
    pub level: Level,
    /// Every run has a seed of its own, branched off by its ticket.
    pub seed: Seed,
    /// How long calls may take.
    pub deadlines: Deadlines,
}

/// How a run stands after a look.
enum Sight {
    Reached,
    /// The app died of something else.
    Died,
    Nothing,
}

impl Oracle {
    /// Runs a candidate. `stop` is asked before each event and ends the run early, without evidence.
    pub fn run(&self, device: &mut dyn Device, order: &Order, stop: &dyn Fn() -> bool) -> Report {
        let began = device.now();
        let mut report = Report::begun(device.name());
        match self.attempt(device, order, stop, &mut report) {
            Ok(outcome) => report.outcome = outcome,
            Err(error) => report.why = Some(error.to_string()),
        }
        report.took = device.now().since(began);
        report
    }

    fn attempt(
        &self,
        device: &mut dyn Device,
        order: &Order,
        stop: &dyn Fn() -> bool,
        report: &mut Report,
    ) -> Result<Outcome, DeviceError> {
        let seed = self.seed.branch("run", order.ticket.0);
        let mut replay = Replay::new(device, self.deadlines, self.look(order.goal));
        let mut keyer = Keyer::default();
        let mut seen = replay.begin(self.trace.header.start, seed)?;
        let mut events = order.subset.positions();
        loop {
            if order.measures {
                note(report, &seen);
            }
            match self.judge(&mut keyer, &mut seen, order.goal, report) {
                Sight::Reached if order.goal == Goal::Target => return Ok(Outcome::Reached),
                Sight::Died => return Ok(Outcome::Missed),
                Sight::Reached | Sight::Nothing => {}
            }
            if stop() {
                return Ok(Outcome::Inconclusive);
            }
            let Some(position) = events.next() else { break };
            seen = replay.perform(&self.trace.steps[position as usize].event)?;
            report.events += 1;
        }
        let mut last = replay.linger()?;
        if order.measures {
            note(report, &last);
        }
        Ok(match self.judge(&mut keyer, &mut last, order.goal, report) {
            Sight::Reached => Outcome::Reached,
            Sight::Died | Sight::Nothing => Outcome::Missed,
        })
    }

    /// How closely a run must look.
    fn look(&self, goal: Goal) -> Look {
        match (goal, &self.target) {
            (Goal::Target, Target::State(_)) => Look::Tree,
            (Goal::Arrive(_), _) if self.level > Level::Activity => Look::Tree,
            _ => Look::Activity,
        }
    }

    fn judge(&self, keyer: &mut Keyer, seen: &mut Observation, goal: Goal, report: &mut Report) -> Sight {
        let crash = if seen.crashes.is_empty() { None } else { Some(seen.crashes.remove(0)) };
        let reached = match goal {
            Goal::Target => self.reached(keyer, seen, crash.as_ref()),
            Goal::Arrive(step) => crash.is_none() && self.arrived(keyer, seen, step),
        };
        let died = crash.is_some();
        report.crash = crash;
        match (reached, died) {
            (true, _) => Sight::Reached,
            (false, true) => Sight::Died,
            (false, false) => Sight::Nothing,
        }
    }

    fn reached(&self, keyer: &mut Keyer, seen: &Observation, crash: Option<&Crash>) -> bool {
        match &self.target {
            Target::AnyCrash => crash.is_some(),
            Target::Crash(signature) => crash.is_some_and(|crash| crash.signature == *signature),
            Target::Activity(name) => Target::names_activity(name, &seen.activity),
            Target::State(key) => {
                let keys = keyer.seen(seen);
                Level::ALL.into_iter().any(|level| keys.key(level) == Some(*key))
            }
            Target::Coverage(id) => seen.coverage.contains(id),
            // A command is another kind of lab; it never comes to a device.
            Target::Command(_) => false,
        }
    }

    /// Whether the state is the one that was recorded before a step.
    fn arrived(&self, keyer: &mut Keyer, seen: &Observation, step: u32) -> bool {
        let recorded = self.trace.steps.get(step as usize).and_then(|step| step.before.as_ref());
        let wanted = recorded.and_then(|before| before.key(self.level));
        wanted.is_some() && keyer.seen(seen).key(self.level) == wanted
    }
}

/// Writes down which activity is in front, when it is another one than before.
fn note(report: &mut Report, seen: &Observation) {
    if report.path.last().is_none_or(|(_, last)| *last != seen.activity) {
        report.path.push((report.events, seen.activity.clone()));
    }
}
