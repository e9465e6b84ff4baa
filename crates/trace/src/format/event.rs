//! Events out of JSON.

use crate::event::{Aim, Aiming, Event, Orientation, SystemEvent};
use crate::json::{Decode, Fields, Json, JsonError, JsonPath, Unknown, Wrong, duplicate, read, word};
use crate::selector::Selector;

use super::Shape;
use super::shape::Do;

impl Event {
    /// Reads an event as its `Serialize` writes it. Unknown fields are passed over.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        read(text)
    }
}

impl Decode for Event {
    const EXPECTED: &'static str = "an event such as {\"do\":\"tap\",\"at\":[1,2]}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let kind = kind(&json, path)?;
        let mut fields = Fields::open::<Self>(json, Shape::Event(kind), path, unknown)?;
        Ok(match kind {
            Do::Launch => Self::Launch,
            Do::Tap => Self::Tap(aim(&mut fields, unknown)?),
            Do::LongTap => {
                Self::LongTap { aim: aim(&mut fields, unknown)?, hold: fields.need("hold", unknown)? }
            }
            Do::DoubleTap => Self::DoubleTap(aim(&mut fields, unknown)?),
            Do::Swipe => Self::Swipe {
                aim: aim(&mut fields, unknown)?,
                to: fields.need("to", unknown)?,
                over: fields.need("over", unknown)?,
            },
            Do::Pinch => Self::Pinch {
                aim: aim(&mut fields, unknown)?,
                percent: fields.need("percent", unknown)?,
                over: fields.need("over", unknown)?,
            },
            Do::Key => Self::Key { key: fields.need("key", unknown)? },
            Do::Text => {
                Self::Text { text: fields.need("text", unknown)?, widget: fields.may("widget", unknown)? }
            }
            Do::Rotate => Self::Rotate { to: fields.need("to", unknown)? },
            Do::System => Self::System(SystemEvent {
                action: fields.need("action", unknown)?,
                extras: fields.or_default("extras", unknown)?,
            }),
            Do::Wait => Self::Wait { time: fields.need("time", unknown)? },
        })
    }
}

fn kind(json: &Json<'_>, path: &JsonPath<'_>) -> Result<Do, Wrong> {
    let Json::Object(fields) = json else { return Err(Event::unexpected(json, path)) };
    let here = JsonPath::Field(path, "do");
    match json.field("do") {
        // Which of two kinds is meant decides what the other fields mean: say so before anything else.
        _ if duplicate(fields) == Some("do") => Err(here.stands_twice()),
        Some(json) => word(&Do::WORDS, json, &here),
        None => {
            let words = Do::WORDS.map(|(word, _)| word).join(", ");
            Err(here.wrong(format!("is missing; expected one of {words}")))
        }
    }
}

fn aim(fields: &mut Fields<'_, '_>, unknown: &mut Unknown) -> Result<Aim, Wrong> {
    Ok(Aim {
        at: fields.need("at", unknown)?,
        widget: fields.may("widget", unknown)?,
        by: fields.or_default("by", unknown)?,
    })
}

impl Decode for Aiming {
    const EXPECTED: &'static str = "place or widget";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        word(&[("place", Self::Place), ("widget", Self::Widget)], &json, path)
    }
}

impl Decode for Orientation {
    const EXPECTED: &'static str = "portrait or landscape";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        word(&[("portrait", Self::Portrait), ("landscape", Self::Landscape)], &json, path)
    }
}

impl Decode for Selector {
    const EXPECTED: &'static str = "a widget such as {\"text\":\"Add tag\"}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Widget, path, unknown)?;
        Ok(Self {
            id: fields.may("id", unknown)?,
            text: fields.may("text", unknown)?,
            desc: fields.may("desc", unknown)?,
            hint: fields.may("hint", unknown)?,
            words: fields.may("words", unknown)?,
            class: fields.may("class", unknown)?,
            path: fields.may("path", unknown)?,
            id_index: fields.may("id_index", unknown)?,
            label_index: fields.may("label_index", unknown)?,
        })
    }
}
