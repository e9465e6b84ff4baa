//! Which device a command uses, and whether it runs the app that a trace is of.

use std::fmt::Display;
use std::path::Path;

use anyhow::{bail, ensure};
use retap_jvm::JvmSpec;
use retap_sim::{AppSource, SimSpec};
use retap_trace::Header;

use super::backend;

/// The device that was typed, or is set.
pub(crate) fn choose<'a>(candidates: impl IntoIterator<Item = Option<&'a str>>) -> anyhow::Result<String> {
    match candidates.into_iter().flatten().next() {
        Some(spec) => Ok(spec.to_owned()),
        None => bail!("no device is given; write --device sim:notes, or set device in retap.toml"),
    }
}

/// The device that was typed, or is set, or that the trace in this file names.
pub(crate) fn choose_for(
    candidates: [Option<&str>; 2],
    trace: &Header,
    file: &Path,
) -> anyhow::Result<String> {
    match (candidates.iter().flatten().next(), &trace.device) {
        (None, Some(recorded)) => {
            let beside = file.parent().unwrap_or(Path::new(""));
            located(recorded, &file.display(), &[beside, Path::new("")], ", or name a device with --device")
        }
        _ => choose(candidates),
    }
}

/// The same device, with the file of its app where it is now: in the first of these folders that has it. The empty
/// path is the current folder. `who` names the device, `or` says what else helps when it is in none.
pub(crate) fn located(spec: &str, who: &dyn Display, folders: &[&Path], or: &str) -> anyhow::Result<String> {
    let Some(app) = app_file(spec) else { return Ok(spec.to_owned()) };
    let short = app.strip_prefix("./").unwrap_or(&app);
    for folder in folders {
        let found = folder.join(short);
        if !found.is_file() {
            continue;
        }
        // What was said is kept where it holds.
        if folder.as_os_str().is_empty() || *folder == Path::new(".") {
            return Ok(spec.to_owned());
        }
        let found = found.display().to_string();
        ensure!(!found.contains('?'), "{found}: the path of an app must not contain a question mark");
        // A name without a slash or a dot would be one of the library.
        let found = if Path::new(&found).is_absolute() { found } else { format!("./{found}") };
        let (scheme, rest) = spec.split_once(':').unwrap_or((spec, ""));
        return Ok(format!("{scheme}:{}", rest.replacen(&app, &found, 1)));
    }
    let here = std::env::current_dir().map_or_else(|_| ".".to_owned(), |here| here.display().to_string());
    let name = |folder: &&Path| {
        let current = folder.as_os_str().is_empty();
        if current { format!("{here} (the current folder)") } else { folder.display().to_string() }
    };
    let mut places: Vec<String> = folders.iter().map(name).collect();
    places.dedup();
    bail!(
        "{who} names the device {spec}, and there is no {short} in {}; put it there{or}",
        places.join(" and none in ")
    )
}

/// The file of an app, where the device has one and it is not said from the root on.
fn app_file(spec: &str) -> Option<String> {
    let path = match spec.parse::<SimSpec>() {
        Ok(SimSpec { app: AppSource::File(path), .. }) => path,
        Ok(_) => return None,
        Err(_) => spec.parse::<JvmSpec>().ok()?.apk.to_str()?.to_owned(),
    };
    (!Path::new(&path).is_absolute()).then_some(path)
}

/// Refuses a trace of another app, before any device is opened, as far as the device's name tells which app it runs.
pub(crate) fn check_app(trace: &Header, file: &Path, spec: &str) -> anyhow::Result<()> {
    let Some(backend) = backend(spec) else { return Ok(()) };
    match (backend.package)(spec)? {
        Some(runs) => Ok(retap_job::same_app(trace, &file.display(), spec, &runs)?),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_is_looked_for_in_one_folder_after_the_other() {
        let scratch = tempfile::tempdir().unwrap();
        let (first, second) = (scratch.path().join("first"), scratch.path().join("second"));
        for folder in [&first, &second] {
            std::fs::create_dir(folder).unwrap();
        }
        let find = |spec: &str| located(spec, &"x.trace.jsonl", &[&first, &second], "");
        let said = find("sim:./my.app?drop=0.1").unwrap_err().to_string();
        for part in ["x.trace.jsonl", "sim:./my.app?drop=0.1", "first", "second"] {
            assert!(said.contains(part), "{said}");
        }
        std::fs::write(second.join("my.app"), "").unwrap();
        let at = |folder: &Path| format!("sim:{}/my.app?drop=0.1", folder.display());
        assert_eq!(find("sim:./my.app?drop=0.1").unwrap(), at(&second));
        std::fs::write(first.join("my.app"), "").unwrap();
        assert_eq!(find("sim:./my.app?drop=0.1").unwrap(), at(&first));
        std::fs::write(second.join("my.apk"), "").unwrap();
        let apk = format!("jvm:{}/my.apk?mode=wild", second.display());
        assert_eq!(find("jvm:my.apk?mode=wild").unwrap(), apk);
        for other in [
            "sim:notes?drop=0.1",
            "sim:gen?seed=1",
            "adb:x?app=a.b",
            "sim:/nowhere/my.app",
            "jvm:/nowhere/a.apk",
        ] {
            assert_eq!(find(other).unwrap(), other);
        }
    }
}
