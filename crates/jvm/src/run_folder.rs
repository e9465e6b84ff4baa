//! The folders of a running JVM: the app's data, and what the JVM needs for a moment.
//!
//! Each is locked while it is in use, so that what a killed process has left behind is known and removed.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder of one process. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    /// Held as long as the folder is in use.
    _lock: File,
}

/// Where a JVM that crashes says why, in the folder for files that live for a moment.
pub(crate) const ERROR_FILE: &str = "jvm-error.log";

/// The folder for files that live for a moment, beneath the whole.
pub(crate) const SCRATCH: &str = "tmp";

const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

impl RunFolder {
    /// A new one below this folder. Those that nobody uses any more are removed.
    pub(crate) fn new(kept: &Path) -> io::Result<Self> {
        let all = kept.join("run");
        std::fs::create_dir_all(&all)?;
        // One that is just being made is not taken for one that was left behind.
        let door = File::create(all.join("lock"))?;
        door.lock()?;
        remove_abandoned(&all)?;
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(io::Error::other)?;
        let path = all.join(format!("{}-{:016x}", std::process::id(), u64::from_le_bytes(number)));
        std::fs::create_dir(&path)?;
        let lock = File::create(path.join("lock"))?;
        lock.lock()?;
        let folder = Self { path, _lock: lock };
        std::fs::create_dir(folder.data())?;
        std::fs::create_dir(folder.scratch())?;
        set_listed(&folder.scratch(), false)?;
        Ok(folder)
    }

    /// The whole.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The app's own folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.path.join("data")
    }

    /// The folder for files that live for a moment.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.path.join(SCRATCH)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // A process that has just been killed may still have made a file. What cannot be removed now is removed by the
        // next one.
        for _ in 0..TRIES {
            if remove(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

fn remove_abandoned(all: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(all)? {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let used = match File::open(path.join("lock")) {
            Ok(lock) => matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
            Err(_) => false,
        };
        if !used {
            let _ = remove(&path);
        }
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    // A folder that cannot be listed cannot be emptied.
    let _ = set_listed(&path.join(SCRATCH), true);
    std::fs::remove_dir_all(path)
}

/// Whether the names of what is in a folder can be read. An app that shows files would show other names in every run;
/// no phone has such a folder.
fn set_listed(folder: &Path, listed: bool) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(
            folder,
            std::fs::Permissions::from_mode(if listed { 0o700 } else { 0o300 }),
        )?;
    }
    #[cfg(not(unix))]
    let _ = (folder, listed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_behind_is_removed_and_what_is_used_is_not() {
        let kept = tempfile::tempdir().unwrap();
        let used = RunFolder::new(kept.path()).unwrap();
        let left = kept.path().join("run/1-left");
        std::fs::create_dir_all(left.join("data/deep")).unwrap();
        std::fs::write(left.join("lock"), "").unwrap();
        let other = RunFolder::new(kept.path()).unwrap();
        assert!(!left.exists() && used.data().is_dir() && other.scratch().is_dir());
        let path = other.data();
        drop(other);
        assert!(!path.exists() && used.data().is_dir());
    }
}
