//! Which crash of an exploration is meant. Nothing is chosen silently.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use retap_job::explore::{Crashed, crashes_meant};
use retap_trace::Target;

use retap_show::quoted_path;

use crate::commands::quoted;
use crate::output::count;

/// The trace of the one crash in the folder of an exploration that is meant.
pub(super) fn one(dir: &Path, crash: Option<&str>, to: Option<&Target>) -> anyhow::Result<PathBuf> {
    let meant = crashes_meant(dir, crash, to)?;
    let crashes = count(meant.len() as u64, "crash");
    match (&meant[..], crash, to) {
        ([known], ..) => Ok(known.trace.clone()),
        (several, None, Some(_)) => bail!(
            "{} has {crashes}, each with a trace of its own; with --to, name the trace:{}",
            dir.display(),
            lines(several, |known| format!("retap reduce {}", quoted_path(&known.trace)))
        ),
        (several, ..) => bail!(
            "{}; name one with --crash, or reduce each with --all:{}",
            match crash {
                Some(words) => format!("--crash {words} fits {crashes} of {}", dir.display()),
                None => format!("{} has {crashes}", dir.display()),
            },
            lines(several, |known| format!(
                "retap reduce {} --crash {}",
                quoted_path(dir),
                quoted(&known.signature)
            ))
        ),
    }
}

fn lines(several: &[Crashed], command: impl Fn(&Crashed) -> String) -> String {
    let mut text = String::new();
    for known in several {
        let events = count(known.events as u64, "event");
        write!(text, "\n  {} (a trace of {events})\n    {}", known.signature, command(known))
            .expect("memory takes all");
    }
    text
}
