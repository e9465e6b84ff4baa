//! A simulated phone as a test sees it: calls that cost virtual time, have deadlines, and may fail.
//!
//! Invariants: a run is a function of the seed of its reset alone, whatever the device did before; the clock
//! never goes back; a call that fails leaves the phone as it was.

mod call;
mod snapshots;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, SnapshotId, Snapshots};
use retap_trace::{CoverageId, Dice, Event, Micros, Observation, Seed, Size};

use crate::app::App;
use crate::draw;
use crate::fault::Faults;
use crate::machine::{Machine, Program};
use crate::profile::Profile;
use crate::spec::{SimSpec, SimSpecError};

#[derive(Debug)]
pub struct SimDevice {
    name: String,
    profile: Profile,
    drop: f64,
    faults: Faults,
    machine: Machine,
    chances: Chances,
    clock: Micros,
    offline_until: Micros,
    slow_until: Micros,
    /// The look before, kept only when looks can be stale.
    last: Option<Observation>,
    saved: BTreeMap<SnapshotId, Machine>,
    saves: u64,
}

/// The dice of a run, apart from each other so that one kind of chance does not shift another.
#[derive(Debug)]
struct Chances {
    app: Dice,
    drops: Dice,
    faults: Dice,
}

impl Chances {
    fn of(seed: Seed) -> Self {
        let dice = |part| seed.branch(part, 0).dice();
        Self { app: dice("app"), drops: dice("drops"), faults: dice("faults") }
    }
}

impl SimDevice {
    /// A device as specified, with this app on it.
    pub fn new(spec: &SimSpec, app: Arc<App>) -> Result<Self, SimSpecError> {
        Ok(Self::running(spec, Arc::new(spec.program(app)?)))
    }

    /// A device as specified that runs a program; many devices can share one.
    pub fn running(spec: &SimSpec, program: Arc<Program>) -> Self {
        let mut chances = Chances::of(Seed::default());
        Self {
            name: spec.text.clone(),
            profile: spec.profile,
            drop: spec.drop,
            faults: spec.faults,
            machine: Machine::new(program, &mut chances.app),
            chances,
            clock: Micros::ZERO,
            offline_until: Micros::ZERO,
            slow_until: Micros::ZERO,
            last: None,
            saved: BTreeMap::new(),
            saves: 0,
        }
    }

    /// The device that a specification describes. `read` returns the text of a file, or says why it cannot.
    pub fn open(text: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<Self, SimSpecError> {
        let spec: SimSpec = text.parse()?;
        Self::new(&spec, Arc::new(spec.load(read)?))
    }

    /// The phone itself, for those who may know more than a test sees.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The same, for those who may do what no user can.
    pub const fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Lets time pass of which nobody called the device.
    pub fn pass(&mut self, time: Micros) {
        self.clock += time;
        self.machine.advance(self.machine.now() + time, &mut self.chances.app);
    }

    /// Does one more event of a call that was paid for already: the second of several keys.
    pub fn add(&mut self, event: &Event) {
        let lost = event.aim().is_some() && self.chances.drops.chance(self.drop);
        if !lost {
            self.machine.perform(event, &mut self.chances.app);
        }
    }

    /// Opens the settings, as a tap on their icon does.
    pub fn open_settings(&mut self, within: Micros) -> Result<(), DeviceError> {
        self.call_live("open settings", self.profile.launch, within)?;
        self.machine.open_settings(&mut self.chances.app);
        Ok(())
    }

    /// Whether the device cannot be reached at the moment.
    pub fn is_offline(&self) -> bool {
        self.clock < self.offline_until
    }

    /// What the screen shows, as a PNG file no wider than this.
    pub fn picture(&mut self, max_width: u32, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.call_live("screenshot", self.profile.screenshot, within)?;
        let (tree, note) = (self.machine.tree(), self.machine.activity().clone());
        let scene = draw::Scene {
            keyboard: self.machine.keyboard(),
            note: &note,
            max_width,
            ..draw::Scene::new(&tree, self.machine.screen())
        };
        Ok(draw::screenshot(&scene))
    }

    fn see(&mut self, look: Look) -> Observation {
        let machine = &mut self.machine;
        Observation {
            at: self.clock,
            package: machine.package().clone(),
            activity: machine.activity().clone(),
            tree: (look == Look::Tree).then(|| machine.tree()),
            keyboard: machine.keyboard(),
            orientation: machine.orientation(),
            screen: machine.screen(),
            coverage: machine.take_coverage(),
            crashes: machine.take_crashes(),
        }
    }

    /// The look before again, if it was as close. It has no news: those were told, and what is new waits.
    fn see_again(&self, look: Look) -> Option<Observation> {
        let last = self.last.as_ref()?;
        let close_enough = look == Look::Activity || last.tree.is_some();
        close_enough.then(|| Observation { coverage: Vec::new(), crashes: Vec::new(), ..last.clone() })
    }
}

impl Device for SimDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn package(&self) -> &str {
        &self.machine.program().app().package
    }

    fn screen(&self) -> Size {
        Machine::SCREEN
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        // What befell the run before ends here: a run is a function of its seed alone, the failure of its reset
        // included. Another try has another seed.
        self.chances = Chances::of(seed);
        (self.offline_until, self.slow_until) = (Micros::ZERO, Micros::ZERO);
        self.call("reset", self.profile.reset, within)?;
        self.last = None;
        self.machine = Machine::new(self.machine.program().clone(), &mut self.chances.app);
        Ok(())
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        match event {
            Event::Wait { time } => self.wait(*time, within)?,
            Event::Launch => {
                self.call_live("perform", self.profile.launch, within)?;
                if self.chances.faults.chance(self.faults.gone) {
                    return Err(DeviceError::AppGone { package: self.package().to_owned() });
                }
            }
            _ => self.call_live("perform", self.profile.event, within)?,
        }
        self.add(event);
        Ok(())
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.call("settle", Micros::ZERO, within)?;
        let before = self.machine.now();
        let idle = self.machine.settle(within, &mut self.chances.app);
        self.clock += self.machine.now().since(before);
        Ok(idle)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        let cost = match look {
            Look::Activity => self.profile.glance,
            Look::Tree => self.profile.tree,
        };
        self.call_live("observe", cost, within)?;
        if self.chances.faults.chance(self.faults.blind) {
            return Err(DeviceError::Failed { call: "observe", why: "the screen could not be read".into() });
        }
        if self.chances.faults.chance(self.faults.stale)
            && let Some(old) = self.see_again(look)
        {
            return Ok(old);
        }
        let observation = self.see(look);
        if self.faults.stale > 0.0 {
            self.last = Some(observation.clone());
        }
        Ok(observation)
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.picture(draw::Scene::WIDTH, within)
    }

    fn now(&self) -> Micros {
        self.clock
    }

    fn code_name(&self, id: CoverageId) -> Option<Arc<str>> {
        self.machine.program().app().coverage.get(id.0 as usize).cloned()
    }

    fn hangs(&self) -> bool {
        self.machine.hangs()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        if self.profile.snapshots.is_some() { Some(self) } else { None }
    }
}
