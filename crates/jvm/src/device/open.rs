//! Starting a JVM with the app, for the first time and again.

use std::time::{Duration, Instant};

use retap_device::DeviceError;
use retap_trace::{Micros, Orientation, Size};
use serde_json::{Map, Value, json};

use super::{JvmDevice, JvmNotices, Limit, Lost, Running, Untold};
use crate::error::JvmError;
use crate::host::JvmPlace;
use crate::process::{CallError, JvmProcess, Refusal};
use crate::run_folder::RunFolder;
use crate::spec::JvmSpec;

/// How long a JVM may take until the app is known to it.
const OPEN: Duration = Duration::from_mins(1);

/// The parts of an app that others can start, as `package/class`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JvmComponents {
    pub activities: Vec<String>,
    pub services: Vec<String>,
    pub receivers: Vec<String>,
}

/// What is known of the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct About {
    pub(super) package: String,
    pub(super) version: Option<String>,
    /// The screen in portrait.
    pub(super) screen: Size,
    pub(super) components: JvmComponents,
    pub(super) coverage_total: Option<u32>,
    pub(super) limits: Vec<String>,
}

#[derive(Debug, serde::Deserialize)]
struct OpenDone {
    package: String,
    #[serde(default)]
    version_name: Option<String>,
    #[serde(default)]
    version_code: Option<i64>,
    screen: [u32; 2],
    #[serde(default)]
    activities: Vec<String>,
    #[serde(default)]
    services: Vec<String>,
    #[serde(default)]
    receivers: Vec<String>,
    #[serde(default)]
    coverage_total: Option<u32>,
    #[serde(default)]
    limits: Vec<String>,
}

/// Why there is no process.
enum NoStart {
    Folder(std::io::Error),
    Call(CallError),
}

impl JvmDevice {
    pub(crate) fn open(spec: &JvmSpec, place: JvmPlace, notices: JvmNotices) -> Result<Self, JvmError> {
        let began = start(spec, &place, OPEN);
        let apk = || spec.app.name();
        let (running, about) = began.map_err(|error| match error {
            NoStart::Folder(error) => JvmError::Folder { path: place.kept.clone(), why: error.to_string() },
            NoStart::Call(CallError::Refused { kind: Refusal::App, text }) => {
                JvmError::App { apk: apk(), why: text }
            }
            NoStart::Call(error) => JvmError::Process { apk: apk(), why: error.to_string() },
        })?;
        let now = Micros(running.process.passed());
        Ok(Self {
            spec: spec.clone(),
            place,
            about,
            notices,
            running: Ok(running),
            base: Micros::ZERO,
            now,
            orientation: Orientation::default(),
            untold: Untold::default(),
            covered: std::collections::BTreeSet::new(),
            names: std::collections::BTreeMap::new(),
            own_crashes: Vec::new(),
            own_before: 0,
            absence: super::absence::Absence::default(),
        })
    }

    /// Another process in place of the one that was worn or lost.
    pub(super) fn restart(&mut self, limit: &Limit) -> Result<(), DeviceError> {
        // There is room for one at a time.
        self.running = Err(Lost::Broken { why: "the JVM was ended to start another one".to_owned() });
        self.base = self.now;
        if !self.place.is_same_build() {
            let why = format!("{} is another file than at the start", self.spec.app.name().display());
            self.running = Err(Lost::Broken { why: why.clone() });
            return Err(DeviceError::Failed { call: "reset", why });
        }
        let limit = limit.part(OPEN);
        match start(&self.spec, &self.place, limit.left()) {
            Ok((running, about)) if about.package == self.about.package => {
                self.now = self.base + Micros(running.process.passed());
                self.running = Ok(running);
                Ok(())
            }
            Ok((_, about)) => {
                let why = format!("{} is now another app, {}", self.spec.app.name().display(), about.package);
                self.running = Err(Lost::Broken { why: why.clone() });
                Err(DeviceError::Failed { call: "reset", why })
            }
            Err(NoStart::Folder(error)) => {
                let why = format!("{} cannot be written: {error}", self.place.kept.display());
                Err(DeviceError::Failed { call: "reset", why })
            }
            Err(NoStart::Call(error)) => Err(self.failure("reset", &limit, error)),
        }
    }
}

/// Starts a JVM and tells it of the app.
fn start(spec: &JvmSpec, place: &JvmPlace, within: Duration) -> Result<(Running, About), NoStart> {
    let until = Instant::now() + within;
    let folder = RunFolder::new(&place.kept).map_err(NoStart::Folder)?;
    let started = JvmProcess::start(place.command(&folder), folder.path());
    let mut process =
        started.map_err(|error| NoStart::Call(CallError::Ended(format!("cannot be started: {error}"))))?;
    let mut fields = json!({
        "apk": place.apk,
        "classes": place.classes,
        "data": place.data(&folder),
        "api": spec.api,
        "screen": spec.screen,
        "wild": spec.mode.is_wild(),
        "compat": spec.compat.unwrap_or(0),
        "stay": spec.stay,
        "installed": place.intents,
    });
    if let Some(dp) = spec.keyboard {
        fields["keyboard"] = dp.into();
    }
    let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
    let left = until.saturating_duration_since(Instant::now());
    let told = process.call("open", fields, left).map_err(NoStart::Call)?;
    let about = about(told).map_err(|why| NoStart::Call(CallError::Garbled { what: "open", why }))?;
    Ok((Running { process, resets: 0, heap_mb: 0, worn: false, spent: false, _folder: folder }, about))
}

fn about(told: Value) -> Result<About, String> {
    let told: OpenDone = serde_json::from_value(told).map_err(|error| format!("something else: {error}"))?;
    let [width, height] = told.screen;
    if width == 0 || height == 0 || told.package.is_empty() {
        return Err("no package, or a screen without a size".to_owned());
    }
    let size = Size { width, height };
    let name = told.version_name.filter(|name| !name.is_empty() && name != "null");
    Ok(About {
        package: told.package,
        version: name.or_else(|| told.version_code.map(|code| code.to_string())),
        screen: if width > height { size.turned() } else { size },
        components: JvmComponents {
            activities: told.activities,
            services: told.services,
            receivers: told.receivers,
        },
        coverage_total: told.coverage_total.filter(|total| *total > 0),
        limits: told.limits,
    })
}
