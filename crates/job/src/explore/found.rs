//! The crashes that an exploration has found, read from its folder.

use std::path::{Path, PathBuf};

use retap_store::{Seq, SessionView};

use super::COMMAND;
use super::entries::{CRASHED, CrashEntry};
use crate::error::{Doing as _, JobError, Result, require};

/// A crash that an exploration has found, with its best trace.
#[derive(Debug, Clone)]
pub struct Crashed {
    /// Its signature.
    pub signature: String,
    /// The trace.
    pub trace: PathBuf,
    /// Events of the trace.
    pub events: usize,
}

/// The crashes in the folder of an exploration, in the order in which they were first seen.
pub fn crashes_in(dir: &Path) -> Result<Vec<Crashed>> {
    let session = SessionView::open(dir)?;
    if session.plan().command != COMMAND {
        return Err(JobError::not_an_exploration(dir));
    }
    let version = &session.plan().version;
    require!(
        version == env!("CARGO_PKG_VERSION"),
        "{} was begun by retap {version}, whose log this retap {} does not read; name a trace in its folder crashes",
        dir.display(),
        env!("CARGO_PKG_VERSION"),
    );
    let mut crashes: Vec<Crashed> = Vec::new();
    for entry in session.read(&[CRASHED], Seq::START) {
        let entry = entry?;
        let crash: CrashEntry = serde_json::from_value(entry.data)
            .doing(|| format!("entry {} of the log is damaged", entry.seq))?;
        let Some(trace) = crash.trace else { continue };
        let found = Crashed { signature: crash.signature, trace: dir.join(trace), events: crash.events };
        match crashes.iter_mut().find(|known| known.signature == found.signature) {
            Some(known) => *known = found,
            None => crashes.push(found),
        }
    }
    Ok(crashes)
}

/// The crashes whose signature contains these words; one that is called exactly so is the only one that is meant.
pub fn crashes_named<'a>(all: &'a [Crashed], words: &str) -> Vec<&'a Crashed> {
    match all.iter().find(|known| known.signature == words) {
        Some(exactly) => vec![exactly],
        None => all.iter().filter(|known| known.signature.contains(words)).collect(),
    }
}
