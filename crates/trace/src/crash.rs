//! Crashes, and when two of them are the same.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A crash as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Crash {
    /// What kind.
    pub kind: CrashKind,
    /// What it is recognised by.
    pub signature: Signature,
    /// Exception class (Java), signal (native), error name (JavaScript), `ANR`.
    pub exception: String,
    /// The message; it never counts for equality.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The class of the innermost cause, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// The stack, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
}

/// The kinds of crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashKind {
    /// An uncaught Java or Kotlin exception.
    Java,
    /// The app did not respond.
    Anr,
    /// A signal in native code.
    Native,
    /// An uncaught exception in a page.
    JavaScript,
}

/// One line of a stack, as printed without `at`: `com.example.Main.onClick(Main.java:41)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame(pub String);

/// What a crash is recognised by, short enough to type and to read:
/// `IllegalStateException@EditorActivity.addTag#1a2b3c4d`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub Arc<str>);

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for Frame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
