//! An app in a JVM as a [`Device`].
//!
//! Invariants: every call keeps its deadline, in this computer's time; a process that was lost is replaced at the next
//! reset, and until then every call says why it was lost; the clock is the app's own, which is virtual, and never goes
//! back, not even from one process to the next; what the device itself cannot do is never a crash of the app.

mod absence;
mod notices;
mod open;
mod perform;
#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_trace::{CoverageId, Crash, Event, Micros, Observation, Orientation, Seed, Size};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base64;
use crate::host::JvmPlace;
use crate::process::{CallError, JvmProcess, Refusal};
use crate::run_folder::RunFolder;
use crate::spec::JvmSpec;

pub use notices::JvmNotices;
pub use open::JvmComponents;

/// An app in a JVM.
#[derive(Debug)]
pub struct JvmDevice {
    spec: JvmSpec,
    place: JvmPlace,
    about: open::About,
    notices: JvmNotices,
    /// None when it was lost: why.
    running: Result<Running, Lost>,
    /// The clock when the process was started.
    base: Micros,
    now: Micros,
    orientation: Orientation,
    /// What was seen while looking for a widget, and not told yet.
    untold: Untold,
    /// The code that was told of in this run.
    covered: BTreeSet<CoverageId>,
    names: BTreeMap<CoverageId, Arc<str>>,
    /// Crashes of the device's own.
    own_crashes: Vec<Crash>,
    /// How many of them there were at the last reset.
    own_before: usize,
    absence: absence::Absence,
}

/// A process, and how much it was used. The process is dropped before its folder.
#[derive(Debug)]
struct Running {
    process: JvmProcess,
    resets: u32,
    heap_mb: u64,
    /// Whether the next reset needs another process: the app holds a thread or memory and does not give it back.
    worn: bool,
    /// Whether nothing can be done with the app before that.
    spent: bool,
    _folder: RunFolder,
}

/// How a process was lost.
#[derive(Debug, Clone)]
enum Lost {
    Late { within: Micros },
    Broken { why: String },
}

#[derive(Debug, Default)]
struct Untold {
    coverage: Vec<CoverageId>,
    crashes: Vec<Crash>,
}

/// Classes of past resets stay in memory: a process that was reset so often is replaced.
const MOST_RESETS: u32 = 150;
const MOST_HEAP_MB: u64 = 700;
/// Time passes slower for an app that keeps the processor busy than it does here: waiting for rest has so much more.
const SETTLE_GRACE: Duration = Duration::from_secs(30);

impl JvmDevice {
    /// What the user must know: that there is no sandbox.
    pub fn warnings(&self) -> Vec<String> {
        self.place.warning().map(str::to_owned).into_iter().collect()
    }

    /// What of this app cannot work here.
    pub fn limits(&self) -> &[String] {
        &self.about.limits
    }

    /// The version of the app, where it has one.
    pub fn version(&self) -> Option<&str> {
        self.about.version.as_deref()
    }

    /// Which build of the app it is: its version, and a hash of its file. Developers change an app without changing its
    /// version.
    pub fn build(&self) -> String {
        let hash = self.place.build();
        self.version().map_or_else(|| hash.clone(), |version| format!("{version} {hash}"))
    }

    /// The parts of the app that others can start, besides the one that is launched.
    pub const fn components(&self) -> &JvmComponents {
        &self.about.components
    }

    /// How many pieces of code can be covered, where that is known.
    pub const fn coverage_total(&self) -> Option<u32> {
        self.about.coverage_total
    }

    /// What ended the app so far because of the device and not of the app: no crashes of the app.
    pub fn own_crashes(&self) -> &[Crash] {
        &self.own_crashes
    }

