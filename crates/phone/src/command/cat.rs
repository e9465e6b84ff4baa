//! `cat`, and what it shares with other programs that take files one by one.

use super::options::flags;
use crate::files::FileError;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (_, paths) = flags(process.args());
    if paths.is_empty() {
        while let Some(data) = process.streams.input.read() {
            process.put(data)?;
        }
    }
    process.each(&paths, |_, place| process.read_file(place))
}

impl Process<'_> {
    /// Prints what comes of each path, or why it fails. One that fails makes the status 1.
    pub(super) fn each(
        &self,
        paths: &[String],
        mut take: impl FnMut(&str, &str) -> Result<Vec<u8>, FileError>,
    ) -> CommandOutcome {
        let mut status = 0;
        for path in paths {
            match take(path, &self.path(path)) {
                Ok(said) => self.put(said)?,
                Err(error) => {
                    status = 1;
                    self.streams.err.line(format!("{}: {path}: {error}", self.name()))?;
                }
            }
        }
        Ok(status)
    }

    pub(super) fn read_file(&self, place: &str) -> Result<Vec<u8>, FileError> {
        self.phone().with(|state| state.world.files.read(place)).map(|content| content.to_vec())
    }

    pub(super) fn write_file(&self, path: &str, content: Vec<u8>) -> Result<(), FileError> {
        let place = self.path(path);
        self.phone().with(|state| {
            let now = state.now_secs();
            state.world.files.write(&place, content, 0o660, now)
        })
    }
}
