//! Places where an app can crash.

use retap_trace::{CrashKind, Frame};

use super::Template;

/// A place where the app can crash, with the stack that it prints.
#[derive(Debug, Clone, PartialEq)]
pub struct CrashSite {
    /// What kind of crash.
    pub kind: CrashKind,
    /// Exception class or signal.
    pub exception: String,
    /// The message, which may vary from crash to crash.
    pub message: Template,
    /// The class of the root cause.
    pub cause: Option<String>,
    /// The stack.
    pub frames: Vec<Frame>,
}
