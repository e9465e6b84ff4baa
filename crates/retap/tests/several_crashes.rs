//! `retap reduce DIR`, where the exploration has found more than one crash.

mod command;

use std::path::Path;
use std::process::{Command, Stdio};

use command::{json_of, retap, run, words};
use retap_store::SessionView;
use retap_testing::until;
use serde_json::json;

/// Three crashes: two of one exception that come every time, and one that hardly ever comes again.
const APP: &str = r#"
app three "Three"
package org.retap.three

activity MainActivity
  screen main "Three"
    button "One" height=300
      on tap
        crash IllegalStateException "one"
          at org.retap.three.Main.one(Main.java:1)
    button "Two" height=300
      on tap
        crash IllegalStateException "two"
          at org.retap.three.Main.two(Main.java:2)
    button "Rare" height=300
      on tap
        chance 0.004
          crash ArithmeticException "rare"
            at org.retap.three.Main.rare(Main.java:3)
"#;

/// A folder with an exploration `night` that has found all three.
fn explored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::fs::write(folder.path().join("three.app"), APP).expect("a file");
    let explore =
        ["explore", "-d", "sim:./three.app", "--strategy", "aware", "--events", "6000", "--json", "-q"];
    let said = run(folder.path(), &[&explore[..], &["--out", "night"]].concat());
    assert_eq!(json_of(&said)["crashes"].as_array().map(Vec::len), Some(3), "{}", words(&said));
    folder
}

fn refused(folder: &Path, args: &[&str], parts: &[&str]) {
    let said = run(folder, args);
    assert_eq!(said.status.code(), Some(2), "{args:?}: {}", words(&said));
    for part in parts {
        assert!(words(&said).contains(part), "{args:?} said\n{}and not '{part}'", words(&said));
    }
    assert!(!folder.join("retap-out").exists(), "{args:?} wrote something");
}

#[test]
fn nothing_is_chosen_silently() {
    let folder = explored();
    let folder = folder.path();
    let one = "retap reduce night --crash IllegalStateException@Main.one#";
    refused(
        folder,
        &["reduce", "night"],
        &[
            "night has 3 crashes",
            "--all",
            one,
            "--crash IllegalStateException@Main.two#",
            "ArithmeticException@Main.rare#",
        ],
    );
    refused(
        folder,
        &["reduce", "night", "--crash", "IllegalState"],
        &["--crash IllegalState fits 2 crashes", one],
    );
    refused(folder, &["reduce", "night", "--crash", "Nowhere"], &["no crash", "'Nowhere'", "Main.one#"]);
    refused(folder, &["reduce", "night", "--to", "activity:MainActivity"], &["retap reduce night/crashes/"]);
    refused(folder, &["reduce", "night", "--to", "crash:Nowhere"], &["no crash Nowhere", "Main.one#"]);
    refused(folder, &["reduce", "three.app", "--all"], &["--all", "three.app", "folder of an exploration"]);
    // What is wrong with the settings is said once, not for each of them.
    let said = run(folder, &["reduce", "night", "--all", "--rule", "21/20"]);
    assert_eq!((said.status.code(), words(&said).matches("21/20").count()), (Some(2), 1), "{}", words(&said));
    let said = run(folder, &["reduce", "night", "--crash", "Main.two", "--json", "-q", "--confirm", "5"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert!(json_of(&said)["target"].as_str().is_some_and(|target| target.contains("Main.two")));
}

#[test]
fn all_are_reduced_and_the_worst_counts() {
    let folder = explored();
    let all = ["reduce", "night", "--all", "--json", "--confirm", "5", "--out", "short"];
    let said = run(folder.path(), &all);
    assert_eq!(said.status.code(), Some(1), "one does not reproduce: {}", words(&said));
    let result = json_of(&said);
    assert_eq!((&result["command"], &result["status"]), (&json!("reduce"), &json!("done")));
    let reductions = result["reductions"].as_array().expect("a list");
    assert_eq!(reductions.len(), 3);
    for reduction in reductions {
        let target = reduction["target"].as_str().expect("a target");
        let reduced = if target.contains("rare") { "not_reproducible" } else { "reduced" };
        assert_eq!(reduction["status"], reduced, "{reduction}");
        let session = reduction["session"].as_str().expect("a folder");
        assert_eq!(Path::new(session).parent(), Some(Path::new("short")), "{session}");
        if let Some(trace) = reduction["trace"].as_str() {
            assert!(folder.path().join(trace).is_file(), "{trace}");
        }
    }
    let words = words(&said);
    let summary: Vec<&str> = words.lines().rev().take(3).collect();
    assert_eq!(summary.iter().filter(|line| line.starts_with("reduced IllegalState")).count(), 2, "{words}");
    assert_eq!(
        summary.iter().filter(|line| line.starts_with("not reproducible Arith")).count(),
        1,
        "{words}"
    );
    // The same command finds everything done.
    assert_eq!(json_of(&run(folder.path(), &all)), result);
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_them_all() {
    let folder = explored();
    let all = ["reduce", "night", "--all", "--json", "--rule", "9000/10000", "--out", "short"];
    let child = retap(folder.path(), &all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("retap starts");
    let recorded =
        |session: &Path| SessionView::open(session).and_then(|view| view.last_seq()).map_or(0, |last| last.0);
    until("a run is recorded", || {
        let sessions = std::fs::read_dir(folder.path().join("short")).into_iter().flatten().flatten();
        sessions.into_iter().any(|session| recorded(&session.path()) > 0)
    });
    let sent =
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("sh runs");
    assert!(sent.success());
    let said = child.wait_with_output().expect("retap ends");
    assert_eq!(said.status.code(), Some(130), "{}", words(&said));
    let result = json_of(&said);
    assert_eq!(
        (&result["status"], result["reductions"].as_array().map(Vec::len)),
        (&json!("interrupted"), Some(1))
    );
    assert_eq!(words(&said).matches("not begun ").count(), 2, "{}", words(&said));
}
