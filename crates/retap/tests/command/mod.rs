//! Running `retap` as people and scripts do.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn retap(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    command
}

pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    retap(folder, args).output().expect("retap runs")
}

/// What it told people.
pub(crate) fn words(said: &Output) -> String {
    String::from_utf8(said.stderr.clone()).expect("text")
}

/// What it told scripts: the JSON object on the last line of stdout.
pub(crate) fn json_of(said: &Output) -> Value {
    let text = String::from_utf8(said.stdout.clone()).expect("text");
    let last = text.lines().last().unwrap_or_else(|| panic!("no JSON: {}", words(said)));
    serde_json::from_str(last).expect("JSON")
}

pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

/// The path of a sample trace.
pub(crate) fn sample(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(format!("{name}.trace.jsonl"));
    path.canonicalize().expect("samples are part of the project").display().to_string()
}
