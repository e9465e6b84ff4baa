//! Crashes, and when two of them are the same.

mod anr;
mod java;
mod java_frame;
mod javascript;
mod javascript_frame;
mod log;
mod native;
mod native_frame;
mod signature;
mod site;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A crash as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    /// The class of the innermost cause, when there is one; for an ANR, the activity that did not respond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// The stack, innermost first. The stack of a cause stands before that of what it caused.
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
    #[serde(rename = "javascript")]
    JavaScript,
}

/// One line of a stack, as printed without `at`: `com.example.Main.onClick(Main.java:41)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame(pub String);

/// One exception of a chain of causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thrown {
    /// Its class, with its package.
    pub class: String,
    /// Its message, or nothing.
    pub message: String,
    /// Its stack, innermost first, without the frames that it has in common with what it caused.
    pub frames: Vec<Frame>,
}

/// What a crash is recognised by, short enough to type and to read:
/// `IllegalStateException@EditorActivity.addTag#1a2b3c4d`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub Arc<str>);

/// Why no crash was found in a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCrash {
    /// The text tells of none.
    #[error("there is no {what} in this text")]
    Nothing {
        /// What was looked for.
        what: &'static str,
    },
    /// The text tells of one, but of another app.
    #[error("the crash in this text is of the process {process}, not of {package}")]
    OtherProcess {
        /// The process that crashed.
        process: String,
        /// The app in question.
        package: String,
    },
}

impl Crash {
    /// A crash of this app, with the signature that follows from it.
    pub fn new(
        kind: CrashKind,
        exception: impl Into<String>,
        message: impl Into<String>,
        root_cause: Option<String>,
        frames: Vec<Frame>,
        package: &str,
    ) -> Self {
        let (exception, message) = (exception.into(), message.into());
        let signature = signature::sign(kind, &exception, root_cause.as_deref(), &frames, package);
        Self { kind, signature, exception, message, root_cause, frames }
    }

    /// Reads an uncaught exception as Java, logcat or Monkey print it.
    ///
    /// In a log, the first `FATAL EXCEPTION` of this app counts; in a text without any, the first stack trace.
    /// Here and below `package` may be empty when the app is not known.
    pub fn from_java(text: &str, package: &str) -> Result<Self, NoCrash> {
        java::parse(text, package)
    }

    /// An uncaught exception and its causes, each with the next behind it; nothing when there is none. What stands in a
    /// message cannot be taken for a stack, as it can in a text.
    pub fn from_thrown(chain: Vec<Thrown>, package: &str) -> Option<Self> {
        java::from_chain(chain, package)
    }

    /// Reads a signal as `debuggerd` prints it in a tombstone or in logcat.
    pub fn from_native(text: &str, package: &str) -> Result<Self, NoCrash> {
        native::parse(text, package)
    }

    /// Reads an `ANR in ..` as logcat prints it, with the stack of the main thread where there is one.
    pub fn from_anr(text: &str, package: &str) -> Result<Self, NoCrash> {
        anr::parse(text, package)
    }

    /// Reads an uncaught error of a page with its stack, as V8, Firefox or Safari write it.
    pub fn from_javascript(text: &str) -> Result<Self, NoCrash> {
        javascript::parse(text)
    }

    /// The frame that the signature names: the innermost one that counts.
    pub fn site(&self) -> Option<&Frame> {
        let named = |frame: &&Frame| {
            Some(site::Site::of(self.kind, frame, "").name.as_str()) == self.signature.site()
        };
        self.frames.iter().find(named).or_else(|| self.frames.first())
    }
}

impl CrashKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Java, Self::Anr, Self::Native, Self::JavaScript];

    /// Its name in files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Java => "java",
            Self::Anr => "anr",
            Self::Native => "native",
            Self::JavaScript => "javascript",
        }
    }
}

impl Signature {
    /// The place it names: `EditorActivity.addTag`.
    fn site(&self) -> Option<&str> {
        let (_, rest) = self.0.split_once('@')?;
        rest.rsplit_once('#').map(|(site, _)| site)
    }
}

/// Whether a process is of the app: `com.example`, or `com.example:remote`. Any is when the app is not known.
fn is_process_of(process: &str, package: &str) -> bool {
    package.is_empty()
        || process.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// In words: `java.lang.IllegalStateException at EditorActivity.addTag (EditorActivity.java:88)`.
impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.exception)?;
        match (&self.root_cause, self.kind) {
            (Some(activity), CrashKind::Anr) => return write!(f, " in {activity}"),
            (Some(cause), _) => write!(f, " caused by {cause}")?,
            (None, _) => {}
        }
        match self.site() {
            Some(frame) => write!(f, " at {}", site::Site::of(self.kind, frame, "").words),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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
