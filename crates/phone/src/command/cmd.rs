//! `cmd`: services by name; and `toybox`: programs by name.

use super::pm;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let args = process.args().to_vec();
    let Some((service, rest)) = args.split_first() else {
        return process.fail(20, "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service.");
    };
    let words = |name: &str| [&[name.to_owned()], rest].concat();
    match &**service {
        "-l" => {
            process.put("Currently running services:\n  activity\n  connectivity\n  input\n  input_method\n  package\n  \
                         settings\n  statusbar\n  window\n")?;
            Ok(0)
        }
        "package" => pm::run_with(process, rest),
        "activity" => process.instead(&words("am")),
        "input" | "settings" | "content" => process.instead(&words(service)),
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

fn status_bar(args: &[String]) -> Outcome {
    match args.first().map(String::as_str) {
        // There is no shade to pull down; closing it is what happens anyway.
        Some("expand-notifications" | "expand-settings" | "collapse") => Ok(0),
        _ => Ok(255),
    }
}

fn connectivity(process: &Process<'_>, args: &[String]) -> Outcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["airplane-mode", "enable"] => network(process, |world| world.airplane = true),
        ["airplane-mode", "disable"] => network(process, |world| world.airplane = false),
        _ => Ok(255),
    }
}

pub(super) fn network(process: &Process<'_>, change: impl FnOnce(&mut crate::phone::World)) -> Outcome {
    match process.device(|state| state.set_network(change))? {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, error.to_string()),
    }
}

pub(super) fn toybox(process: &mut Process<'_>) -> Outcome {
    let words = process.args().to_vec();
    match words.first() {
        Some(name) if super::find(name).is_none() => {
            process.fail(127, format!("toybox: Unknown command {name}"))
        }
        _ => process.instead(&words),
    }
}
