//! Lines of bounded length.

use std::io::{self, BufRead, Read};

use crate::json::JsonError;

use super::{MAX_LINE, TraceProblem};

/// Reads lines one by one into one buffer, never more than [`MAX_LINE`] bytes and the end of the line.
#[derive(Debug)]
pub(super) struct Lines<R> {
    from: R,
    buffer: Vec<u8>,
    /// The number of the line read last, from 1.
    pub(super) number: u64,
}

/// One line.
#[derive(Debug)]
pub(super) struct Line<'l> {
    pub(super) text: &'l str,
    /// Whether its end was there. Without it, the line may have been cut off.
    pub(super) whole: bool,
}

/// What is wrong in a line, and in which column.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) column: u64,
    pub(super) problem: TraceProblem,
    /// Whether the file ends too early, and nothing else is wrong.
    pub(super) cut: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, buffer: Vec::new(), number: 0 }
    }

    /// The next line that is not blank, without its end; none at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, Fault> {
        loop {
            self.number += 1;
            if !self.fill().map_err(|error| Fault::new(1, TraceProblem::Io(error)))? {
                return Ok(None);
            }
            if self.buffer.len() > MAX_LINE || !self.buffer.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        let whole = self.buffer.last() == Some(&b'\n');
        let end = self.buffer.len() - usize::from(whole);
        if end > MAX_LINE {
            return Err(Fault::new(MAX_LINE as u64 + 1, TraceProblem::TooLong));
        }
        let bytes = &self.buffer[..end];
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        // Some editors begin files with a byte order mark.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| self.number == 1).unwrap_or(bytes);
        match str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Line { text, whole })),
            Err(error) => {
                let byte = error.valid_up_to() as u64 + 1;
                let cut = !whole && error.error_len().is_none();
                Err(Fault { column: byte, problem: TraceProblem::NotUtf8 { byte }, cut })
            }
        }
    }

    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        let most = MAX_LINE as u64 + 1;
        Ok(self.from.by_ref().take(most).read_until(b'\n', &mut self.buffer)? > 0)
    }
}

impl Line<'_> {
    /// What is wrong with the JSON in this line.
    pub(super) fn fault(&self, error: JsonError) -> Fault {
        Fault { column: error.column, cut: error.cut && !self.whole, problem: error.into() }
    }
}

impl Fault {
    pub(super) fn new(column: u64, problem: TraceProblem) -> Self {
        Self { column, problem, cut: false }
    }
}
