//! What stands between a user and an app in a JVM, as a list of checks with what to do about each.
//!
//! Absent: printing. Nothing is downloaded.

use std::path::Path;
use std::time::{Duration, Instant};

use retap_device::{Check, Device as _, DeviceError, Look};
use retap_trace::{Event, Micros, Observation, Seed};

use crate::device::{JvmDevice, JvmNotices};
use crate::environment::JvmEnvironment;
use crate::error::JvmError;
use crate::host::{IS_SUPPORTED, JvmHost};
use crate::sandbox::Sandbox;
use crate::setup::{EMBEDDED, MEGABYTES, place, ready};
use crate::spec::{JvmApp, JvmSpec};
use crate::toolchain::{Jdk, maven};

const WRITABLE: &str = "set XDG_CACHE_HOME to a folder that can be written";

/// Looks at everything. Each call to the device has so long.
pub fn checkup(spec: &JvmSpec, environment: &JvmEnvironment, each: Duration) -> Vec<Check> {
    let side = environment.kept().map(|kept| place(EMBEDDED, &kept));
    let built = side.as_deref().is_some_and(|root| ready(root).is_some());
    let mut checks = vec![java(spec, environment, built)];
    if !IS_SUPPORTED {
        let found = JvmError::Platform.to_string();
        checks.push(Check::bad("computer", found, "use another computer, or a phone: adb:SERIAL"));
    }
    if !built {
        checks.push(match maven(environment) {
            Ok(program) => Check::good("Maven", program.display().to_string()),
            Err(error) => told("Maven", &error.to_string()),
        });
    }
    checks.push(java_side(side.as_deref(), built));
    checks.push(sandbox(environment));
    checks.push(apk(&spec.app));
    let well = checks.iter().all(|check| check.health != retap_device::DeviceHealth::Bad);
    if built && well {
        checks.extend(app(spec, environment, each).into_iter().map(|check| check.of(&spec.text)));
    }
    checks
}

fn java(spec: &JvmSpec, environment: &JvmEnvironment, built: bool) -> Check {
    const NAME: &str = "JDK";
    let found = Jdk::find(spec.jvm.as_deref(), environment);
    // What is built is only run.
    match found.and_then(|jdk| if built { Ok(jdk) } else { jdk.compiles().map(|()| jdk) }) {
        Ok(jdk) if let Some(warning) = jdk.warning() => Check::fair(
            NAME,
            warning,
            "set JAVA_HOME to the folder of a JDK of version 17 or later, or unset it",
        ),
        Ok(jdk) => Check::good(NAME, format!("{} ({})", jdk.version, jdk.home.display())),
        Err(error) => told(NAME, &error.to_string()),
    }
}

fn java_side(root: Option<&Path>, built: bool) -> Check {
    const NAME: &str = "Java side";
    match root {
        Some(root) if let Err(error) = writable(root.parent().unwrap_or(root)) => Check::bad(
            NAME,
            format!("{} cannot be written: {error}", root.parent().unwrap_or(root).display()),
            WRITABLE,
        ),
        Some(root) if built => {
            let megabytes = size(root) / 1_000_000;
            Check::good(NAME, format!("{megabytes} MB in {}; it needs no network", root.display()))
        }
        Some(root) => Check::fair(
            NAME,
            format!("not set up yet in {}", root.display()),
            format!("the first use downloads up to {MEGABYTES} MB from Maven Central, once"),
        ),
        None => Check::bad(NAME, "there is no folder for it", "set HOME or XDG_CACHE_HOME"),
    }
}

/// Whether files can be made in this folder, which every JVM needs.
fn writable(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    crate::run_folder::RunFolder::new(folder).map(drop)
}

fn sandbox(environment: &JvmEnvironment) -> Check {
    const NAME: &str = "sandbox";
    let sandbox = Sandbox::find(environment);
    match (sandbox.warning(), sandbox.bwrap()) {
        (None, Some(bwrap)) => {
            Check::good(NAME, format!("{}: the app has no network and its own folder", bwrap.display()))
        }
        (warning, _) => {
            let warning = warning.unwrap_or("there is none");
            let (found, fix) = warning.split_once("; ").unwrap_or((warning, "run apps that you trust"));
            Check::fair(NAME, found, fix)
        }
    }
}

fn apk(app: &JvmApp) -> Check {
    const NAME: &str = "APK";
    let path = match app {
        JvmApp::File(path) => path,
        JvmApp::Sample => return Check::good(NAME, "the sample, which is part of retap"),
    };
    let size = std::fs::File::open(path).and_then(|file| file.metadata());
    match size {
        Ok(about) if about.is_file() && !is_zip(path) => Check::bad(
            NAME,
            format!("{} is no APK: it is no zip file", path.display()),
            "name the file of an Android app",
        ),
        Ok(about) if about.is_file() => {
            Check::good(NAME, format!("{} ({} kB)", path.display(), about.len().div_ceil(1000)))
        }
        Ok(_) => Check::bad(NAME, format!("{} is no file", path.display()), "name the file of an app"),
        Err(error) => {
            Check::bad(NAME, format!("{} cannot be read: {error}", path.display()), "name the file of an app")
        }
    }
}

