//! Android through the adb server: a client of its protocol, parsers of what Android's tools print, and a
//! [`retap_device::Device`] made of both.
//!
//! Absent: algorithms, printing, async. Calls block and every one has a deadline; the only threads are the ones that
//! read logcat and getevent. The environment is read in one place, [`client::Environment`].

pub mod client;
mod device;
pub mod doctor;
pub mod parse;
pub mod person;
mod spec;

pub use device::{AdbDevice, AdbOptions, OpenError, SystemDeed, deed};
pub use spec::{AdbSpec, AdbSpecError};
