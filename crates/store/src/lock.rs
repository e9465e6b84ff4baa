//! One writer a session.
//!
//! The system's lock on `session.lock` decides, and it vanishes with the process: a killed writer leaves nothing
//! stale. The process id inside only serves the message for others. The file stays when the session is closed,
//! for removing a lock file that another process may be opening would let two writers in.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The right to write a session.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
    fresh: bool,
}

/// A process that writes a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionWriter {
    /// Its number, where that is known.
    pub pid: Option<u32>,
}

impl Lock {
    /// Takes the lock of the session in this folder, or says who has it.
    pub(crate) fn take(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join("session.lock");
        let failed = |error| match StoreError::writing(&path, &error) {
            StoreError::ReadOnly { .. } => StoreError::ReadOnly { path: dir.to_owned() },
            other => other,
        };
        let fresh = !path.exists();
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
                return Err(StoreError::InUse { dir: dir.to_owned(), pid });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // A full disk is no reason to refuse: the lock is taken, with the id or without.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Self { file, path, fresh })
    }

    /// Who writes the session in this folder at this moment, if anybody does. A reader
    /// keeps no writer away but one that begins in the very moment in which a number stands there that is stale.
    pub(crate) fn holder(dir: &Path) -> Option<SessionWriter> {
        let path = dir.join("session.lock");
        let pid = fs::read_to_string(&path).ok()?;
        // A writer that ended as it should has taken its number away; one that was killed has not.
        let pid = Some(pid.trim()).filter(|pid| !pid.is_empty())?.parse().ok();
        let file = File::open(&path).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then_some(SessionWriter { pid })
    }

    /// Leaves the folder as it was. Only for folders of others, which no retap will ever write.
    pub(crate) fn undo(&self) {
        if self.fresh {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The process id is no part of the session: equal sessions are equal folders.
        let _ = self.file.set_len(0);
        // Closing the file is not enough: a child process that is just being started has it open for a moment.
        let _ = self.file.unlock();
    }
}
