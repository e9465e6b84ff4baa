//! `cmd`: services by name; and `toybox`: programs by name.

use super::pm;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let args = process.args().to_vec();
    let Some((service, rest)) = args.split_first() else {
        return process.fail(20, "cmd: No service specified;");
    };
    let words = |name: &str| [&[name.to_owned()], rest].concat();
    match &**service {
        "package" => pm::run_with(process, rest),
        "activity" => process.instead(&words("am")),
        "input" | "settings" => process.instead(&words(service)),
        "window" => process.instead(&words("wm")),
        "input_method" => process.instead(&words("ime")),
        "statusbar" => status_bar(rest),
        "connectivity" => connectivity(process, rest),
        other => {
            let other = other.to_owned();
            process.fail(20, format!("cmd: Can't find service: {other}"))
        }
    }
}

fn status_bar(args: &[String]) -> CommandOutcome {
    match args.first().map(String::as_str) {
        // There is no shade to pull down; closing it is what happens anyway.
        Some("expand-notifications" | "expand-settings" | "collapse") => Ok(0),
        _ => Ok(255),
    }
}

fn connectivity(process: &Process<'_>, args: &[String]) -> CommandOutcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["airplane-mode", "enable"] => network(process, |world| world.airplane = true),
        ["airplane-mode", "disable"] => network(process, |world| world.airplane = false),
        _ => Ok(255),
    }
}

pub(super) fn network(
    process: &Process<'_>,
    change: impl FnOnce(&mut crate::phone::World),
) -> CommandOutcome {
    process.does(|state| state.set_network(change))
}

pub(super) fn toybox(process: &mut Process<'_>) -> CommandOutcome {
    let words = process.args().to_vec();
    match words.first() {
        Some(name) if super::find(name).is_none() => {
            process.fail(127, format!("toybox: Unknown command {name}"))
        }
        _ => process.instead(&words),
    }
}
