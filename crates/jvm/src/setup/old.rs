//! What other versions have built: each takes hundreds of megabytes, and nobody else would remove it.
//!
//! Invariant: what a running process uses stays. Such a process holds a lock on a file in the folder, whose time is that
//! of the last use.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::CONTENTS;

/// What was not used for so long is removed.
const LONG: Duration = Duration::from_hours(30 * 24);
/// The file whose time is that of the last use.
const USED: &str = "used";

/// Says that a folder is used now, as long as this is held. Nothing where there is no such folder, or where it cannot be
/// written to, and then not removed either.
pub(super) fn hold(root: &Path) -> Option<Arc<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(root.join(USED)).ok()?;
    file.lock_shared().ok()?;
    file.set_modified(SystemTime::now()).ok()?;
    Some(Arc::new(file))
}

/// Removes the folders of other versions that were not used for long; returns them. It is no failure when one cannot be
/// removed: the next set-up tries again.
pub(super) fn remove(kept: &Path, but: &Path, now: SystemTime) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(kept).into_iter().flatten().flatten();
    let others = entries.map(|entry| entry.path()).filter(|path| is_version(path) && path != but);
    let mut removed: Vec<PathBuf> = others.filter(|path| remove_one(kept, path, now).is_some()).collect();
    removed.sort();
    removed
}

/// Whether it is the folder of a version, by its name.
fn is_version(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.len() == 16 && name.chars().all(|char| char.is_ascii_hexdigit()) && path.is_dir()
}

fn remove_one(kept: &Path, path: &Path, now: SystemTime) -> Option<()> {
    let modified = |name: &str| path.join(name).metadata().and_then(|about| about.modified());
    let last = modified(USED).or_else(|_| modified(CONTENTS)).ok()?;
    if now.duration_since(last).ok()? < LONG {
        return None;
    }
    let lock = File::options().create(true).truncate(false).write(true).open(path.join(USED)).ok()?;
    lock.try_lock().ok()?;
    // It is gone at once for all who look for it. What is left of a removal that is interrupted has the name of
    // something unfinished, which the next set-up removes.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let apart = kept.join(format!("making-removed-{name}"));
    std::fs::rename(path, &apart).ok()?;
    std::fs::remove_dir_all(&apart).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    struct Kept(tempfile::TempDir);

    impl Kept {
        /// The folder of a version that was last used so many days ago.
        fn version(&self, name: &str, days: u32) -> PathBuf {
            let path = self.0.path().join(name);
            std::fs::create_dir_all(path.join("target/lib")).unwrap();
            std::fs::write(path.join(CONTENTS), "1 target/lib/a.jar").unwrap();
            drop(hold(&path).unwrap());
            let file = File::options().write(true).open(path.join(USED)).unwrap();
            file.set_modified(SystemTime::now() - DAY * days).unwrap();
            path
        }

        fn remove(&self, but: &Path) -> Vec<PathBuf> {
            remove(self.0.path(), but, SystemTime::now())
        }
    }

    #[test]
    fn what_nobody_uses_any_more_is_removed() {
        let kept = Kept(tempfile::tempdir().unwrap());
        let old = kept.version("0123456789abcdef", 31);
        let recent = kept.version("1123456789abcdef", 29);
        let own = kept.version("2123456789abcdef", 300);
        let other = kept.version("run", 300);
        assert_eq!(kept.remove(&own), std::slice::from_ref(&old));
        assert!(!old.exists() && recent.is_dir() && own.is_dir() && other.is_dir());
        assert_eq!(std::fs::read_dir(kept.0.path()).unwrap().count(), 3, "nothing of it is left");
    }

    #[test]
    fn what_a_process_uses_stays() {
        let kept = Kept(tempfile::tempdir().unwrap());
        let old = kept.version("0123456789abcdef", 31);
        // A process that has been at it for longer than that, on a computer whose clock says so.
        let held = hold(&old).unwrap();
        held.set_modified(SystemTime::now() - DAY * 31).unwrap();
        let elsewhere = kept.0.path().join("2123456789abcdef");
        assert!(kept.remove(&elsewhere).is_empty() && old.is_dir());
        drop(held);
        assert_eq!(kept.remove(&elsewhere), std::slice::from_ref(&old));
        assert!(hold(&old).is_none(), "there is nothing to hold any more");
    }

    #[test]
    fn using_it_makes_it_recent() {
        let kept = Kept(tempfile::tempdir().unwrap());
        let old = kept.version("0123456789abcdef", 31);
        drop(hold(&old).unwrap());
        assert!(kept.remove(Path::new("")).is_empty() && old.is_dir());
        // One that was built before uses were written down goes by its own age.
        std::fs::remove_file(old.join(USED)).unwrap();
        let built = File::options().write(true).open(old.join(CONTENTS)).unwrap();
        built.set_modified(SystemTime::now() - DAY * 31).unwrap();
        assert_eq!(kept.remove(Path::new("")), [old]);
    }
}
