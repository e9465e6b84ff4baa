//! Performing events on a device and looking at it, with care for devices that fail.

use retap_device::{Device, DeviceError, Look};
use retap_trace::{Event, Micros, Observation, Seed, Start};

/// How long each call may take, on the device's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// For a fresh start.
    pub reset: Micros,
    pub event: Micros,
    /// For the app to become idle after an event.
    pub settle: Micros,
    pub look: Micros,
    /// For late effects after the last event, while the app is still busy.
    pub linger: Micros,
}

/// A candidate's events, played on a device one by one.
#[derive(Debug)]
pub struct Replay<'a> {
    device: &'a mut dyn Device,
    deadlines: Deadlines,
    look: Look,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            reset: Micros::from_secs(180),
            event: Micros::from_secs(30),
            settle: Micros::from_secs(5),
            look: Micros::from_secs(30),
            linger: Micros::from_secs(10),
        }
    }
}

impl<'a> Replay<'a> {
    /// A replay on this device that looks this closely after each event.
    pub fn new(device: &'a mut dyn Device, deadlines: Deadlines, look: Look) -> Self {
        Self { device, deadlines, look }
    }

    /// Makes the device fresh and starts the app if the trace does not do so itself.
    pub fn begin(&mut self, start: Start, seed: Seed) -> Result<Observation, DeviceError> {
        self.device.reset(seed, self.deadlines.reset)?;
        match start {
            Start::Launched => self.perform(&Event::Launch),
            Start::Stopped => self.see(),
        }
    }

    /// Performs one event, lets the app settle, and looks.
    pub fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        // A long wait is not a device that hangs.
        let wait = if let Event::Wait { time } = event { *time } else { Micros::ZERO };
        self.device.perform(event, self.deadlines.event + wait)?;
        self.rest()
    }

    /// Lets the app settle after what somebody has done to it, and looks.
    pub fn rest(&mut self) -> Result<Observation, DeviceError> {
        self.device.settle(self.deadlines.settle)?;
        self.see()
    }

    /// Waits for late effects of the last event while the app is still busy, and looks.
    pub fn linger(&mut self) -> Result<Observation, DeviceError> {
        self.device.settle(self.deadlines.linger)?;
        self.see()
    }

    /// The device's clock.
    pub fn now(&self) -> Micros {
        self.device.now()
    }

    /// Looks at the device as it is.
    pub fn see(&mut self) -> Result<Observation, DeviceError> {
        look(self.device, self.look, self.deadlines.look)
    }
}

/// Looks at a device; a look that fails, or shows an old picture, is tried again. Looking changes nothing, so
/// unlike an event it may be repeated.
pub fn look(device: &mut dyn Device, look: Look, within: Micros) -> Result<Observation, DeviceError> {
    const TRIES: usize = 4;
    let mut failure = None;
    for _ in 0..TRIES {
        let asked = device.now();
        match device.observe(look, within) {
            Ok(observation) if observation.at >= asked => return Ok(observation),
            Ok(_) => failure = Some(DeviceError::Failed { call: "observe", why: "it shows the past".into() }),
            Err(error) if error.passing() => failure = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(failure.expect("at least one try"))
}
