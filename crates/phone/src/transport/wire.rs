//! The sending half of a connection, shared by all its streams.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::message::{LEAST_DATA, Message, VERSION};

/// Somebody at the other end is gone: nothing can be sent any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the other end is gone")]
pub(crate) struct Broken;

/// Ends a connection, whatever it runs over.
pub(crate) type HangUp = Box<dyn Fn() + Send + Sync>;

/// The sending half. Messages are never mixed; after the first failure all fail.
pub(crate) struct PacketWire {
    writer: Mutex<Box<dyn Write + Send>>,
    hang_up: HangUp,
    dead: AtomicBool,
    /// What the host has told of itself.
    version: AtomicU32,
    most_data: AtomicU32,
}

impl PacketWire {
    pub(crate) fn new(writer: Box<dyn Write + Send>, hang_up: HangUp) -> Self {
        Self {
            writer: Mutex::new(writer),
            hang_up,
            dead: AtomicBool::new(false),
            version: AtomicU32::new(0),
            most_data: AtomicU32::new(LEAST_DATA),
        }
    }

    /// The host has introduced itself.
    pub(crate) fn meet(&self, version: u32, most_data: u32) {
        self.version.store(version, Ordering::Relaxed);
        self.most_data.store(most_data.clamp(1, super::message::MOST_DATA), Ordering::Relaxed);
    }

    /// Whether the host still checks sums. It does until it has said otherwise.
    pub(crate) fn sums(&self) -> bool {
        self.version.load(Ordering::Relaxed) < VERSION
    }

    /// The longest payload that the host takes.
    pub(crate) fn most_data(&self) -> usize {
        self.most_data.load(Ordering::Relaxed) as usize
    }

    pub(crate) fn send(&self, message: &Message) -> Result<(), Broken> {
        self.send_as(message, self.sums())
    }

    /// Sends a message with its sum: an introduction is checked by every host.
    pub(crate) fn send_summed(&self, message: &Message) -> Result<(), Broken> {
        self.send_as(message, true)
    }

    fn send_as(&self, message: &Message, sums: bool) -> Result<(), Broken> {
        if self.is_dead() {
            return Err(Broken);
        }
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        message.write(&mut **writer, sums).map_err(|_| {
            self.kill();
            Broken
        })
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Relaxed)
    }

    /// Ends the connection for both directions.
    pub(crate) fn kill(&self) {
        if !self.dead.swap(true, Ordering::Relaxed) {
            (self.hang_up)();
        }
    }
}

impl std::fmt::Debug for PacketWire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PacketWire")
            .field("dead", &self.dead)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
