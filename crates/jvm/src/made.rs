//! Files that a process of the Java side makes: each is there as a whole or not at all, and as it was made.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::error::JvmError;
use crate::process::one_line;
use crate::run::{ended, run};

/// How folders begin in which something is made.
const MAKING: &str = "making-";
/// What the hash of a file is in, behind its name.
const SUM: &str = "blake3";
/// A process has minutes.
const ABANDONED: Duration = Duration::from_hours(2);

/// Why there is no file.
#[derive(Debug)]
pub(crate) enum NotMade {
    /// A folder or a file of our own.
    Folder(JvmError),
    /// The process says why.
    Refused(String),
    /// The process did not come to its end. This begins with a verb.
    Failed(String),
}

/// Makes a file by a command, which is told where to write it, and a folder of its own.
pub(crate) fn make(
    kept: &Path,
    within: Duration,
    command: impl FnOnce(&Path, &Path) -> Command,
) -> Result<(), NotMade> {
    let parent = kept.parent().unwrap_or(Path::new(""));
    let here = |error: io::Error| {
        NotMade::Folder(JvmError::Folder { path: parent.to_owned(), why: error.to_string() })
    };
    std::fs::create_dir_all(parent).map_err(here)?;
    remove_abandoned(parent, SystemTime::now());
    let making = tempdir(parent).map_err(here)?;
    let out = making.join("made");
    let made = told(command(&out, &making), within, &out);
    // A power cut must not leave the name of a file without its bytes. Where two make the same at once, the later one
    // is put over the earlier one; where that leaves the hash of the other one, it is made again at the next use.
    let done = made.and_then(|()| put(&out, kept).map_err(here));
    let _ = std::fs::remove_dir_all(&making);
    done
}

/// Puts a file into its place, with its hash beside it.
fn put(made: &Path, kept: &Path) -> io::Result<()> {
    let file = File::open(made)?;
    file.sync_all()?;
    let sum = made.with_extension(SUM);
    std::fs::write(&sum, blake3::Hasher::new().update_reader(file)?.finalize().to_hex().as_bytes())?;
    std::fs::rename(made, kept)?;
    std::fs::rename(sum, sum_of(kept))
}

/// Whether a file is there, and has the bytes that it was made with. One that a disk has damaged must not be taken for
/// a fault of the app.
pub(crate) fn is_whole(kept: &Path) -> bool {
    let found = || -> io::Result<bool> {
        let sum = std::fs::read_to_string(sum_of(kept))?;
        let mut hash = blake3::Hasher::new();
        hash.update_reader(File::open(kept)?)?;
        Ok(sum == hash.finalize().to_hex().as_str())
    };
    found().unwrap_or(false)
}

fn sum_of(kept: &Path) -> PathBuf {
    let mut name = kept.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(SUM);
    kept.with_file_name(name)
}

fn told(command: Command, within: Duration, out: &Path) -> Result<(), NotMade> {
    let ran = run(command, within).map_err(|error| NotMade::Failed(format!("failed: {error}")))?;
    match answer(&ran.stdout) {
        Some(Ok(())) if out.is_file() => Ok(()),
        Some(Err(why)) => Err(NotMade::Refused(why)),
        _ => {
            let mut lines = ran.stderr.lines().rev().map(str::trim);
            let last = lines.find(|line| !line.is_empty() && !line.starts_with("at "));
            let said =
                last.map(|line| format!("; the last that was said: {}", one_line(line))).unwrap_or_default();
            Err(NotMade::Failed(format!("{}{said}", ended(ran.status))))
        }
    }
}

/// What the last line says that is an answer.
fn answer(stdout: &str) -> Option<Result<(), String>> {
    let mut answers = stdout.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers.find_map(|answer| {
        let error = answer.get("error").and_then(Value::as_str).map(|why| Err(one_line(why)));
        error.or_else(|| answer.get("ok").map(|_| Ok(())))
    })
}

/// Removes what processes have left behind that were killed: nobody works on one for so long.
fn remove_abandoned(parent: &Path, now: SystemTime) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(MAKING)) {
        let begun = entry.metadata().and_then(|about| about.modified());
        let age = begun.ok().and_then(|begun| now.duration_since(begun).ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // What cannot be removed now is removed by the next one.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A new folder in this one.
fn tempdir(parent: &Path) -> io::Result<PathBuf> {
    let mut number = [0; 8];
    getrandom::fill(&mut number).map_err(io::Error::other)?;
    let path = parent.join(format!("{MAKING}{:016x}", u64::from_le_bytes(number)));
    std::fs::create_dir(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answer_counts() {
        assert_eq!(answer("noise\n{\"ok\":{\"classes\":12}}\n"), Some(Ok(())));
        assert_eq!(answer("{\"error\":\"no dex\\nin it\"}"), Some(Err("no dex in it".to_owned())));
        assert_eq!(answer("{}\nnothing"), None);
    }

    #[test]
    fn what_was_left_behind_is_removed_once_it_is_old() {
        let scratch = tempfile::tempdir().unwrap();
        let left = scratch.path().join("making-1");
        let kept = scratch.path().join("a.jar");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(&kept, "").unwrap();
        remove_abandoned(scratch.path(), SystemTime::now());
        assert!(left.is_dir(), "somebody may be at it");
        remove_abandoned(scratch.path(), SystemTime::now() + ABANDONED * 2);
        assert!(!left.exists() && kept.is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_there_as_a_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let kept = scratch.path().join("apps/a.apk");
        let tried = |script: &str| {
            make(&kept, Duration::from_secs(20), |out, making| {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", script]).env("OUT", out).current_dir(making);
                command
            })
        };
        let left = || std::fs::read_dir(kept.parent().unwrap()).unwrap().count();
        let half = "printf half > \"$OUT\"; touch other;";
        let refused = tried(&format!("{half} echo '{{\"error\":\"no room\"}}'"));
        assert!(matches!(refused, Err(NotMade::Refused(why)) if why == "no room"));
        let ended = tried(&format!("{half} echo no memory >&2; exit 3"));
        let said = "ended with exit code 3; the last that was said: no memory";
        assert!(matches!(ended, Err(NotMade::Failed(why)) if why == said));
        let nothing = tried("echo '{\"ok\":{}}'");
        assert!(matches!(nothing, Err(NotMade::Failed(why)) if why == "ended with exit code 0"));
        assert_eq!(left(), 0, "nothing of these is left");
        let works = "printf whole > \"$OUT\"; echo '{\"ok\":{}}'";
        std::thread::scope(|scope| {
            let both = [scope.spawn(|| tried(works)), scope.spawn(|| tried(works))];
            for made in both {
                made.join().unwrap().unwrap();
            }
        });
        assert_eq!((left(), std::fs::read_to_string(&kept).unwrap()), (2, "whole".to_owned()));
    }

    #[test]
    fn a_file_that_was_damaged_is_not_whole() {
        let scratch = tempfile::tempdir().unwrap();
        let (made, kept) = (scratch.path().join("made"), scratch.path().join("a.jar"));
        assert!(!is_whole(&kept), "it is not there");
        std::fs::write(&made, "whole").unwrap();
        put(&made, &kept).unwrap();
        assert!(is_whole(&kept));
        for damaged in ["whale", "whol", ""] {
            std::fs::write(&kept, damaged).unwrap();
            assert!(!is_whole(&kept), "{damaged}");
        }
        std::fs::write(&kept, "whole").unwrap();
        assert!(is_whole(&kept));
        std::fs::remove_file(sum_of(&kept)).unwrap();
        assert!(!is_whole(&kept), "nobody knows what it was");
    }
}
