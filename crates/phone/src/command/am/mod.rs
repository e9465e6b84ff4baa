//! `am`: the activity manager.

mod broadcast;
mod intent;
mod start;

use super::options::Options;
use crate::shell::{Outcome, Process};

pub(super) use intent::Intent;

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let Some(command) = args.next() else { return usage(process) };
    match &*command {
        "start" | "start-activity" => start::run(process, args),
        "force-stop" => force_stop(process, args),
        "broadcast" => broadcast::run(process, args),
        "startservice" | "start-service" | "start-foreground-service" => start_service(process, args),
        "stopservice" | "stop-service" => stop_service(process, args),
        "help" => usage(process),
        _ => {
            process.say(format!("Unknown command: {command}"))?;
            Ok(255)
        }
    }
}

fn usage(process: &Process<'_>) -> Outcome {
    process.put(
        "Activity manager (activity) commands:\n  help\n      Print this help text.\n  \
         start-activity [-D] [-N] [-W] [-P <FILE>] [--start-profiler <FILE>] <INTENT>\n  \
         broadcast [--user <USER_ID> | all | current] <INTENT>\n  \
         force-stop [--user <USER_ID> | all | current] <PACKAGE>\n",
    )?;
    Ok(255)
}

/// The first argument that is not an option; `--user` takes a value.
fn package(mut args: Options) -> Option<String> {
    while let Some(option) = args.option() {
        if option == "--user" {
            args.next();
        }
    }
    args.next()
}

fn force_stop(process: &Process<'_>, args: Options) -> Outcome {
    let Some(package) = package(args) else {
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

fn start_service(process: &Process<'_>, args: Options) -> Outcome {
    let intent = Intent::read(args);
    process.say(format!("Starting service: {intent}"))?;
    process.fail(255, "Error: Not found; no service started.")
}

fn stop_service(process: &Process<'_>, args: Options) -> Outcome {
    let intent = Intent::read(args);
    process.say(format!("Stopping service: {intent}"))?;
    process.fail(255, "Service not stopped: was not running.")
}
