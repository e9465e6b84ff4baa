//! `uiautomator dump`: the screen as XML.

use retap_device::DeviceError;

use crate::shell::{CommandOutcome, Process};
use crate::uiautomator::hierarchy;

const DEFAULT_FILE: &str = "/sdcard/window_dump.xml";

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    match process.args().first().map(String::as_str) {
        Some("dump") => dump(process),
        other => process.fail(1, format!("No such command: {}", other.unwrap_or_default())),
    }
}

fn dump(process: &Process<'_>) -> CommandOutcome {
    let file = process.args()[1..].iter().rfind(|arg| !arg.starts_with('-'));
    let file = file.cloned().unwrap_or_else(|| DEFAULT_FILE.to_owned());
    let xml =
        match process.device(|state| Ok(state.read_screen()?.map(|(tree, seen)| hierarchy(&tree, &seen))))? {
            Ok(Some(xml)) => xml,
            // What fails here ends well, and leaves an old file where it is: so do real phones.
            Ok(None) => return process.fail(0, "ERROR: could not get idle state."),
            Err(DeviceError::Failed { .. }) => {
                return process.fail(0, "ERROR: null root node returned by UiTestAutomationBridge.");
            }
            Err(error) => return process.fail(0, format!("ERROR: {error}")),
        };
    let path = process.path(&file);
    if path == "/dev/tty" || path == "/dev/stdout" || path == "/proc/self/fd/1" {
        process.put(xml)?;
    } else if let Err(error) = process.write_file(&path, xml.into_bytes()) {
        let reason = format!("java.io.FileNotFoundException: {path}: open failed: EACCES ({error})");
        return process.fail(0, reason);
    }
    process.done(format!("UI hierchary dumped to: {file}\n"))
}
