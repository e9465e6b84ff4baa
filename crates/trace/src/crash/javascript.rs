//! Errors of pages with their stacks.

use super::{Crash, CrashKind, Frame, NoCrash};

pub(super) fn parse(text: &str) -> Result<Crash, NoCrash> {
    let frames: Vec<Frame> = text.lines().filter_map(frame).collect();
    let head: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| frame(line).is_none())
        .filter(|line| !line.is_empty())
        .collect();
    let head = head.join("\n");
    let uncaught = ["Uncaught (in promise) ", "Uncaught ", "Unhandled Promise Rejection: "];
    let told = uncaught.iter().find_map(|front| head.strip_prefix(front));
    let (name, message) = error(told.unwrap_or(&head));
    if frames.is_empty() && told.is_none() && !name.is_some_and(names_error) {
        return Err(NoCrash::Nothing { what: "JavaScript error" });
    }
    Ok(Crash::new(CrashKind::JavaScript, name.unwrap_or("Error"), message, None, frames, ""))
}

/// `TypeError: x is undefined`; what is thrown may be anything, and then it is all message.
fn error(head: &str) -> (Option<&str>, &str) {
    let (name, message) = head.split_once(':').unwrap_or((head, ""));
    let is_name = !name.is_empty()
        && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '$' | '.'));
    if is_name && (head.contains(':') || names_error(name)) {
        (Some(name), message.trim())
    } else {
        (None, head)
    }
}

fn names_error(name: &str) -> bool {
    name.ends_with("Error") || name.ends_with("Exception")
}

/// A line of a stack: `at fn (http://host/app.js:10:5)`, or `fn@http://host/app.js:10:5`.
fn frame(line: &str) -> Option<Frame> {
    let line = line.trim();
    let frame = match line.strip_prefix("at ") {
        Some(frame) => frame.trim_start(),
        None => line.split_once('@').filter(|(_, place)| is_place(place)).map(|_| line)?,
    };
    let place = frame.strip_suffix(')').unwrap_or(frame);
    (is_place(place) || place.ends_with("<anonymous>") || place.ends_with("native"))
        .then(|| Frame(frame.to_owned()))
}

/// Whether it ends in `:LINE` or `:LINE:COLUMN`, or is code of the browser itself.
fn is_place(place: &str) -> bool {
    let number = place.rsplit(':').next().unwrap_or_default();
    let numbered =
        place.contains(':') && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    numbered || place.ends_with("[native code]")
}
