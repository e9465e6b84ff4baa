//! Which device a command uses, and whether it runs the app that a trace is of.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use retap_jvm::{JvmApp, JvmMode, JvmSpec};
use retap_sim::{AppSource, SimSpec};
use retap_trace::Header;

use super::backend;

/// What says which device a command uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeviceChoice<'a> {
    /// The device that was typed.
    pub(crate) typed: Option<&'a str>,
    /// The one of `retap.toml`.
    pub(crate) set: Option<&'a str>,
    /// The mode that was typed, for apps in a JVM.
    pub(crate) mode: Option<JvmMode>,
}

impl DeviceChoice<'_> {
    /// The device that was typed, or is set.
    pub(crate) fn device(&self) -> anyhow::Result<String> {
        match self.named() {
            Some(spec) => self.in_mode(spec),
            None => bail!("no device is given; write --device sim:notes, or set device in retap.toml"),
        }
    }

    /// The device that was typed, or is set, or that the trace in this file names.
    pub(crate) fn device_for(&self, trace: &Header, file: &Path) -> anyhow::Result<String> {
        match (self.named(), &trace.device) {
            (None, Some(recorded)) => {
                let folders = app_folders(file);
                let beside: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
                let or = ", or name a device with --device";
                if let Some(program) = recorded.parse::<JvmSpec>().ok().and_then(|spec| spec.jvm) {
                    // Traces come from others, as commands do that judge runs.
                    bail!(
                        "{} names the program {} to run the app with, which has to be typed: \
                         --device '{recorded}'",
                        file.display(),
                        program.display()
                    );
                }
                self.in_mode(&located(recorded, &file.display(), &beside, or)?)
            }
            _ => self.device(),
        }
    }

    fn named(&self) -> Option<&str> {
        self.typed.or(self.set)
    }

    /// The same device in the mode that was typed, which wins over a mode that is set or was recorded.
    fn in_mode(&self, spec: &str) -> anyhow::Result<String> {
        let Some(mode) = self.mode else { return Ok(spec.to_owned()) };
        let word = if mode == JvmMode::Wild { "--wild" } else { "--calm" };
        let jvm = backend(spec).is_some_and(|backend| backend.scheme == "jvm");
        ensure!(
            jvm || backend(spec).is_none(),
            "{word} is for apps in a JVM (jvm:APP.apk), not for {spec}; leave it out"
        );
        // What is wrong with the device itself is said when it is opened.
        let Ok(device) = spec.parse::<JvmSpec>() else { return Ok(spec.to_owned()) };
        let contrary = device.named_mode().is_some_and(|named| named != mode);
        ensure!(
            !contrary || self.typed.is_none(),
            "{word} is the contrary of what {spec} says; leave one of them out"
        );
        Ok(device.written_in(mode))
    }
}

/// The folders in which the app is looked for that the trace in this file names: beside it, beside its session, and the
/// current one.
pub(crate) fn app_folders(file: &Path) -> Vec<PathBuf> {
    let mut folders = vec![file.parent().unwrap_or(Path::new("")).to_owned()];
    // Sessions are mostly where the app is, and have their traces in folders of their own. Of a relative path the session
    // may be above its beginning.
    let whole = || beside_session(&std::path::absolute(file).ok()?).map(Path::to_owned);
    folders.extend(beside_session(file).map(Path::to_owned).or_else(whole));
    if !folders.contains(&PathBuf::new()) {
        folders.push(PathBuf::new());
    }
    folders
}

/// The folder that the session of this trace is in, where its path tells.
fn beside_session(trace: &Path) -> Option<&Path> {
    let session = trace.ancestors().skip(1).take(2).find(|folder| folder.join("session.db").is_file());
    session.and_then(Path::parent)
}

