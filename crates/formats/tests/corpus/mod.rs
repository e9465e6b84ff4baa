//! Recordings written for the tests, one or more for each importer. Every statement that a tool knows stands in one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The importer that each is for, and the file; a folder is named by its files.
pub(crate) const CASES: &[(&str, &str)] = &[
    ("monkey", "monkey.txt"),
    ("monkey-log", "monkey-log.txt"),
    ("monkey-log", "monkey-logcat.txt"),
    ("monkey-network", "monkey-network.txt"),
    ("getevent", "getevent.txt"),
    ("maestro", "maestro.yaml"),
    ("robo", "robo.json"),
    ("simplydroid", "simplydroid/script.log"),
    ("simplydroid", "simplydroid/execute.log"),
    ("droidbot", "droidbot/events/event_02.json"),
    ("droidbot", "droidbot/events/event_05.json"),
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The files of a folder of the corpus and below.
pub(crate) fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![String::new()];
    let root = root().join(folder);
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(root.join(&below)).expect("a folder of the corpus") {
            let entry = entry.expect("an entry");
            let name = format!("{below}{}", entry.file_name().to_str().expect("a plain name"));
            if entry.path().is_dir() {
                open.push(format!("{name}/"));
            } else {
                files.insert(name, fs::read(entry.path()).expect("a file of the corpus"));
            }
        }
    }
    files
}
