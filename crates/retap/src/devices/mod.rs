//! From `--device` to devices, and to the places where they are put to work.

mod android;
mod choice;
mod simulated;

use anyhow::bail;
use retap_device::Device;
use retap_explore::Components;
use retap_lab::{
    FollowReport, Follower, Guide, Lab, Oracle, Patience, Player, Recorder, Runner, SharedDevice, Take,
    Taken, ThreadLab, VirtualLab, Witness, Worker,
};
use retap_reduce::EventRun;
use retap_suite::ReplayOrder;
use retap_trace::Header;

pub(crate) use choice::{check_app, choose, choose_for, located};
pub(crate) use simulated::simulator;

use crate::interrupt::Interrupt;

/// Devices of one kind, ready to use. A clone is of the same devices.
#[derive(Clone)]
pub(crate) struct Fleet {
    devices: Vec<SharedDevice>,
    /// The header of traces recorded on them.
    pub(crate) header: Header,
    /// How many pieces of code the app has, where that is known.
    pub(crate) coverage_total: Option<u32>,
    pub(crate) surroundings: Surroundings,
    pub(crate) time: Time,
}

/// A kind of device.
pub(crate) struct Backend {
    /// The word before the first `:` or `?`.
    pub(crate) scheme: &'static str,
    /// How a device of it is written.
    pub(crate) form: &'static str,
    /// How time passes on them.
    time: Time,
    /// Opens so many devices.
    open: fn(&str, u32) -> anyhow::Result<Fleet>,
    /// The package that such a device runs, as far as its name tells.
    package: fn(&str) -> anyhow::Result<Option<String>>,
}

/// All kinds of devices. A new one is a file with a [`Backend`], and a line here.
pub(crate) const BACKENDS: &[Backend] = &[simulated::BACKEND, android::BACKEND];

/// What can happen to the app from outside.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    /// Parts of the app that can be started, besides launching it.
    pub(crate) components: Components,
    /// Whether messages and calls can come in.
    pub(crate) modem: bool,
}

/// How time passes on devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// A simulated device: a run takes no time of ours, and there are as many devices as anybody wants.
    Virtual,
    /// A device of this world: a run takes its time, and two who use it at once disturb each other.
    Real,
}

impl Fleet {
    /// So many devices as the specification says. What is wrong is said at once.
    pub(crate) fn open(spec: &str, count: u32) -> anyhow::Result<Self> {
        if let Some(backend) = backend(spec) {
            return (backend.open)(spec, count);
        }
        let forms: Vec<&str> = BACKENDS.iter().map(|backend| backend.form).collect();
        let schemes = BACKENDS.iter().map(|backend| backend.scheme);
        let meant = retap_trace::did_you_mean(scheme(spec), schemes).unwrap_or_default();
        bail!(
            "there is no device '{spec}'{meant}{} write {} ('retap device list' shows them all)",
            if meant.is_empty() { ";" } else { "" },
            forms.join(", or ")
        )
    }

    /// Handles of the devices. Labs that are made of them are used one after the other.
    pub(crate) fn devices(&self) -> Vec<Box<dyn Device>> {
        self.devices.iter().map(|device| Box::new(device.clone()) as Box<dyn Device>).collect()
    }

    /// Whether these are so many devices as the specification says.
    pub(crate) fn is(&self, spec: &str, count: u32) -> bool {
        self.header.device.as_deref() == Some(spec) && self.devices.len() == count as usize
    }

    /// Whether every device has snapshots.
    pub(crate) fn has_snapshots(&self) -> bool {
        self.devices.iter().all(SharedDevice::has_snapshots)
    }

    /// A lab with these devices, for candidates of a trace.
    pub(crate) fn lab(&self, oracle: &Oracle, interrupt: &Interrupt) -> Box<dyn Lab> {
        at_work(Runner::fleet(oracle, self.devices()), self.time, interrupt)
    }

    /// The same, and runs that miss are looked at where they ended.
    pub(crate) fn witnesses(&self, oracle: &Oracle, interrupt: &Interrupt) -> Box<dyn Lab> {
        at_work(Witness::fleet(oracle, self.devices()), self.time, interrupt)
    }

    /// A lab in which these devices play events that need not stand in a trace.
    pub(crate) fn stage(&self, oracle: &Oracle, interrupt: &Interrupt) -> Box<dyn Lab<EventRun>> {
        at_work(Player::fleet(oracle, self.devices()), self.time, interrupt)
    }

    /// A lab in which the first device performs events and writes down what is seen.
    pub(crate) fn studio(&self, oracle: &Oracle, interrupt: &Interrupt) -> Box<dyn Lab<Take, Taken>> {
        at_work(Recorder::fleet(oracle, self.devices().into_iter().take(1).collect()), self.time, interrupt)
    }

    /// A lab in which these devices follow the traces of a suite.
    pub(crate) fn trail(
        &self,
        guide: &Guide,
        interrupt: &Interrupt,
    ) -> Box<dyn Lab<ReplayOrder, FollowReport>> {
        at_work(Follower::fleet(guide, self.devices()), self.time, interrupt)
    }
}

/// Workers in a lab, as time passes on their devices.
pub(crate) fn at_work<W: Worker + 'static>(
    workers: Vec<W>,
    time: Time,
    interrupt: &Interrupt,
) -> Box<dyn Lab<W::Order, W::Report>> {
    match time {
        Time::Virtual => Box::new(VirtualLab::new(workers)),
        Time::Real => {
            let interrupt = interrupt.clone();
            let lab = ThreadLab::new(workers, Patience::default());
            Box::new(lab.stopping_when(move || interrupt.asked()))
        }
    }
}

/// How time passes on a device, where such devices are known.
pub(crate) fn time(spec: &str) -> Option<Time> {
    backend(spec).map(|backend| backend.time)
}

/// The kind that a device is of.
fn backend(spec: &str) -> Option<&'static Backend> {
    BACKENDS.iter().find(|backend| backend.scheme == scheme(spec))
}

/// The word before the first `:` or `?`.
fn scheme(spec: &str) -> &str {
    spec.split([':', '?']).next().unwrap_or_default()
}
