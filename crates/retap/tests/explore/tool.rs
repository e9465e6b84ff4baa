//! The tool, as people call it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn retap(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    command
}

pub(crate) fn explore(folder: &Path, args: &[&str]) -> (Value, Output) {
    let said = retap(folder, &[&["explore", "--json"], args].concat()).output().expect("retap runs");
    let text = String::from_utf8(said.stdout.clone()).expect("text");
    let last = text.lines().last().unwrap_or_else(|| panic!("no JSON: {}", words(&said)));
    (serde_json::from_str(last).expect("JSON"), said)
}

pub(crate) fn words(said: &Output) -> String {
    String::from_utf8_lossy(&said.stderr).into_owned()
}

pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}
