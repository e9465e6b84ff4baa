//! The shape of the project, as a test: which room may use which, what may not appear where.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What each room may use, of the project. Arrows point downward only.
const ROOMS: &[(&str, &[&str])] = &[
    ("retap-trace", &[]),
    ("retap-model", &["retap-trace"]),
    ("retap-mdp", &[]),
    ("retap-reduce", &["retap-trace", "retap-model", "retap-mdp"]),
    ("retap-explore", &["retap-trace", "retap-model"]),
    ("retap-suite", &["retap-trace", "retap-model", "retap-reduce"]),
    ("retap-device", &["retap-trace"]),
    ("retap-sim", &["retap-trace", "retap-device"]),
    ("retap-generate", &["retap-trace", "retap-sim"]),
    ("retap-adb", &["retap-trace", "retap-device"]),
    ("retap-phone", &["retap-trace", "retap-device", "retap-sim"]),
    ("retap-store", &["retap-trace"]),
    (
        "retap-lab",
        &[
            "retap-trace",
            "retap-model",
            "retap-reduce",
            "retap-explore",
            "retap-suite",
            "retap-device",
            "retap-store",
        ],
    ),
];

/// Rooms that know no clock, no thread, no file, no device.
const PURE: &[&str] = &["trace", "model", "reduce", "explore", "suite"];

/// What would break purity, and every word of it that code would need.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::thread",
    "std::time",
    "std::process",
    "std::env",
    "HashMap",
    "HashSet",
    "Instant::now",
    "SystemTime",
];

/// Libraries that belong to one room.
const KEPT_IN: &[(&str, &[&str])] = &[
    ("rusqlite", &["retap-store"]),
    ("tokio", &["retap-farm", "retap-view"]),
    ("anyhow", &["retap", "retap-bench"]),
    ("clap", &["retap", "retap-bench"]),
    ("indicatif", &["retap"]),
    ("png", &["retap-sim", "retap-phone"]),
    ("quick-xml", &["retap-adb"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The direct dependencies of every package of the project, development ones apart.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let said = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&said.stdout).expect("cargo metadata prints JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let uses = |package: &Value| {
        let list = package["dependencies"].as_array().expect("a list").iter();
        list.filter(|used| used["kind"].as_str() != Some("dev")).map(|used| text(&used["name"])).collect()
    };
    let list = metadata["packages"].as_array().expect("a list").iter();
    list.map(|package| (text(&package["name"]), uses(package))).collect()
}

fn sources(under: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![under.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() && !entry.ends_with("target") {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&entry).expect("Rust source is text");
                found.push((entry, text));
            }
        }
    }
    found.sort();
    found
}

/// The part of a source file that is not its tests.
fn product(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

#[test]
fn arrows_point_downward() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    for (room, uses) in packages() {
        if room == "retap" || room == "retap-bench" {
            continue;
        }
        let may = allowed
            .get(&*room)
            .unwrap_or_else(|| panic!("{room} is a new room: say in tidy.rs what it may use"));
        for used in uses.iter().filter(|used| used.starts_with("retap")) {
            assert!(may.contains(&&**used), "{room} must not use {used}: the arrow points the wrong way");
        }
    }
}

#[test]
fn libraries_stay_in_their_rooms() {
    for (room, uses) in packages() {
        for (library, rooms) in KEPT_IN {
            assert!(
                !uses.contains(*library) || rooms.contains(&&*room),
                "{room} uses {library}, which belongs in {rooms:?}"
            );
        }
    }
}

#[test]
fn pure_rooms_are_pure() {
    for room in PURE {
        for (path, text) in sources(&root().join("crates").join(room).join("src")) {
            let test_file =
                path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
            for word in IMPURE.iter().filter(|_| !test_file) {
                assert!(!product(&text).contains(word), "{} uses {word}; {room} is pure", path.display());
            }
        }
    }
}

#[test]
fn no_room_is_called_after_nothing() {
    for room in packages().keys() {
        for nothing in ["util", "common", "core", "helper", "misc"] {
            assert!(!room.contains(nothing), "{room}: name it after what it is about");
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut lengths = Vec::new();
    for (path, text) in sources(&root().join("crates")).into_iter().chain(sources(&root().join("bench"))) {
        let lines = text.lines().count();
        lengths.push(lines);
        let tests = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        assert!(
            tests || lines <= 600,
            "{} has {lines} lines: it is about more than one thing",
            path.display()
        );
        assert!(
            tests || text.starts_with("//!"),
            "{} does not begin by saying what it is about",
            path.display()
        );
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 250, "the median file has {median} lines");
}

#[test]
fn every_crate_obeys_the_common_lints() {
    for (name, folder) in std::fs::read_dir(root().join("crates"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), path))
        .chain(std::iter::once(("bench".to_owned(), root().join("bench"))))
    {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a Cargo.toml");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the common lints");
    }
}
