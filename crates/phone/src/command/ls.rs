//! `ls`: names in folders.

use super::options::flags;
use crate::files::FileError;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, mut paths) = flags(process.args());
    if paths.is_empty() {
        paths.push(".".into());
    }
    if let Some(unknown) = letters.chars().next() {
        return process.fail(1, format!("ls: Unknown option '{unknown}'"));
    }
    process.each(&paths, |path, place| {
        let names = process.phone().with(|state| match state.world.files.list(place) {
            Ok(entries) => Ok(entries.iter().map(|(name, _)| format!("{name}\n")).collect()),
            Err(FileError::NotFolder) => Ok(format!("{path}\n")),
            Err(error) => Err(error),
        });
        names.map(String::into_bytes)
    })
}
