//! Why there is no device.

use std::path::PathBuf;

use crate::setup::SetupError;
use crate::toolchain::ToolError;

/// Why an app cannot be run in a JVM. Each is one sentence that says what to do, where something can be done.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The computer.
    #[error("apps run in a JVM on Linux with a 64-bit Intel or AMD processor only, not on this computer")]
    Platform,
    /// Java or Maven.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The Java side could not be built.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A file that the user named.
    #[error("{} cannot be read: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    /// The file of the app is no app, or one that does not work here.
    #[error("{} cannot be run in a JVM: {why}", apk.display())]
    App { apk: PathBuf, why: String },
    /// The table of other apps.
    #[error("{}{} is no table of intents: {why}", path.display(), line.map_or(String::new(), |line| format!(":{line}")))]
    Intents { path: PathBuf, line: Option<usize>, why: String },
    /// The app that is part of retap.
    #[error("the sample app could not be built: {why}")]
    Sample { why: String },
    /// A folder or a file of our own.
    #[error("{} cannot be written: {why}; set XDG_CACHE_HOME to a folder that can be written", path.display())]
    Folder { path: PathBuf, why: String },
    /// The JVM.
    #[error("the JVM for {} does not work: {why}", apk.display())]
    Process { apk: PathBuf, why: String },
}
