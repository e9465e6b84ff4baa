//! `monkey`: what clients use to launch an app by its package. Pokes at random are not among what it can do here:
//! `retap explore` does them better.

use retap_device::DeviceError;
use retap_trace::Event;

use super::options::Options;
use crate::shell::{CommandOutcome, Process};

const NOTHING: &str = "** No activities found to run, monkey aborted.";

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (mut package, mut count) = (String::new(), String::new());
    let mut args = Options::new(process.args());
    while let Some(arg) = args.next() {
        match &*arg {
            "-p" => package = args.next().unwrap_or_default(),
            "-c" => drop(args.next()),
            _ => count = arg,
        }
    }
    if count != "1" {
        return process.fail(1, "** Error: this monkey only launches apps: -p PACKAGE 1");
    }
    let known = process
        .phone()
        .with(|state| package == state.package() && state.world.packages.get(&package).is_some());
    if !known {
        process.say(NOTHING)?;
        return Ok(252);
    }
    match process.device(|state| state.perform(&Event::Launch))? {
        Err(DeviceError::AppGone { .. }) => {
            process.phone().with(|state| state.world.packages.remove(&package));
            process.say(NOTHING)?;
            Ok(252)
        }
        _ => process.done("Events injected: 1\n"),
    }
}
