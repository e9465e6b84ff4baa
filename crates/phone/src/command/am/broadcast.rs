//! `am broadcast`: something is told to everybody.

use std::collections::BTreeMap;

use super::intent::Intent;
use crate::command::ime;
use crate::command::options::Options;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};
use crate::uiautomator::base64;

/// What the keyboard app types when it is the keyboard in use.
fn typed(state: &State, action: &str, extras: &BTreeMap<String, String>) -> Option<String> {
    if state.world.tables.get("secure", "default_input_method") != Some(ime::BROADCAST) {
        return None;
    }
    let text = extras.get("msg").filter(|_| action == "ADB_INPUT_B64")?;
    String::from_utf8(base64::decode(text)?).ok()
}

pub(super) fn run(process: &Process<'_>, args: Options) -> CommandOutcome {
    // Broadcasts of the shell reach apps that were stopped.
    let intent = Intent { flags: 0x0040_0000, ..Intent::read(args) };
    process.say(format!("Broadcasting: {intent}"))?;
    let action = intent.action.unwrap_or_default();
    if !action.is_empty() {
        let sent = process.device(|state| match typed(state, &action, &intent.extras) {
            Some(text) => state.type_text(&text),
            None => state.broadcast(&action, intent.extras),
        })?;
        if let Err(error) = sent {
            return process.exception("broadcast", &format!("java.lang.RuntimeException: {error}"));
        }
    }
    process.done("Broadcast completed: result=0\n")
}
