//! What a run of a trace must reach.

use std::path::Path;

use anyhow::bail;
use retap_trace::{Target, Trace};

/// The target that was typed, else the trace's own, else the crash it ended with.
pub(super) fn of(trace: &Trace, typed: Option<&str>, file: &Path) -> anyhow::Result<Target> {
    if let Some(text) = typed {
        let target = text.parse().map_err(anyhow::Error::msg)?;
        if let Target::Command(_) = target {
            bail!("--to {text}: a command judges candidates, which is for 'retap reduce'");
        }
        return Ok(target);
    }
    match &trace.header.target {
        // What a file says is not run as a command unless somebody types it.
        Some(target @ Target::Command(_)) => bail!(
            "{} has the target {target}, which is for 'retap reduce' and has to be typed, with --to; to run the trace \
             on a device, say what a run must reach, such as --to crash",
            file.display()
        ),
        Some(target) => return Ok(target.clone()),
        None => {}
    }
    match trace.steps.iter().rev().find_map(|step| step.crash.as_ref()) {
        Some(crash) => Ok(Target::Crash(crash.signature.clone())),
        None => bail!(
            "{} records no crash and names no target; say what a run must reach, such as --to activity:NAME",
            file.display()
        ),
    }
}
