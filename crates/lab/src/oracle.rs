//! The oracle: replays a candidate on a device and judges whether it reached what it had to.

use std::sync::Arc;

use retap_device::{Device, DeviceError, Look};
use retap_model::Keyer;
use retap_reduce::{EventRun, Goal, Order, Outcome};
use retap_trace::{Aiming, Crash, Event, Level, Observation, Seed, Selector, Target, Trace};

use crate::{Deadlines, Replay, Report};

const HANGS: &str = "the app hangs: its main thread never came back";

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
    /// Whether a run ends, without having reached anything, before an event whose widget is not on the screen. Else such
    /// an event does nothing.
    pub strict: bool,
}

/// What one run is about, besides its events.
#[derive(Clone, Copy)]
struct Run {
    seed: Seed,
    goal: Goal,
    /// Whether it is written down where it went.
    noted: bool,
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
        let events = order.subset.positions().map(|position| &self.trace.steps[position as usize].event);
        let run =
            Run { seed: self.seed.branch("run", order.ticket.0), goal: order.goal, noted: order.measures };
        self.attempt(device, run, events, stop)
    }

    /// Runs events that need not stand in the trace.
    pub fn play(&self, device: &mut dyn Device, play: &EventRun, stop: &dyn Fn() -> bool) -> Report {
        let run = Run { seed: self.seed.branch("play", play.ticket.0), goal: Goal::Target, noted: false };
        self.attempt(device, run, play.events.iter(), stop)
    }

    fn attempt<'a>(
        &self,
        device: &mut dyn Device,
        run: Run,
        events: impl Iterator<Item = &'a Event>,
        stop: &dyn Fn() -> bool,
    ) -> Report {
        let began = device.now();
        let mut report = Report::begun(device.name());
        match self.perform(device, run, events, stop, &mut report) {
            Ok(outcome) => report.ended.outcome = outcome,
            Err(error) => report.why = Some(error.to_string()),
        }
        // A strict run in which the device has ended the app has seen no crash because there was no app; and one in which the
        // app hangs, because nothing has asked it for anything since.
        let hangs = || device.hangs().then(|| HANGS.to_owned());
        if self.strict
            && report.ended.outcome == Outcome::Missed
            && report.crash.is_none()
            && let Some(why) = device.ended_app().or_else(hangs)
        {
            (report.ended.outcome, report.why) = (Outcome::Inconclusive, Some(why));
        }
        report.took = device.now().since(began);
        report
    }

    fn perform<'a>(
        &self,
        device: &mut dyn Device,
        run: Run,
        mut events: impl Iterator<Item = &'a Event>,
        stop: &dyn Fn() -> bool,
        report: &mut Report,
    ) -> Result<Outcome, DeviceError> {
        let Run { seed, goal, noted } = run;
        let mut replay = Replay::new(device, self.deadlines, self.look(goal));
        let mut keyer = Keyer::default();
        let mut seen = replay.begin(self.trace.header.start, seed)?;
        loop {
            if noted {
                note(report, &seen);
            }
            match self.judge(&mut keyer, &mut seen, goal, report) {
                Sight::Reached if goal == Goal::Target => return Ok(Outcome::Reached),
                Sight::Died => return Ok(Outcome::Missed),
                Sight::Reached | Sight::Nothing => {}
            }
            if stop() {
                return Ok(Outcome::Inconclusive);
            }
            let Some(event) = events.next() else { break };
            if self.strict && !is_there(event, &seen) {
                // It may come late, and so may a crash.
                seen = replay.linger()?;
                if noted {
                    note(report, &seen);
                }
                match self.judge(&mut keyer, &mut seen, goal, report) {
                    Sight::Reached => return Ok(Outcome::Reached),
                    Sight::Died => return Ok(Outcome::Missed),
                    Sight::Nothing if is_there(event, &seen) => {}
                    Sight::Nothing => {
                        report.without_widget = true;
                        return Ok(Outcome::Missed);
                    }
                }
            }
            seen = replay.perform(event)?;
            report.ended.events += 1;
        }
        let mut last = replay.linger()?;
        if noted {
            note(report, &last);
        }
        Ok(match self.judge(&mut keyer, &mut last, goal, report) {
            Sight::Reached => Outcome::Reached,
            Sight::Died | Sight::Nothing => Outcome::Missed,
        })
    }

    /// How closely a run must look.
    fn look(&self, goal: Goal) -> Look {
        match (goal, &self.target) {
            _ if self.strict && self.trace.events().any(|event| followed(event).is_some()) => Look::Tree,
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

/// Whether the widget that an event follows is on the screen, where it follows one. One that a device would not touch is
/// not: the event would do nothing.
fn is_there(event: &Event, seen: &Observation) -> bool {
    let reached = |widget: &Selector| seen.tree.as_ref().is_some_and(|tree| widget.touchable(tree).is_some());
    followed(event).is_none_or(reached)
}

/// The widget that an event follows; none where it goes by its place, or by nothing.
pub fn followed(event: &Event) -> Option<&Selector> {
    match event {
        Event::Text { widget, .. } => widget.as_ref(),
        _ => event.aim().filter(|aim| aim.by == Aiming::Widget).and_then(|aim| aim.widget.as_ref()),
    }
}

/// Writes down which activity is in front, when it is another one than before.
fn note(report: &mut Report, seen: &Observation) {
    if report.path.last().is_none_or(|(_, last)| *last != seen.activity) {
        report.path.push((report.ended.events, seen.activity.clone()));
    }
}
