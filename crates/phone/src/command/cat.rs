//! `cat`, and the text that programs like it read.

use super::options::flags;
use super::proc::read_file;
use crate::shell::{End, Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (_, mut paths) = flags(process.args());
    if paths.is_empty() {
        paths.push("-".into());
    }
    let mut status = 0;
    for path in &paths {
        if path == "-" {
            while let Some(data) = process.streams.input.read() {
                process.put(data)?;
            }
            continue;
        }
        let place = process.path(path);
        match process.phone().with(|state| read_file(state, &place)) {
            Ok(content) => process.put(&**content)?,
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("cat: {path}: {error}"))?;
            }
        }
    }
    Ok(status)
}

impl Process<'_> {
    /// The text of files, or of the input when there are none.
    pub(super) fn text_of(&self, paths: &[String]) -> Result<String, End> {
        let mut bytes = Vec::new();
        if paths.is_empty() {
            bytes = self.streams.input.read_all();
        }
        for path in paths {
            let place = self.path(path);
            match self.phone().with(|state| read_file(state, &place)) {
                Ok(content) => bytes.extend_from_slice(&content),
                Err(error) => self.streams.err.line(format!("{}: {path}: {error}", self.name()))?,
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
