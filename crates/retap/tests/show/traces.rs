//! Traces: their header, steps, states, times and crashes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use crate::command::{json_of, run, sample, scratch, words};
use crate::{printed, refused, tap, trace};

#[test]
fn a_recording_is_told_step_by_step() {
    let folder = scratch();
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("sync.trace.jsonl")).expect("a copy");
    assert_snapshot!(printed(folder.path(), &["show", "sync.trace.jsonl", "--steps", "-5,40-42,110-"], 0));
}

#[test]
fn a_trace_as_data_has_the_same() {
    let folder = scratch();
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("sync.trace.jsonl")).expect("a copy");
    let shown = json_of(&run(folder.path(), &["show", "sync.trace.jsonl", "--steps", "119-", "--json"]));
    assert_eq!(shown["command"], "show");
    assert_eq!(shown["total"], 120);
    let steps = shown["steps"].as_array().expect("a list");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[1]["number"], 120);
    assert_eq!(steps[1]["words"], "tap 'Keep both'");
    assert_eq!(steps[1]["before"]["activity"], "org.retap.notes.AccountActivity");
    assert_eq!(steps[1]["crash"]["frames"].as_array().map(Vec::len), Some(7));
    assert_eq!(shown["next"][0], "retap reduce sync.trace.jsonl");
}

#[test]
fn equal_steps_in_a_row_take_one_line() {
    let folder = scratch();
    let steps = (0..40).map(|step| {
        let widget = if step == 20 { "Stop" } else { "Go" };
        tap(widget, step * 500_000, if step < 30 { 1 } else { 2 })
    });
    trace(folder.path(), "many.trace.jsonl", "", steps);
    assert_snapshot!(printed(folder.path(), &["show", "many.trace.jsonl"], 0));
    let by_activity = printed(folder.path(), &["show", "many.trace.jsonl", "--level", "activity"], 0);
    assert!(by_activity.contains(" 22-40. 10.5 s  Main  tap 'Go'  (19 times)"), "{by_activity}");
}

/// Three buttons with the same words are three steps.
#[test]
fn steps_that_only_read_alike_take_a_line_each() {
    let folder = scratch();
    let steps = (0..3).map(|row| {
        let place = 100 * (row + 1);
        format!(
            "{{\"event\":{{\"do\":\"tap\",\"at\":[50,{place}],\"widget\":{{\"text\":\"Delete\",\"label_index\":{row}}}}}}}"
        )
    });
    trace(folder.path(), "rows.trace.jsonl", "", steps);
    let shown = printed(folder.path(), &["show", "rows.trace.jsonl"], 0);
    assert_eq!(shown.matches("tap 'Delete'").count(), 3, "{shown}");
    assert!(!shown.contains("(3 times)"), "{shown}");
}

#[test]
fn text_of_an_app_does_nothing_to_a_terminal() {
    let folder = scratch();
    let names = ["\u{1b}[2J\u{1b}]0;owned\u{7}", "a\nb\r", "\u{202e}gnp.exe", "$(reboot)", "字 👍"];
    let crash = "{\"event\":{\"do\":\"key\",\"key\":\"back\"},\"crash\":{\"kind\":\"java\",\"signature\":\"A@b#1\",\
                 \"exception\":\"A\\u001b[31m\",\"message\":\"m\\u001b[0m\\nn\",\"frames\":[\"f\\u009b1m(X.java:1)\"]}}";
    let steps = (0..).zip(names).map(|(at, name)| tap(name, at, at)).chain([crash.to_owned()]);
    trace(
        folder.path(),
        "evil.trace.jsonl",
        ",\"note\":\"n\\u001b[5m\",\"device\":\"sim:x\\u001b[5m\"",
        steps,
    );
    let shown = printed(folder.path(), &["show", "evil.trace.jsonl"], 0);
    assert!(shown.chars().all(|char| char == '\n' || !char.is_control()), "{shown:?}");
    assert_snapshot!(shown);
    trace(folder.path(), "none.trace.jsonl", "", []);
    let differs = printed(folder.path(), &["diff", "none.trace.jsonl", "evil.trace.jsonl"], 1);
    assert!(differs.chars().all(|char| char == '\n' || !char.is_control()), "{differs:?}");
}

#[test]
fn names_of_files_are_quoted_for_the_shell() {
    let folder = scratch();
    let name = "-it's $(x).trace.jsonl";
    trace(folder.path(), name, ",\"target\":\"crash\",\"device\":\"sim:notes\"", [tap("Go", 0, 1)]);
    let shown = printed(folder.path(), &["show", "--", name], 0);
    assert!(shown.contains(r"  retap reduce './-it'\''s $(x).trace.jsonl'"), "{shown}");
}

#[test]
fn a_trace_without_steps_says_so() {
    let folder = scratch();
    trace(folder.path(), "none.trace.jsonl", ",\"target\":\"crash\",\"device\":\"sim:notes\"", []);
    assert_snapshot!(printed(folder.path(), &["show", "none.trace.jsonl"], 0));
    let stopped = ",\"start\":\"stopped\",\"target\":\"crash\",\"device\":\"sim:notes\"";
    trace(folder.path(), "stopped.trace.jsonl", stopped, []);
    let shown = printed(folder.path(), &["show", "stopped.trace.jsonl"], 0);
    assert!(shown.contains("freshly installed, and no step launches it"), "{shown}");
    assert!(shown.contains("no steps: the app is not even started"), "{shown}");
}

#[test]
fn wrong_ranges_and_levels_are_refused() {
    let folder = scratch();
    trace(folder.path(), "one.trace.jsonl", "", [tap("Go", 0, 1)]);
    let show = |args: &[&str]| refused(folder.path(), &[&["show", "one.trace.jsonl"], args].concat());
    assert!(show(&["--steps", "5-3"]).contains("'5-3' is no range of steps: it begins after its end"));
    assert!(show(&["--steps", "2-9"]).contains("--steps 2-9: the trace has 1 steps"));
    assert!(show(&["--level", "deep"]).contains("there is no state level 'deep'"));
    assert!(
        show(&["--seed", "3"]).contains("--seed does nothing here: 'retap show' leaves nothing to chance")
    );
}

/// 100,000 steps, and a reader that goes away after the first line.
#[test]
fn long_traces_are_quick_and_pipes_may_close() {
    let folder = scratch();
    let steps = (0..100_000_u64).map(|step| tap(&format!("Item {}", step % 777), step * 1000, step % 99));
    trace(folder.path(), "long.trace.jsonl", "", steps);
    let began = Instant::now();
    let shown = printed(folder.path(), &["show", "long.trace.jsonl"], 0);
    assert!(shown.lines().count() > 100_000, "{}", shown.lines().count());
    // With optimisation it takes a third of a second; the computer of a test may be slow and busy.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let mut child = Command::new(env!("CARGO_BIN_EXE_retap"))
        .args(["show", "long.trace.jsonl"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("retap runs");
    drop(child.stdout.take());
    let said = child.wait_with_output().expect("it ends");
    assert_eq!((said.status.code(), words(&said)), (Some(0), String::new()));
}
