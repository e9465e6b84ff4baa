//! The protocol of the adb *server*, the one that the `adb` program speaks with on port 5037.
//!
//! [`Client`] asks the server, [`Transport`] reaches one device through it. Every call opens a connection of its own,
//! so a call after a drop simply works when the device is back. Every call has a [`Deadline`] and can be called off.
//! Absent: threads, other than the one that waits for a server to start; the environment, but in [`Environment`].

mod address;
mod deadline;
mod environment;
mod error;
mod features;
mod forward;
mod install;
mod packet;
mod process;
mod server;
mod shell;
mod start;
mod sync;
mod track;
mod transport;
mod wire;

pub use address::Address;
pub use deadline::{Cancel, Deadline};
pub use environment::{DEFAULT_PORT, Environment};
pub use error::AdbError;
pub use features::Features;
pub use forward::Forward;
pub use process::{ProcessOutput, ShellProcess, Stream};
pub use server::Client;
pub use shell::{ShellOutput, quote};
pub(crate) use start::output_of;
pub use sync::{Entry, FileKind, FileStat};
pub use track::Tracker;
pub use transport::Transport;
pub(crate) use wire::Wire;
