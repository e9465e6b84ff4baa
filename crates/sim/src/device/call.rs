//! What a call costs, and how it fails.

use retap_device::DeviceError;
use retap_trace::Micros;

use super::SimDevice;
use crate::fault::Faults;

impl SimDevice {
    /// A call while the phone runs on: time passes for the app as well.
    pub(super) fn call_live(
        &mut self,
        call: &'static str,
        cost: Micros,
        within: Micros,
    ) -> Result<(), DeviceError> {
        let before = self.clock;
        self.call(call, cost, within)?;
        let passed = self.clock.since(before);
        self.machine.advance(self.machine.now() + passed, &mut self.chances.app);
        Ok(())
    }

    /// A call while the phone stands still: checks for faults, then pays.
    pub(super) fn call(
        &mut self,
        call: &'static str,
        cost: Micros,
        within: Micros,
    ) -> Result<(), DeviceError> {
        self.fail(call, within)?;
        let slow = self.clock < self.slow_until;
        let cost = if slow { Micros(cost.0.saturating_mul(Faults::SLOW_FACTOR)) } else { cost };
        self.pay(call, cost, within)
    }

    /// Nothing is done for a while. That takes no longer on a slow device, and the event itself lets the app's
    /// time pass.
    pub(super) fn wait(&mut self, time: Micros, within: Micros) -> Result<(), DeviceError> {
        self.fail("perform", within)?;
        self.pay("perform", time, within)
    }

    fn pay(&mut self, call: &'static str, cost: Micros, within: Micros) -> Result<(), DeviceError> {
        self.clock += cost.min(within);
        if cost > within { Err(DeviceError::Timeout { call, within }) } else { Ok(()) }
    }

    /// The faults that can befall any call.
    fn fail(&mut self, call: &'static str, within: Micros) -> Result<(), DeviceError> {
        let (faults, dice) = (&self.faults, &mut self.chances.faults);
        if self.clock >= self.offline_until && dice.chance(faults.offline) {
            self.offline_until = self.clock + faults.offline_for;
        }
        if self.clock < self.offline_until {
            self.clock += Faults::OFFLINE_CALL.min(within);
            return Err(DeviceError::Offline { device: self.name.clone() });
        }
        if dice.chance(faults.hang) {
            self.clock += within;
            return Err(DeviceError::Timeout { call, within });
        }
        if dice.chance(faults.slow) {
            self.slow_until = self.clock + Faults::SLOW_FOR;
        }
        Ok(())
    }
}
