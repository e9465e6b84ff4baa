//! A phone that is not there: the simulator behind the protocols of a real Android device.
//!
//! Real `adb` connects to it, shells run on it, files go back and forth, an emulator console saves and restores it,
//! and an uiautomator2 client clicks in it. Everything that the app does comes from the simulator; everything that
//! Android does around it is here, in the words and bytes of the version that the phone claims to run.
//!
//! | module | what |
//! |---|---|
//! | `transport` | what adbd speaks: messages, streams, connections |
//! | `service` | what a host can ask of the daemon: shell, sync, ports |
//! | `shell`, `command` | the shell's language, and its programs |
//! | `uiautomator` | the screen as XML, and the uiautomator2 server |
//! | `console` | the emulator console, with snapshots |
//! | `files`, `apk` | files, and what is read of app files |
//! | [`Phone`] | the device behind all that |
//!
//! Threads block, one for each connection and one for each stream; everything that grows is bounded. Absent here:
//! printing, and any file of the machine it runs on but the console's token.

#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "outputs are short, and a format that looks like what it prints is what counts"
)]
#![allow(clippy::match_same_arms, reason = "commands with the same answer are different commands")]
#![allow(clippy::unnecessary_wraps, reason = "all commands have one type, also those that cannot fail")]

mod android;
mod apk;
mod command;
mod console;
mod files;
mod phone;
mod server;
mod service;
mod settings;
mod shell;
#[cfg(test)]
mod testing;
mod transport;
mod uiautomator;

pub use android::Android;
pub use phone::Phone;
pub use server::{Server, announce};
pub use settings::{PhoneSettings, Speed};
