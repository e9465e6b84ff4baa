//! Where a command reads and writes, once its redirections are done.

use std::sync::Arc;

use super::io::{CommandOutput, Input, Sink, Streams};
use super::run::{End, NAME, Shell};
use super::tree::{Redirect, To};
use crate::files::{FileError, join};
use crate::phone::Phone;
use crate::transport::Broken;

/// Appends to a file of the phone.
struct FileSink {
    phone: Phone,
    path: String,
    err: CommandOutput,
}

impl Sink for FileSink {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        let appended = self.phone.with(|state| {
            let now = state.now_secs();
            state.world.files.append(&self.path, data, now)
        });
        appended.map_err(|error| {
            let _ = self.err.line(format!("write: {error}"));
            Broken
        })
    }
}

impl Shell {
    /// The places of a command with its redirections; none when one of them failed, which was said.
    pub(super) fn redirected(
        &mut self,
        redirects: &[Redirect],
        streams: &Streams,
    ) -> Result<Option<Streams>, End> {
        let mut now = streams.clone();
        for Redirect { number, to } in redirects {
            let place = match to {
                To::Read(word) => {
                    let path = self.expand_text(word);
                    match self.open_input(&path) {
                        Ok(input) => now.input = input,
                        Err(error) => return refuse(streams, "open", &path, error),
                    }
                    continue;
                }
                To::Write(word) | To::Append(word) => {
                    let path = self.expand_text(word);
                    match self.open_output(&path, matches!(to, To::Append(_)), streams) {
                        Ok(output) => output,
                        Err(error) => return refuse(streams, "create", &path, error),
                    }
                }
                To::Same(1) => now.out.clone(),
                To::Same(2) => now.err.clone(),
                To::Same(_) if *number == 0 => continue,
                To::Same(_) => CommandOutput::nowhere(),
            };
            match number {
                1 => now.out = place,
                2 => now.err = place,
                0 => now.input = Input::nothing(),
                _ => {}
            }
        }
        Ok(Some(now))
    }

    fn open_input(&self, path: &str) -> Result<Input, FileError> {
        let path = join(&self.folder, path);
        if path == "/dev/null" {
            return Ok(Input::nothing());
        }
        let content = self.phone.with(|state| state.world.files.read(&path))?;
        Ok(Input::of(Arc::unwrap_or_clone(content)))
    }

    fn open_output(&self, path: &str, append: bool, streams: &Streams) -> Result<CommandOutput, FileError> {
        let path = join(&self.folder, path);
        match &*path {
            "/dev/null" => return Ok(CommandOutput::nowhere()),
            "/dev/tty" | "/proc/self/fd/1" | "/dev/stdout" => return Ok(streams.out.clone()),
            "/dev/stderr" => return Ok(streams.err.clone()),
            _ => {}
        }
        self.phone.with(|state| {
            let now = state.now_secs();
            let files = &mut state.world.files;
            if append && files.stat(&path).is_ok() {
                files.append(&path, &[], now)
            } else {
                files.write(&path, Vec::new(), 0o666 & !0o022, now)
            }
        })?;
        Ok(CommandOutput::new(FileSink { phone: self.phone.clone(), path, err: streams.err.clone() }))
    }
}

fn refuse(streams: &Streams, what: &str, path: &str, error: FileError) -> Result<Option<Streams>, End> {
    streams.err.line(format!("{NAME}: can't {what} {path}: {error}"))?;
    Ok(None)
}
