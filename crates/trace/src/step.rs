//! Steps and traces: events with what was seen around them.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::claim::ConfirmedRate;
use crate::crash::Crash;
use crate::event::{Aiming, Event};
use crate::geometry::{Point, Size};
use crate::observation::Observation;
use crate::selector::Selector;
use crate::state::Seen;
use crate::target::Target;
use crate::time::Micros;

/// A piece of the app's code that can be covered: a method or a branch, by its number in this build of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct CoverageId(pub u32);

/// Fields of a line that this version does not know. They are kept where they stood, so that a file written by
/// a newer or another tool survives a round trip. Objects nest as in the line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extra(pub Option<Box<Map<String, Value>>>);

/// One event, with what was seen around it. In files, one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was done.
    pub event: Event,
    /// When it was done, since the start of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Micros>,
    /// The widget that it was done to, where the event names it by names that no screen has told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// The state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Seen>,
    /// The state after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Seen>,
    /// Code that this step executed and no earlier step of the trace had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageId>,
    /// The crash that came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// What this version does not know.
    #[serde(skip)]
    pub extra: Extra,
}

/// A widget that was found by names of which some may be wrong, such as those of another tool's test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What the screen told of it.
    pub widget: Selector,
    /// Its middle.
    pub at: Point,
}

/// Which app a trace is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppId {
    /// Package name, or the origin of a page.
    pub package: Arc<str>,
    /// Version or build; coverage ids of different builds do not mix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}

/// How a trace begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The app is freshly installed and launched; the steps follow.
    #[default]
    Launched,
    /// The app is freshly installed and not running; a step of the trace launches it.
    Stopped,
}

/// The first steps of another trace, which may itself go on from a third.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct After {
    /// The name of its file, in the same folder.
    pub trace: String,
    /// How many of its steps.
    pub steps: u32,
}

/// The first line of a trace file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// The app.
    pub app: AppId,
    /// How the trace begins.
    pub start: Start,
    /// What came before the steps, when they go on from a saved state: the first steps of another trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
    /// Where it was recorded, as `--device` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// What that device is, where its name does not tell it: `Robolectric, API 29`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The screen that coordinates refer to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Size>,
    /// What the trace is there to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The seed it was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What was confirmed of exactly these steps, when they are the result of a reduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<ConfirmedRate>,
    /// What the app dies of when it is started, before the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// A word for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What this version does not know.
    #[serde(skip)]
    pub extra: Extra,
}

/// An app, a start, and steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The first line.
    pub header: Header,
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Step {
    /// An event of which nothing else is known.
    pub fn new(event: Event) -> Self {
        Self {
            event,
            at: None,
            found: None,
            before: None,
            after: None,
            coverage: Vec::new(),
            crash: None,
            extra: Extra::default(),
        }
    }
}

impl Found {
    /// What an event is done to on this screen; nothing where its names come from a screen, or it goes by its place.
    pub fn of(event: &Event, seen: &Observation) -> Option<Self> {
        let widget = match event {
            Event::Text { widget, .. } => widget.as_ref(),
            _ => event.aim().filter(|aim| aim.by == Aiming::Widget)?.widget.as_ref(),
        };
        let widget = widget.filter(|widget| widget.path.is_none())?;
        let tree = seen.tree.as_ref()?;
        let id = widget.touchable(tree)?;
        Some(Self { widget: Selector::of(tree, id), at: tree.node(id).bounds.center() })
    }
}

impl Header {
    /// A trace of this app, begun the usual way.
    pub fn new(package: impl Into<Arc<str>>) -> Self {
        Self {
            app: AppId { package: package.into(), build: None },
            start: Start::default(),
            after: None,
            device: None,
            platform: None,
            screen: None,
            target: None,
            seed: None,
            claim: None,
            crash: None,
            note: None,
            extra: Extra::default(),
        }
    }
}

impl Trace {
    /// The events in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.steps.iter().map(|step| &step.event)
    }

    /// What the app dies of: the last crash of its steps, or that of its start.
    pub fn crash(&self) -> Option<&Crash> {
        self.steps.iter().rev().find_map(|step| step.crash.as_ref()).or(self.header.crash.as_ref())
    }
}
