//! Simulated devices: a phone in virtual time, with apps written in a small language.

pub mod app;
pub mod draw;
pub mod language;
pub mod machine;
