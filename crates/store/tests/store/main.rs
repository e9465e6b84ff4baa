//! Trying to break the store.

#[cfg(unix)]
mod disk; // full and read-only disks
mod files; // writing outputs beside
mod kill; // writers that die, and writers that meet
mod laws; // equal appends, equal files; any operations, one model
mod reading; // the log and the blobs as readers see them
mod refusals; // folders that are not what they should be

use std::path::{Path, PathBuf};

use retap_store::{LogEntry, Plan, Seq, SessionView};
use serde_json::json;

/// A plan to test with.
fn plan() -> Plan {
    Plan::new("0.1.0", "reduce", json!({"seed": 7, "rule": "18/20"}))
}

/// All entries.
fn entries(view: &SessionView) -> Vec<LogEntry> {
    view.read(&[], Seq::START).collect::<Result<_, _>>().expect("the log is readable")
}

/// Every file below a folder, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for item in std::fs::read_dir(dir).expect("the folder is readable") {
        let path = item.expect("the folder is readable").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
