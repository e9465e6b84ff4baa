//! `wm`: the screen's size and density.

use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    match words[..] {
        ["size"] => process.done("Physical size: 1080x1920\n"),
        ["density"] => process.done("Physical density: 420\n"),
        // There is no lock to take off.
        ["dismiss-keyguard"] => Ok(0),
        _ => process.fail(255, "Window manager (window) commands: size, density, dismiss-keyguard"),
    }
}
