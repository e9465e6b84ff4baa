//! A file that grows line by line. What an earlier process has left of it is compared with what is written, and must
//! be the same.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use retap_store::StoreError;

use crate::error::{JobError, Result, require};

/// What is said of something that an earlier process has written otherwise.
pub(super) const CHANGED: &str = "is not what this run gives: the app, the device or the program has changed since; \
                                  start again in a new folder";

/// A file of whole lines, whatever happens: what a full disk or a killed process cuts off is taken back.
pub(super) struct GrowingFile {
    path: PathBuf,
    file: File,
    /// Bytes that are as they should be.
    length: u64,
    /// Lines that are not in the file yet, and how many bytes of them may wait.
    waiting: Vec<u8>,
    room: usize,
    /// What an earlier process has left, of which so much was compared.
    before: Vec<u8>,
    compared: usize,
}

impl GrowingFile {
    /// Begins a file, or begins to compare it. Lines wait until there are `room` bytes of them, or until it is flushed.
    pub(super) fn open(path: &Path, room: usize) -> Result<Self> {
        let failed = |error: io::Error| cannot_write(path, error);
        std::fs::create_dir_all(path.parent().expect("a folder")).map_err(failed)?;
        let options = File::options().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = options.map_err(failed)?;
        let mut before = Vec::new();
        file.read_to_end(&mut before).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, length: 0, waiting: Vec::new(), room, before, compared: 0 })
    }

    /// Whether an earlier process has written more than this one has by now.
    pub(super) fn is_behind(&self) -> bool {
        self.compared < self.before.len()
    }

    /// The file is complete.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        require!(self.compared == self.before.len(), "{} {CHANGED}", self.path.display());
        Ok(())
    }

    /// Takes back what comes after the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }

    /// Writes whole lines, all or none.
    fn put(&mut self, lines: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(lines) {
            // If even this fails there is nothing left to try; the first failure is what people should hear of.
            let _ = self.cut();
            return Err(match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    io::Error::new(error.kind(), StoreError::Full { path: self.path.clone() })
                }
                kind => io::Error::new(kind, format!("cannot write {}: {error}", self.path.display())),
            });
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Compares a line with what is there. Says whether it is there whole.
    fn compare(&mut self, line: &[u8]) -> io::Result<bool> {
        let left = &self.before[self.compared..];
        if left.starts_with(line) {
            self.compared += line.len();
            self.length += line.len() as u64;
            return Ok(true);
        }
        if line.starts_with(left) {
            self.compared = self.before.len();
            self.cut()?;
            return Ok(false);
        }
        Err(io::Error::other(format!("{} {CHANGED}", self.path.display())))
    }
}

impl Write for GrowingFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.compared < self.before.len() && self.compare(line)? {
            return Ok(line.len());
        }
        self.waiting.extend_from_slice(line);
        if self.waiting.len() > self.room {
            self.flush()?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut lines = std::mem::take(&mut self.waiting);
        if self.put(&lines).is_err() {
            // There may be room for some of them.
            lines.split_inclusive(|byte| *byte == b'\n').try_for_each(|line| self.put(line))?;
        }
        lines.clear();
        self.waiting = lines;
        Ok(())
    }
}

/// Only a panic gets here with lines that wait; they are for people who look for its cause.
impl Drop for GrowingFile {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

fn cannot_write(path: &Path, error: io::Error) -> JobError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            StoreError::Full { path: path.to_owned() }.into()
        }
        _ => JobError::Within { doing: format!("cannot write {}", path.display()), why: Box::new(error) },
    }
}
