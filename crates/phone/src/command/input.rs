//! `input`: what a user does.

use retap_device::DeviceError;
use retap_trace::{Event, Micros, Point};

use super::keycode::key_of;
use super::options::Options;
use crate::phone::State;
use crate::shell::{Outcome, Process};

const SOURCES: [&str; 10] = [
    "dpad",
    "gamepad",
    "joystick",
    "keyboard",
    "mouse",
    "stylus",
    "touchnavigation",
    "touchpad",
    "touchscreen",
    "trackball",
];

/// Longer text than this is not typed.
const LONGEST_TEXT: usize = 10_000;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
enum Act {
    Tap(Point),
    Swipe(Point, Point, Micros),
    Keys(Vec<Event>),
    Text(String),
    Down(Point),
    Move,
    Up(Point),
    Cancel,
    Nothing,
}

/// Why the arguments are wrong.
enum Wrong {
    Missing(String),
    Number,
}

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
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
        Ok(Some(Act::Text(text))) if !text.is_ascii() => {
            let why = "java.lang.NullPointerException: Attempt to get length of null array";
            process.exception(&command, why)
        }
        Ok(Some(act)) => match process.device(|state| perform(state, &act))? {
            Ok(()) => Ok(0),
            Err(error) => process.fail(1, format!("Error: {error}")),
        },
        Ok(None) => {
            process.say(format!("Unknown command: {command}"))?;
            Ok(255)
        }
        Err(wrong) => complain(process, &command, &wrong),
    }
}

fn read(command: &str, args: &mut Options) -> Result<Option<Act>, Wrong> {
    Ok(Some(match command {
        "tap" => Act::Tap(point(args, command)?),
        "swipe" | "draganddrop" => {
            let (from, to) = (point(args, command)?, point(args, command)?);
            let millis = match args.next() {
                Some(text) => text.parse::<i64>().map_err(|_| Wrong::Number)?,
                None => 300,
            };
            Act::Swipe(from, to, Micros::from_millis(u64::try_from(millis).unwrap_or(300)))
        }
        "keyevent" | "keycombination" => keys(args, command)?,
        "text" => {
            let text = args.next().ok_or_else(|| Wrong::Missing(command.to_owned()))?;
            Act::Text(text.replace("%s", " ").chars().take(LONGEST_TEXT).collect())
        }
        "motionevent" => {
            let what = args.next().ok_or_else(|| Wrong::Missing(command.to_owned()))?.to_uppercase();
            let at = point(args, command);
            match &*what {
                "DOWN" => Act::Down(at?),
                "MOVE" => Act::Move,
                "UP" => Act::Up(at?),
                "CANCEL" => Act::Cancel,
                _ => return Err(Wrong::Number),
            }
        }
        "press" | "roll" => Act::Nothing,
        _ => return Ok(None),
    }))
}

fn keys(args: &mut Options, command: &str) -> Result<Act, Wrong> {
    let mut codes = Vec::new();
    while let Some(arg) = args.next() {
        match &*arg {
            // A simulated key has no length.
            "--longpress" | "--doubletap" | "--async" => {}
            "--delay" | "-t" | "--duration" => {
                args.next();
            }
            name => codes.push(Event::key(key_of(name))),
        }
    }
    if codes.is_empty() { Err(Wrong::Missing(command.to_owned())) } else { Ok(Act::Keys(codes)) }
}

fn point(args: &mut Options, command: &str) -> Result<Point, Wrong> {
    let x = coordinate(args, command)?;
    Ok(Point::new(x, coordinate(args, command)?))
}

#[expect(clippy::cast_possible_truncation, reason = "as far as pixels go, which is all that counts")]
fn coordinate(args: &mut Options, command: &str) -> Result<i32, Wrong> {
    let text = args.next().ok_or_else(|| Wrong::Missing(command.to_owned()))?;
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
        Act::Down(at) => {
            state.finger_down(*at);
            Ok(())
        }
        Act::Up(at) => state.finger_up(*at),
        Act::Cancel => {
            state.finger_gone();
            Ok(())
        }
        Act::Move | Act::Nothing => Ok(()),
    }
}

fn complain(process: &Process<'_>, command: &str, wrong: &Wrong) -> Outcome {
    let modern = process.phone().settings().android.api() >= 29;
    if !modern {
        return process.fail(255, format!("Error: Invalid arguments for command: {command}"));
    }
    let why = match wrong {
        Wrong::Missing(last) => format!("Argument expected after \"{last}\""),
        Wrong::Number => format!("Error: Invalid arguments for command: {command}"),
    };
    process.exception(command, &format!("java.lang.IllegalArgumentException: {why}"))
}

fn usage(process: &Process<'_>) -> Outcome {
    let mut text =
        "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe sources are: \n".to_owned();
    for source in SOURCES {
        text.push_str(&format!("      {source}\n"));
    }
    text.push_str(
        "\n-d: specify the display ID.\n      (Default: -1 for key event, 0 for motion event if not specified.)\n\
         The commands and default sources are:\n\
         \x20     text <string> (Default: touchscreen)\n\
         \x20     keyevent [--longpress|--doubletap|--async|--delay <duration between keycodes in ms>] <key code \
         number or name> ... (Default: keyboard)\n\
         \x20     tap <x> <y> (Default: touchscreen)\n\
         \x20     swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n\
         \x20     draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n\
         \x20     press (Default: trackball)\n\
         \x20     roll <dx> <dy> (Default: trackball)\n\
         \x20     motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)\n",
    );
    process.put(text)?;
    Ok(255)
}
