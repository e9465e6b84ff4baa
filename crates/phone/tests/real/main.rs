//! The phone in the hands of real tools: adb, and clients from `PyPI`. Where a tool is absent, its tests say so and
//! pass.

mod adb;
mod bench;
mod tools;
