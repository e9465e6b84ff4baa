//! A crash with its stack.

use retap_trace::Crash;

use crate::page::{TextLine, TextPage, Tone};

/// The most frames of a stack that are shown.
const FRAMES: usize = 40;

/// A crash, what it said, and where it came from, so many columns from the left.
pub(crate) fn stack(page: &mut TextPage, crash: &Crash, indent: usize) {
    let space = " ".repeat(indent);
    if !crash.message.is_empty() {
        page.say(format!("{space}message: {}", crash.message));
    }
    for frame in crash.frames.iter().take(FRAMES) {
        let line = TextLine::new().toned(Tone::Faint, format!("{space}at {frame}"));
        page.add(line.hanging(indent + 2));
    }
    if let Some(more) = crash.frames.len().checked_sub(FRAMES).filter(|more| *more > 0) {
        page.add(TextLine::new().toned(Tone::Faint, format!("{space}... and {more} more")));
    }
}

/// The line that names a crash.
pub(crate) fn named(crash: &Crash, indent: usize) -> TextLine {
    let line = TextLine::new().text(" ".repeat(indent)).toned(Tone::Bad, "crash:");
    line.text(format!(" {crash}")).hanging(indent + 7)
}