    /// Asks the process, and reads the answer. A process that fails in this is lost.
    fn ask<T: DeserializeOwned>(
        &mut self,
        call: &'static str,
        (what, fields): (&'static str, Value),
        limit: &Limit,
    ) -> Result<T, DeviceError> {
        let running = match &mut self.running {
            Ok(running) => running,
            Err(lost) => return Err(lost.error(call)),
        };
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let answer = running.process.call(what, fields, limit.left());
        self.now = self.now.max(self.base + Micros(running.process.passed()));
        let read = answer.and_then(|answer| {
            serde_json::from_value(answer)
                .map_err(|error| CallError::Garbled { what, why: format!("something else: {error}") })
        });
        read.map_err(|error| self.failure(call, limit, error))
    }

    fn failure(&mut self, call: &'static str, limit: &Limit, error: CallError) -> DeviceError {
        let lost = match error {
            CallError::Refused { kind: Refusal::Unsupported, text } => {
                return DeviceError::NotSupported { device: self.spec.text.clone(), what: text };
            }
            CallError::Refused { kind: Refusal::App, text } => {
                return DeviceError::Failed { call, why: text };
            }
            CallError::Deadline { .. } => Lost::Late { within: limit.within },
            CallError::Refused { .. } | CallError::Ended(_) | CallError::Garbled { .. } => {
                Lost::Broken { why: error.to_string() }
            }
        };
        let error = lost.error(call);
        self.running = Err(lost);
        error
    }

    fn make_fresh(&mut self, seed: Seed, limit: &Limit) -> Result<(), DeviceError> {
        let used = match &self.running {
            Ok(running) if !running.is_worn() => running.resets > 0,
            _ => {
                self.restart(limit)?;
                false
            }
        };
        let again = match self.reset_app(seed, limit) {
            // Threads of the run before go on in it, and would take part in this one.
            Ok(worn) => worn && used,
            // One that has served before may have died of that.
            Err(DeviceError::Failed { .. }) if used && self.running.is_err() => true,
            Err(error) => return Err(error),
        };
        if again {
            self.restart(limit)?;
            self.reset_app(seed, limit)?;
        }
        Ok(())
    }

    /// Says whether something of the app before goes on, and cannot be stopped.
    fn reset_app(&mut self, seed: Seed, limit: &Limit) -> Result<bool, DeviceError> {
        let done: ResetDone = self.ask("reset", ("reset", json!({ "seed": seed.0 })), limit)?;
        if let Ok(running) = &mut self.running {
            running.resets += 1;
            running.heap_mb = done.heap_mb;
        }
        self.orientation = Orientation::Portrait;
        self.untold = Untold::default();
        self.covered.clear();
        self.absence.end();
        self.own_before = self.own_crashes.len();
        Ok(done.worn)
    }

    fn take_in(&mut self, seen: &mut view::Seen) -> Result<(), DeviceError> {
        for (id, name) in std::mem::take(&mut seen.code) {
            self.names.insert(CoverageId(id), name.into());
        }
        for note in &seen.notes {
            self.notices.tell(note);
        }
        if let Some(orientation) = seen.orientation() {
            self.orientation = orientation;
        }
        for id in seen.coverage.drain(..).map(CoverageId) {
            if self.covered.insert(id) {
                self.untold.coverage.push(id);
            }
        }
        if let Ok(running) = &mut self.running {
            running.spent |= seen.spent || seen.crashes.iter().any(view::Told::is_anr);
            running.worn |= running.spent || seen.crashes.iter().any(|told| told.drained);
        }
        let mut failed = None;
        for told in std::mem::take(&mut seen.crashes) {
            let crash = match told.crash(&seen.activity, &self.about.package) {
                Ok(crash) => crash,
                Err(why) => {
                    failed = Some(format!("the device tells of a crash that cannot be read: {why}"));
                    continue;
                }
            };
            if told.passing {
                // The next try may go well: nothing is known of this run.
                failed = Some(format!("this computer had no thread to give: {crash}"));
            } else if told.device && told.is_anr() {
                // The main thread does not come back. On a busy computer the limit of the call comes first, and the
                // end must not depend on that.
                failed = Some(format!("the device hangs in code of its own: {crash}"));
            } else if told.device {
                self.notices.tell(&format!(
                    "the app was ended by what this device cannot do, which is no crash of the app: {crash}"
                ));
                self.own_crashes.push(crash);
                self.absence.begin();
            } else {
                self.untold.crashes.push(crash);
            }
        }
        let Some(why) = failed else { return Ok(()) };
        // It was told once: another look would not see it, and the run would seem to have gone well.
        self.running = Err(Lost::Broken { why: why.clone() });
        Err(DeviceError::Failed { call: "observe", why })
    }

    /// Looks, and keeps what is to be told at the next observation.
    fn see(&mut self, call: &'static str, tree: bool, limit: &Limit) -> Result<view::Seen, DeviceError> {
        let mut seen: view::Seen = self.ask(call, ("look", json!({ "tree": tree })), limit)?;
        self.take_in(&mut seen)?;
        Ok(seen)
    }

    /// Whether nothing can be done with the app before the next reset.
    fn is_spent(&self) -> bool {
        self.running.as_ref().is_ok_and(|running| running.spent)
    }

    /// The screen as it is held.
    fn held(&self) -> Size {
        match self.orientation {
            Orientation::Portrait => self.about.screen,
            Orientation::Landscape => self.about.screen.turned(),
        }
    }
}

#[derive(Debug, serde::Deserialize)]
struct ResetDone {
    #[serde(default)]
    heap_mb: u64,
    /// Whether something of the app before goes on in it, and cannot be stopped.
    #[serde(default)]
    worn: bool,
}

#[derive(Debug, serde::Deserialize)]
struct SettleDone {
    idle: bool,
}

#[derive(Debug, serde::Deserialize)]
struct Picture {
    png: String,
}

impl Running {
    const fn is_worn(&self) -> bool {
        self.worn || self.resets >= MOST_RESETS || self.heap_mb > MOST_HEAP_MB
    }
}

impl Lost {
    fn error(&self, call: &'static str) -> DeviceError {
        match self {
            Self::Late { within } => DeviceError::Timeout { call, within: *within },
            Self::Broken { why } => DeviceError::Failed { call, why: why.clone() },
        }
    }
}

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
struct Limit {
    within: Micros,
    until: Instant,
}

impl Limit {
    /// Longer ones are as good as none, and would overflow some platforms' clocks.
    const LONGEST: Duration = Duration::from_hours(8760);

