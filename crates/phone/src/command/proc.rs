//! Files that the system makes up when they are read.

use std::sync::Arc;

use crate::files::{FileError, Files};
use crate::phone::State;

/// Reads a file, be it kept or made up.
pub(crate) fn read_file(state: &State, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
    let files: &Files = &state.world.files;
    if path.starts_with("/proc/") || path.starts_with("/sys/") {
        return made_up(state, path).map(|text| Arc::new(text.into_bytes())).ok_or(FileError::NotFound);
    }
    files.read(path)
}

fn made_up(state: &State, path: &str) -> Option<String> {
    if path == "/proc/stat" {
        // Ticks of a hundredth of a second.
        let ticks = state.uptime().as_millis() / 10;
        let (user, system) = (ticks / 20, ticks / 40);
        let idle = ticks - user - system;
        return Some(format!(
            "cpu  {user} 0 {system} {idle} 0 0 0 0 0 0\ncpu0 {user} 0 {system} {idle} 0 0 0 0 0 0\n"
        ));
    }
    let number: u32 = path.strip_prefix("/proc/")?.split('/').next()?.parse().ok()?;
    let name = super::ps::app_of(state, number)?;
    match path.rsplit('/').next()? {
        "cmdline" => Some(format!("{name}\0")),
        "stat" => Some(format!("{number} ({name}) S 310 310 0 0 -1 0 0 0 0 0 12 6 0 0 20 0 18 0 900 0 0\n")),
        "status" => Some(format!("Name:\t{name}\nState:\tS (sleeping)\nPid:\t{number}\nPPid:\t310\n")),
        _ => None,
    }
}
