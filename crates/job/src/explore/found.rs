//! The crashes that an exploration has found, read from its folder.

use std::path::{Path, PathBuf};

use retap_store::{Seq, SessionView};
use retap_trace::{Signature, Target};

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

/// The crashes in the folder of an exploration that are meant, by a part of a signature or by what a run must reach: at
/// least one. Where they are several, more must be said: nothing is chosen silently.
pub fn crashes_meant(dir: &Path, words: Option<&str>, to: Option<&Target>) -> Result<Vec<Crashed>> {
    let all = crashes_in(dir)?;
    require!(!all.is_empty(), "{} has no crash to reduce", dir.display());
    let (meant, which) = match (words, to) {
        (Some(words), _) => (named(&all, words), format!("whose signature contains '{words}'")),
        (None, Some(Target::Crash(Signature(signature)))) => {
            let exactly = all.iter().filter(|known| *known.signature == **signature);
            (exactly.cloned().collect(), signature.to_string())
        }
        (None, _) => return Ok(all),
    };
    let signatures: Vec<&str> = all.iter().map(|known| &*known.signature).collect();
    require!(!meant.is_empty(), "{} has no crash {which}; it has {}", dir.display(), signatures.join(", "));
    Ok(meant)
}

/// The crashes in the folder of an exploration, in the order in which they were first seen.
fn crashes_in(dir: &Path) -> Result<Vec<Crashed>> {
    if !dir.join("session.db").exists() {
        return Err(JobError::not_an_exploration(dir));
    }
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
fn named(all: &[Crashed], words: &str) -> Vec<Crashed> {
    match all.iter().find(|known| known.signature == words) {
        Some(exactly) => vec![exactly.clone()],
        None => all.iter().filter(|known| known.signature.contains(words)).cloned().collect(),
    }
}