    fn of(within: Micros) -> Self {
        Self::with_grace(within, Duration::ZERO)
    }

    fn with_grace(within: Micros, grace: Duration) -> Self {
        let time = Duration::from_micros(within.0).min(Self::LONGEST) + grace;
        Self { within, until: Instant::now() + time }
    }

    /// The limit of a part of the call: at most so long, and never longer than the whole.
    fn part(&self, most: Duration) -> Self {
        let until = self.until.min(Instant::now() + most);
        let most = Micros(u64::try_from(most.as_micros()).unwrap_or(u64::MAX));
        Self { within: self.within.min(most), until }
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

impl Device for JvmDevice {
    fn name(&self) -> &str {
        &self.spec.text
    }

    fn package(&self) -> &str {
        &self.about.package
    }

    fn screen(&self) -> Size {
        self.about.screen
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.make_fresh(seed, &Limit::of(within))
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        if let Some(notice) = self.absence.event() {
            self.notices.tell(&notice);
        }
        self.act(event, &Limit::of(within))
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        let limit = Limit::with_grace(within, SETTLE_GRACE);
        let done: SettleDone = self.ask("settle", ("settle", json!({ "within": within.0 })), &limit)?;
        Ok(done.idle)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        let seen = self.see("observe", look == Look::Tree, &Limit::of(within))?;
        let screen = self.held();
        let (package, activity) = seen.in_front();
        if package == self.about.package {
            self.absence.end();
        }
        let tree = (look == Look::Tree).then(|| seen.tree(screen)).transpose();
        let tree = tree.map_err(|why| DeviceError::Failed { call: "observe", why })?;
        let Untold { coverage, crashes } = std::mem::take(&mut self.untold);
        Ok(Observation {
            at: self.now,
            package: package.into(),
            activity: activity.into(),
            tree,
            keyboard: seen.keyboard,
            orientation: self.orientation,
            screen,
            coverage,
            crashes,
        })
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        let picture: Picture = self.ask("screenshot", ("screenshot", Value::Null), &Limit::of(within))?;
        let failed = |why: &str| DeviceError::Failed { call: "screenshot", why: why.to_owned() };
        let picture = base64::decode(&picture.png).ok_or_else(|| failed("the picture is no base 64"))?;
        if picture.starts_with(b"\x89PNG\r\n\x1a\n") {
            Ok(picture)
        } else {
            Err(failed("the picture is no PNG"))
        }
    }

    fn now(&self) -> Micros {
        self.now
    }

    fn code_name(&self, id: CoverageId) -> Option<Arc<str>> {
        self.names.get(&id).cloned()
    }

    fn ended_app(&self) -> Option<String> {
        let first = self.own_crashes.get(self.own_before)?;
        Some(format!("the app was ended by what this device cannot do, so no crash was to be seen: {first}"))
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}
