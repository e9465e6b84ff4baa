//! Making a device ready: which one, which app, what it can do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use retap_trace::{Size, is_package};

use crate::client::{AdbError, Client, Deadline, Environment, Transport, quote};
use crate::parse::{self, PackageComponents, PackageInfo};
use crate::spec::AdbSpec;

use super::coverage::Covered;
use super::dump::Dumper;
use super::glance::Glancer;
use super::shell::Shell;
use super::snapshots::Support;
use super::tuning::Tuning;
use super::watch::Watch;
use super::{AdbDevice, Shade};

/// How a device is to be used.
#[derive(Debug, Clone)]
pub struct AdbOptions {
    /// The device to take when the specification names none.
    pub serial: Option<String>,
    /// Where to write down which settings were changed, so that they are put back even after a kill.
    pub state: Option<PathBuf>,
    pub console_token: Option<String>,
    /// Leave animations, rotation and the rest of the settings alone.
    pub untuned: bool,
    /// Two cheap looks that are so far apart and show the same mean that the app is at rest.
    pub quiet: Duration,
}

impl Default for AdbOptions {
    fn default() -> Self {
        Self {
            serial: None,
            state: None,
            console_token: None,
            untuned: false,
            quiet: Duration::from_millis(250),
        }
    }
}

impl AdbOptions {
    /// With what the environment says: the device of `ANDROID_SERIAL`, the token of the emulator's console.
    pub fn from_environment(environment: &Environment) -> Self {
        let (serial, console_token) = (environment.serial.clone(), environment.console_token());
        Self { serial, console_token, ..Self::default() }
    }
}

/// Why a device could not be made ready.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The adb server or the device.
    #[error(transparent)]
    Adb(#[from] AdbError),
    /// No app was named.
    #[error("say which app is under test, as in {spec}?app=com.example")]
    NoApp { spec: String },
    #[error("the app {package} is not on device {serial}; install it, or give its file, as in apk=app.apk")]
    NotInstalled { package: String, serial: String },
    /// An app was installed, but which?
    #[error(
        "{apk} was installed, but over an older build, so its name is not known; say app=PACKAGE as well"
    )]
    WhichApp { apk: String },
    /// An app that cannot be launched.
    #[error("the app {package} has no activity for a launcher; say which one to start, as in activity=.Main")]
    NoActivity { package: String },
    /// The screen has no size.
    #[error("device {serial} does not tell the size of its screen ('wm size' said: {said})")]
    NoScreen { serial: String, said: String },
}

/// The app under test.
#[derive(Debug, Clone)]
pub(super) struct App {
    pub(super) package: String,
    /// The version that people see, where there is one.
    pub(super) version: Option<String>,
    /// As `am` takes it: `com.example/com.example.Main`.
    pub(super) component: String,
    /// The permissions that users would be asked for.
    pub(super) permissions: Vec<String>,
    /// What else of it can be started.
    pub(super) components: PackageComponents,
}

impl AdbDevice {
    /// Makes a device ready: installs the app where a file is given, notes and changes settings, begins to read the
    /// log. The deadline is for all of it.
    pub fn open(
        client: &Client,
        spec: &AdbSpec,
        options: &AdbOptions,
        within: Duration,
    ) -> Result<Self, OpenError> {
        let deadline = Deadline::within("opening the device", within);
        let transport = client.choose(spec.serial.as_deref().or(options.serial.as_deref()), &deadline)?;
        let mut shell = Shell::new(transport.clone());
        let package = install(&transport, &mut shell, spec, &deadline)?;
        let app = find_app(&transport, &mut shell, spec, package, &deadline)?;
        let natural = screen(&transport, &mut shell, &deadline)?;
        let props = parse::getprop(&shell.run("getprop", &deadline)?.text());
        let api = props.get("ro.build.version.sdk").and_then(|sdk| sdk.trim().parse().ok()).unwrap_or(0);
        let tuning = if options.untuned {
            Tuning::default()
        } else {
            Tuning::begin(options.state.as_deref(), transport.serial(), &mut shell, &deadline)?
        };
        let usage = shell.run("cmd input", &deadline)?.said();
        let input = if api >= 30 && usage.contains("Usage: input") { "cmd input" } else { "input" };
        let run = run_number();
        let coverage = spec.coverage.clone();
        let mut device = Self {
            name: format!("adb:{}", transport.serial()),
            watch: Watch::start(transport.clone(), app.package.clone()),
            covered: coverage.map(|file| Covered::new(app.package.clone(), file, spec.dump.clone())),
            shell,
            app,
            screen: if natural.width > natural.height { natural.turned() } else { natural },
            natural,
            api,
            tuning,
            input,
            run,
            dumper: Dumper::new(run),
            glancer: Glancer::new(),
            spec: spec.clone(),
            token: options.console_token.clone(),
            support: Support::Unknown,
            saved: BTreeMap::new(),
            saves: 0,
            marks: false,
            // Marks of earlier sessions may still be in the log: ours are higher.
            log_marks: run,
            log_misses: 0,
            log_heard: false,
            quiet: spec.quiet.unwrap_or(options.quiet),
            touchscreen: None,
            listener: None,
            rotation: 0,
            shade: Shade::Up,
            began: Instant::now(),
            transport,
        };
        device.listen(&deadline)?;
        Ok(device)
    }
}

