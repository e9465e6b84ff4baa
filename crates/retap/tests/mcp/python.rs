//! The official client of Python, from `PyPI`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_testing::python_with;

use crate::command::{sample, scratch};

const PACKAGES: [&str; 2] = ["mcp==2.3.0", "jsonschema==4.26.0"];
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/client.py");

fn python() -> Option<PathBuf> {
    python_with(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-venv"), &PACKAGES)
}

/// A part of the script, in a folder of its own, spoken in one way of the protocol.
fn client(python: &Path, part: &str, mode: &str, folder: &Path) -> Command {
    let mut command = Command::new(python);
    command.args([SCRIPT, part, mode, env!("CARGO_BIN_EXE_retap")]).arg(folder).current_dir(folder);
    command
}

/// Runs a part to its end; returns what the server told people.
fn plays(part: &str, mode: &str) -> Option<String> {
    let python = python()?;
    let folder = scratch();
    fs::copy(sample("dalvik"), folder.path().join("dalvik.trace.jsonl")).expect("room for a sample");
    let said = client(&python, part, mode, folder.path()).output().expect("python runs");
    let log = fs::read_to_string(folder.path().join("server.log")).unwrap_or_default();
    let words = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{words}\nthe server said\n{log}");
    assert!(String::from_utf8_lossy(&said.stdout).ends_with(&format!("{part}: passed\n")));
    Some(log)
}

#[test]
fn it_explores_reduces_exports_and_replays() {
    plays("story", "legacy");
}

/// The protocol of 2026-07-28, which has no handshake.
#[test]
fn it_does_so_without_a_handshake() {
    plays("story", "2026-07-28");
}

#[test]
fn it_cancels_in_the_middle() {
    for mode in ["legacy", "2026-07-28"] {
        let Some(log) = plays("cancel", mode) else { return };
        assert!(log.contains("explore stopped: "), "{log}");
    }
}

#[test]
fn it_is_told_what_is_wrong_with_arguments() {
    plays("mistakes", "legacy");
}

/// A client that is killed leaves no server behind, and its exploration goes on with the command.
#[cfg(target_os = "linux")]
#[test]
fn it_is_killed_in_the_middle() {
    use retap_testing::{until, until_some};

    use crate::command::{retap, words};

    let Some(python) = python() else { return };
    let folder = scratch();
    let mut killed = client(&python, "gone", "legacy", folder.path()).spawn().expect("python runs");
    let traces = folder.path().join("long/traces");
    until("the exploration is under way", || fs::read_dir(&traces).is_ok_and(|files| files.count() > 0));
    let children = format!("/proc/{0}/task/{0}/children", killed.id());
    let server = until_some("the server is there", || {
        let children = fs::read_to_string(&children).ok()?;
        children.split_whitespace().next().map(str::to_owned)
    });
    killed.kill().expect("it was running");
    killed.wait().expect("it ends");
    until("the server has ended", || {
        let stat = fs::read_to_string(format!("/proc/{server}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    });
    let goes_on = retap(folder.path(), &["explore", "--resume", "long"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("retap runs");
    let events = || fs::read_dir(&traces).map_or(0, Iterator::count);
    let before = events();
    until("it goes on", || events() > before);
    let asked = Command::new("kill").args(["-INT", &goes_on.id().to_string()]).status();
    assert!(asked.expect("kill runs").success());
    let said = goes_on.wait_with_output().expect("it ends");
    assert_eq!(said.status.code(), Some(130), "{}", words(&said));
    assert!(words(&said).contains("going on after"), "{}", words(&said));
}
