//! Cells: what was measured, one a line in a file that only grows. A benchmark that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::builds::Builds;
use crate::kept_lines;

/// A line of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Line {
    /// What was measured.
    key: String,
    /// The commit that measured it.
    build: String,
    /// The time of this computer that it took.
    pub(super) seconds: f64,
    cell: Value,
}

/// All cells of one kind.
#[derive(Debug)]
pub(super) struct Cells {
    build: String,
    inner: Mutex<(File, BTreeMap<String, Line>)>,
}

impl Cells {
    /// Opens the cells of a kind in a folder. A last line that was cut off is dropped.
    pub(super) fn open(folder: &Path, kind: &str, build: &str) -> anyhow::Result<Self> {
        let (file, lines) = kept_lines::open::<Line>(folder, &format!("{kind}.jsonl"), "cell")?;
        let all = lines.into_iter().map(|line| (line.key.clone(), line)).collect();
        Ok(Self { build: build.to_owned(), inner: Mutex::new((file, all)) })
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.with(|all| all.contains_key(key))
    }

    /// The time that a cell took.
    pub(super) fn seconds(&self, key: &str) -> Option<f64> {
        self.with(|all| all.get(key).map(|line| line.seconds))
    }

    /// A cell, if it is there.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> anyhow::Result<Option<T>> {
        let cell = self.with(|all| all.get(key).map(|line| line.cell.clone()));
        cell.map(serde_json::from_value)
            .transpose()
            .with_context(|| format!("the cell {key} is of another shape"))
    }

    /// Those of these keys that are there.
    pub(super) fn all<T: DeserializeOwned>(&self, keys: &[String]) -> anyhow::Result<Vec<T>> {
        keys.iter().filter_map(|key| self.get(key).transpose()).collect()
    }

    /// The builds that those of these keys were measured with that are there, and how many with each.
    pub(super) fn builds(&self, keys: &[String]) -> Builds {
        self.with(|all| keys.iter().filter_map(|key| all.get(key)).map(|line| &*line.build).collect())
    }

    /// Forgets these, so that they are measured again. The newest line of a key counts.
    pub(super) fn forget(&self, keys: &[String]) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            inner.1.remove(key);
        }
    }

    pub(super) fn keep(&self, key: &str, seconds: f64, cell: Value) -> anyhow::Result<()> {
        let line = Line { key: key.to_owned(), build: self.build.clone(), seconds, cell };
        let text = serde_json::to_string(&line)? + "\n";
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0.write_all(text.as_bytes()).context("cannot keep a cell")?;
        inner.1.insert(key.to_owned(), line);
        Ok(())
    }

    fn with<T>(&self, look: impl FnOnce(&BTreeMap<String, Line>) -> T) -> T {
        look(&self.inner.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_are_there_again_and_a_line_that_was_cut_off_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::open(folder.path(), "x", "b1").unwrap();
        cells.keep("one", 1.5, json!(1)).unwrap();
        cells.keep("two", 2.5, json!(2)).unwrap();
        cells.keep("one", 3.5, json!(3)).unwrap();
        let path = folder.path().join("x.jsonl");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"key\":\"three\",\"sec");
        std::fs::write(&path, text).unwrap();
        let cells = Cells::open(folder.path(), "x", "b2").unwrap();
        assert_eq!(cells.get::<u32>("one").unwrap(), Some(3));
        cells.keep("four", 0.0, json!(4)).unwrap();
        let keys = ["one", "four", "five"].map(str::to_owned);
        assert_eq!(cells.builds(&keys), ["b1", "b2"].into_iter().collect());
        assert_eq!(cells.seconds("two"), Some(2.5));
        assert!(!cells.has("three"));
        cells.forget(&["one".to_owned()]);
        cells.keep("three", 0.0, json!("x")).unwrap();
        assert!(cells.get::<u32>("three").is_err());
        let keys = ["one", "two"].map(str::to_owned);
        assert_eq!(cells.all::<u32>(&keys).unwrap(), [2]);
    }
}
