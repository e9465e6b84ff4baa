//! Which commit this is built of: cells say what they were measured with.

use std::process::Command;

/// What decides how a measured program behaves.
const SOURCES: [&str; 5] = ["Cargo.lock", "Cargo.toml", "bench/src", "crates", "jvm"];

fn main() {
    // The log changes with every commit and every checkout.
    println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    for source in SOURCES {
        println!("cargo::rerun-if-changed=../{source}");
    }
    println!("cargo::rustc-env=RETAP_BUILD={}", build().unwrap_or_else(|| "unknown".to_owned()));
}

/// The commit, with a word behind it where files are in none.
fn build() -> Option<String> {
    let commit = git(&["describe", "--always"])?;
    let status: Vec<&str> = ["status", "--porcelain", "--"].into_iter().chain(SOURCES).collect();
    let changes = git(&status)?;
    Some(if changes.is_empty() { commit } else { commit + "-dirty" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let said = Command::new("git").args(arguments).current_dir("..").output().ok()?;
    said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
