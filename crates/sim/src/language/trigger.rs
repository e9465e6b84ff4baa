//! When things happen: `on create`, `on key search`, `on long tap`.

use std::fmt;

use retap_trace::Key;

use crate::app::Gesture;

use super::cursor::{Cursor, alternatives};
use super::error::{Checked, quote};
use super::token::Lexeme;
use retap_trace::did_you_mean;

/// What an activity can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trigger {
    Create,
    Resume,
    Pause,
    Back,
    Menu,
    Key(Key),
}

const TRIGGERS: [(&str, Trigger); 5] = [
    ("create", Trigger::Create),
    ("resume", Trigger::Resume),
    ("pause", Trigger::Pause),
    ("back", Trigger::Back),
    ("menu", Trigger::Menu),
];

/// Gestures, as the language and as coverage names them.
const GESTURES: [(&str, &str, Gesture); 9] = [
    ("tap", "tap", Gesture::Tap),
    ("long tap", "long_tap", Gesture::LongTap),
    ("double tap", "double_tap", Gesture::DoubleTap),
    ("swipe left", "swipe_left", Gesture::SwipeLeft),
    ("swipe right", "swipe_right", Gesture::SwipeRight),
    ("swipe up", "swipe_up", Gesture::SwipeUp),
    ("swipe down", "swipe_down", Gesture::SwipeDown),
    ("pinch", "pinch", Gesture::Pinch),
    ("change", "change", Gesture::Change),
];

/// Reads what follows `on` in an activity.
pub(super) fn trigger(cursor: &mut Cursor<'_>) -> Checked<Trigger> {
    let name = cursor.name("something an activity is told, such as `create`")?;
    let trigger = match TRIGGERS.iter().find(|(word, _)| *word == name.text) {
        Some((_, trigger)) => *trigger,
        None if name.text == "key" => {
            cursor.usage("on key NAME");
            Trigger::Key(key(cursor)?)
        }
        None => {
            let known: Vec<&str> = TRIGGERS.iter().map(|(word, _)| *word).chain(["key"]).collect();
            let fix = did_you_mean(name.text, known.iter().copied())
                .unwrap_or_else(|| format!("; there are {}", alternatives(&known)));
            return Err(name.place.fault(format!("an activity is never told {}{fix}", quote(name.text))));
        }
    };
    cursor.finish()?;
    Ok(trigger)
}

/// Reads what follows `on` under a widget.
pub(super) fn gesture(cursor: &mut Cursor<'_>) -> Checked<Gesture> {
    let place = cursor.place();
    let mut written = cursor.name("a gesture such as `tap`")?.text.to_owned();
    if let ("long" | "double" | "swipe", Some(second)) = (&*written, cursor.peek_word()) {
        cursor.next();
        written = format!("{written} {second}");
    }
    cursor.finish()?;
    if let Some((_, _, gesture)) = GESTURES.iter().find(|(words, _, _)| *words == written) {
        return Ok(*gesture);
    }
    let known: Vec<&str> = GESTURES.iter().map(|(words, _, _)| *words).collect();
    let fix = did_you_mean(&written, known.iter().copied())
        .unwrap_or_else(|| format!("; there are {}", alternatives(&known)));
    Err(place.fault(format!("{} is no gesture{fix}", quote(&written))))
}

/// A gesture as coverage names it.
pub(super) fn gesture_name(gesture: Gesture) -> &'static str {
    GESTURES.iter().find(|(_, _, known)| *known == gesture).map_or("", |(_, name, _)| name)
}

/// Reads the name of a key: `search`, `7`, `code:300`.
fn key(cursor: &mut Cursor<'_>) -> Checked<Key> {
    let place = cursor.place();
    let mut name = match cursor.peek() {
        Some(&Lexeme::Word(word)) => word.to_owned(),
        Some(&Lexeme::Int(digit)) => digit.to_string(),
        _ => return Err(cursor.expected("the name of a key")),
    };
    cursor.next();
    if cursor.eat_mark(":") {
        name = format!("{name}:{}", cursor.int("the code of a key")?);
    }
    let key: Key = name.parse().map_err(|_| {
        let shown = quote(&name);
        place.fault(format!("no key is called {shown}; write a name such as `search`, or `code:84`"))
    })?;
    match key {
        Key::BACK => Err(place.fault("the back key has a handler of its own; write `on back`")),
        Key::MENU => Err(place.fault("the menu key has a handler of its own; write `on menu`")),
        Key::HOME | Key::APP_SWITCH | Key::POWER | Key::SLEEP | Key::WAKEUP => {
            Err(place.fault("this key goes to the system and never reaches an app; choose another"))
        }
        other => Ok(other),
    }
}

/// As coverage names it.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, "key.{key}"),
            other => {
                f.write_str(TRIGGERS.iter().find(|(_, known)| known == other).map_or("", |(name, _)| name))
            }
        }
    }
}
