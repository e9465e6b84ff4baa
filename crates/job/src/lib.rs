//! Jobs: from a plan to a result.
//!
//! A job is a reduction, an exploration, a suite in the making, or a replay. Its plan says everything that decides how it
//! goes, and can be stored and sent. [`run`] carries it out on devices that it is given, keeps what happens in the folder
//! of a session, tells a [`Watch`] about it, and returns a result that is plain data. A job that was stopped goes on when
//! it is run again in the same folder; [`resume`] needs the folder alone.
//!
//! Absent: any backend, any argument of a command line, any printing.

#![warn(missing_docs)]

mod build;
mod choices;
mod devices;
mod driven;
mod error;
pub mod explore;
pub mod folder;
mod kept;
mod names;
pub mod overview;
mod platform;
mod policies;
pub mod record;
pub mod reduce;
mod replay;
pub mod suite;
mod target;
mod text;
pub mod textfile;
pub mod tracefile;
mod watch;

use std::path::Path;

use retap_store::SessionView;
use serde::{Deserialize, Serialize};

pub use devices::{Devices, Surroundings, Time, same_app};
pub use error::{JobError, Result};
pub use explore::{ExplorePlan, ExploreResult};
pub use policies::policy;
pub use reduce::{ReducePlan, ReduceResult};
pub use replay::{MissedRuns, ReplayCrash, ReplayDetails, ReplayPlan, ReplayResult, ReplayStatus};
pub use suite::{ReplaySuitePlan, ReplaySuiteResult, SuitePlan, SuiteResult};
pub use target::target_of;
pub use watch::{JobEvent, JobProgress, Stop, Unit, Watch};

use error::refuse;
use watch::{Tell as _, Teller};

/// What is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum JobPlan {
    /// Find the fewest events that still reach a target.
    Reduce(ReducePlan),
    /// Go through an app.
    Explore(ExplorePlan),
    /// Make a small suite of many traces.
    Suite(SuitePlan),
    /// See how often a trace reaches its target.
    Replay(ReplayPlan),
    /// See whether a suite passes.
    ReplaySuite(ReplaySuitePlan),
}

/// What came out of it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is the result of its plan")]
pub enum JobResult {
    Reduce(Box<ReduceResult>),
    Explore(Box<ExploreResult>),
    Suite(Box<SuiteResult>),
    Replay(ReplayResult),
    ReplaySuite(ReplaySuiteResult),
}

impl JobPlan {
    /// The device as it is written, and how many of them; nothing where none is needed.
    pub fn device(&self) -> Option<(&str, u32)> {
        match self {
            Self::Reduce(plan) => plan.device.as_deref().map(|device| (device, plan.devices)),
            Self::Explore(ExplorePlan { device, devices, .. })
            | Self::Suite(SuitePlan { device, devices, .. })
            | Self::Replay(ReplayPlan { device, devices, .. })
            | Self::ReplaySuite(ReplaySuitePlan { device, devices, .. }) => Some((device, *devices)),
        }
    }
}

/// Does a job, or goes on with it when it was begun in this folder before.
///
/// Without a folder a session is kept in one that is named after the plan, in [`folder::USUAL`]; replays keep none then.
/// Devices are needed unless a command judges. `watch` is told what happens, [`JobEvent::Finished`] last.
pub fn run(
    plan: &JobPlan,
    devices: Option<&Devices>,
    folder: Option<&Path>,
    watch: &mut dyn Watch,
) -> Result<JobResult> {
    let watching = Teller::new(watch);
    let some = |count: u32| devices::given(devices, count);
    let result = match plan {
        JobPlan::Reduce(plan) => JobResult::Reduce(Box::new(reduce::run(plan, devices, folder, &watching)?)),
        JobPlan::Explore(plan) => {
            JobResult::Explore(Box::new(explore::run(plan, some(plan.devices)?, folder, &watching)?))
        }
        JobPlan::Suite(plan) => {
            JobResult::Suite(Box::new(suite::run(plan, some(plan.devices)?, folder, &watching)?))
        }
        JobPlan::Replay(plan) => {
            JobResult::Replay(replay::run(plan, some(plan.devices)?, folder, &watching)?)
        }
        JobPlan::ReplaySuite(_) if folder.is_some() => {
            refuse!("replays of a suite keep no session; give no folder")
        }
        JobPlan::ReplaySuite(plan) => {
            JobResult::ReplaySuite(suite::replay(plan, some(plan.devices)?, &watching)?)
        }
    };
    watching.tell(&JobEvent::Finished(&result));
    Ok(result)
}

/// The plan of the job in a folder, to [`run`] it again there.
pub fn plan_in(folder: &Path) -> Result<JobPlan> {
    let session = SessionView::open(folder)?;
    Ok(match &*session.plan().command {
        reduce::COMMAND => JobPlan::Reduce(folder::planned(&session, folder)?),
        explore::COMMAND => JobPlan::Explore(folder::planned(&session, folder)?),
        suite::COMMAND => JobPlan::Suite(folder::planned(&session, folder)?),
        replay::COMMAND => JobPlan::Replay(folder::planned(&session, folder)?),
        other => refuse!("{} is of 'retap {other}', which is no job", folder.display()),
    })
}

/// Goes on with the job in a folder.
pub fn resume(folder: &Path, devices: Option<&Devices>, watch: &mut dyn Watch) -> Result<JobResult> {
    run(&plan_in(folder)?, devices, Some(folder), watch)
}
