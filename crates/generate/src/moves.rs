//! What a user does in a known reproduction, by the ids of widgets.

use std::fmt;

use retap_trace::{Aim, Event, Key, Micros, Orientation, Point, Selector};

/// One thing that a user does. Widgets go by the last part of their resource ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    Tap(String),
    LongTap(String),
    SwipeLeft(String),
    Pinch(String),
    /// Types a text into a field.
    Type(String, &'static str),
    /// Brings the end of a long form into sight.
    ScrollDown,
    Back,
    Rotate,
    /// Something outside the app happens, by its intent action.
    System(&'static str),
}

/// How long a finger stays for a long tap.
const HOLD: Micros = Micros::from_millis(800);
/// How long a swipe or pinch takes.
const STROKE: Micros = Micros::from_millis(300);
/// How far a finger moves to swipe over a widget.
const REACH: i32 = 200;

impl Move {
    /// The widget that it is done to.
    pub(super) fn widget(&self) -> Option<&str> {
        match self {
            Self::Tap(id) | Self::LongTap(id) | Self::SwipeLeft(id) | Self::Pinch(id) | Self::Type(id, _) => {
                Some(id)
            }
            Self::ScrollDown | Self::Back | Self::Rotate | Self::System(_) => None,
        }
    }

    /// What the widget is recognised by.
    pub(super) fn selector(&self, package: &str) -> Option<Selector> {
        let id = self.widget()?;
        Some(Selector { id: Some(format!("{package}:id/{id}").into()), ..Selector::default() })
    }

    /// The event, with its widget at this place.
    pub(super) fn event(&self, package: &str, at: Point) -> Event {
        let selector = self.selector(package);
        let aim = selector.clone().map_or(Aim::place(at), |selector| Aim::widget(at, selector));
        match self {
            Self::Tap(_) => Event::Tap(aim),
            Self::LongTap(_) => Event::LongTap { aim, hold: HOLD },
            Self::SwipeLeft(_) => Event::Swipe { aim, to: Point::new(at.x - REACH, at.y), over: STROKE },
            Self::Pinch(_) => Event::Pinch { aim, percent: 200, over: STROKE },
            Self::Type(_, text) => Event::Text { text: (*text).to_owned(), widget: selector },
            Self::ScrollDown => {
                let (from, to) = (Point::new(540, 1_600), Point::new(540, 300));
                Event::Swipe { aim: Aim::place(from), to, over: STROKE }
            }
            Self::Back => Event::key(Key::BACK),
            Self::Rotate => Event::Rotate { to: Orientation::Landscape },
            Self::System(action) => Event::system(*action),
        }
    }
}

/// In words: `tap trip_list_sync`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tap(id) => write!(f, "tap {id}"),
            Self::LongTap(id) => write!(f, "long tap {id}"),
            Self::SwipeLeft(id) => write!(f, "swipe left over {id}"),
            Self::Pinch(id) => write!(f, "pinch {id}"),
            Self::Type(id, text) => write!(f, "type {text:?} into {id}"),
            Self::ScrollDown => f.write_str("scroll down"),
            Self::Back => f.write_str("press back"),
            Self::Rotate => f.write_str("rotate"),
            Self::System(action) => write!(f, "system event {}", action.rsplit('.').next().unwrap_or(action)),
        }
    }
}
