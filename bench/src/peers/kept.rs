//! Finished jobs, one a line in a file that only grows: a benchmark that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::kept_lines;

/// What one reduction came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Done {
    #[serde(flatten)]
    pub(super) key: Key,
    /// The version of the tool.
    pub(super) version: String,
    /// `answered`, or why it ended otherwise.
    pub(super) ended: String,
    /// Runs of the oracle, confirming ones included.
    pub(super) runs: u64,
    /// Events that these runs performed.
    pub(super) executed: u64,
    /// Events of the answer.
    pub(super) length: Option<u64>,
    /// How many of them are lines that the tool has changed, so that they do nothing.
    pub(super) changed: u64,
    /// How often the answer reaches the target, exactly.
    pub(super) rate: Option<f64>,
    pub(super) seconds: f64,
}

/// Which job it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) tool: String,
    pub(super) model: String,
    pub(super) variant: String,
    pub(super) seed: u64,
}

impl Done {
    /// How a reduction ended whose time was over.
    pub(super) fn stopped(seconds: u64) -> String {
        format!("stopped after {seconds} s")
    }

    pub(super) fn was_stopped(&self) -> bool {
        self.ended.starts_with("stopped")
    }

    /// The length and rate of an answer that reaches the target at least sometimes.
    pub(super) fn answer(&self) -> Option<(u64, f64)> {
        self.length.zip(self.rate).filter(|(_, rate)| *rate > 0.0)
    }
}

/// The file and what stands in it.
#[derive(Debug)]
pub(super) struct Kept {
    inner: Mutex<(File, BTreeMap<Key, Done>)>,
}

impl Kept {
    /// Opens the results in a folder. A last line that was cut off is dropped.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let (file, lines) = kept_lines::open::<Done>(folder, "results.jsonl", "finished job")?;
        let all = lines.into_iter().map(|line| (line.key.clone(), line)).collect();
        Ok(Self { inner: Mutex::new((file, all)) })
    }

    /// Forgets the jobs of these tools, so that they are done again. The newest line of a job counts.
    pub(super) fn forget(&self, tools: &[&str]) {
        let mut inner = self.inner.lock().expect("nobody panics with it");
        inner.1.retain(|key, _| !tools.contains(&&*key.tool));
    }

    pub(super) fn get(&self, key: &Key) -> Option<Done> {
        self.inner.lock().expect("nobody panics with it").1.get(key).cloned()
    }

    pub(super) fn keep(&self, done: &Done) -> anyhow::Result<()> {
        let mut inner = self.inner.lock().expect("nobody panics with it");
        let line = serde_json::to_string(done)? + "\n";
        inner.0.write_all(line.as_bytes()).context("cannot keep a result")?;
        inner.1.insert(done.key.clone(), done.clone());
        Ok(())
    }
}
