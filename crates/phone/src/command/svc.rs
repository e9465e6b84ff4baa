//! `svc`: what can be switched on and off.

use super::cmd::network;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    match words[..] {
        ["wifi", "enable"] => network(process, |world| world.wifi = true),
        ["wifi", "disable"] => network(process, |world| world.wifi = false),
        ["data", "enable"] => network(process, |world| world.data = true),
        ["data", "disable"] => network(process, |world| world.data = false),
        _ => process.fail(1, "svc: wifi or data, enable or disable"),
    }
}
