//! The names of code and states, in a file of their own: one line for each thing that is new. They are for people; the log
//! of the session would have to be flushed for each.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use retap_trace::{CoverageId, Level};
use serde::{Deserialize, Serialize};

use super::entries::SeenEntry;
use crate::names::Names;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Named {
    /// What pieces of code are called.
    Code(BTreeMap<u32, String>),
    /// What a state shows.
    State {
        #[serde(flatten)]
        seen: SeenEntry,
        words: String,
    },
}

/// The file in the folder of an exploration.
pub(super) fn file(dir: &Path) -> PathBuf {
    dir.join("names.jsonl")
}

/// Writes a line.
pub(super) fn write(to: &mut impl Write, named: &Named) -> io::Result<()> {
    let mut line = serde_json::to_vec(named)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// The names that an exploration has written down. A folder that is none, or a line that a failing computer has spoilt,
/// has no names.
pub(crate) fn names_in(dir: &Path) -> Names {
    let text = std::fs::read_to_string(file(dir)).unwrap_or_default();
    let mut names = Names::default();
    for named in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match named {
            Named::Code(code) => names.code.extend(code.into_iter().map(|(id, name)| (CoverageId(id), name))),
            Named::State { seen, words } => {
                let seen = seen.seen();
                for key in Level::ALL.into_iter().skip(1).filter_map(|level| seen.key(level)) {
                    names.states.entry(key).or_insert_with(|| words.clone());
                }
            }
        }
    }
    names
}
