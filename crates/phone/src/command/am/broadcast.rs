//! `am broadcast`: something is told to everybody.

use super::intent::Intent;
use crate::command::options::Options;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &Process<'_>, args: Options) -> Outcome {
    // Broadcasts of the shell reach apps that were stopped.
    let intent = Intent { flags: 0x0040_0000, ..Intent::read(args) };
    process.say(format!("Broadcasting: {intent}"))?;
    let action = intent.action.unwrap_or_default();
    if !action.is_empty() {
        let sent = process.device(|state| state.broadcast(&action, intent.extras))?;
        if let Err(error) = sent {
            return process.exception("broadcast", &format!("java.lang.RuntimeException: {error}"));
        }
    }
    process.say("Broadcast completed: result=0")?;
    Ok(0)
}
