//! `dumpsys`: what services know.

mod activity;
mod battery;
mod display;
mod input_method;
mod meminfo;
mod package;
mod window;

use super::options::Options;
use crate::phone::{State, short_component};
use crate::shell::{Outcome, Process};

/// The services there are.
const SERVICES: [&str; 18] = [
    "SurfaceFlinger",
    "activity",
    "battery",
    "connectivity",
    "cpuinfo",
    "display",
    "gfxinfo",
    "input",
    "input_method",
    "meminfo",
    "notification",
    "package",
    "power",
    "telephony.registry",
    "usagestats",
    "wifi",
    "window",
    "window_policy",
];

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let mut service = args.next();
    while let Some(option) = service.as_ref().filter(|option| option.starts_with('-')) {
        match &**option {
            "-l" => return list(process),
            "-t" | "-T" | "--priority" => {
                args.next();
            }
            _ => {}
        }
        service = args.next();
    }
    match service.as_deref() {
        Some("activity") => activity::run(process, args),
        Some("window") => window::run(process, args),
        Some("package") => package::run(process, args.next().as_deref()),
        Some("battery") => battery::run(process, args),
        Some("input_method") => input_method::run(process),
        Some("display") => display::display(process),
        Some("power") => display::power(process),
        Some("SurfaceFlinger") => display::surfaces(process, args),
        Some("meminfo") => meminfo::run(process, args),
        Some(known) if SERVICES.contains(&known) => Ok(0),
        Some(other) => {
            let other = other.to_owned();
            process.fail(0, format!("Can't find service: {other}"))
        }
        None => list(process),
    }
}

fn list(process: &Process<'_>) -> Outcome {
    let names: String = SERVICES.iter().map(|name| format!("  {name}\n")).collect();
    process.put(format!("Currently running services:\n{names}"))?;
    Ok(0)
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
    fn see(state: &mut State) -> Result<Self, retap_device::DeviceError> {
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
