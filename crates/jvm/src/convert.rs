//! The app's code as class files, made once for each app and kept.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::error::JvmError;
use crate::process::one_line;
use crate::run::{ended, run};
use crate::sandbox::Sandbox;
use crate::setup::JavaSide;
use crate::sidecar;
use crate::toolchain::Jdk;

/// Large apps take a quarter of a minute.
const LONGEST: Duration = Duration::from_mins(2);
/// Larger files are no apps.
const LARGEST: u64 = 2 << 30;

/// The class files of an app.
pub(crate) fn classes(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    apk: &Path,
    begins: &mut dyn FnMut(),
) -> Result<PathBuf, JvmError> {
    let apps = side.root.join("apps");
    let here = |error: io::Error| JvmError::Folder { path: apps.clone(), why: error.to_string() };
    let kept = apps.join(format!("{}.jar", hash(apk)?));
    if kept.is_file() {
        return Ok(kept);
    }
    begins();
    std::fs::create_dir_all(&apps).map_err(here)?;
    let making = tempdir(&apps).map_err(here)?;
    let made = make(jdk, side, sandbox, apk, &making);
    // Where two make the same at once, the later one is put over the earlier one.
    let done = made.and_then(|made| std::fs::rename(made, &kept).map_err(here));
    let _ = std::fs::remove_dir_all(&making);
    done.map(|()| kept)
}

fn make(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    apk: &Path,
    making: &Path,
) -> Result<PathBuf, JvmError> {
    let out = making.join("classes.jar");
    let refused = |why: String| JvmError::App { apk: apk.to_owned(), why };
    let ran = run(sidecar::convert(jdk, side, sandbox, apk, &out, making), LONGEST)
        .map_err(|error| refused(format!("its code was not converted: {error}")))?;
    match told(&ran.stdout) {
        Some(Ok(())) if out.is_file() => Ok(out),
        Some(Err(why)) => Err(refused(why)),
        _ => {
            let last = ran
                .stderr
                .lines()
                .rev()
                .map(str::trim)
                .find(|line| !line.is_empty() && !line.starts_with("at "));
            let said =
                last.map(|line| format!("; the last that was said: {}", one_line(line))).unwrap_or_default();
            Err(refused(format!("converting its code {}{said}", ended(ran.status))))
        }
    }
}

/// What the last line says that is an answer.
fn told(stdout: &str) -> Option<Result<(), String>> {
    let answers = stdout.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers.into_iter().find_map(|answer| {
        let error = answer.get("error").and_then(Value::as_str).map(|why| Err(one_line(why)));
        error.or_else(|| answer.get("ok").map(|_| Ok(())))
    })
}

/// A hash of the whole file.
fn hash(apk: &Path) -> Result<blake3::Hash, JvmError> {
    let unreadable = |why: String| JvmError::Unreadable { apk: apk.to_owned(), why };
    let read = || -> io::Result<blake3::Hash> {
        let file = std::fs::File::open(apk)?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        if about.len() > LARGEST {
            return Err(io::Error::other(format!("it is larger than {} GiB; that is no app", LARGEST >> 30)));
        }
        let mut hash = blake3::Hasher::new();
        hash.update_reader(file)?;
        Ok(hash.finalize())
    };
    read().map_err(|error| unreadable(error.to_string()))
}

/// A new folder in this one.
fn tempdir(parent: &Path) -> io::Result<PathBuf> {
    let mut number = [0; 8];
    getrandom::fill(&mut number).map_err(io::Error::other)?;
    let path = parent.join(format!("making-{:016x}", u64::from_le_bytes(number)));
    std::fs::create_dir(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answer_counts() {
        assert_eq!(told("noise\n{\"ok\":{\"classes\":12}}\n"), Some(Ok(())));
        assert_eq!(told("{\"error\":\"no dex\\nin it\"}"), Some(Err("no dex in it".to_owned())));
        assert_eq!(told("{}\nnothing"), None);
    }

    #[test]
    fn what_cannot_be_an_app_is_refused() {
        let nowhere = hash(Path::new("/nowhere/a.apk")).unwrap_err().to_string();
        assert!(nowhere.starts_with("/nowhere/a.apk cannot be read: "), "{nowhere}");
        let folder = hash(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(folder.ends_with("cannot be read: it is no file"), "{folder}");
    }
}
