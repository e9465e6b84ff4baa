//! `input`: what a user does.

use retap_device::DeviceError;
use retap_trace::{Event, Micros, Point};

use super::keycode::key_of;
use super::options::Options;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

const SOURCES: [&str; 2] = ["keyboard", "touchscreen"];

/// Longer text than this is not typed.
const LONGEST_TEXT: usize = 10_000;

#[derive(Debug, Clone, PartialEq)]
enum Act {
    Tap(Point),
    Swipe(Point, Point, Micros),
    Keys(Vec<Event>),
    Text(String),
}

/// Why the arguments are wrong.
enum Wrong {
    Command,
    Missing,
    Number,
}

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = Options::new(process.args());
    let mut command = args.next();
    if command.as_ref().is_some_and(|name| SOURCES.contains(&&**name)) {
        command = args.next();
    }
    if command.as_deref() == Some("-d") {
        args.next();
        command = args.next();
    }
    let Some(command) = command else { return usage(process) };
    match read(&command, &mut args) {
        // No key of the virtual keyboard has these letters.
        Ok(Act::Text(text)) if !text.is_ascii() => {
            let why = "java.lang.NullPointerException: Attempt to get length of null array";
            process.exception(&command, why)
        }
        Ok(act) => process.does(|state| perform(state, &act)),
        Err(wrong) => complain(process, &command, &wrong),
    }
}

fn read(command: &str, args: &mut Options) -> Result<Act, Wrong> {
    Ok(match command {
        "tap" => Act::Tap(point(args)?),
        "swipe" => {
            let (from, to) = (point(args)?, point(args)?);
            let millis = match args.next() {
                Some(text) => text.parse::<i64>().map_err(|_| Wrong::Number)?,
                None => 300,
            };
            Act::Swipe(from, to, Micros::from_millis(u64::try_from(millis).unwrap_or(300)))
        }
        "keyevent" => {
            // How long a simulated key is held makes no difference.
            let names = std::iter::from_fn(|| args.next()).filter(|name| !name.starts_with('-'));
            let keys: Vec<Event> = names.map(|name| Event::key(key_of(&name))).collect();
            if keys.is_empty() {
                return Err(Wrong::Missing);
            }
            Act::Keys(keys)
        }
        "text" => {
            let text = args.next().ok_or(Wrong::Missing)?;
            Act::Text(text.replace("%s", " ").chars().take(LONGEST_TEXT).collect())
        }
        _ => return Err(Wrong::Command),
    })
}

fn point(args: &mut Options) -> Result<Point, Wrong> {
    let x = coordinate(args)?;
    Ok(Point::new(x, coordinate(args)?))
}

#[expect(clippy::cast_possible_truncation, reason = "as far as pixels go, which is all that counts")]
fn coordinate(args: &mut Options) -> Result<i32, Wrong> {
    let text = args.next().ok_or(Wrong::Missing)?;
    let number: f64 = text.parse().map_err(|_| Wrong::Number)?;
    Ok(number as i32)
}

fn perform(state: &mut State, act: &Act) -> Result<(), DeviceError> {
    match act {
        Act::Tap(at) => state.tap(*at),
        Act::Swipe(from, to, over) => state.swipe(*from, *to, *over),
        Act::Keys(keys) => {
            // One call, however many keys it presses.
            let mut keys = keys.iter();
            if let Some(first) = keys.next() {
                state.perform(first)?;
            }
            keys.for_each(|key| state.add(key));
            Ok(())
        }
        Act::Text(text) => state.type_text(text),
    }
}

fn complain(process: &Process<'_>, command: &str, wrong: &Wrong) -> CommandOutcome {
    let invalid = format!("Error: Invalid arguments for command: {command}");
    let why = match wrong {
        Wrong::Command => {
            process.say(format!("Unknown command: {command}"))?;
            return Ok(255);
        }
        _ if process.phone().settings().android.api() < 29 => return process.fail(255, invalid),
        Wrong::Missing => format!("Argument expected after \"{command}\""),
        Wrong::Number => invalid,
    };
    process.exception(command, &format!("java.lang.IllegalArgumentException: {why}"))
}

fn usage(process: &Process<'_>) -> CommandOutcome {
    process.put(
        "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe commands and default sources are:\n\
         \x20     text <string> (Default: touchscreen)\n\
         \x20     keyevent <key code number or name> ... (Default: keyboard)\n\
         \x20     tap <x> <y> (Default: touchscreen)\n\
         \x20     swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n",
    )?;
    Ok(255)
}
