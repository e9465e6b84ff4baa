//! Recording a short trace again: what was seen around its events in the long one is not what is seen now.
//!
//! A recording is an algorithm as any other: each performance is ordered, carried out by a [`Recorder`], and in the journal
//! before it is used.

use std::sync::Arc;

use retap_device::{Device, DeviceError};
use retap_reduce::{Algorithm, Outcome, Ticket};
use retap_trace::{
    Aim, Aiming, Crash, Event, Flag, Header, Key, Level, Micros, NodeId, Observation, Selector, Step, Target,
    Trace,
};

use crate::{Account, Errand, Oracle, Report, RunPath, Walk, Worker, state_in_words};

/// The most times that a trace is performed until it shows its target.
const TRIES: u64 = 10;

/// A performance that is wanted: events to be performed, with a look after each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Take {
    /// Its number among all performances of a session.
    pub ticket: Ticket,
    /// Its number among the performances of these events: its dice go by it.
    pub number: u64,
    pub events: Arc<[Event]>,
    /// What is written down, in words.
    pub label: String,
}

/// What came of a performance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub report: Report,
    /// The events that were performed, with what was seen around them; none when the device failed.
    pub steps: Vec<Step>,
    /// The state at the start and after each event, as in a [`RunPath`]; none when the device failed.
    pub states: Vec<(u64, String)>,
    /// For each of the events that presses the widget with the focus, a touch of that widget.
    pub touches: Vec<Option<Event>>,
}

/// A device that performs events and writes down what is seen.
#[derive(Debug)]
pub struct Recorder {
    oracle: Oracle,
    device: Box<dyn Device>,
}

/// Performs events so many times at least, and a few times more when none shows the target, because a flaky trace or
/// device may miss.
#[derive(Debug, Clone)]
pub struct Recording {
    header: Header,
    events: Arc<[Event]>,
    label: String,
    times: u64,
    first: Ticket,
    /// Performances that have ended.
    ended: u64,
    under_way: bool,
    /// The steps of the performance that showed the target latest.
    best: Option<Vec<Step>>,
    touches: Vec<Option<Event>>,
    ways: Vec<RunPath>,
}

