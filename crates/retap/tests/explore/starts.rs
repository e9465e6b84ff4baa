//! `retap explore` and `retap reduce` of an app that crashes when it starts.

use std::path::Path;

use retap_trace::Seed;
use serde_json::Value;

use crate::resuming::{but_for_folder, killed_after, left};
use crate::tool::{explore, retap, scratch, words};

const WHY: &str = "the app crashes when it starts, in 20 of 20 launches, so nothing more could be explored";

/// Writes an app that crashes in this part of its starts.
fn app(folder: &Path, part: &str) {
    let text = format!(
        "app dead \"Dead\"\non start\n  chance {part}\n    crash java.lang.IllegalStateException \"no\"\n\
         activity MainActivity\n  screen main \"Main\"\n    label \"Here\"\n"
    );
    std::fs::write(folder.join("dead.app"), text).expect("a scratch file");
}

#[test]
fn it_ends_with_the_crash_as_a_finding() {
    let folder = scratch();
    app(folder.path(), "1");
    for more in [&["--strategy", "timetravel"][..], &["--minutes", "480"], &["--strategy", "swifthand"]] {
        let (result, said) = explore(folder.path(), &[&["--device", "sim:./dead.app", "-v"], more].concat());
        assert_eq!(said.status.code(), Some(1), "a crash was found: {}", words(&said));
        assert_eq!((&result["status"], &result["why"]), (&Value::from("done"), &Value::from(WHY)));
        assert_eq!((&result["events"], &result["segments"]), (&Value::from(0), &Value::from(20)));
        let crash = &result["crashes"][0];
        assert_eq!((&crash["seen"], &crash["events"]), (&Value::from(20), &Value::from(0)), "{result}");
        assert_eq!(crash["reproduced"], true);
        let told = words(&said).lines().filter(|line| line.contains(WHY)).count();
        assert!(told == 1 && words(&said).contains(&format!("ended early: {WHY}")), "{}", words(&said));
        assert!(!words(&said).contains("--resume"), "{}", words(&said));
    }
}

#[test]
fn stopped_on_the_way_it_ends_as_if_nothing_had_happened() {
    let folder = scratch();
    app(folder.path(), "1");
    let mut dice = Seed(1).dice();
    for devices in ["1", "3"] {
        let whole = format!("whole{devices}");
        let args = ["--device", "sim:./dead.app", "--devices", devices, "--out", &whole];
        let (result, _) = explore(folder.path(), &args);
        let (from, entries) = (folder.path().join(&whole), left(&folder.path().join(&whole)).1[0].len());
        for round in 0..8 {
            let out = format!("cut{devices}-{round}");
            // The last time nothing was left to do.
            let kept = if round == 7 { entries } else { dice.index(entries) };
            killed_after(&from, &folder.path().join(&out), kept, &mut dice);
            let (again, said) = explore(folder.path(), &["--resume", &out]);
            assert_eq!(said.status.code(), Some(1), "{}", words(&said));
            assert_eq!(but_for_folder(&again, &out), but_for_folder(&result, &whole), "{}", words(&said));
        }
    }
}

#[test]
fn reducing_says_that_it_crashes_when_it_starts() {
    for (part, often) in [("1", 20..21), ("0.5", 3..18)] {
        let folder = scratch();
        app(folder.path(), part);
        let args = ["--device", "sim:./dead.app", "--events", "40", "--seed", "2", "--reduce", "--out", "x"];
        let (result, said) = explore(folder.path(), &args);
        let reduced = &result["reduced"][0];
        assert_eq!((&reduced["status"], &reduced["events"]), (&Value::from("reduced"), &Value::from(0)));
        let reached = reduced["confirmed"]["reached"].as_u64().expect("a number");
        assert!(often.contains(&reached), "{result}");
        let signature = result["crashes"][0]["signature"].as_str().expect("a text");
        let claim = format!(
            "the app crashes when it starts, without any event, so there is nothing to reduce; \
             fresh runs reached crash:{signature} {reached} of 20 times"
        );
        assert!(words(&said).contains(&claim), "{}", words(&said));
        // Where it does not always crash, the ways part at the start, and the crash is one of them.
        let parted = words(&said).contains(&format!("in crash {signature}; "));
        assert_eq!(parted, part != "1", "{}", words(&said));
        for args in [&["x"][..], &["x", "--crash", "IllegalState"], &["x", "--all"]] {
            let said = retap(folder.path(), &[&["reduce"], args].concat()).output().expect("retap runs");
            assert_eq!(said.status.code(), Some(0), "{args:?}: {}", words(&said));
            assert!(words(&said).contains("the app crashes when it starts, without any event"), "{args:?}");
        }
        // What it dies of is in the trace, though no step has it.
        let crash = result["crashes"][0]["trace"].as_str().expect("a file");
        for args in [&["show", "x"][..], &["show", crash], &["export", crash, "--as", "markdown"]] {
            let said = retap(folder.path(), args).output().expect("retap runs");
            let shown = String::from_utf8_lossy(&said.stdout);
            assert!(shown.contains("java.lang.IllegalStateException"), "{args:?}: {shown}");
        }
    }
}

/// A trace whose events are not needed says so too.
#[test]
fn events_before_a_crash_of_the_start_are_left_out() {
    let folder = scratch();
    app(folder.path(), "1");
    let (_, said) = explore(folder.path(), &["--device", "sim:./dead.app", "--out", "x"]);
    assert_eq!(said.status.code(), Some(1));
    let crash = std::fs::read_dir(folder.path().join("x/crashes")).expect("a folder").next();
    let file = crash.expect("a crash").expect("an entry").path();
    let text = std::fs::read_to_string(&file).expect("a trace");
    let step = r#"{"event":{"do":"key","key":"menu"}}"#;
    std::fs::write(&file, format!("{text}{step}\n")).expect("a scratch file");
    let said = retap(folder.path(), &["reduce", &file.display().to_string()]).output().expect("retap runs");
    let claim = "reduced 1 event to 0: the app crashes when it starts; fresh runs reached";
    assert!(words(&said).contains(claim), "{}", words(&said));
}
