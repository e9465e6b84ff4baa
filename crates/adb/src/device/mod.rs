//! A phone or emulator as a [`Device`].
//!
//! Invariants: every call keeps its deadline; what is lost is [`DeviceError::Offline`], and the next call looks for the
//! device again; the clock is this computer's, so that it never goes back; settings that were changed are put back.

mod console;
mod coverage;
mod dump;
mod fingers;
mod gesture;
mod glance;
mod keeper;
mod listen;
mod open;
mod perform;
mod qmp;
mod reset;
mod settle;
mod shell;
mod snapshots;
mod system;
mod tuning;
mod typing;
mod undo;
mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use retap_device::{Device, DeviceError, Inputs, Look, SnapshotId, Snapshots};
use retap_trace::{CoverageId, Event, Micros, Observation, Orientation, Seed, Size};

use crate::client::{AdbError, Deadline, Transport};
use crate::parse::{self, KillCause, PackageComponents, Touchscreen, UiDump};
use crate::spec::AdbSpec;

pub(crate) use keeper::Keeper;
pub use open::{AdbOptions, OpenError};
pub use system::{SystemDeed, deed};

/// A device behind an adb server, with one app under test.
#[derive(Debug)]
pub struct AdbDevice {
    name: String,
    transport: Transport,
    shell: shell::Shell,
    watch: watch::Watch,
    app: open::App,
    /// The screen in portrait.
    screen: Size,
    /// The screen when it is not turned. That of many tablets is wide.
    natural: Size,
    api: u32,
    tuning: tuning::Tuning,
    /// The command that fingers and keys go through.
    input: &'static str,
    /// Tells this run's files and snapshots from those of others.
    run: u64,
    dumper: dump::Dumper,
    glancer: glance::Glancer,
    covered: Option<coverage::Covered>,
    spec: AdbSpec,
    token: Option<String>,
    support: snapshots::Support,
    /// The snapshots, each with what events had changed when it was saved.
    saved: BTreeMap<SnapshotId, Vec<tuning::Changed>>,
    saves: u64,
    /// Whether the device keeps the marks of snapshots.
    marks: bool,
    /// The last mark that was written into the log, and how many did not come back.
    log_marks: u64,
    log_misses: u32,
    /// Whether any mark ever came back.
    log_heard: bool,
    quiet: Duration,
    touchscreen: Option<Touchscreen>,
    /// Who listens to a person.
    listener: Option<listen::Listener>,
    /// How the screen was turned at the last look, in quarters.
    rotation: u8,
    /// Where the shade was at the last look.
    shade: Shade,
    began: Instant,
}

/// Where the notification shade is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shade {
    Up,
    Down,
}

/// How long putting everything back may take. Old versions of Android need most of a second for each setting.
const PUT_BACK: Duration = Duration::from_secs(8);
/// How long our own mark may take through the log.
const MARK_WAIT: Duration = Duration::from_secs(2);
/// After so many marks that never came, the device's log is not asked for marks any more.
const MARK_TRIES: u32 = 2;

impl AdbDevice {
    /// How processes of the app were ended without a crash since the last time: by lack of memory, or by the system.
    pub fn take_kills(&self) -> Vec<KillCause> {
        self.watch.take_kills()
    }

    /// The version of Android, as a number: 30 for Android 11.
    pub const fn api(&self) -> u32 {
        self.api
    }

    /// The version of the app under test, where it has one.
    pub fn version(&self) -> Option<&str> {
        self.app.version.as_deref()
    }

    /// The parts of the app that others may be able to start, besides the one that is launched.
    pub const fn components(&self) -> &PackageComponents {
        &self.app.components
    }

    /// Whether messages and calls can be made to come in: emulators have a modem that takes orders.
    pub fn has_modem(&self) -> bool {
        console::Console::of(self.transport.serial(), self.token.clone()).is_some()
    }

    /// Puts the settings back that were changed. Dropping the device does so too, but cannot tell when it failed.
    pub fn close(mut self) -> Result<(), AdbError> {
        let deadline = Deadline::within("putting settings back", PUT_BACK);
        self.tuning.restore(&mut self.shell, &deadline)
    }

    fn look(&mut self, look: Look, deadline: &Deadline) -> Result<Observation, AdbError> {
        let tree = match look {
            Look::Activity => None,
            Look::Tree => Some(self.dumper.dump(&mut self.shell, &self.transport, deadline)?.tree),
        };
        let marking = self.marking();
        if marking {
            self.log_marks += 1;
        }
        let mark = marking.then_some(self.log_marks);
        let glance = self.glancer.look(&mut self.shell, mark, deadline)?;
        self.hear_log(mark, deadline)?;
        let coverage = match &mut self.covered {
            Some(covered) => covered.news(&mut self.shell, &self.transport, deadline)?,
            None => Vec::new(),
        };
        self.rotation = glance.display.rotation.unwrap_or(0);
        let (package, activity) = glance.in_front();
        self.shade = if package == glance::SYSTEM_UI { Shade::Down } else { Shade::Up };
        Ok(Observation {
            at: self.now(),
            package: package.into(),
            activity: activity.into(),
            tree,
            keyboard: glance.keyboard,
            orientation: glance.display.orientation(),
            screen: glance.screen(self.natural),
            coverage,
            crashes: self.watch.take_crashes(),
        })
    }

