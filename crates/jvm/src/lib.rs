//! An unmodified Android app in a JVM: AOSP's own framework code as Robolectric packs it, in a process that is told what
//! to do line by line, and a [`retap_device::Device`] made of that.
//!
//! Absent: algorithms, printing, async. The Java side is the folder `jvm` of the project; its sources are part of this
//! library, and are built on first use. The app's code is somebody else's: it runs in a sandbox, and what it prints is
//! never taken for an answer. The environment is read in one place, [`JvmEnvironment`].

mod base64;
mod convert;
mod device;
pub mod doctor;
mod environment;
mod error;
#[cfg(test)]
mod fake;
mod host;
mod intents;
mod made;
mod process;
mod run;
mod run_folder;
mod sample;
mod sandbox;
mod seal;
mod setup;
mod sidecar;
mod spawn;
mod spec;
mod toolchain;
mod warden;

pub use device::{JvmComponents, JvmDevice, JvmNotices};
pub use environment::JvmEnvironment;
pub use error::JvmError;
pub use host::{JvmHost, JvmProgress};
pub use sample::PACKAGE as SAMPLE_PACKAGE;
pub use sandbox::Sandbox;
pub use setup::{JavaSide, SetupError, SetupProgress, end_setup};
pub use spec::{JvmApp, JvmMode, JvmSpec, JvmSpecError};
pub use toolchain::{Jdk, ToolError};
