//! `am`: the activity manager.

mod broadcast;
mod intent;
mod start;

use super::options::Options;
use crate::shell::{CommandOutcome, Process};

pub(super) use intent::Intent;

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = Options::new(process.args());
    let command = args.next().unwrap_or_default();
    match &*command {
        "start" | "start-activity" => start::run(process, args),
        "force-stop" => force_stop(process, args),
        "broadcast" => broadcast::run(process, args),
        "startservice" => no_service(process, args, "Starting", "Error: Not found; no service started."),
        "stopservice" => no_service(process, args, "Stopping", "Service not stopped: was not running."),
        _ => {
            process.say(format!("Unknown command: {command}"))?;
            Ok(255)
        }
    }
}

fn force_stop(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let Some(package) = super::pm::package(&mut args) else {
        return process.exception(
            "force-stop",
            "java.lang.IllegalArgumentException: Argument expected after \"force-stop\"",
        );
    };
    process.phone().with(|state| {
        if package == state.package() {
            let note = format!("Force stopping {package} appid=10101 user=0: from pid 7000");
            state.note('I', "ActivityManager", &note);
            state.end_app(&format!("stop {package} due to from pid 7000"));
        }
    });
    Ok(0)
}

/// No app here has a service.
fn no_service(process: &Process<'_>, args: Options, what: &str, why: &str) -> CommandOutcome {
    process.say(format!("{what} service: {}", Intent::read(args)))?;
    process.fail(255, why)
}
