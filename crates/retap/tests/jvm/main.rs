//! Apps in a JVM, as people use them, and with everything killed that can be. The app is the sample.

#![cfg(target_os = "linux")]

mod bench;
#[path = "../command/mod.rs"]
mod command;
mod kills;
mod missing;
mod show;
