//! What the folder of a session tells, whether its job is finished, was stopped, or goes on at this moment.
//!
//! Nothing is written, and nothing but the folder is needed: no device, no input. What cannot be read of it is named in
//! [`SessionOverview::damage`], and the rest is told all the same.

mod begun;
mod explore;
mod reduce;
mod replay;
mod showable;
mod suite;

use std::path::{Path, PathBuf};

use retap_store::{Seq, SessionView};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use begun::BegunIn;
pub use explore::{CrashOverview, ExploreOverview, ReductionOfCrash};
pub use reduce::{BestSoFar, ReduceOutcome, ReduceOverview};
pub use replay::{CrashRuns, ReplayOverview};
pub use showable::Showable;
pub use suite::{SuiteOutcome, SuiteOverview};

use crate::error::{Doing as _, Result, refuse, require};
use crate::{kept, suite as suites};

/// A session, by its folder.
#[derive(Debug, Clone, Serialize)]
pub struct SessionOverview {
    /// The folder.
    pub session: PathBuf,
    /// How far it is.
    pub state: SessionState,
    /// The process that writes it at this moment, where its number is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<u32>,
    /// The package of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Its build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// What the devices are, where their name does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// What the job has done.
    #[serde(flatten)]
    pub job: JobOverview,
    /// Where it was begun, once somebody has looked.
    #[serde(skip)]
    pub begun: BegunIn,
    /// What could not be read of the folder, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
}

/// How far the job of a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// It came to its end.
    Finished,
    /// It was stopped, and can go on.
    Stopped,
    /// Another process is at it.
    Running,
}

/// What a job has done so far.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "of", rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is of its job")]
pub enum JobOverview {
    Explore(Box<ExploreOverview>),
    Reduce(Box<ReduceOverview>),
    Suite(Box<SuiteOverview>),
    Replay(Box<ReplayOverview>),
}

/// Reads the session in a folder.
pub fn overview(folder: &Path) -> Result<SessionOverview> {
    let session = SessionView::open(folder)?;
    let plan = session.plan();
    let version = env!("CARGO_PKG_VERSION");
    require!(
        plan.version == version,
        "{} was begun by retap {}, whose log this retap {version} does not read; use that version",
        folder.display(),
        plan.version,
    );
    // Asked first: what ends after this is read whole, or taken for running.
    let writer = session.writer();
    let mut reading = SessionReading { result: kept::last(&session)?, session: &session, damage: Vec::new() };
    let finished = reading.result.is_some();
    let mut package = reading.first("app")?;
    let job = match &*plan.command {
        crate::explore::COMMAND => {
            let (explored, app) = explore::read(&mut reading)?;
            package = package.or(app);
            JobOverview::Explore(Box::new(explored))
        }
        crate::reduce::COMMAND => JobOverview::Reduce(Box::new(reduce::read(&mut reading)?)),
        suites::COMMAND => JobOverview::Suite(Box::new(suite::read(&mut reading)?)),
        crate::replay::COMMAND => JobOverview::Replay(Box::new(replay::read(&mut reading)?)),
        other => refuse!("{} is of 'retap {other}', of which nothing can be shown", folder.display()),
    };
    let word = |name: &str| package.as_ref().and_then(|app| app[name].as_str()).map(str::to_owned);
    Ok(SessionOverview {
        session: folder.to_owned(),
        state: match writer {
            Some(_) => SessionState::Running,
            None if finished => SessionState::Finished,
            None => SessionState::Stopped,
        },
        process: writer.and_then(|writer| writer.pid),
        package: word("package"),
        build: word("build"),
        platform: platform_in(&session)?,
        job,
        begun: BegunIn::default(),
        damage: reading.damage,
    })
}

/// What the devices are by which a file was recorded: what the session says in whose folder it is.
pub fn platform_near(file: &Path) -> Option<String> {
    let folders = file.ancestors().skip(1).take(2);
    // The parent of a name alone is here.
    let here = |folder: &Path| if folder.as_os_str().is_empty() { ".".into() } else { folder.to_owned() };
    let sessions = folders.map(here).filter(|folder: &PathBuf| folder.join("session.db").is_file());
    sessions
        .filter_map(|folder| SessionView::open(folder).ok())
        .find_map(|session| platform_in(&session).ok()?)
}

fn platform_in(session: &SessionView) -> Result<Option<String>> {
    let entry = session.read(&["platform"], Seq::START).next().transpose()?;
    Ok(entry.and_then(|entry| entry.data["platform"].as_str().map(str::to_owned)))
}

/// A session that is being read.
struct SessionReading<'a> {
    session: &'a SessionView,
    /// The result, when it has come to one.
    result: Option<Value>,
    damage: Vec<String>,
}

impl SessionReading<'_> {
    fn dir(&self) -> &Path {
        self.session.dir()
    }

    /// The plan of the job.
    fn plan<T: DeserializeOwned>(&self) -> Result<T> {
        crate::folder::planned(self.session, self.dir())
    }

    /// The result, if there is one.
    fn outcome<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let result = self.result.clone().map(serde_json::from_value).transpose();
        result.doing(|| format!("the result in {} is damaged", self.dir().display()))
    }

    /// The data of the first entry of a kind.
    fn first(&self, kind: &str) -> Result<Option<Value>> {
        let entry = self.session.read(&[kind], Seq::START).next().transpose()?;
        Ok(entry.map(|entry| entry.data))
    }

    /// The entries of a kind.
    fn entries<T: DeserializeOwned>(&self, kind: &str) -> Result<Vec<T>> {
        let read = |entry: Result<retap_store::LogEntry, _>| {
            let entry = entry?;
            serde_json::from_value(entry.data).doing(|| format!("entry {} of the log is damaged", entry.seq))
        };
        self.session.read(&[kind], Seq::START).map(read).collect()
    }

    /// What could be read, or nothing: then that is remembered.
    fn or_damage<T>(&mut self, read: Result<T>) -> Option<T> {
        read.map_err(|error| self.damage.push(error.in_words())).ok()
    }

    /// Where a file of the result is: in the folder, unless it was written elsewhere.
    fn file(&self, name: &Path) -> PathBuf {
        let inside = self.dir().join(name);
        if inside.exists() { inside } else { name.to_owned() }
    }
}
