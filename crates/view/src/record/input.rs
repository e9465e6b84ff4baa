//! What the page sends: one input, with the number of the picture that it was meant for.

use retap_job::record::Wish;
use retap_trace::{Aim, Event, Key, Micros, Orientation, Point};
use serde::Deserialize;

/// No finger stays longer than this, in milliseconds.
const LONGEST_TOUCH: u64 = 10_000;
const LONGEST_TEXT: usize = 10_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    picture: u64,
    input: Input,
}

/// An input. Times are in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Input {
    Tap { at: (i32, i32) },
    DoubleTap { at: (i32, i32) },
    LongTap { at: (i32, i32), hold: u64 },
    Swipe { at: (i32, i32), to: (i32, i32), over: u64 },
    Text { text: String },
    Key { key: String },
    Rotate { landscape: bool },
    Wait { time: u64 },
    Done {},
}

impl Input {
    /// The picture that it was meant for, and what is wanted.
    pub(super) fn read(body: &[u8]) -> Result<(u64, Wish), String> {
        let Sent { picture, input } = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        input.wish().map(|wish| (picture, wish))
    }

    fn wish(self) -> Result<Wish, String> {
        let aim = |(x, y): (i32, i32)| Aim::place(Point::new(x, y));
        let time = |millis: u64| {
            if millis <= LONGEST_TOUCH {
                Ok(Micros::from_millis(millis))
            } else {
                Err(format!("{millis} ms are too long; at most {LONGEST_TOUCH} are taken"))
            }
        };
        Ok(Wish::Perform(match self {
            Self::Tap { at } => Event::Tap(aim(at)),
            Self::DoubleTap { at } => Event::DoubleTap(aim(at)),
            Self::LongTap { at, hold } => Event::LongTap { aim: aim(at), hold: time(hold)? },
            Self::Swipe { at, to, over } => {
                Event::Swipe { aim: aim(at), to: Point::new(to.0, to.1), over: time(over)? }
            }
            Self::Text { text } if text.len() > LONGEST_TEXT => {
                return Err(format!("the text is too long; at most {LONGEST_TEXT} bytes are taken"));
            }
            Self::Text { text } => Event::text(text),
            Self::Key { key } => Event::key(key.parse::<Key>()?),
            Self::Rotate { landscape: true } => Event::Rotate { to: Orientation::Landscape },
            Self::Rotate { landscape: false } => Event::Rotate { to: Orientation::Portrait },
            Self::Wait { time: millis } => Event::Wait { time: time(millis)? },
            Self::Done {} => return Ok(Wish::Done),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_become_events() {
        let read = |input: &str| {
            let body = format!(r#"{{"picture":3,"input":{input}}}"#);
            Input::read(body.as_bytes()).map(|(picture, wish)| match wish {
                Wish::Perform(event) => format!("{picture}: {event}"),
                Wish::Done => format!("{picture}: done"),
            })
        };
        for (input, wanted) in [
            (r#"{"do":"tap","at":[1,2]}"#, "3: tap 1,2"),
            (r#"{"do":"double_tap","at":[1,2]}"#, "3: double tap 1,2"),
            (r#"{"do":"long_tap","at":[1,2],"hold":800}"#, "3: long tap 1,2"),
            (r#"{"do":"swipe","at":[1,2],"to":[1,900],"over":200}"#, "3: swipe down from 1,2 to 1,900"),
            (r#"{"do":"text","text":"<b>\u0007"}"#, "3: type \"<b>\\u{7}\""),
            (r#"{"do":"key","key":"back"}"#, "3: press back"),
            (r#"{"do":"rotate","landscape":true}"#, "3: rotate to landscape"),
            (r#"{"do":"wait","time":1000}"#, "3: wait 1.0 s"),
            (r#"{"do":"done"}"#, "3: done"),
        ] {
            assert_eq!(read(input).unwrap(), wanted);
        }
        for wrong in [
            r#"{"do":"tap"}"#,
            r#"{"do":"tap","at":[1.5,2]}"#,
            r#"{"do":"tap","at":[9999999999,2]}"#,
            r#"{"do":"long_tap","at":[1,2],"hold":99999999}"#,
            r#"{"do":"swipe","at":[1,2],"to":[1,2],"over":-1}"#,
            r#"{"do":"key","key":"nonsense"}"#,
            r#"{"do":"reboot"}"#,
            r#"{"do":"tap","at":[1,2],"more":1}"#,
            "[]",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let long = format!(r#"{{"do":"text","text":"{}"}}"#, "x".repeat(LONGEST_TEXT + 1));
        assert!(read(&long).unwrap_err().contains("too long"));
    }
}
