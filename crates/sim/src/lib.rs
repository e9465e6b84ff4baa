//! Simulated devices: a phone in virtual time, with apps written in a small language.
//!
//! It behaves like a phone in every way that matters to a test of a GUI, and everything in it is a function of a
//! seed. Layers, each knowing only those before it: [`app`] (what an app is), [`language`] (how it is written),
//! [`machine`] (a phone that runs it), [`draw`] (pictures), [`SimDevice`] (the phone as a test sees it: with
//! costs, deadlines and faults).
//!
//! Absent here: any real clock, any thread, any file. Apps are read by the caller.

pub mod app;
mod device;
pub mod draw;
mod fault;
pub mod language;
pub mod library;
pub mod machine;
mod profile;
mod spec;

pub use device::SimDevice;
pub use fault::Faults;
pub use profile::{Profile, SnapshotCosts};
pub use spec::{AppSource, SimSpec, SimSpecError};
