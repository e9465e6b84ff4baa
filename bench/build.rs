//! Which code this is built of: cells say what they were measured with.

use std::process::Command;

/// What decides the figures of the papers' experiments: everything between a cell and the app. Commits that change none
/// of it are the same build, so that a table of hours does not become doubtful by a change of other rooms. Cargo.lock is
/// not among it: it changes with the libraries of those rooms, too.
const SOURCES: [&str; 15] = [
    "bench/src/apks",
    "bench/src/papers",
    "crates/device",
    "crates/explore",
    "crates/formats/src/import",
    "crates/job",
    "crates/jvm",
    "crates/lab",
    "crates/mdp",
    "crates/model",
    "crates/reduce",
    "crates/store",
    "crates/suite",
    "crates/trace",
    "jvm",
];

fn main() {
    // The log changes with every commit and every checkout.
    println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    for source in SOURCES {
        println!("cargo::rerun-if-changed=../{source}");
    }
    println!("cargo::rustc-env=RETAP_BUILD={}", build().unwrap_or_else(|| "unknown".to_owned()));
}

/// The last commit that changed any of it, with a word behind it where changes are in none.
fn build() -> Option<String> {
    let commit = git(&["log", "-1", "--format=%h"])?;
    let changes = git(&["status", "--porcelain"])?;
    match (commit.is_empty(), changes.is_empty()) {
        (true, _) => None,
        (false, true) => Some(commit),
        (false, false) => Some(commit + "-dirty"),
    }
}

/// What git says of the sources.
fn git(arguments: &[&str]) -> Option<String> {
    let said = Command::new("git").args(arguments).arg("--").args(SOURCES).current_dir("..").output().ok()?;
    said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