impl Recording {
    /// A recording of events that has not begun. Its performances are numbered from `first` on.
    pub fn new(header: Header, events: &[Event], label: &str, times: u64, first: Ticket) -> Self {
        Self {
            header,
            events: events.into(),
            label: label.to_owned(),
            times,
            first,
            ended: 0,
            under_way: false,
            best: None,
            touches: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Carries it out on one device, at once and without a journal.
    #[must_use]
    pub fn on(mut self, oracle: &Oracle, device: Box<dyn Device>) -> Self {
        let mut recorder = Recorder { oracle: oracle.clone(), device };
        while let Some(take) = self.order() {
            let taken = recorder.run(&take, &|| false);
            self.settle(take.ticket, &taken);
        }
        self
    }

    /// All of the events, with what was seen around them in the performance that showed the target latest: the widgets
    /// that are touched, the states, the code executed, the crash. Events that were not performed any more, because the
    /// app had crashed, stand there as they were given. Nothing when no performance showed the target.
    pub fn trace(&self) -> Option<Trace> {
        let mut steps = self.best.clone()?;
        let rest = self.events[steps.len()..].iter().cloned();
        steps.extend(rest.map(Step::new));
        Some(Trace { header: self.header.clone(), steps })
    }

    /// For each event that pressed the widget with the focus in that performance, a touch of that widget.
    pub fn touches(&self) -> &[Option<Event>] {
        &self.touches
    }

    /// Where every performance went.
    pub fn ways(&self) -> &[RunPath] {
        &self.ways
    }

    /// The number of the performance that comes next.
    pub fn next_ticket(&self) -> Ticket {
        Ticket(self.first.0 + self.ended)
    }

    /// Whether what was seen around every event is known.
    fn whole(&self) -> bool {
        self.best.as_ref().is_some_and(|steps| steps.len() == self.events.len())
    }
}

impl Algorithm for Recording {
    type Order = Take;
    type Evidence = Taken;

    fn order(&mut self) -> Option<Take> {
        if self.under_way || self.over() {
            return None;
        }
        self.under_way = true;
        Some(Take {
            ticket: self.next_ticket(),
            number: self.ended,
            events: self.events.clone(),
            label: self.label.clone(),
        })
    }

    fn settle(&mut self, ticket: Ticket, taken: &Taken) {
        if !self.under_way || ticket != self.next_ticket() {
            return;
        }
        self.under_way = false;
        self.ended += 1;
        let outcome = taken.report.ended.outcome;
        if outcome == Outcome::Inconclusive {
            return;
        }
        let reached = outcome == Outcome::Reached;
        self.ways.push(RunPath { states: taken.states.clone(), reached });
        if reached && self.best.as_ref().is_none_or(|best| taken.steps.len() > best.len()) {
            self.best = Some(taken.steps.clone());
            self.touches.clone_from(&taken.touches);
        }
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Vec::new()
    }

    fn over(&self) -> bool {
        self.ended >= TRIES.max(self.times) || self.whole() && self.ended >= self.times
    }
}

impl Taken {
    /// A performance of which nothing was seen.
    const fn new(report: Report) -> Self {
        Self { report, steps: Vec::new(), states: Vec::new(), touches: Vec::new() }
    }
}

impl Recorder {
    /// One recorder for each device.
    pub fn fleet(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> Vec<Self> {
        devices.into_iter().map(|device| Self { oracle: oracle.clone(), device }).collect()
    }
}

impl Worker for Recorder {
    type Order = Take;
    type Report = Taken;

    fn name(&self) -> &str {
        self.device.name()
    }

    fn run(&mut self, take: &Take, stop: &dyn Fn() -> bool) -> Taken {
        let Self { oracle, device } = self;
        let began = device.now();
        let mut taken = Taken::new(Report::begun(device.name()));
        match perform(oracle, &mut **device, take, stop, &mut taken) {
            Ok(outcome) => taken.report.ended.outcome = outcome,
            Err(error) => taken.report.why = Some(error.to_string()),
        }
        taken.report.ended.events = u32::try_from(taken.steps.len()).expect("a trace is no longer");
        taken.report.took = device.now().since(began);
        if taken.report.ended.outcome == Outcome::Inconclusive {
            return Taken::new(taken.report);
        }
        taken
    }
}

fn perform(
    oracle: &Oracle,
    device: &mut dyn Device,
    take: &Take,
    stop: &dyn Fn() -> bool,
    taken: &mut Taken,
) -> Result<Outcome, DeviceError> {
    let seed = oracle.seed.branch("recording", take.number);
    let mut walk = Walk::begin(device, oracle.deadlines, oracle.trace.header.start, seed)?;
    taken.report.crash = walk.seen().crashes.first().cloned();
    taken.states.push(state(&walk, taken.report.crash.as_ref()));
    for event in &*take.events {
        if taken.report.crash.is_some() {
            break;
        }
        if stop() {
            return Ok(Outcome::Inconclusive);
        }
        let mut event = event.clone();
        if let Some(aim) = event.aim_mut().filter(|aim| aim.by == Aiming::Place) {
            aim.widget = walk.seen().aim_at(aim.at).widget;
        }
        taken.touches.push(touch(&event, walk.seen()));
        let step = walk.act(event)?;
        taken.report.crash.clone_from(&step.crash);
        taken.states.push(state(&walk, step.crash.as_ref()));
        taken.steps.push(step);
    }
    if taken.report.crash.is_none() && !reached(oracle, taken) {
        late(&mut walk, taken)?;
    }
    Ok(if reached(oracle, taken) { Outcome::Reached } else { Outcome::Missed })
}

/// A crash that comes late is one of the last step, as in runs that judge. The state after that step stays as it was.
fn late(walk: &mut Walk<'_>, taken: &mut Taken) -> Result<(), DeviceError> {
    let seen = walk.linger()?;
    let Some(crash) = seen.crashes.first().cloned() else { return Ok(()) };
    walk.amend(taken.steps.last_mut(), seen, false);
    if let Some(last) = taken.states.last_mut() {
        *last = state(walk, Some(&crash));
    }
    taken.report.crash = Some(crash);
    Ok(())
}

/// A touch that does what a key does which presses the widget with the focus.
fn touch(event: &Event, seen: &Observation) -> Option<Event> {
    let Event::Key { key: Key::DPAD_CENTER | Key::ENTER } = event else { return None };
    let tree = seen.tree.as_ref()?;
    let focused = |id: &NodeId| tree.node(*id).flags.has(Flag::Focused) && tree.node(*id).flags.actionable();
    let id = tree.ids().rev().find(focused)?;
    let widget = Selector::of(tree, id);
    let at = tree.node(id).bounds.center();
    widget.named().then_some(Event::Tap(Aim { at, widget: Some(widget), by: Aiming::Widget }))
}

/// The state that a walk has come to, or the crash that has ended it, and how people would call it.
fn state(walk: &Walk<'_>, crash: Option<&Crash>) -> (u64, String) {
    if let Some(crash) = crash {
        return (0, format!("crash {}", crash.signature));
    }
    let keys = walk.keys();
    let key = [Level::Layout, Level::Activity].into_iter().find_map(|level| keys.key(level));
    (key.map_or(0, |key| key.0), state_in_words(walk.seen()))
}

/// Whether the recording shows the target. Of states and code the runs that confirmed it are the judges.
fn reached(oracle: &Oracle, taken: &Taken) -> bool {
    let Taken { steps, report, .. } = taken;
    match &oracle.target {
        Target::AnyCrash => report.crash.is_some(),
        Target::Crash(signature) => report.crash.as_ref().is_some_and(|crash| crash.signature == *signature),
        Target::Activity(name) => {
            let after = steps.iter().filter_map(|step| step.after.as_ref());
            steps.is_empty() || after.into_iter().any(|seen| Target::names_activity(name, &seen.activity))
        }
        Target::State(_) | Target::Coverage(_) | Target::Command(_) => true,
    }
}

impl Errand for Take {
    fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Account for Taken {
    type Evidence = Self;

    fn evidence(&self) -> &Self {
        self
    }

    fn took(&self) -> Micros {
        self.report.took
    }

    fn failure(&self) -> Option<&str> {
        self.report.failure()
    }

    fn lost(worker: &str, took: Micros, why: String) -> Self {
        Self::new(Report::lost(worker, took, why))
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::{Flags, GuiTree, Node, Orientation, Rect, Size};

    use super::*;

    /// A screen with a list that has the focus, a button in it, and another button.
    fn seen(focused: &str, text: &str) -> Observation {
        let mut tree = GuiTree::default();
        for (depth, name, top) in [(0, "list", 0), (1, "button", 100), (1, "other", 200)] {
            let flags = Flags::default()
                .with(Flag::Enabled, true)
                .with(Flag::Clickable, depth > 0)
                .with(Flag::Focused, name == focused);
            let text = if name == "button" { text } else { "" };
            let bounds = Rect::new(0, top, 100, top + 100);
            tree.push(Node { depth, text: text.into(), bounds, flags, ..Node::default() });
        }
        Observation {
            at: Micros(0),
            package: "a".into(),
            activity: "a.Main".into(),
            tree: Some(tree),
            keyboard: false,
            orientation: Orientation::Portrait,
            screen: Size { width: 100, height: 300 },
            coverage: Vec::new(),
            crashes: Vec::new(),
        }
    }

    #[test]
    fn a_key_that_presses_the_focused_widget_has_a_touch() {
        let center = Event::key(Key::DPAD_CENTER);
        let Some(Event::Tap(aim)) = touch(&center, &seen("button", "+")) else { panic!("a touch") };
        assert_eq!((aim.at, aim.by), (retap_trace::Point::new(50, 150), Aiming::Widget));
        assert_eq!(aim.widget.and_then(|widget| widget.text).as_deref(), Some("+"));
        assert!(touch(&Event::key(Key::ENTER), &seen("button", "+")).is_some());
        for (event, focused, text, why) in [
            (Event::key(Key::DPAD_LEFT), "button", "+", "a key that moves the focus"),
            (center.clone(), "nothing", "+", "nothing has the focus"),
            (center.clone(), "list", "+", "what has the focus cannot be pressed"),
            (center, "button", "", "a widget without a name would be touched by its place"),
        ] {
            assert_eq!(touch(&event, &seen(focused, text)), None, "{why}");
        }
    }
}
