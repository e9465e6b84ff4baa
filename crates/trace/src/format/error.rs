//! Why a trace could not be read.

use std::io;

use crate::json::JsonError;

use super::{MAX_LINE, TRACE_VERSION};

/// Why a trace could not be read: one sentence that names the place and says what to do.
///
/// Lines and columns count from 1. Columns count characters, and bytes where the line is not text.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct TraceError {
    /// The file, or what the caller called it.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
    /// What is wrong there.
    pub problem: TraceProblem,
}

/// What can be wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceProblem {
    /// There is no line in the file.
    #[error(
        "the file is empty: a trace begins with a header line such as \
         {{\"retap\":\"trace\",\"version\":1,\"app\":{{\"package\":\"com.example\"}}}}"
    )]
    Empty,
    /// The first line is not the header of a trace.
    #[error(
        "this is not a retap trace: its first line does not begin a trace with \"retap\":\"trace\"; \
         a recording of another tool becomes one with 'retap import', and any text can be reduced with --to cmd:COMMAND"
    )]
    NotATrace,
    /// A later retap wrote this.
    #[error(
        "version: the trace has version {version}, and this retap reads version {TRACE_VERSION}; update retap"
    )]
    Newer {
        /// The version of the file.
        version: u64,
    },
    /// The file ends in the middle of a line.
    #[error(
        "the file was cut off in the middle of line {line}, after {}; {}",
        whole_steps(*steps),
        if *confirmed {
            "what was confirmed of the whole holds no longer, so reduce it again"
        } else {
            "delete that line to use what came before it"
        }
    )]
    CutOff {
        /// The line that is not whole.
        line: u64,
        /// How many whole steps come before it.
        steps: u64,
        /// Whether the header claims something of the whole trace.
        confirmed: bool,
    },
    /// The line is not text.
    #[error(
        "byte {byte} of this line is not UTF-8 text: this is no trace, or it was saved in another encoding"
    )]
    NotUtf8 {
        /// Which byte, from 1.
        byte: u64,
    },
    /// The line has no end in sight.
    #[error("this line is longer than {} MiB, the longest that is read; a step takes one line", MAX_LINE >> 20)]
    TooLong,
    /// The line is not JSON.
    #[error("{}", crate::json::in_words(field, message))]
    Syntax {
        /// The field in which it breaks; empty for the line as a whole.
        field: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// The line is JSON, but a field means nothing.
    #[error("{}", crate::json::in_words(field, message))]
    Field {
        /// The field, such as `event.at[1]`; empty for the line as a whole.
        field: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// The file could not be read further.
    #[error("reading stopped here: {0}")]
    Io(io::Error),
}

impl From<JsonError> for TraceProblem {
    fn from(error: JsonError) -> Self {
        let JsonError { field, message, syntax, .. } = error;
        if syntax { Self::Syntax { field, message } } else { Self::Field { field, message } }
    }
}

fn whole_steps(steps: u64) -> String {
    match steps {
        0 => "no whole step".to_owned(),
        1 => "1 whole step".to_owned(),
        _ => format!("{steps} whole steps"),
    }
}
