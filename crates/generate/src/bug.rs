//! Bugs: actions that crash the app when they are done in the right order.

use retap_trace::{Crash, CrashKind, Event, Frame, Signature};

use super::map::EdgeId;
use super::moves::Move;
use super::share::Share;
use super::sketch::{ScreenId, Sketch};
use super::words::{EXCEPTIONS, snake};

/// A bug of a generated app, and the shortest way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownBug {
    /// The exception class, or the signal.
    pub exception: String,
    /// Where it crashes: the innermost frame.
    pub site: Frame,
    /// What its crashes are recognised by.
    pub signature: Signature,
    /// A shortest reproduction, for an app that was just installed and launched.
    pub events: Vec<Event>,
    /// How many actions in the right order it takes, the last of which crashes. The other events lead from one to
    /// the next.
    pub depth: u32,
    /// How often the reproduction crashes: always, unless the bug is flaky.
    pub rate: Share,
}

impl KnownBug {
    /// Events of its shortest reproduction.
    pub fn length(&self) -> usize {
        self.events.len()
    }
}

/// A bug in the making.
#[derive(Debug)]
pub(super) struct Bug {
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) steps: Vec<Step>,
    /// Whether what was done so far survives the end of the process.
    pub(super) kept: bool,
    /// Whether a step out of turn undoes those before it.
    pub(super) strict: bool,
    /// How often it crashes, if not always.
    pub(super) rate: Option<Share>,
    /// Whether it crashes in native code.
    pub(super) native: bool,
    /// The shortest reproduction.
    pub(super) moves: Vec<Move>,
    /// The edges of the map that it takes.
    pub(super) edges: Vec<EdgeId>,
}

/// One of the actions that a bug takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Act(ScreenId, Act),
    /// The phone is turned while this screen is in front.
    Rotate(ScreenId, Turn),
    System(&'static str),
}

/// What is wrong with a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The activity crashes when it is created again.
    Crash,
    /// The activity forgets something that the next step relies on.
    Forget,
}

/// What is done to a widget, with the word on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Button(&'static str),
    LongTap(&'static str),
    Swipe(&'static str),
    Pinch(&'static str),
    Check(&'static str),
    Switch(&'static str),
    /// A text is typed: this one, or any.
    Type(&'static str, Option<&'static str>),
    /// An item of the menu.
    Item(&'static str),
    /// The button of the dialog.
    Ok,
}

impl Act {
    /// The word that no other widget of its screen has.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Button(word)
            | Self::LongTap(word)
            | Self::Swipe(word)
            | Self::Pinch(word)
            | Self::Check(word)
            | Self::Switch(word)
            | Self::Type(word, _)
            | Self::Item(word) => word,
            Self::Ok => "Ok",
        }
    }

    /// Whether it needs a place of its own on the screen.
    pub(super) const fn takes_room(self) -> bool {
        !matches!(self, Self::Item(_) | Self::Ok)
    }

    /// How a user does it.
    pub(super) fn how(self, sketch: &Sketch, screen: ScreenId) -> Move {
        let id = sketch.id(screen, &snake(self.word()));
        match self {
            Self::LongTap(_) => Move::LongTap(id),
            Self::Swipe(_) => Move::SwipeLeft(id),
            Self::Pinch(_) => Move::Pinch(id),
            Self::Type(_, text) => Move::Type(id, text.unwrap_or("a")),
            Self::Button(_) | Self::Check(_) | Self::Switch(_) | Self::Item(_) | Self::Ok => Move::Tap(id),
        }
    }
}

impl Bug {
    /// The variable that counts its steps.
    pub(super) fn var(&self) -> String {
        format!("bug{}", self.number)
    }

    /// The variable that a rotation forgets.
    pub(super) fn forgotten(&self) -> String {
        format!("bug{}_ready", self.number)
    }

    /// The exception class, or the signal.
    pub(super) fn exception(&self) -> &'static str {
        if self.native { "SIGSEGV" } else { EXCEPTIONS[self.number % EXCEPTIONS.len()].0 }
    }

    pub(super) fn message(&self) -> &'static str {
        if self.native { "" } else { EXCEPTIONS[self.number % EXCEPTIONS.len()].1 }
    }

    /// The stack, innermost frame first.
    pub(super) fn frames(&self, sketch: &Sketch, package: &str) -> Vec<String> {
        let activity =
            |screen: ScreenId| format!("{}Activity", sketch.screen(sketch.screen(screen).head).name);
        let (class, method, caller) = match self.steps.last() {
            Some(Step::Act(screen, act)) => (
                activity(*screen),
                format!("on{}", act.word()),
                "android.view.View.performClick(View.java:7125)",
            ),
            Some(Step::Rotate(screen, _)) => (
                activity(*screen),
                "onCreate".to_owned(),
                "android.app.Activity.performCreate(Activity.java:7802)",
            ),
            Some(Step::System(_)) | None => (
                "SystemReceiver".to_owned(),
                "onReceive".to_owned(),
                "android.app.ActivityThread.handleReceiver(ActivityThread.java:3796)",
            ),
        };
        // Two bugs may share a method: the line tells them apart.
        let line = 20 + 13 * self.number;
        if self.native {
            return vec![format!("libapp.so {}_{}+{line}", snake(&class), snake(&method))];
        }
        vec![format!("{package}.{class}.{method}({class}.java:{line})"), caller.to_owned()]
    }

    pub(super) fn known(&self, sketch: &Sketch, package: &str, events: Vec<Event>) -> KnownBug {
        let frames: Vec<Frame> = self.frames(sketch, package).into_iter().map(Frame).collect();
        let kind = if self.native { CrashKind::Native } else { CrashKind::Java };
        let site = frames.first().cloned().unwrap_or_else(|| Frame(String::new()));
        let crash = Crash::new(kind, self.exception(), self.message(), None, frames, package);
        KnownBug {
            exception: crash.exception,
            site,
            signature: crash.signature,
            events,
            depth: u32::try_from(self.steps.len()).expect("a bug has few steps"),
            rate: self.rate.unwrap_or(Share::ALL),
        }
    }
}
