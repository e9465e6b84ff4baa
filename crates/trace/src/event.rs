//! What a user or the system does to an app.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::geometry::Point;
use crate::key::Key;
use crate::selector::Selector;
use crate::time::Micros;

/// One thing done to the app. In files: `{"do":"tap","at":[120,340],"widget":{"text":"Add tag"}}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Event {
    /// Start the app, or bring it to the front when it runs.
    Launch,
    /// A short touch.
    Tap(Aim),
    /// A touch that stays.
    LongTap {
        /// Where.
        #[serde(flatten)]
        aim: Aim,
        /// For how long, in microseconds.
        hold: Micros,
    },
    /// Two short touches at one place.
    DoubleTap(Aim),
    /// A finger moves over the screen.
    Swipe {
        /// Where it goes down.
        #[serde(flatten)]
        aim: Aim,
        /// Where it is lifted.
        to: Point,
        /// How long it takes, in microseconds.
        over: Micros,
    },
    /// Two fingers move apart or together.
    Pinch {
        /// The middle between the fingers.
        #[serde(flatten)]
        aim: Aim,
        /// The distance of the fingers at the end in percent of that at the start: over 100 zooms in.
        percent: u32,
        /// How long it takes, in microseconds.
        over: Micros,
    },
    /// A key is pressed and released.
    Key {
        /// Which.
        key: Key,
    },
    /// Text is typed into a field, in place of what stood there.
    Text {
        /// The text.
        text: String,
        /// The field; without it, the one that has the focus.
        #[serde(skip_serializing_if = "Option::is_none")]
        widget: Option<Selector>,
    },
    /// The device is turned.
    Rotate {
        /// How it is held afterwards.
        to: Orientation,
    },
    /// Something outside the app happens.
    System(SystemEvent),
    /// Nothing is done for a while.
    Wait {
        /// For how long, in microseconds.
        time: Micros,
    },
}

/// Where a finger goes down: a place, and the widget that was there when it was recorded. Both are kept;
/// `by` says which of them a replay follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Aim {
    /// The place.
    pub at: Point,
    /// The widget at that place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<Selector>,
    /// What a replay follows.
    #[serde(skip_serializing_if = "Aiming::is_default")]
    pub by: Aiming,
}

/// What a replay follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aiming {
    /// The coordinates, as recorded.
    #[default]
    Place,
    /// The widget, wherever it is now; the event does nothing when it is nowhere.
    Widget,
}

/// How the device is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the two words say it")]
pub enum Orientation {
    #[default]
    Portrait,
    Landscape,
}

/// A broadcast or another event from outside the app.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct SystemEvent {
    /// Its name: an intent action such as `android.intent.action.BATTERY_LOW`.
    pub action: String,
    /// What comes with it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, String>,
}

impl Event {
    /// A tap on a place.
    pub fn tap(x: i32, y: i32) -> Self {
        Self::Tap(Aim::place(Point::new(x, y)))
    }

    /// A key press.
    pub fn key(key: Key) -> Self {
        Self::Key { key }
    }

    /// Typing into the field that has the focus.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), widget: None }
    }

    /// A system event without extras.
    pub fn system(action: impl Into<String>) -> Self {
        Self::System(SystemEvent { action: action.into(), extras: BTreeMap::new() })
    }

    /// Where the finger goes down, for events made with a finger.
    pub fn aim(&self) -> Option<&Aim> {
        match self {
            Self::Tap(aim)
            | Self::DoubleTap(aim)
            | Self::LongTap { aim, .. }
            | Self::Swipe { aim, .. }
            | Self::Pinch { aim, .. } => Some(aim),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn aim_mut(&mut self) -> Option<&mut Aim> {
        match self {
            Self::Tap(aim)
            | Self::DoubleTap(aim)
            | Self::LongTap { aim, .. }
            | Self::Swipe { aim, .. }
            | Self::Pinch { aim, .. } => Some(aim),
            _ => None,
        }
    }
}

impl Aim {
    /// A place, with no widget known.
    pub fn place(at: Point) -> Self {
        Self { at, widget: None, by: Aiming::Place }
    }

    /// A widget, followed wherever it is.
    pub fn widget(at: Point, widget: Selector) -> Self {
        Self { at, widget: Some(widget), by: Aiming::Widget }
    }

    /// A widget of which nobody knows where it was. Nothing follows the place in it.
    pub fn anywhere(widget: Selector) -> Self {
        Self::widget(Point::default(), widget)
    }

    /// The place, where it is known: not of a widget [anywhere](Self::anywhere).
    pub fn place_if_known(&self) -> Option<Point> {
        let unknown = self.by == Aiming::Widget && self.at == Point::default();
        (!unknown).then_some(self.at)
    }
}

impl Aiming {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// In words: `tap 'Add tag'`, `swipe up from 540,1200 to 540,300`, `type "milk"`, `press back`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Launch => f.write_str("launch the app"),
            Self::Tap(aim) => write!(f, "tap {aim}"),
            Self::LongTap { aim, .. } => write!(f, "long tap {aim}"),
            Self::DoubleTap(aim) => write!(f, "double tap {aim}"),
            Self::Swipe { aim, to, .. } => {
                write!(f, "swipe {} from {aim} to {to}", direction(aim.at, *to))
            }
            Self::Pinch { aim, percent, .. } => {
                let way = if *percent < 100 { "together" } else { "apart" };
                write!(f, "pinch {way} on {aim} to {percent} %")
            }
            Self::Key { key } => write!(f, "press {key}"),
            Self::Text { text, widget: None } => write!(f, "type {text:?}"),
            Self::Text { text, widget: Some(widget) } => write!(f, "type {text:?} into {widget}"),
            Self::Rotate { to } => write!(f, "rotate to {to}"),
            Self::System(system) => write!(f, "system event {system}"),
            Self::Wait { time } => write!(f, "wait {time}"),
        }
    }
}

fn direction(from: Point, to: Point) -> &'static str {
    let (right, down) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    match (right.abs() > down.abs(), right > 0, down > 0) {
        (true, true, _) => "right",
        (true, false, _) => "left",
        (false, _, true) => "down",
        (false, _, false) => "up",
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.widget {
            Some(widget) if widget.named() || self.by == Aiming::Widget => widget.fmt(f),
            _ => self.at.fmt(f),
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portrait => "portrait",
            Self::Landscape => "landscape",
        })
    }
}

impl fmt::Display for SystemEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.action.strip_prefix("android.intent.action.").unwrap_or(&self.action))?;
        for (name, value) in &self.extras {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}
