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
        "kill" | "stop-app" => kill(process, args),
        "kill-all" => Ok(0),
        "broadcast" => broadcast::run(process, args),
        "startservice" | "start-service" | "start-foreground-service" => start_service(process, args),
        "stopservice" | "stop-service" => stop_service(process, args),
        "instrument" => instrument(process, args),
        "get-current-user" => say(process, "0"),
        "get-config" => get_config(process),
        "idle-maintenance" | "wait-for-broadcast-idle" => say(process, "All broadcast queues are idle!"),
        "stack" | "task" => tasks(process),
        "help" => usage(process),
        _ => {
            process.say(format!("Unknown command: {command}"))?;
            Ok(255)
        }
    }
}

fn say(process: &Process<'_>, words: &str) -> Outcome {
    process.say(words)?;
    Ok(0)
}

fn usage(process: &Process<'_>) -> Outcome {
    process.put(
        "Activity manager (activity) commands:\n  help\n      Print this help text.\n  \
         start-activity [-D] [-N] [-W] [-P <FILE>] [--start-profiler <FILE>] <INTENT>\n  \
         broadcast [--user <USER_ID> | all | current] <INTENT>\n  \
         force-stop [--user <USER_ID> | all | current] <PACKAGE>\n  \
         kill [--user <USER_ID> | all | current] <PACKAGE>\n  instrument [-r] [-w] <COMPONENT>\n",
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

/// Ends a process that is not in use: that of an app in front is.
fn kill(process: &Process<'_>, args: Options) -> Outcome {
    let package = package(args).unwrap_or_default();
    process.phone().with(|state| {
        if package == state.package() && **state.machine().package() != *package {
            state.end_app("kill background");
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

/// There are no tests on the phone.
fn instrument(process: &Process<'_>, args: Options) -> Outcome {
    let component = args.rest().pop().unwrap_or_default();
    process.put(format!(
        "android.util.AndroidException: INSTRUMENTATION_FAILED: {component}\n\
         \tat com.android.commands.am.Instrument.run(Instrument.java:543)\n\
         \tat com.android.commands.am.Am.runInstrument(Am.java:202)\n\
         INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{component}}}\n\
         INSTRUMENTATION_STATUS: id=ActivityManagerService\n\
         INSTRUMENTATION_STATUS_CODE: -1\n"
    ))?;
    Ok(1)
}

fn get_config(process: &Process<'_>) -> Outcome {
    let (api, land) = process.phone().with(|state| {
        let size = state.screen();
        (state.settings.android.api(), size.width > size.height)
    });
    let turned = if land { "land" } else { "port" };
    process.say(format!(
        "config: mcc310-mnc260-en-rUS-ldltr-sw411dp-w411dp-h683dp-normal-notlong-notround-lowdr-nowidecg-{turned}-\
         notnight-420dpi-finger-keysexposed-nokeys-navhidden-nonav-v{api}"
    ))?;
    process.say("abi: x86_64,arm64-v8a")?;
    Ok(0)
}

fn tasks(process: &Process<'_>) -> Outcome {
    let text = process.phone().with(|state| {
        let size = state.screen();
        let (package, activity) = (state.machine().package().clone(), state.machine().activity().clone());
        format!(
            "RootTask id=1 bounds=[0,0][{},{}] displayId=0 userId=0\n  taskId=12: {package}/{activity} \
             bounds=[0,0][{},{}] userId=0 visible=true topActivity=ComponentInfo{{{package}/{activity}}}\n",
            size.width, size.height, size.width, size.height
        )
    });
    process.put(text)?;
    Ok(0)
}
