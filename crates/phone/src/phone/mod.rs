//! The phone: one simulated device behind a lock, which all connections share.
//!
//! | file | what |
//! |---|---|
//! | `state` | everything behind the lock |
//! | `world` | what a snapshot holds beside the simulated machine |
//! | `clock` | how real time becomes the phone's |
//! | `log` | the lines that logcat shows |
//! | `touch` | what fingers do becomes events |
//! | `panel` | raw events become what fingers do |
//! | `inputs` | the input devices, and the raw events that went through them |
//! | `packages`, `battery`, `tables`, `props` | what the system remembers |
//! | `snapshots` | the whole phone, saved and restored |
//! | `faults` | commands that fail to order |
//!
//! Nobody holds the lock while waiting for anything.

mod battery;
mod clock;
mod faults;
mod inputs;
mod log;
mod packages;
mod panel;
mod props;
mod snapshots;
mod state;
mod tables;
mod touch;
mod world;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use retap_device::DeviceError;
use retap_sim::SimDevice;
use retap_trace::Micros;

use crate::settings::{PhoneSettings, Speed};
use crate::transport::Lines;

pub(crate) use battery::Battery;
pub(crate) use inputs::{InputDevice, RawEvent};
pub(crate) use log::{BUFFERS, LogRecord};
pub(crate) use packages::{Package, component, short_component};
pub(crate) use snapshots::Saved;
pub(crate) use state::State;
pub(crate) use tables::TABLES;
pub(crate) use world::World;

/// How often somebody who waits looks whether it is over.
const GLANCE: Duration = Duration::from_millis(20);

/// A phone. Clones are the same phone.
#[derive(Debug, Clone)]
pub struct Phone {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: PhoneSettings,
    state: Mutex<State>,
    lines: Lines,
    stopped: AtomicBool,
    /// Bytes of files that are on their way.
    coming: AtomicU64,
}

impl Phone {
    /// A phone around a simulated device.
    pub fn new(settings: PhoneSettings, device: SimDevice) -> Self {
        let state = Mutex::new(State::new(&settings, device));
        let shared = Shared {
            settings,
            state,
            lines: Lines::default(),
            stopped: AtomicBool::new(false),
            coming: AtomicU64::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// What kind of phone it is.
    pub fn settings(&self) -> &PhoneSettings {
        &self.shared.settings
    }

    /// Ends everything: connections are dropped, and servers return.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.lines().drop_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn lines(&self) -> &Lines {
        &self.shared.lines
    }

    /// Looks at the phone, or changes it, at this moment of its time.
    pub(crate) fn with<T>(&self, see: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.catch_up();
        let seen = see(&mut state);
        state.collect_log();
        seen
    }

    /// The same for what can fail. A phone that goes offline drops its connections.
    pub(crate) fn call<T>(
        &self,
        call: impl FnOnce(&mut State) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let done = self.with(call);
        if let Err(DeviceError::Offline { .. }) = done {
            self.lines().drop_all();
        }
        done
    }

    /// Whether the phone cannot be reached now. Somebody who tries takes his time over it.
    pub(crate) fn knock(&self) -> bool {
        self.with(|state| {
            if state.is_offline() && self.settings().speed == Speed::Fast {
                state.pass(Micros::from_secs(1));
            }
            !state.is_offline()
        })
    }

    /// Lets so much of the phone's time pass, or less when `over` says so.
    pub(crate) fn wait(&self, time: Micros, over: impl Fn() -> bool) {
        match self.settings().speed {
            Speed::Fast => self.with(|state| state.pass(time)),
            Speed::Times(times) => {
                let until = self.with(|state| state.uptime()) + time;
                while !over() && !self.is_stopped() {
                    let left = until.since(self.with(|state| state.uptime()));
                    if left == Micros::ZERO {
                        break;
                    }
                    let real = Duration::try_from_secs_f64(left.as_secs_f64() / times.max(1e-6));
                    thread::sleep(real.unwrap_or(GLANCE).min(GLANCE));
                }
            }
        }
    }

    /// Counts bytes that have come and are not kept yet; says how many there are of all hosts together.
    pub(crate) fn add_coming(&self, bytes: u64) -> u64 {
        self.shared.coming.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    pub(crate) fn remove_coming(&self, bytes: u64) {
        self.shared.coming.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// What the phone says of itself when a host connects.
    pub(crate) fn banner(&self) -> Vec<u8> {
        let android = self.settings().android;
        let ((product, device), features) = (android.product_and_device(), android.features());
        format!(
            "device::ro.product.name={product};ro.product.model={product};ro.product.device={device};\
             features={features}"
        )
        .into_bytes()
    }

    /// Twenty bytes for a host to sign. Nothing depends on them: every key is welcome.
    pub(crate) fn token(&self, number: u64) -> Vec<u8> {
        let mut dice = self.settings().seed.branch("auth", number).dice();
        (0..20).map(|_| u8::try_from(dice.below(256)).unwrap_or(0)).collect()
    }
}
