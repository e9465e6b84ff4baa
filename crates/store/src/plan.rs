//! What a session is about.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a session is about: written once, when it is created. A process that goes on with a session compares its plan
/// with its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The program, always `retap`.
    pub program: String,
    pub version: String,
    /// The command, such as `reduce`.
    pub command: String,
    /// Its settings, all that the result depends on.
    pub settings: Value,
}

impl Plan {
    /// The plan of a command of retap.
    pub fn new(version: impl Into<String>, command: impl Into<String>, settings: Value) -> Self {
        Self { program: "retap".to_owned(), version: version.into(), command: command.into(), settings }
    }
}
