//! Everything behind the lock: the simulated device, the world around it, and time.

use std::collections::BTreeMap;

use retap_device::{Device, DeviceError, Look};
use retap_sim::SimDevice;
use retap_sim::machine::Machine;
use retap_trace::{Event, GuiTree, Key, Micros, Observation, Orientation, Seed, Size, SystemEvent};

use super::clock::Clock;
use super::faults::CommandFaults;
use super::inputs::RawEvents;
use super::log::LogRecord;
use super::snapshots::Saved;
use super::touch::Fingers;
use super::world::World;
use crate::settings::PhoneSettings;

/// Calls to the simulated device that take longer than this have hung.
pub(super) const PATIENCE: Micros = Micros::from_secs(60);
/// The process of the system server; the simulated log has the same.
pub(crate) const SYSTEM_SERVER: u32 = 497;

/// The phone as it is.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) settings: PhoneSettings,
    pub(super) device: SimDevice,
    pub(crate) world: World,
    pub(super) clock: Clock,
    pub(super) fingers: Fingers,
    /// What went through the input devices.
    pub(crate) raw: RawEvents,
    pub(super) saved: BTreeMap<String, Saved>,
    pub(super) faults: CommandFaults,
    /// How often the app's data was cleared.
    clears: u64,
}

impl State {
    pub(super) fn new(settings: &PhoneSettings, device: SimDevice) -> Self {
        let world = World::fresh(settings, device.machine().program().app());
        Self {
            settings: settings.clone(),
            device,
            world,
            clock: Clock::new(settings.speed),
            fingers: Fingers::default(),
            raw: RawEvents::default(),
            saved: BTreeMap::new(),
            faults: CommandFaults::default(),
            clears: 0,
        }
    }

    /// Lets the time pass that has passed in the world.
    pub(super) fn catch_up(&mut self) {
        let passed = self.clock.passed();
        self.pass(passed);
    }

    pub(crate) fn pass(&mut self, time: Micros) {
        if time > Micros::ZERO {
            self.device.pass(time);
        }
    }

    /// Time since the phone was started.
    pub(crate) fn uptime(&self) -> Micros {
        self.device.now()
    }

