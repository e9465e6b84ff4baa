//! What a path names: a trace, a session or a suite.

use std::path::{Path, PathBuf};

use retap_trace::Trace;

use super::{SessionOverview, overview};
use crate::error::{Result, refuse};
use crate::suite::SuiteManifest;
use crate::{choices, record, tracefile};

/// Something that can be shown, read from a path.
#[derive(Debug)]
pub enum Showable {
    /// A trace, with the file that it was read from: the one that was named, or the one in the folder of a recording.
    Trace(PathBuf, Box<Trace>),
    /// The folder of a session.
    Session(Box<SessionOverview>),
    /// The folder of a suite.
    Suite(SuiteManifest),
}

impl Showable {
    /// Reads what is there, whatever it is.
    pub fn read(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            return Self::trace(path.to_owned());
        }
        if SuiteManifest::is_in(path) {
            return Ok(Self::Suite(SuiteManifest::read(path)?));
        }
        if path.join("session.db").exists() {
            return Ok(Self::Session(Box::new(overview(path)?)));
        }
        let recorded = path.join(record::FILE);
        if recorded.is_file() {
            return Self::trace(recorded);
        }
        refuse!(
            "{} is neither the folder of a session or of a recording, nor a suite{}",
            path.display(),
            choices::in_folder(path)
        )
    }

    fn trace(file: PathBuf) -> Result<Self> {
        let trace = tracefile::read(&file)?;
        Ok(Self::Trace(file, Box::new(trace)))
    }

    /// What it is, in words.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        match self {
            Self::Trace(..) => "a trace",
            Self::Session(_) => "a session",
            Self::Suite(_) => "a suite",
        }
    }
}
