//! Apps as state machines, and walks through them.

use std::collections::BTreeSet;

use retap_trace::{
    CoverageId, Crash, CrashKind, Dice, Event, Header, Micros, Seed, Seen, Signature, StateKey, Step, Trace,
};

pub(crate) const RESTART: Micros = Micros::from_millis(4_500);
pub(crate) const STEP: Micros = Micros::from_millis(500);

/// What an action does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Deed {
    /// The code that is executed.
    pub(crate) code: Vec<u32>,
    pub(crate) crash: Option<&'static str>,
    /// Whether another time it might have done something else.
    pub(crate) varies: bool,
}

/// An app. Its state is whatever it likes; what is seen of it is a key.
pub(crate) trait App {
    fn start(&self) -> Vec<u32>;
    fn look(&self, state: &[u32]) -> StateKey;
    fn act(&self, state: &mut Vec<u32>, event: &Event, dice: &mut Dice) -> Deed;
}

/// What was seen after an event.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    pub(crate) key: StateKey,
    pub(crate) deed: Deed,
}

/// A running app.
pub(crate) struct Session<'a> {
    app: &'a dyn App,
    state: Vec<u32>,
    dice: Dice,
    covered: BTreeSet<u32>,
}

impl<'a> Session<'a> {
    pub(crate) fn launch(app: &'a dyn App, seed: Seed) -> Self {
        Self { app, state: app.start(), dice: seed.dice(), covered: BTreeSet::new() }
    }

    /// The same app from here on with other chance.
    pub(crate) fn again(&self, seed: Seed) -> Self {
        let (state, covered) = (self.state.clone(), self.covered.clone());
        Self { app: self.app, state, dice: seed.dice(), covered }
    }

    pub(crate) fn key(&self) -> StateKey {
        self.app.look(&self.state)
    }

    /// Does an event; of the code it executes, only what is new in this session is reported.
    pub(crate) fn act(&mut self, event: &Event) -> Sight {
        let mut deed = self.app.act(&mut self.state, event, &mut self.dice);
        deed.code.retain(|code| self.covered.insert(*code));
        Sight { key: self.key(), deed }
    }
}

/// A trace of these events, and after how many of its steps chance had not yet played a part.
pub(crate) fn record(app: &dyn App, events: impl IntoIterator<Item = Event>, seed: Seed) -> (Trace, usize) {
    let mut session = Session::launch(app, seed);
    let mut steps = Vec::new();
    let mut sure = None;
    let mut at = RESTART;
    for event in events {
        let before = Some(seen(session.key()));
        let sight = session.act(&event);
        if sight.deed.varies {
            sure.get_or_insert(steps.len());
        }
        let crash = sight.deed.crash.map(crash);
        let crashed = crash.is_some();
        let coverage = sight.deed.code.into_iter().map(CoverageId).collect();
        let after = Some(seen(sight.key));
        steps.push(Step { at: Some(at), before, after, coverage, crash, ..Step::new(event) });
        at += STEP;
        if crashed {
            break;
        }
    }
    let sure = sure.unwrap_or(steps.len());
    (Trace { header: Header::new("app.in.memory"), steps }, sure)
}

pub(crate) fn signature(name: &str) -> Signature {
    Signature(name.into())
}

fn crash(name: &str) -> Crash {
    Crash {
        kind: CrashKind::Java,
        signature: signature(name),
        exception: name.to_owned(),
        message: String::new(),
        root_cause: None,
        frames: Vec::new(),
    }
}

fn seen(key: StateKey) -> Seen {
    Seen { actionable: Some(key), layout: Some(key), full: Some(key), ..Seen::activity("Main") }
}
