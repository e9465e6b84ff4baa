//! The client and the backend against a virtual phone behind a made-up adb server, and what can be had of the real one.

#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on should stop it")]

mod backend; // the device on the virtual phone
mod captures; // what real tools printed
mod client; // every call of the client
mod conformance; // the suite that every backend must pass
mod corpus; // what devices print, by version, vendor and misfortune
mod doctor; // checks and what to do about them
mod fake; // a made-up server before a virtual phone
mod real_phone; // the virtual device behind the real adb server
mod real_server; // the real adb server, without a device
mod snapshots; // the emulator's console and QEMU
