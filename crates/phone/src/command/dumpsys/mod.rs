//! `dumpsys`: what services know.

mod activity;
mod battery;
mod display;
mod input_method;
mod package;
mod window;

use retap_device::DeviceError;

use super::options::Options;
use crate::phone::{State, short_component};
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = Options::new(process.args());
    match &*args.word() {
        "activity" => activity::run(process, args),
        "window" => window::run(process, args),
        "package" => package::run(process, args.next().as_deref()),
        "battery" => battery::run(process, args),
        "input_method" => input_method::run(process),
        "display" => display::display(process),
        "power" => display::power(process),
        "SurfaceFlinger" => display::surfaces(process, args),
        // No frames are counted.
        "gfxinfo" => Ok(0),
        other => process.fail(0, format!("Can't find service: {other}")),
    }
}

/// Prints a dump, or why there is none.
fn shown(process: &Process<'_>, service: &str, text: Result<String, DeviceError>) -> CommandOutcome {
    match text {
        Ok(text) => process.done(text),
        Err(error) => process.fail(0, format!("Error dumping service info: ({error}) {service}")),
    }
}

/// What is in front, with all that dumps need of it.
struct Front {
    package: String,
    activity: String,
    /// `com.example/.Main`
    short: String,
    process: u32,
    task: u32,
}

impl Front {
    /// Looks at the phone. A look can fail, and then the dump is empty.
    fn see(state: &mut State) -> Result<Self, DeviceError> {
        let seen = state.glance()?;
        let app = *seen.package == *state.package();
        let process = if app { state.machine().process().unwrap_or(0) } else { 1200 };
        Ok(Self {
            short: short_component(&seen.package, &seen.activity),
            package: seen.package.to_string(),
            activity: seen.activity.to_string(),
            process,
            task: if app { 12 } else { 2 },
        })
    }
}

/// A number such as Java prints for an object: it follows from what the object is.
fn mark(of: &str) -> String {
    let sum = md5::compute(of);
    format!("{:x}", u32::from_be_bytes([sum[0], sum[1], sum[2], sum[3]]) >> 4)
}
