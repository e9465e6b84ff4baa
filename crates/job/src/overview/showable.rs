//! What a path names: a trace, a session or a suite.

use std::path::Path;

use retap_trace::Trace;

use super::{SessionOverview, overview};
use crate::error::{Result, refuse};
use crate::suite::SuiteManifest;
use crate::{choices, record, tracefile};

/// Something that can be shown, read from a path.
#[derive(Debug)]
pub enum Showable {
    /// The file of a trace, or the folder of a recording.
    Trace(Box<Trace>),
    /// The folder of a session.
    Session(Box<SessionOverview>),
    /// The folder of a suite.
    Suite(SuiteManifest),
}

impl Showable {
    /// Reads what is there, whatever it is.
    pub fn read(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            return Ok(Self::Trace(Box::new(tracefile::read(path)?)));
        }
        if SuiteManifest::is_in(path) {
            return Ok(Self::Suite(SuiteManifest::read(path)?));
        }
        if path.join("session.db").exists() {
            return Ok(Self::Session(Box::new(overview(path)?)));
        }
        let recorded = path.join(record::FILE);
        if recorded.is_file() {
            return Ok(Self::Trace(Box::new(tracefile::read(&recorded)?)));
        }
        refuse!(
            "{} is neither the folder of a session or of a recording, nor a suite{}",
            path.display(),
            choices::in_folder(path)
        )
    }

    /// What it is, in words.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        match self {
            Self::Trace(_) => "a trace",
            Self::Session(_) => "a session",
            Self::Suite(_) => "a suite",
        }
    }
}
