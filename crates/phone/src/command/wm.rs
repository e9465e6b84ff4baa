//! `wm`: the screen's size and density.

use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    match words[..] {
        ["size"] => process.say("Physical size: 1080x1920")?,
        ["density"] => process.say("Physical density: 420")?,
        // There is no lock to take off.
        ["dismiss-keyguard"] => {}
        _ => {
            process.put(
                "Window manager (window) commands:\n  help\n      Print this help text.\n  size\n  density\n",
            )?;
            return Ok(255);
        }
    }
    Ok(0)
}
