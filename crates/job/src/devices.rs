//! The devices of a job, and the labs in which they are put to work.

use std::fmt::Display;

use retap_device::Device;
use retap_explore::Components;
use retap_lab::{
    FollowReport, Follower, Guide, Lab, Oracle, Patience, Player, Recorder, Runner, SharedDevice, Take,
    Taken, ThreadLab, VirtualLab, Witness, Worker,
};
use retap_reduce::EventRun;
use retap_suite::ReplayOrder;
use retap_trace::Header;

use crate::error::{Result, refuse, require};
use crate::watch::{JobEvent, Stop, Watching};

/// Devices of one kind that run the same app, ready to use. A clone is of the same devices.
#[derive(Debug, Clone)]
pub struct Devices {
    shared: Vec<SharedDevice>,
    /// Others of the same kind, on which crashes are reduced while these explore.
    spare: Vec<SharedDevice>,
    /// The header of traces recorded on them: the app and its build, the device as it is written, what it is (every result
    /// says that), the screen.
    pub header: Header,
    /// How many branches the app's code has, where that is known.
    pub coverage_total: Option<u32>,
    /// What can happen to the app from outside.
    pub surroundings: Surroundings,
    /// How time passes on them.
    pub time: Time,
}

/// What can happen to an app from outside.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Parts of the app that can be started, besides launching it.
    pub components: Components,
    /// Whether messages and calls can come in.
    pub modem: bool,
}

/// How time passes on devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// A simulated device: a run takes no time of ours, and there are as many devices as anybody wants.
    Virtual,
    /// A device of this world: a run takes its time, and two who use it at once disturb each other.
    Real,
}

impl Devices {
    /// These devices, which run the app of the header.
    pub fn new(devices: Vec<Box<dyn Device>>, header: Header, time: Time) -> Self {
        let shared = devices.into_iter().map(SharedDevice::new).collect();
        let surroundings = Surroundings::default();
        Self { shared, spare: Vec::new(), header, coverage_total: None, surroundings, time }
    }

    /// With others of the same kind, on which crashes are reduced while these explore. Without them crashes are reduced
    /// once the exploration is over.
    #[must_use]
    pub fn with_spare(mut self, spare: &Self) -> Self {
        self.spare.clone_from(&spare.shared);
        self
    }

    /// Whether crashes can be reduced while these explore.
    pub(crate) fn have_spare(&self) -> bool {
        !self.spare.is_empty()
    }

    /// The devices on which crashes are reduced.
    pub(crate) fn for_reducing(&self) -> Self {
        let shared = if self.have_spare() { &self.spare } else { &self.shared };
        Self { shared: shared.clone(), spare: Vec::new(), ..self.clone() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.shared.len()
    }

    /// Handles of the devices. Labs that are made of them are used one after the other.
    pub fn handles(&self) -> Vec<Box<dyn Device>> {
        self.shared.iter().map(|device| Box::new(device.clone()) as Box<dyn Device>).collect()
    }

    /// Whether every device has snapshots.
    pub fn have_snapshots(&self) -> bool {
        self.shared.iter().all(SharedDevice::has_snapshots)
    }

    /// Refuses a trace of another app than the one that these devices run. Another build of the same app is what
    /// regressions are looked for in: that is only told.
    pub(crate) fn accept(&self, trace: &Header, who: &dyn Display, watching: &Watching<'_>) -> Result<()> {
        let device = self.header.device.as_deref().unwrap_or("the device");
        same_app(trace, who, device, &self.header.app.package)?;
        if let Some((then, now)) = self.other_build(trace) {
            watching.tell(&JobEvent::OtherBuild { what: who.to_string(), then, device, now });
        }
        if let (Some(then), Some(now)) = (trace.screen, self.header.screen)
            && then != now
        {
            watching.tell(&JobEvent::OtherScreen { what: who.to_string(), then, device, now });
        }
        Ok(())
    }

    /// The build of a trace and that of the app on these devices, if they differ.
    pub fn other_build<'a>(&'a self, trace: &'a Header) -> Option<(&'a str, &'a str)> {
        let (then, now) = (trace.app.build.as_deref()?, self.header.app.build.as_deref()?);
        (then != now).then_some((then, now))
    }

    /// A lab with these devices, for candidates of a trace.
    pub(crate) fn lab(&self, oracle: &Oracle, stop: &Stop) -> Box<dyn Lab> {
        at_work(Runner::fleet(oracle, self.handles()), self.time, stop)
    }

    /// The same, and runs that miss are looked at where they ended.
    pub(crate) fn witnesses(&self, oracle: &Oracle, stop: &Stop) -> Box<dyn Lab> {
        at_work(Witness::fleet(oracle, self.handles()), self.time, stop)
    }

    /// A lab in which these devices play events that need not stand in a trace.
    pub(crate) fn players(&self, oracle: &Oracle, stop: &Stop) -> Box<dyn Lab<EventRun>> {
        at_work(Player::fleet(oracle, self.handles()), self.time, stop)
    }

    /// A lab in which a device performs events and writes down what is seen: the first one that works.
    pub(crate) fn recorder(&self, oracle: &Oracle, stop: &Stop) -> Box<dyn Lab<Take, Taken>> {
        at_work(Recorder::fleet(oracle, self.handles()), self.time, stop)
    }

    /// A lab in which these devices follow the traces of a suite.
    pub(crate) fn followers(&self, guide: &Guide, stop: &Stop) -> Box<dyn Lab<ReplayOrder, FollowReport>> {
        at_work(Follower::fleet(guide, self.handles()), self.time, stop)
    }
}

/// Refuses a trace of another app than the one that a device runs.
pub fn same_app(trace: &Header, who: &dyn Display, device: &str, runs: &str) -> Result<()> {
    let package = &*trace.app.package;
    require!(
        package == runs,
        "{who} is of the app {package}, but {device} runs {runs}; name a device that runs {package} with --device"
    );
    Ok(())
}

/// The devices of a job that needs so many.
pub(crate) fn given(devices: Option<&Devices>, count: u32) -> Result<&Devices> {
    let Some(devices) = devices.filter(|devices| devices.count() > 0) else { refuse!("no device is given") };
    let (given, spare) = (devices.count(), devices.spare.len());
    require!(given == count as usize, "the plan is for {count} devices, and {given} are given");
    require!(spare == 0 || spare == given, "there are {given} devices, and {spare} spare ones; have as many");
    Ok(devices)
}

/// Workers in a lab, as time passes on their devices.
pub(crate) fn at_work<W: Worker + 'static>(
    workers: Vec<W>,
    time: Time,
    stop: &Stop,
) -> Box<dyn Lab<W::Order, W::Report>> {
    match time {
        Time::Virtual => Box::new(VirtualLab::new(workers)),
        Time::Real => {
            let stop = stop.clone();
            let lab = ThreadLab::new(workers, Patience::default());
            Box::new(lab.stopping_when(move || stop.asked()))
        }
    }
}