    /// Waits until all that was logged before the mark has been read.
    fn hear_log(&mut self, mark: Option<u64>, deadline: &Deadline) -> Result<(), AdbError> {
        let Some(mark) = mark else {
            return deadline.sleep(Duration::from_millis(150));
        };
        let before = self.watch.bytes();
        let heard = self.watch.wait_for(mark, &deadline.part(deadline.what(), MARK_WAIT))?;
        if !heard && self.log_heard && self.watch.bytes() == before {
            // It waits for a time that is long to come: the device was restarted, and its clock was set back.
            self.restart_watch();
        }
        self.log_heard |= heard;
        self.log_misses += u32::from(!heard);
        Ok(())
    }

    /// Waits until the log is being read: what is logged from here on is not missed.
    fn listen(&mut self, deadline: &Deadline) -> Result<(), AdbError> {
        const TRIES: u32 = 10;
        if !self.marking() {
            return Ok(());
        }
        for _ in 0..TRIES {
            // One that was written before anybody read may be lost among other lines; a later one is not.
            self.log_marks += 1;
            self.shell.run(&glance::marking(self.log_marks), deadline)?;
            if self.watch.wait_for(self.log_marks, &deadline.part(deadline.what(), MARK_WAIT / TRIES))? {
                self.log_heard = true;
                return Ok(());
            }
        }
        self.log_misses += 1;
        Ok(())
    }

    /// Whether marks come back from this device's log, as far as is known.
    const fn marking(&self) -> bool {
        self.log_heard || self.log_misses < MARK_TRIES
    }

    /// How many quarters it must be turned to be held so.
    fn quarters(&self, to: Orientation) -> u8 {
        let wide = self.natural.width > self.natural.height;
        u8::from((to == Orientation::Landscape) != wide)
    }

    fn restart_watch(&mut self) {
        self.watch = watch::Watch::start(self.transport.clone(), self.app.package.clone());
    }

    /// What was told before a load belongs to another past.
    fn after_load(&mut self) {
        if let Some(covered) = &mut self.covered {
            covered.reset();
        }
        let _ = (self.watch.take_crashes(), self.watch.take_kills());
    }

    /// A call with its deadline and the errors that callers know.
    fn call<T>(
        &mut self,
        call: &'static str,
        within: Micros,
        body: impl FnOnce(&mut Self, &Deadline) -> Result<T, Trouble>,
    ) -> Result<T, DeviceError> {
        let limit = deadline(call, within);
        match body(self, &limit) {
            Ok(done) => Ok(done),
            Err(Trouble::Device(error)) => Err(error),
            Err(Trouble::Adb(error)) => Err(self.failure(call, within, error)),
        }
    }

    fn failure(&mut self, call: &'static str, within: Micros, error: AdbError) -> DeviceError {
        if error.is_drop() {
            self.shell.forget();
            // Should it fail, the next call says so.
            let _ = self.transport.revive(&Deadline::within("reconnecting", Duration::from_secs(2)));
            return DeviceError::Offline { device: self.name.clone() };
        }
        match error {
            AdbError::Timeout { .. } => DeviceError::Timeout { call, within },
            error => DeviceError::Failed { call, why: error.to_string() },
        }
    }

    fn unsupported(&self, what: impl Into<String>) -> DeviceError {
        DeviceError::NotSupported { device: self.name.clone(), what: what.into() }
    }
}

/// The screen as it is now, for those who want nothing else of a device.
pub(crate) fn dump_once(transport: &Transport, deadline: &Deadline) -> Result<UiDump, AdbError> {
    let mut shell = shell::Shell::new(transport.clone());
    dump::Dumper::new(open::run_number()).dump(&mut shell, transport, deadline)
}

/// What can go wrong within a call.
enum Trouble {
    Adb(AdbError),
    Device(DeviceError),
}

impl From<AdbError> for Trouble {
    fn from(error: AdbError) -> Self {
        Self::Adb(error)
    }
}

impl From<DeviceError> for Trouble {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

fn deadline(call: &'static str, within: Micros) -> Deadline {
    Deadline::within(call, Duration::from_micros(within.0))
}

impl Device for AdbDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn package(&self) -> &str {
        &self.app.package
    }

    fn screen(&self) -> Size {
        self.screen
    }

    fn reset(&mut self, _: Seed, within: Micros) -> Result<(), DeviceError> {
        self.call("reset", within, Self::make_fresh)
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        self.call("perform", within, |device, deadline| device.act(event, deadline))
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.call("settle", within, |device, deadline| Ok(device.wait_for_rest(deadline)?))
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.call("observe", within, |device, deadline| Ok(device.look(look, deadline)?))
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.call("screenshot", within, |device, deadline| {
            let printed = device.transport.exec("screencap -p", deadline)?;
            if let Some(picture) = parse::picture(&printed) {
                return Ok(picture.to_vec());
            }
            let said: String = String::from_utf8_lossy(&printed).chars().take(200).collect();
            let why = if printed.is_empty() {
                "screencap printed nothing".to_owned()
            } else {
                format!("this is no PNG: {said}")
            };
            Err(DeviceError::Failed { call: "screenshot", why }.into())
        })
    }

    fn now(&self) -> Micros {
        Micros(u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn code_name(&self, id: CoverageId) -> Option<Arc<str>> {
        self.covered.as_ref()?.name(id)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        if self.find_keeper() { Some(self) } else { None }
    }

    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        Some(self)
    }
}

impl Drop for AdbDevice {
    fn drop(&mut self) {
        // A device that is gone keeps its settings for now; the file says what to put back at the next start.
        let deadline = Deadline::within("putting settings back", PUT_BACK);
        let _ = self.tuning.restore(&mut self.shell, &deadline);
    }
}
