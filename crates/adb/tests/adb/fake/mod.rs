//! An adb server with one phone behind it, both made up.
//!
//! `server` speaks the protocol, `sh` is its little shell, `phone` a phone with an app of two screens, `console` an
//! emulator's console and a QEMU. Faults are switched on while it runs.

mod console;
mod phone;
mod server;
mod sh;

pub(crate) use console::{FakeConsole, FakeQemu};
pub(crate) use phone::{APP, Phone};
pub(crate) use server::{FakeServer, Fault};
