//! Explore an app through real adb, find its crash, and hand back the fewest taps that reproduce it.

use std::process::{Command, Stdio};

use retap_store::SessionView;
use retap_testing::until;
use serde_json::Value;

use crate::bench::{Bench, LONGEST, finish, finish_child};

/// The shortest way to the crash of a new note.
const SHORTEST: [&str; 4] = ["tap 'New note'", "tap 'Tags'", "tap 'Add tag'", "tap 'Done'"];

/// One exploration, and how many there may be.
const EVENTS: &str = "800";
const SEEDS: u64 = 8;

/// A command that has recorded as much is at work on the device.
const AT_WORK: u64 = 3;

const ANIMATIONS: &str = "settings get global window_animation_scale";

/// Explores with time travel, with one seed after the other until the crash is found. Returns what was found.
fn explore(bench: &mut Bench, trouble: Trouble) -> Value {
    let mut all = Vec::new();
    for seed in 1..=SEEDS {
        let out = bench.folder("night");
        let _ = std::fs::remove_dir_all(&out);
        let mut command = bench.retap(&["explore", "--strategy", "timetravel", "--json", "--events", EVENTS]);
        command.args(["--device", &bench.spec(), "--seed", &seed.to_string()]).arg("--out").arg(out);
        let (found, status, words) = run(bench, command, "night", trouble);
        assert_eq!(found["status"], "done", "seed {seed}: {words}");
        if signature(&found).is_some() {
            assert_eq!(status, Some(1), "crashes were found");
            return found;
        }
        all.push(found);
    }
    panic!("the crash was not found in {SEEDS} explorations: {all:#?}");
}

/// The crash of a new note among those found.
fn signature(found: &Value) -> Option<&str> {
    let crashes = found["crashes"].as_array().expect("a list");
    let crash = crashes.iter().find(|crash| crash["exception"] == "java.lang.IllegalStateException");
    crash.map(|crash| crash["signature"].as_str().expect("a text"))
}

/// Whether the adb server is killed while a command is at work. retap starts another one by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    None,
    ServerKilled,
}

/// Runs a command that saves to this folder to its end: what it said last, how it ended, and its words for people.
fn run(bench: &mut Bench, mut command: Command, out: &str, trouble: Trouble) -> (Value, Option<i32>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap starts");
    if trouble == Trouble::ServerKilled {
        let out = bench.folder(out);
        let recorded = || SessionView::open(&out).and_then(|view| view.last_seq()).map_or(0, |last| last.0);
        until("the command is at work", || {
            recorded() >= AT_WORK || child.try_wait().expect("it is a child").is_some()
        });
        bench.kill_server();
    }
    let said = finish_child(child, LONGEST);
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    let text = String::from_utf8_lossy(&said.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("nothing was said: {words}"));
    (serde_json::from_str(last).expect("JSON"), said.status.code(), words)
}

/// Reduces it and checks the answer: four taps, confirmed 20 of 20 times, saved and printed.
fn reduce(bench: &mut Bench, signature: &str, trouble: Trouble) {
    let mut command = bench.retap(&["reduce", "--json", "--crash", signature]);
    command.arg("--out").arg(bench.folder("reduction")).arg(bench.folder("night"));
    let (reduced, status, words) = run(bench, command, "reduction", trouble);
    assert_eq!((status, &reduced["status"]), (Some(0), &Value::from("reduced")), "{words}");
    assert_eq!(reduced["confirmed"], serde_json::json!({ "reached": 20, "of": 20 }), "{words}");
    let steps = words.lines().filter_map(|line| line.trim_start().split_once(". tap "));
    let steps: Vec<String> = steps.map(|(_, target)| format!("tap {target}")).collect();
    assert_eq!(steps, SHORTEST, "{words}");
    let file = reduced["trace"].as_str().expect("a path");
    let trace = std::fs::read_to_string(bench.home().join(file)).expect("the trace is saved");
    assert_eq!(trace.lines().count(), 1 + SHORTEST.len(), "{trace}");
}

#[test]
fn a_crash_is_found_and_reduced_through_real_adb() {
    let Some(mut bench) = Bench::new("notes") else { return };
    let before = bench.shell(ANIMATIONS);
    let found = explore(&mut bench, Trouble::None);
    assert!(found["time_travel"]["saves"].as_u64() > Some(0), "the emulator was saved: {found}");
    assert!(found["time_travel"]["restores"].as_u64() > Some(0), "and gone back to: {found}");
    reduce(&mut bench, signature(&found).expect("it was found"), Trouble::None);
    assert_eq!(bench.shell(ANIMATIONS), before, "what was changed for the runs was put back");
}

/// The same with a device that drops off and comes back, looks that fail 1 time in 5, snapshots that cannot be loaded
/// 2 times in 10, and an adb server that is killed during each command.
#[test]
fn trouble_changes_nothing_about_the_answer() {
    let Some(mut bench) = Bench::new("notes?blind=0.2&badload=0.2&offline=0.0005:3") else { return };
    let found = explore(&mut bench, Trouble::ServerKilled);
    let signature = signature(&found).expect("it was found");
    reduce(&mut bench, signature, Trouble::ServerKilled);
}

/// A phone keeps its settings even when the process that changed them was killed.
#[test]
fn settings_are_put_back_after_a_kill() {
    let Some(bench) = Bench::new("notes") else { return };
    let before = bench.shell(ANIMATIONS);
    let mut command = bench.retap(&["explore", "--device", &bench.spec(), "--events", "100000", "-q"]);
    let mut explorer = command.arg("--out").arg(bench.folder("killed")).spawn().expect("retap starts");
    until("a setting is changed", || bench.shell(ANIMATIONS) != before);
    explorer.kill().expect("it is a child");
    explorer.wait().expect("it is a child");
    assert_ne!(bench.shell(ANIMATIONS), before, "it had no chance to put them back");
    let out = bench.folder("again");
    let mut again = bench.retap(&["explore", "--device", &bench.spec(), "--events", "3", "-q"]);
    assert!(finish(again.arg("--out").arg(out), LONGEST).status.success());
    assert_eq!(bench.shell(ANIMATIONS), before);
}
