//! What a run of a trace must reach.

use std::path::Path;

use retap_trace::{Target, Trace};

use crate::error::{Result, refuse};

/// The target that was given, else the trace's own, else the crash it ended with.
pub fn target_of(trace: &Trace, given: Option<&Target>, file: &Path) -> Result<Target> {
    match given {
        Some(command @ Target::Command(_)) => {
            refuse!("--to {command}: a command judges candidates, which is for 'retap reduce'")
        }
        Some(target) => return Ok(target.clone()),
        None => {}
    }
    match &trace.header.target {
        // What a file says is not run as a command unless somebody types it.
        Some(target @ Target::Command(_)) => refuse!(
            "{} has the target {target}, which is for 'retap reduce' and has to be typed, with --to; to run the trace \
             on a device, say what a run must reach, such as --to crash",
            file.display()
        ),
        Some(target) => return Ok(target.clone()),
        None => {}
    }
    match trace.crash() {
        Some(crash) => Ok(Target::Crash(crash.signature.clone())),
        None => refuse!(
            "{} records no crash and names no target; say what a run must reach, such as --to activity:NAME",
            file.display()
        ),
    }
}
