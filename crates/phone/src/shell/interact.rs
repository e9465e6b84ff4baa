//! A shell that reads its commands line by line, as long as it has any.

use super::io::Streams;
use super::run::{End, Shell};

impl Shell {
    /// Runs the lines that come in. Returns the last status.
    pub(crate) fn interact(&mut self, streams: &Streams) -> u8 {
        let mut text = String::new();
        loop {
            let Some(line) = streams.input.read_line() else {
                // What was begun and cannot be finished is run, so that somebody hears of it.
                if !text.is_empty() {
                    let _ = self.run(&text, streams);
                }
                return self.status;
            };
            text.push_str(&String::from_utf8_lossy(&line));
            text.push('\n');
            if Self::is_incomplete(&text) {
                continue;
            }
            match self.run(&std::mem::take(&mut text), streams) {
                Ok(status) => self.status = status,
                Err(End::Exit(status)) => return status,
                Err(End::Broken) if self.cancel.is_set() => return self.status,
                Err(_) => self.status = 1,
            }
        }
    }
}