/// Whether a file begins as zip files do, which APKs are.
fn is_zip(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = [0; 2];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK"
}

/// What helps against what keeps an app from being opened.
fn not_opened(error: &JvmError) -> Check {
    const NAME: &str = "app";
    let fix = match error {
        JvmError::Folder { .. } => WRITABLE,
        JvmError::App { .. } | JvmError::Unreadable { .. } => "name the file of an app that can be launched",
        JvmError::Intents { .. } => "mend the table that the option 'intents' names",
        _ => "try another app, to see whether any works",
    };
    Check::bad(NAME, error.to_string(), fix)
}

/// Whether the app opens and shows something.
fn app(spec: &JvmSpec, environment: &JvmEnvironment, each: Duration) -> Vec<Check> {
    const NAME: &str = "app";
    let began = Instant::now();
    let host = JvmHost::prepare(spec, environment, &mut |_| ());
    let device = host.and_then(|host| host.device(JvmNotices::new(|_| ())));
    let mut device = match device {
        Ok(device) => device,
        Err(error) => return vec![not_opened(&error)],
    };
    let version = device.version().unwrap_or("of unknown version").to_owned();
    let first = first_screen(&mut device, Micros(u64::try_from(each.as_micros()).unwrap_or(u64::MAX)));
    let mut checks = vec![match first {
        Ok(seen) => {
            let widgets = seen.tree.as_ref().map_or(0, |tree| tree.nodes().len());
            let (activity, took) = (&seen.activity, began.elapsed().as_secs_f64());
            let name = format!("{} {version}", device.package());
            match seen.crashes.first().or_else(|| device.own_crashes().first()) {
                Some(crash) => Check::fair(
                    NAME,
                    format!("{name} is launched, and dies of {crash}"),
                    "see whether it does on a phone, too: adb:SERIAL runs it there",
                ),
                None if *seen.package != *device.package() => Check::fair(
                    NAME,
                    format!("{name} is launched, and is not in front"),
                    "see whether it stays on a phone: adb:SERIAL runs it there",
                ),
                None => Check::good(
                    NAME,
                    format!("{name} shows {activity} with {widgets} widgets, after {took:.1} s"),
                ),
            }
        }
        Err(error) => Check::bad(NAME, error.to_string(), "try another app, to see whether any works"),
    }];
    if !device.limits().is_empty() {
        let limits = device.limits().join("; ");
        checks.push(Check::fair("limits", limits, "what needs this does not work here; use a phone for it"));
    }
    checks
}

fn first_screen(device: &mut JvmDevice, each: Micros) -> Result<Observation, DeviceError> {
    device.reset(Seed(1), each)?;
    device.perform(&Event::Launch, each)?;
    device.settle(Micros::from_secs(5))?;
    device.observe(Look::Tree, each)
}

/// An error, which says what to do behind its last semicolon.
fn told(name: &'static str, error: &str) -> Check {
    let (found, fix) = error.rsplit_once("; ").unwrap_or((error, "see what it says"));
    Check::bad(name, found, fix)
}

fn size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => size(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use retap_device::DeviceHealth;

    use super::*;

    #[test]
    fn a_computer_without_anything_is_told_what_to_install() {
        let scratch = tempfile::tempdir().unwrap();
        let environment = JvmEnvironment {
            path: scratch.path().into(),
            java_home: None,
            cache: Some(scratch.path().to_owned()),
        };
        let spec = format!("jvm:{}", scratch.path().join("a.apk").display()).parse().unwrap();
        let checks = checkup(&spec, &environment, Duration::from_secs(1));
        let health = |name: &str| {
            let check = checks.iter().find(|check| check.name == name).unwrap();
            assert_eq!(check.fix.is_some(), check.health != DeviceHealth::Good, "{check:?}");
            (check.health, check.fix.clone().unwrap_or_default())
        };
        let (bad, java) = health("JDK");
        assert!(bad == DeviceHealth::Bad && java.contains("openjdk-17-jdk-headless"), "{java}");
        assert!(health("Maven").1.contains("apt install maven"));
        assert!(health("Java side").1.contains("up to 360 MB"));
        assert_eq!(health("sandbox").0, DeviceHealth::Fair);
        assert_eq!(health("APK").0, DeviceHealth::Bad);
        assert!(checks.iter().all(|check| check.name != "app"), "nothing is built for this");
    }
}
