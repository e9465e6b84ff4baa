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
                         settings\n  statusbar\n  uimode\n  window\n")?;
            Ok(0)
        }
        "package" => pm::run_with(process, rest),
        "activity" => process.instead(&words("am")),
        "input" | "settings" | "content" => process.instead(&words(service)),
        "window" => process.instead(&words("wm")),
        "input_method" => process.instead(&words("ime")),
        "statusbar" => status_bar(process, rest),
        "connectivity" => connectivity(process, rest),
        "wifi" => match rest.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["set-wifi-enabled", on] => {
                let on = on == "enabled";
                network(process, move |world| world.wifi = on)
            }
            _ => Ok(0),
        },
        "uimode" => ui_mode(process, rest),
        "notification" | "appops" | "device_idle" | "jobscheduler" | "role" | "shortcut" | "power"
        | "phone" => Ok(0),
        other => {
            let other = other.to_owned();
            process.fail(20, format!("cmd: Can't find service: {other}"))
        }
    }
}

fn status_bar(process: &Process<'_>, args: &[String]) -> Outcome {
    match args.first().map(String::as_str) {
        Some("get-status-icons") => {
            process.say("wifi\nbattery\nclock")?;
            Ok(0)
        }
        // There is no shade to pull down; closing it is what happens anyway.
        Some("expand-notifications" | "expand-settings" | "collapse") => Ok(0),
        _ => Ok(255),
    }
}

fn connectivity(process: &Process<'_>, args: &[String]) -> Outcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["airplane-mode", "enable"] => network(process, |world| world.airplane = true),
        ["airplane-mode", "disable"] => network(process, |world| world.airplane = false),
        ["airplane-mode"] => {
            let on = process.phone().with(|state| state.world.airplane);
            process.say(if on { "enabled" } else { "disabled" })?;
            Ok(0)
        }
        _ => Ok(255),
    }
}

pub(super) fn network(process: &Process<'_>, change: impl FnOnce(&mut crate::phone::World)) -> Outcome {
    match process.device(|state| state.set_network(change))? {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, error.to_string()),
    }
}

fn ui_mode(process: &Process<'_>, args: &[String]) -> Outcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["night"] => {
            let mode = process.phone().with(|state| {
                state
                    .world
                    .tables
                    .get("secure", "ui_night_mode")
                    .map_or("no", |mode| if mode == "2" { "yes" } else { "no" })
            });
            process.say(format!("Night mode: {mode}"))?;
        }
        ["night", mode] => {
            let value = if mode == "yes" { "2" } else { "1" };
            process.phone().with(|state| state.world.tables.put("secure", "ui_night_mode", value));
            process.say(format!("Night mode: {mode}"))?;
        }
        ["car", _] => process.say("Car mode: no")?,
        _ => return Ok(255),
    }
    Ok(0)
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
