//! What the program knows that serves: its settings, and devices.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_job::reduce::Subject;
use retap_job::{Devices, ExplorePlan, ReducePlan, ReplayPlan};

/// Where devices say what there is to know of them, as long as they are open.
pub type NoticeSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Joins what is asked for with the program's settings, and opens devices. A refusal is one sentence.
pub trait McpHost: Send + Sync {
    /// The plan of a new exploration.
    fn explore(&self, asked: &ExploreRequest) -> Result<ExplorePlan, String>;

    /// The plan of the exploration in a folder, with its device as it is to be opened.
    fn resumed(&self, folder: &Path) -> Result<(ExplorePlan, String), String>;

    /// The plan of a reduction.
    fn reduce(&self, subject: Subject, asked: &ReduceRequest) -> Result<ReducePlan, String>;

    /// The plan of replays of a trace.
    fn replay(&self, trace: &Path, asked: &ReplayRequest) -> Result<ReplayPlan, String>;

    /// What a device needs of this computer, before it is opened. What it names by a relative path is looked for in this
    /// folder; the empty path is the current one.
    fn needs(&self, device: &str, folder: &Path) -> DeviceNeeds;

    /// What the settings name that plans are made from.
    fn set(&self) -> SetNames;

    /// The folders in which the app is looked for that a trace in this file names.
    fn app_folders(&self, trace: &Path) -> Vec<PathBuf>;

    /// Opens so many devices; with others on which crashes are reduced, where that is wished and they cost nothing. What
    /// these have to say goes there: several calls have devices open at once, and each is told of its own.
    fn open(&self, device: &str, count: u32, spare: bool, notices: NoticeSink) -> Result<Devices, String>;

    /// Says something to the person who looks after the server.
    fn log(&self, line: &str);
}

/// What a device needs of this computer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceNeeds {
    /// Files that it reads.
    pub files: Vec<PathBuf>,
    /// A program of the user's choice that it runs.
    pub program: Option<PathBuf>,
    /// What only one job can use at a time, in words; nothing where each job gets devices of its own.
    pub alone: Option<String>,
}

/// What settings name outside of themselves, which a plan may be made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SetNames {
    /// The device of calls that name none.
    pub device: Option<SetName>,
    /// The file or the folder of what is believed of success rates.
    pub prior: Option<SetName>,
}

/// A device or a path that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetName {
    /// Where it is set, such as `retap.toml:3: prior`.
    pub place: String,
    /// What is set there.
    pub named: String,
}

/// An exploration that is asked for; what is not said is as the settings have it.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each is the field of the tool")]
pub struct ExploreRequest {
    pub device: Option<String>,
    pub strategy: Option<String>,
    pub events: Option<u64>,
    pub minutes: Option<u64>,
    pub idle_minutes: Option<u64>,
    pub devices: Option<u32>,
    pub seed: Option<u64>,
    pub reduce: bool,
    pub start: Option<PathBuf>,
}

/// A reduction that is asked for; what is not said is as the settings have it.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each is the field of the tool")]
pub struct ReduceRequest {
    pub device: Option<String>,
    pub devices: Option<u32>,
    pub search: Option<String>,
    pub rule: Option<String>,
    pub schedule: Option<String>,
    pub confirm: Option<u32>,
    pub min_rate: Option<f64>,
    pub values: Option<bool>,
    pub seed: Option<u64>,
}

/// Replays that are asked for; what is not said is as the settings have it.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each is the field of the tool")]
pub struct ReplayRequest {
    pub to: Option<String>,
    pub device: Option<String>,
    pub devices: Option<u32>,
    pub times: Option<u32>,
    pub seed: Option<u64>,
    pub expect_no_crash: bool,
}
