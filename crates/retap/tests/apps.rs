//! Which app a trace is of, and where the app of a trace is.

use std::path::Path;
use std::process::{Command, Output};

const QUOTE: &str = include_str!("quote.app");

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1").output().expect("retap runs")
}

fn words(said: &Output) -> String {
    String::from_utf8_lossy(&said.stderr).into_owned()
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

fn sample(name: &str) -> String {
    format!("{}/../../samples/{name}.trace.jsonl", env!("CARGO_MANIFEST_DIR"))
}

/// Exit code 2, one sentence, nothing written.
fn refused(folder: &Path, args: &[&str], parts: &[&str]) {
    let said = run(folder, args);
    let words = words(&said);
    assert_eq!(said.status.code(), Some(2), "{args:?}: {words}");
    assert_eq!(words.trim_end().lines().count(), 1, "{args:?}: {words}");
    for part in parts {
        assert!(words.contains(part), "{args:?} said\n{words}and not '{part}'");
    }
    assert!(!folder.join("retap-out").exists(), "{args:?} wrote something");
}

#[test]
fn a_trace_of_another_app_is_refused() {
    let folder = scratch();
    let dalvik = sample("dalvik");
    let wrong = ["dalvik.trace.jsonl", "is of the app org.retap.dalvik, but sim:notes runs org.retap.notes"];
    for command in ["reduce", "replay", "suite"] {
        refused(folder.path(), &[command, &dalvik, "--device", "sim:notes"], &wrong);
    }
    refused(folder.path(), &["explore", "-d", "sim:notes", "--start", &dalvik], &wrong);
    refused(folder.path(), &["device", "screenshot", "sim:notes", "x.png", "--after", &dalvik], &wrong);
    // What an address of adb says is enough: no phone is needed to know better.
    let wrong = ["dalvik.trace.jsonl", "org.retap.dalvik, but adb?app=com.example runs com.example"];
    for command in ["reduce", "replay", "suite"] {
        refused(folder.path(), &[command, &dalvik, "--device", "adb?app=com.example"], &wrong);
    }
    // Also when the settings file names the device.
    std::fs::write(folder.path().join("retap.toml"), "device = 'sim:notes'\n").expect("a file");
    refused(folder.path(), &["replay", &dalvik], &["org.retap.dalvik, but sim:notes runs", "--device"]);
}

/// A trace that crashes the app of `quote.app`, recorded on this build and device.
fn trace(build: &str, device: &str) -> String {
    [
        format!(
            r#"{{"retap":"trace","version":1,"app":{{"package":"org.retap.quote","build":"{build}"}},"device":"{device}"}}"#
        ),
        r#"{"event":{"do":"text","text":",","widget":{"id":"org.retap.quote:id/field"}}}"#.to_owned(),
        r#"{"event":{"do":"wait","time":10000000}}"#.to_owned(),
        r#"{"event":{"do":"tap","at":[540,520]}}"#.to_owned(),
    ]
    .join("\n")
        + "\n"
}

#[test]
fn another_build_of_the_app_is_said_and_not_refused() {
    let folder = scratch();
    std::fs::write(folder.path().join("quote.app"), QUOTE).expect("a file");
    std::fs::write(folder.path().join("q.trace.jsonl"), trace("yesterday", "sim:./quote.app"))
        .expect("a file");
    for command in [&["replay", "--times", "3"][..], &["reduce", "--confirm", "3"]] {
        let said = run(folder.path(), &[command, &["q.trace.jsonl", "--to", "crash"]].concat());
        assert_eq!(said.status.code(), Some(0), "{}", words(&said));
        let lines = words(&said).matches("is of build yesterday; sim:./quote.app runs build").count();
        assert_eq!(lines, 1, "{}", words(&said));
    }
}

/// An app that lies beside its trace is found from everywhere.
#[test]
fn the_app_of_a_trace_is_looked_for_beside_it_first() {
    let folder = scratch();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).expect("a folder");
    std::fs::write(there.join("q.trace.jsonl"), trace("b", "sim:./quote.app")).expect("a file");
    let replay = ["replay", "there/q.trace.jsonl", "--to", "crash", "--times", "2"];
    refused(
        folder.path(),
        &replay,
        &["there/q.trace.jsonl", "no quote.app in there and", "(the current folder)", "--device"],
    );
    // An app that never crashes is in the current folder: it is the second choice.
    std::fs::write(folder.path().join("quote.app"), QUOTE.replace("has \",\"", "has \"never\""))
        .expect("a file");
    assert_eq!(run(folder.path(), &replay).status.code(), Some(1));
    std::fs::write(there.join("quote.app"), QUOTE).expect("a file");
    let said = run(folder.path(), &replay);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));

    let reduce = ["reduce", "there/q.trace.jsonl", "--to", "crash", "--confirm", "2", "--out", "x"];
    let said = run(folder.path(), &reduce);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    // The answer lies elsewhere, and names the app so that it is found from here.
    let said = run(folder.path(), &["replay", "x/reduced.trace.jsonl", "--times", "2"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
}

/// Explorations, their suites and their reductions go on from another folder, with the app in theirs.
#[test]
fn an_exploration_finds_its_app_again() {
    let folder = scratch();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).expect("a folder");
    std::fs::write(there.join("quote.app"), QUOTE).expect("a file");
    let explore = ["explore", "-d", "sim:./quote.app", "--strategy", "swifthand", "--events", "60"];
    let said = run(&there, &[&explore[..], &["--out", "night", "-q"]].concat());
    assert!(matches!(said.status.code(), Some(0 | 1)), "{}", words(&said));
    let resumed = run(folder.path(), &["explore", "--resume", "there/night"]);
    assert!(matches!(resumed.status.code(), Some(0 | 1)), "{}", words(&resumed));

    // The traces lie two folders deeper than the app, which is beside their session.
    let said = run(folder.path(), &["suite", "there/night", "--out", "small"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let said = run(folder.path(), &["replay", "--suite", "small/suite"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    // So it does from inside the session, where the path of a trace does not lead up to it.
    let traces = there.join("night/traces");
    let first = std::fs::read_dir(&traces).expect("traces").next().expect("a trace").expect("a trace");
    let name = first.file_name().into_string().expect("text");
    for (from, trace) in [(&traces, name.clone()), (&there.join("night"), format!("traces/{name}"))] {
        let said = run(from, &["replay", &trace, "--to", "crash", "--times", "1"]);
        assert!(!words(&said).contains("no quote.app"), "{trace}: {}", words(&said));
        assert!(matches!(said.status.code(), Some(0 | 1)), "{trace}: {}", words(&said));
    }

    std::fs::remove_file(there.join("quote.app")).expect("it was there");
    refused(folder.path(), &["explore", "--resume", "there/night"], &["there/night", "no quote.app in"]);
    let folders = ["night/traces", "quote.app", "none in there", "(the current folder)"];
    refused(folder.path(), &["suite", "there/night"], &folders);
}