/// The same device, with the file that it names where that is now: in the first of these folders that has it. The empty
/// path is the current folder. `who` names the device, `or` says what else helps when it is in none.
pub(crate) fn located(spec: &str, who: &dyn Display, folders: &[&Path], or: &str) -> anyhow::Result<String> {
    let Some((option, file)) = named_file(spec) else { return Ok(spec.to_owned()) };
    let short = file.strip_prefix("./").unwrap_or(&file);
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
        let mark = if option.is_empty() { '?' } else { '&' };
        ensure!(!found.contains(mark), "{found}: this path must not contain {mark}; put the file elsewhere");
        // A name without a slash or a dot would be one of the library.
        let found = if Path::new(&found).is_absolute() { found } else { format!("./{found}") };
        let (scheme, rest) = spec.split_once(':').unwrap_or((spec, ""));
        let (named, now) = (format!("{option}{file}"), format!("{option}{found}"));
        return Ok(format!("{scheme}:{}", rest.replacen(&named, &now, 1)));
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

/// The file that a device names first, where it is not said from the root on, and the option that names it: its app, or
/// for the sample, which is in no file, the table of other apps. The table of another app is beside the app.
fn named_file(spec: &str) -> Option<(&'static str, String)> {
    let (option, path) = match spec.parse::<SimSpec>() {
        Ok(SimSpec { app: AppSource::File(path), .. }) => ("", path),
        Ok(_) => return None,
        Err(_) => match spec.parse::<JvmSpec>().ok()? {
            JvmSpec { app: JvmApp::File(path), .. } => ("", path.to_str()?.to_owned()),
            JvmSpec { app: JvmApp::Sample, intents, .. } => ("intents=", intents?.to_str()?.to_owned()),
        },
    };
    (!Path::new(&path).is_absolute()).then_some((option, path))
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
    fn a_mode_is_for_apps_in_a_jvm() {
        let choose = |typed: Option<&str>, set: Option<&str>, mode: JvmMode| {
            let choice = DeviceChoice { typed, set, mode: Some(mode) };
            choice.device().map_err(|error| error.to_string())
        };
        let typed = |spec: &str, mode: JvmMode| choose(Some(spec), None, mode);
        let wild = |spec: &str| typed(spec, JvmMode::Wild);
        assert_eq!(wild("jvm:a.apk").unwrap(), "jvm:a.apk?mode=wild");
        assert_eq!(wild("jvm:a.apk?api=29&mode=wild").unwrap(), "jvm:a.apk?api=29&mode=wild");
        assert_eq!(wild("jvm:sample?compat=19").unwrap(), "jvm:sample?compat=19&mode=wild");
        assert_eq!(typed("jvm:a.apk", JvmMode::Calm).unwrap(), "jvm:a.apk");
        // Settings and recordings are of other days: what is typed wins.
        let set = choose(None, Some("jvm:a.apk?mode=wild&api=29"), JvmMode::Calm);
        assert_eq!(set.unwrap(), "jvm:a.apk?api=29");
        let recorded = Header { device: Some("jvm:/a.apk?mode=wild".to_owned()), ..Header::new("a.b") };
        let calm = DeviceChoice { typed: None, set: None, mode: Some(JvmMode::Calm) };
        assert_eq!(calm.device_for(&recorded, Path::new("x")).unwrap(), "jvm:/a.apk");
        for (spec, mode, said) in [
            ("jvm:a.apk?mode=calm", JvmMode::Wild, "--wild is the contrary of what jvm:a.apk?mode=calm says"),
            ("jvm:a.apk?mode=wild", JvmMode::Calm, "--calm is the contrary of what jvm:a.apk?mode=wild says"),
            ("sim:notes", JvmMode::Calm, "--calm is for apps in a JVM (jvm:APP.apk), not for sim:notes"),
            ("adb?app=a.b", JvmMode::Wild, "--wild is for apps in a JVM (jvm:APP.apk), not for adb?app=a.b"),
        ] {
            let why = typed(spec, mode).unwrap_err();
            assert!(why.starts_with(said), "{why}");
        }
    }

    #[test]
    fn a_trace_does_not_choose_the_program_that_is_run() {
        let recorded = Header { device: Some("jvm:sample?jvm=/x/java".to_owned()), ..Header::new("a.b") };
        let choice = DeviceChoice { typed: None, set: None, mode: None };
        let why = choice.device_for(&recorded, Path::new("x.trace.jsonl")).unwrap_err().to_string();
        assert!(why.starts_with("x.trace.jsonl names the program /x/java"), "{why}");
        let typed = DeviceChoice { typed: Some("jvm:sample?jvm=/x/java"), ..choice };
        assert_eq!(typed.device_for(&recorded, Path::new("x")).unwrap(), "jvm:sample?jvm=/x/java");
    }

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
        std::fs::write(first.join("sample"), "").unwrap();
        assert_eq!(find("jvm:./sample").unwrap(), format!("jvm:{}/sample", first.display()));
        let table = find("jvm:sample?intents=my.toml&mode=wild").unwrap_err().to_string();
        assert!(table.contains("there is no my.toml in") && table.contains("first and none in"), "{table}");
        std::fs::write(second.join("my.toml"), "").unwrap();
        let at_table = format!("jvm:sample?intents={}/my.toml&mode=wild", second.display());
        assert_eq!(find("jvm:sample?intents=my.toml&mode=wild").unwrap(), at_table);
        for other in [
            "sim:notes?drop=0.1",
            "sim:gen?seed=1",
            "adb:x?app=a.b",
            "sim:/nowhere/my.app",
            "jvm:/nowhere/a.apk",
            "jvm:sample?mode=wild",
        ] {
            assert_eq!(find(other).unwrap(), other);
        }
    }
}