/// Installs the app where a file is given. Returns the package, where that tells it.
fn install(
    transport: &Transport,
    shell: &mut Shell,
    spec: &AdbSpec,
    deadline: &Deadline,
) -> Result<String, OpenError> {
    let known = |shell: &mut Shell| -> Result<BTreeSet<String>, AdbError> {
        Ok(parse::packages(&shell.run("pm list packages", deadline)?.text()).into_iter().collect())
    };
    match (&spec.app, &spec.apk) {
        (None, None) => Err(OpenError::NoApp { spec: spec.text.clone() }),
        (Some(app), None) => Ok(app.clone()),
        (app, Some(apk)) => {
            let before = if app.is_none() { known(shell)? } else { BTreeSet::new() };
            transport.install(apk, spec.grant, deadline)?;
            if let Some(app) = app {
                Ok(app.clone())
            } else {
                let new = known(shell)?.difference(&before).find(|name| is_package(name)).cloned();
                new.ok_or_else(|| OpenError::WhichApp { apk: apk.display().to_string() })
            }
        }
    }
}

fn find_app(
    transport: &Transport,
    shell: &mut Shell,
    spec: &AdbSpec,
    package: String,
    deadline: &Deadline,
) -> Result<App, OpenError> {
    let dump = shell.run(&format!("dumpsys package {}", quote(&package)), deadline)?.text();
    let Some(info) = parse::package_info(&dump, &package) else {
        return Err(OpenError::NotInstalled { package, serial: transport.serial().to_owned() });
    };
    let activity = match &spec.activity {
        Some(short) if short.starts_with('.') => Some(format!("{package}{short}")),
        Some(full) => Some(full.clone()),
        None => info.main_activity.clone().or(resolved(shell, &package, deadline)?),
    };
    let Some(activity) = activity else { return Err(OpenError::NoActivity { package }) };
    let permissions = if spec.grant { permissions(shell, &info, deadline)? } else { Vec::new() };
    let PackageInfo { version_name: version, components, .. } = info;
    Ok(App { component: format!("{package}/{activity}"), package, version, permissions, components })
}

/// The activity that a launcher starts, as the package manager resolves it (Android 7 and later).
fn resolved(shell: &mut Shell, package: &str, deadline: &Deadline) -> Result<Option<String>, AdbError> {
    let command = format!(
        "cmd package resolve-activity --brief -c android.intent.category.LAUNCHER {}",
        quote(package)
    );
    let said = shell.run(&command, deadline)?.text();
    let component = said.lines().rev().find(|line| line.contains('/')).map(str::trim);
    let front = component.and_then(|component| parse::foreground(&format!("mFocusedApp={component}")));
    Ok(front.filter(|front| *front.package == *package).map(|front| front.activity.to_string()))
}

/// The permissions that users would be asked for, among those that the app wants.
fn permissions(shell: &mut Shell, info: &PackageInfo, deadline: &Deadline) -> Result<Vec<String>, AdbError> {
    let mut wanted: BTreeSet<String> = info.runtime.iter().map(|(name, _)| name.clone()).collect();
    let listed = shell.run("pm list permissions -d -g", deadline)?.text();
    let dangerous = parse::dangerous_permissions(&listed);
    wanted.extend(info.requested.iter().filter(|name| dangerous.contains(name)).cloned());
    Ok(wanted.into_iter().collect())
}

fn screen(transport: &Transport, shell: &mut Shell, deadline: &Deadline) -> Result<Size, OpenError> {
    let said = shell.run("wm size", deadline)?.said();
    parse::screen_size(&said)
        .ok_or_else(|| OpenError::NoScreen { serial: transport.serial().to_owned(), said })
}

/// A number that tells this run's files and snapshots from those of others.
pub(super) fn run_number() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(now.as_millis()).unwrap_or_default();
    now << 16 | u64::from(std::process::id() & 0xffff)
}
