//! `screencap -p`: the screen as a PNG file. Plain pixels, which it gives without `-p`, are not to be had here.

use super::options::flags;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, paths) = flags(process.args());
    if letters != "p" {
        return process.fail(1, "usage: screencap -p [FILENAME]");
    }
    let picture = match process.device(State::picture)? {
        Ok(picture) => picture,
        Err(error) => return process.fail(1, format!("Failed to take screenshot. Status: -1 ({error})")),
    };
    let Some(path) = paths.first() else { return process.done(picture) };
    match process.write_file(path, picture) {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, format!("Error opening file: {path} ({error})")),
    }
}
