//! The input devices as Linux has them, and the events that went through them: what `getevent` shows.
//!
//! What `input` does is not among them: as on a phone, that comes in above the input devices.

use std::collections::VecDeque;

use retap_device::DeviceError;
use retap_trace::{Event, LinuxKey, Micros};

use super::state::State;

/// How many events are kept for those who read late.
const MOST: usize = 4_096;
const KEY: u16 = 1;

/// An input device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputDevice {
    Touchscreen,
    Keys,
}

/// An event of an input device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawEvent {
    /// Time since the phone was started.
    pub(crate) at: Micros,
    pub(crate) device: InputDevice,
    pub(crate) kind: u16,
    pub(crate) code: u16,
    pub(crate) value: i32,
}

/// The last events, and how many there were before them.
#[derive(Debug, Default)]
pub(crate) struct RawEvents {
    events: VecDeque<RawEvent>,
    next: u64,
    /// The key that is down.
    down: Option<u16>,
}

impl InputDevice {
    pub(crate) const ALL: [Self; 2] = [Self::Touchscreen, Self::Keys];

    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Touchscreen => "/dev/input/event1",
            Self::Keys => "/dev/input/event0",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Touchscreen => "virtio_input_multi_touch_1",
            Self::Keys => "qwerty2",
        }
    }
}

impl RawEvents {
    fn add(&mut self, event: RawEvent) {
        if self.events.len() >= MOST {
            self.events.pop_front();
        }
        self.events.push_back(event);
        self.next += 1;
    }

    /// The number of the event that comes next.
    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    /// Events from this number on.
    pub(crate) fn from(&self, number: u64) -> impl Iterator<Item = &RawEvent> {
        let first = self.next - self.events.len() as u64;
        self.events.iter().skip(usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX))
    }
}

impl State {
    /// An event of an input device, as Linux writes it.
    pub(crate) fn raw_event(
        &mut self,
        device: InputDevice,
        (kind, code, value): (u16, u16, i32),
    ) -> Result<(), DeviceError> {
        self.raw.add(RawEvent { at: self.uptime(), device, kind, code, value });
        match device {
            InputDevice::Touchscreen => self.raw_touch(kind, code, i64::from(value)),
            InputDevice::Keys => self.raw_key(kind, code, value),
        }
    }

    /// A key does what it does when it is released.
    fn raw_key(&mut self, kind: u16, code: u16, value: i32) -> Result<(), DeviceError> {
        if kind != KEY {
            return Ok(());
        }
        if value == 0 && self.raw.down.take() == Some(code) {
            return match LinuxKey::of_code(code) {
                Some(known) => self.perform(&Event::key(known.key)),
                None => Ok(()),
            };
        }
        if value == 1 {
            self.raw.down = Some(code);
        }
        Ok(())
    }
}
