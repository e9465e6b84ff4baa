//! What came out of a recording.

use std::path::PathBuf;

use retap_trace::Crash;
use serde::Serialize;

/// What came out. As JSON it is what `--json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct RecordResult {
    /// Always `record`.
    pub command: &'static str,
    /// How it ended.
    pub status: RecordStatus,
    /// Why it was cut short; where it was not, why nobody looked for a crash that comes late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The file of the trace; none when there are no steps.
    pub trace: Option<PathBuf>,
    /// How many steps it has.
    pub steps: usize,
    /// The signature of the crash that ended it.
    #[serde(rename = "crash", skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What that crash came of. The trace has it only when that is a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash_of: Option<CrashCause>,
    /// That crash.
    #[serde(skip)]
    pub crash: Option<Crash>,
    /// What was done that no event can express, in words.
    pub left_out: Vec<String>,
    /// Steps that came so quickly that the device could not be looked at before them.
    pub quick: usize,
    /// Device time of the recording, with the installation of the app.
    pub device_seconds: f64,
    /// What the device is, where its name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seed of all chance.
    pub seed: u64,
}

/// What was done last before a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashCause {
    /// The app was started, and nothing else.
    Start,
    /// The last step of the trace.
    Step,
    /// Something that no event can express, so that the trace does not lead to the crash.
    LeftOut,
}

/// How a recording ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordStatus {
    /// The person had done, or the app crashed.
    Recorded,
    /// The same, and there is not a single step.
    Nothing,
    /// The device failed. What was recorded until then is kept.
    CutShort,
}
