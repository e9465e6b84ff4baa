//! The phone in the hands of real tools: adb, and clients from `PyPI`. Where a tool is absent, its tests say so and
//! pass.

#![allow(clippy::print_stdout, reason = "whoever skips a test says so")]

mod adb;
mod bench;
mod tools;