    /// The time of day, in microseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        (self.settings.started.saturating_mul(1_000_000)).saturating_add(self.uptime().0)
    }

    /// The time of day, in seconds since 1970.
    pub(crate) fn now_secs(&self) -> u64 {
        self.now() / 1_000_000
    }

    pub(crate) fn machine(&self) -> &Machine {
        self.device.machine()
    }

    pub(crate) fn is_offline(&self) -> bool {
        self.device.is_offline()
    }

    /// The screen as it is held.
    pub(crate) fn screen(&self) -> Size {
        self.machine().screen()
    }

    /// Does something to the phone.
    pub(crate) fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.lift()?;
        self.device.perform(event, PATIENCE)?;
        self.collect_log();
        Ok(())
    }

    /// Does one more thing of a call that was paid for.
    pub(crate) fn add(&mut self, event: &Event) {
        self.device.add(event);
        self.collect_log();
    }

    /// Looks at what is in front.
    pub(crate) fn glance(&mut self) -> Result<Observation, DeviceError> {
        self.lift()?;
        self.device.observe(Look::Activity, PATIENCE)
    }

    /// Waits until the app is idle, and reads the screen. None when it does not come to rest.
    pub(crate) fn read_screen(&mut self) -> Result<Option<(GuiTree, Observation)>, DeviceError> {
        self.lift()?;
        if !self.device.settle(Micros::from_secs(10))? {
            return Ok(None);
        }
        let mut seen = self.device.observe(Look::Tree, PATIENCE)?;
        Ok(Some((seen.tree.take().unwrap_or_default(), seen)))
    }

    /// What the screen shows, as a PNG file in its full size.
    pub(crate) fn picture(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.lift()?;
        let width = self.screen().width;
        self.device.picture(width, PATIENCE)
    }

    /// Waits until the app is idle, but no longer than so.
    pub(crate) fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.lift()?;
        self.device.settle(within)
    }

    /// Tells everybody that something has happened.
    pub(crate) fn broadcast(
        &mut self,
        action: &str,
        extras: BTreeMap<String, String>,
    ) -> Result<(), DeviceError> {
        let event = SystemEvent { action: action.to_owned(), extras };
        self.perform(&Event::System(event))
    }

    pub(crate) fn rotate(&mut self, to: Orientation) -> Result<(), DeviceError> {
        let value = if to == Orientation::Landscape { "1" } else { "0" };
        self.world.tables.put("system", "user_rotation", value);
        if self.machine().orientation() == to { Ok(()) } else { self.perform(&Event::Rotate { to }) }
    }

    /// Types at the end of the field that has the focus.
    pub(crate) fn type_text(&mut self, text: &str) -> Result<(), DeviceError> {
        self.lift()?;
        match self.machine().focused_text() {
            Some(before) => self.perform(&Event::text(before + text)),
            // Nobody takes the letters, but typing them takes its time.
            None => self.perform(&Event::key(Key(0))),
        }
    }

    /// Opens or closes the ways to the network, and tells apps when that makes a difference.
    pub(crate) fn set_network(&mut self, change: impl FnOnce(&mut World)) -> Result<(), DeviceError> {
        let before = self.world.online();
        change(&mut self.world);
        let after = self.world.online();
        for (name, on) in [
            ("wifi_on", self.world.wifi),
            ("mobile_data", self.world.data),
            ("airplane_mode_on", self.world.airplane),
        ] {
            self.world.tables.put("global", name, if on { "1" } else { "0" });
        }
        if before == after { Ok(()) } else { self.perform(&self.network_news()) }
    }

    /// What apps are told of the network.
    fn network_news(&self) -> Event {
        let extras = BTreeMap::from([("connected".to_owned(), self.world.online().to_string())]);
        Event::System(SystemEvent { action: "android.net.conn.CONNECTIVITY_CHANGE".to_owned(), extras })
    }

    /// Changes the battery, and tells apps what they are to know.
    pub(crate) fn set_battery(&mut self, battery: super::Battery) -> Result<(), DeviceError> {
        let news = self.world.battery.news(&battery);
        self.world.battery = battery;
        for action in news {
            self.broadcast(action, BTreeMap::new())?;
        }
        Ok(())
    }

    /// Ends the app and clears its data: it is as on the day it was installed, and the home screen is in front if it
    /// was.
    pub(crate) fn clear_app(&mut self, why: &str) -> Result<(), DeviceError> {
        self.end_app(why);
        self.fingers = Fingers::default();
        self.clears += 1;
        let seed = self.run_seed();
        let held = self.machine().orientation();
        self.device.reset(seed, PATIENCE)?;
        self.world.log.read = 0;
        // All but the app stays as it was.
        if held != Orientation::Portrait {
            self.device.add(&Event::Rotate { to: held });
        }
        if !self.world.online() {
            self.device.add(&self.network_news());
        }
        Ok(())
    }

    fn run_seed(&self) -> Seed {
        self.settings.seed.branch("clear", self.clears)
    }

    /// Ends the app's process, and says so in the log.
    pub(crate) fn end_app(&mut self, why: &str) {
        let Some(process) = self.machine().process() else { return };
        let package = self.package();
        self.device.machine_mut().end_app();
        self.note('I', "ActivityManager", &format!("Killing {process}:{package}/u0a101 (adj 0): {why}"));
    }

    /// Grants a permission or takes it away. `false` when the app never asks for it.
    pub(crate) fn grant(&mut self, permission: &str, granted: bool) -> bool {
        self.device.machine_mut().grant(permission, granted)
    }

    pub(crate) fn open_settings(&mut self) -> Result<(), DeviceError> {
        self.lift()?;
        self.device.open_settings(PATIENCE)
    }

    /// The package of the app under test.
    pub(crate) fn package(&self) -> String {
        self.device.package().to_owned()
    }

    /// Writes a line of the system's own into the log.
    pub(crate) fn note(&mut self, level: char, tag: &str, text: &str) {
        let entry = LogRecord {
            at: self.now(),
            process: SYSTEM_SERVER,
            thread: SYSTEM_SERVER + 12,
            level,
            tag: tag.to_owned(),
            text: text.to_owned(),
        };
        self.collect_log();
        self.world.log.add(entry);
    }

    /// Takes over what the machine has logged, with the time of day.
    pub(super) fn collect_log(&mut self) {
        let (lines, next) = self.device.machine().log_from(self.world.log.read);
        let (now, machine_now) = (self.now(), self.device.machine().now());
        for line in lines {
            let thread = if line.process == SYSTEM_SERVER { SYSTEM_SERVER + 12 } else { line.process };
            self.world.log.add(LogRecord {
                at: now.saturating_sub(machine_now.since(line.at).0),
                process: line.process,
                thread,
                level: line.level,
                tag: line.tag,
                text: line.text,
            });
        }
        self.world.log.read = next;
    }
}
