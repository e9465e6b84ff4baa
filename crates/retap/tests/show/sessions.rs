//! Sessions: finished, stopped, and written by another process at this moment; and suites.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use insta::assert_snapshot;
use retap_testing::until;
use serde_json::Value;

use crate::command::{json_of, retap, run, sample, scratch, words};
use crate::{printed, refused};

/// A list and a check of it that waits for a file before each answer but the first ones.
fn slow_check(folder: &Path) {
    let list: Vec<String> = (1..=50).map(|number| number.to_string()).collect();
    std::fs::write(folder.join("list.txt"), list.join("\n") + "\n").expect("a file");
    let check = "#!/bin/sh\necho run >> \"$RETAP_DIR/runs\"\n\
                 [ \"$(wc -l < \"$RETAP_DIR/runs\")\" -lt 8 ] || until [ -e \"$RETAP_DIR/go\" ]; do sleep 0.02; done\n\
                 grep -qx 7 \"$1\"\n";
    std::fs::write(folder.join("check.sh"), check).expect("a file");
    let made =
        Command::new("chmod").args(["+x", "check.sh"]).current_dir(folder).status().expect("chmod runs");
    assert!(made.success());
}

/// Starts a reduction that waits after some runs.
fn waiting(folder: &Path) -> Child {
    slow_check(folder);
    let args = ["reduce", "list.txt", "--to", "cmd:./check.sh", "--seed", "3", "--out", "it's mine", "-q"];
    let child = retap(folder, &args).stderr(Stdio::null()).spawn().expect("retap runs");
    let runs = || std::fs::read_to_string(folder.join("runs")).unwrap_or_default().lines().count();
    until("some runs are made", || runs() >= 8);
    child
}

/// Explores, with this seed.
fn explored(folder: &Path, out: &str, seed: &str, more: &[&str]) {
    let args = ["explore", "--device", "sim:notes", "--strategy", "aware", "--events", "1500", "-q"];
    let said = run(folder, &[&args[..], &["--seed", seed, "--out", out], more].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
}

#[test]
fn an_exploration_tells_its_crashes_and_what_to_do() {
    let folder = scratch();
    explored(folder.path(), "night", "7", &[]);
    assert_snapshot!(printed(folder.path(), &["show", "night"], 0));
}

#[test]
fn an_exploration_that_reduces_tells_rates() {
    let folder = scratch();
    explored(folder.path(), "night", "7", &["--reduce"]);
    assert_snapshot!(printed(folder.path(), &["show", "night"], 0));
    let shown = json_of(&run(folder.path(), &["show", "night", "--json"]));
    assert_eq!(shown["what"], "session");
    assert_eq!((&shown["state"], &shown["of"]), (&"finished".into(), &"explore".into()));
    let crash = &shown["crashes"][0];
    assert_eq!(crash["reduced"]["confirmed"], serde_json::json!({ "reached": 20, "of": 20 }));
    assert!(crash["crash"]["frames"].as_array().is_some_and(|frames| frames.len() > 3), "{crash}");
}

/// What is told of the figures is what the exploration itself said.
#[test]
fn figures_are_those_of_the_result() {
    let folder = scratch();
    let args = ["explore", "--device", "sim:flashcards", "--strategy", "timetravel", "--minutes", "15"];
    let result = json_of(&run(folder.path(), &[&args[..], &["--out", "cards", "--json", "-q"]].concat()));
    let shown = json_of(&run(folder.path(), &["show", "cards", "--json"]));
    for name in
        ["events", "segments", "states", "transitions", "coverage", "coverage_total", "device_seconds"]
    {
        assert_eq!(shown[name], result[name], "{name}");
    }
}

#[test]
fn a_reduction_tells_its_claim() {
    let folder = scratch();
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("sync.trace.jsonl")).expect("a copy");
    let said = run(folder.path(), &["reduce", "sync.trace.jsonl", "--out", "sync", "-q"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_snapshot!(printed(folder.path(), &["show", "sync"], 0));
    assert_snapshot!("the_answer", printed(folder.path(), &["show", "sync/reduced.trace.jsonl"], 0));
    let shown = json_of(&run(folder.path(), &["show", "sync", "--json"]));
    assert_eq!(shown["result"]["confirmed"], serde_json::json!({ "reached": 17, "of": 20 }));
    assert_eq!(shown["result"]["flaked"]["after"], 7);
}

/// Steps that were taken away by hand, and another target: nothing is known of them.
#[test]
fn a_reduced_trace_that_was_changed_has_no_claim() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(sample("notes-unnamed-tag"), at("tag.trace.jsonl")).expect("a copy");
    let said = run(folder.path(), &["reduce", "tag.trace.jsonl", "--out", "tag", "-q"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let text = std::fs::read_to_string(at("tag/reduced.trace.jsonl")).expect("an answer");
    let last = text.trim_end().rfind('\n').expect("lines");
    let session = printed(folder.path(), &["show", "tag"], 0);
    assert!(!session.contains("was changed since it was confirmed"), "{session}");
    for changed in [text[..=last].to_owned(), text.replace("\"target\":\"crash:", "\"target\":\"crash:X")] {
        assert_ne!(changed, text);
        std::fs::write(at("tag/reduced.trace.jsonl"), &changed).expect("a file");
        let shown = printed(folder.path(), &["show", "tag/reduced.trace.jsonl"], 0);
        assert!(shown.contains("none: the trace was changed since it was confirmed"), "{shown}");
        assert!(!shown.contains("20 of 20") && shown.contains("retap reduce"), "{shown}");
        let session = printed(folder.path(), &["show", "tag"], 0);
        assert!(session.contains("tag/reduced.trace.jsonl was changed since it was confirmed:"), "{session}");
        let exported = run(folder.path(), &["export", "tag/reduced.trace.jsonl", "--as", "maestro"]);
        let warned = words(&exported);
        assert!(warned.contains("the trace was changed since it was confirmed: no run has"), "{warned}");
        let exported = crate::text(&exported);
        assert!(exported.contains("changed since they were confirmed") && !exported.contains("20 of 20"));
    }
}

/// With `--write` the answer is in two files, and it is said which of them was changed.
#[test]
fn the_file_that_was_changed_is_the_one_that_is_named() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    let args = ["reduce", &sample("notes-unnamed-tag"), "--write", "f.trace.jsonl", "--out", "tag", "-q"];
    let said = run(folder.path(), &args);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let text = std::fs::read_to_string(at("f.trace.jsonl")).expect("an answer");
    let shorter = &text[..=text.trim_end().rfind('\n').expect("lines")];
    let (inside, written) = ("tag/reduced.trace.jsonl", "f.trace.jsonl");
    let session = printed(folder.path(), &["show", "tag"], 0);
    assert!(!session.contains("was changed") && session.contains("answer: f.trace.jsonl"), "{session}");
    for (changed, other) in [(inside, written), (written, inside)] {
        std::fs::write(at(changed), shorter).expect("a file");
        let session = printed(folder.path(), &["show", "tag"], 0);
        assert!(session.contains(&format!("{changed} was changed since it was confirmed:")), "{session}");
        assert!(!session.contains(&format!("{other} was changed")), "{session}");
        assert!(session.contains(&format!("answer: {other}\n")), "{session}");
        let data = json_of(&run(folder.path(), &["show", "tag", "--json"]));
        assert_eq!(data["changed"], serde_json::json!([changed]), "{data}");
        std::fs::write(at(changed), &text).expect("a file");
    }
    let answers_differ = |before: &str| printed(folder.path(), &["diff", "tag", before], 1);
    std::fs::write(at(inside), shorter).expect("a file");
    let differs = answers_differ(written);
    assert!(differs.starts_with("--- tag/reduced.trace.jsonl: "), "{differs}");
}

/// The answer goes into the session first: hours of runs are not lost with a file that cannot be written.
#[test]
fn a_result_is_kept_also_where_its_answer_cannot_be_written() {
    let folder = scratch();
    std::fs::write(folder.path().join("file"), "not a folder").expect("room");
    let args = ["reduce", &sample("dalvik"), "--write", "file/f.trace.jsonl", "--out", "tag", "-q"];
    let said = run(folder.path(), &args);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(words(&said).contains("the answer is saved in tag/reduced.trace.jsonl"), "{}", words(&said));
    let shown = json_of(&run(folder.path(), &["show", "tag", "--json"]));
    assert_eq!(shown["result"]["status"], "reduced", "{shown}");
}

/// As it is exported.
#[test]
fn the_folder_of_a_recording_is_its_trace() {
    let folder = scratch();
    std::fs::create_dir(folder.path().join("mine")).expect("a folder");
    std::fs::copy(sample("dalvik"), folder.path().join("mine/recorded.trace.jsonl")).expect("a copy");
    let shown = printed(folder.path(), &["show", "mine"], 0);
    assert_eq!(shown, printed(folder.path(), &["show", "mine/recorded.trace.jsonl"], 0));
    std::fs::copy(sample("diner"), folder.path().join("diner.trace.jsonl")).expect("a copy");
    let differs = printed(folder.path(), &["diff", "mine", "diner.trace.jsonl"], 1);
    assert!(differs.starts_with("--- mine/recorded.trace.jsonl: "), "{differs}");
}

/// No device is named, and there is no answer: the input says what its parts are.
#[test]
fn a_trace_that_a_command_refuses_has_events() {
    let folder = scratch();
    let args = ["reduce", &sample("dalvik"), "--to", "cmd:false", "--out", "no", "-q"];
    let said = run(folder.path(), &args);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let shown = printed(folder.path(), &["show", "no"], 0);
    assert!(shown.contains("the whole of 36 events reached") && !shown.contains("line"), "{shown}");
}

/// Also once the trace was moved away.
#[test]
fn what_a_command_judged_is_known_without_its_file() {
    let folder = scratch();
    std::fs::copy(sample("dalvik"), folder.path().join("t.trace.jsonl")).expect("a copy");
    std::fs::write(folder.path().join("list.txt"), "a\nb\n").expect("a list");
    for (input, out, said) in
        [("t.trace.jsonl", "trace", "the whole of 36 events"), ("list.txt", "list", "the whole of 2 lines")]
    {
        let args = ["reduce", input, "--to", "cmd:false", "--out", out, "-q"];
        assert_eq!(run(folder.path(), &args).status.code(), Some(1));
        std::fs::remove_file(folder.path().join(input)).expect("it was there");
        let shown = printed(folder.path(), &["show", out], 0);
        assert!(shown.contains(said), "{shown}");
    }
}

/// Replays that had to go without a crash, of a trace and a build: what is shown, and the same as data.
fn without_a_crash(folder: &Path, out: &str, device: &str) -> (String, Value) {
    let args = ["replay", "red/reduced.trace.jsonl", "--expect-no-crash", "--times", "6", "-q"];
    run(folder, &[&args[..], &["-d", device, "--out", out]].concat());
    let shown = printed(folder, &["show", out], 0);
    (shown, json_of(&run(folder, &["show", out, "--json"])))
}

/// Runs that did not perform the steps, or whose device failed, are no good ones.
#[test]
fn replays_that_prove_nothing_say_so() {
    let folder = scratch();
    run(folder.path(), &["reduce", &sample("notes-unnamed-tag"), "--out", "red", "-q"]);
    let app = include_str!("../../../sim/apps/notes.app");
    let fixed = app.replace("if unnamed and is_new", "if false");
    let renamed = fixed.replace("button \"Tags\" id=tags", "button \"Labels\" id=labels");
    assert!(fixed != app && renamed != fixed);
    for (name, app) in [("fixed.app", &fixed), ("renamed.app", &renamed)] {
        std::fs::write(folder.path().join(name), app).expect("a file");
    }
    let (shown, data) = without_a_crash(folder.path(), "done", "sim:./fixed.app");
    assert_eq!(data["status"], "done", "{data}");
    assert!(shown.contains("runs reached a crash 0 of 6 times") && !shown.contains("not known"), "{shown}");
    let (shown, data) = without_a_crash(folder.path(), "astray", "sim:./renamed.app");
    assert_eq!(data["status"], "astray", "{data}");
    assert!(shown.contains("not known: not all runs were seen to perform the steps"), "{shown}");
    let (shown, data) = without_a_crash(folder.path(), "unknown", "sim:./fixed.app?offline=0.03");
    assert_eq!(data["status"], "unknown", "{data}");
    assert!(shown.contains("not known: the device failed in some runs"), "{shown}");
    let differs = printed(folder.path(), &["diff", "done", "astray"], 1);
    assert!(differs.contains("- done\n") && differs.contains("+ astray\n"), "{differs}");
    assert!(differs.contains("+ 6 runs stopped before step 2, tap 'Tags'"), "{differs}");
    let differs = printed(folder.path(), &["diff", "done", "unknown"], 1);
    assert!(differs.contains("+ unknown\n") && differs.contains("inconclusive runs - 0\n"), "{differs}");
}

#[test]
fn a_trace_that_is_refused_is_told_with_figures() {
    let folder = scratch();
    let said =
        run(folder.path(), &["reduce", &sample("dalvik"), "--to", "activity:Nowhere", "--out", "no", "-q"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let shown = printed(folder.path(), &["show", "no"], 0);
    assert!(shown.contains("reduction no: finished"), "{shown}");
    assert!(
        shown.contains("not reproducible: the whole of 36 events reached activity:Nowhere 0 of 12 times"),
        "{shown}"
    );
}

#[test]
fn replays_and_suites_are_told() {
    let folder = scratch();
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("sync.trace.jsonl")).expect("a copy");
    run(folder.path(), &["replay", "sync.trace.jsonl", "--out", "replays", "-q"]);
    assert_snapshot!("replays", printed(folder.path(), &["show", "replays"], 0));
    let splices = ["1", "2", "3"].map(|number| sample(&format!("filebrowser-splice-{number}")));
    let args: Vec<&str> = ["suite"].into_iter().chain(splices.iter().map(String::as_str)).collect();
    let said = run(folder.path(), &[&args[..], &["--out", "small", "-q"]].concat());
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_snapshot!("suite", printed(folder.path(), &["show", "small/suite"], 0));
    let session = printed(folder.path(), &["show", "small"], 0);
    assert!(
        session.contains("suite session small: finished") && session.contains("nothing is lost"),
        "{session}"
    );
    assert_eq!(json_of(&run(folder.path(), &["show", "small/suite", "--json"]))["what"], "suite");
    let wrong = refused(folder.path(), &["show", "small/suite", "--steps", "1"]);
    assert!(wrong.contains("--steps does nothing with a suite"), "{wrong}");
}

/// While another process writes it, after that was killed, and after it went on by what is told.
#[test]
fn a_session_is_told_while_it_is_written_and_after_a_kill() {
    let folder = scratch();
    let mut child = waiting(folder.path());
    let running = printed(folder.path(), &["show", "it's mine"], 0);
    let process = format!("running at this moment, as process {}", child.id());
    assert!(running.contains(&process), "{running}");
    assert!(
        running.contains("the shortest list that reached the target has ") && !running.contains("next:"),
        "{running}"
    );
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let stopped = printed(folder.path(), &["show", "it's mine"], 0);
    assert!(stopped.contains("reduction it's mine: stopped before its end"), "{stopped}");
    let next = stopped.lines().find(|line| line.starts_with("  retap ")).expect("a command");
    let (command, _) = next.split_once("  # ").expect("what it is for");
    assert_eq!(
        command.trim(),
        r"retap reduce list.txt --to cmd:./check.sh --write list.reduced.txt --seed 3 --out 'it'\''s mine'"
    );
    std::fs::write(folder.path().join("go"), "").expect("a file");
    let bin = Path::new(env!("CARGO_BIN_EXE_retap")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let went_on =
        Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(folder.path()).output();
    let went_on = went_on.expect("a shell");
    assert_eq!(went_on.status.code(), Some(0), "{}", words(&went_on));
    assert!(words(&went_on).contains("going on after "), "{}", words(&went_on));
    let finished = printed(folder.path(), &["show", "it's mine"], 0);
    assert!(finished.contains("reduction it's mine: finished\n"), "{finished}");
    assert!(
        finished.contains("reduced 50 lines to 1; fresh runs reached cmd:./check.sh 20 of 20 times"),
        "{finished}"
    );
}

/// What a stopped exploration is shown to have covered, and how long it took, is what it said itself.
#[test]
fn a_stopped_exploration_is_shown_with_its_own_figures() {
    let folder = scratch();
    let args =
        ["explore", "--device", "sim:notes", "--minutes", "1000000", "--seed", "3", "--out", "o", "--json"];
    let child =
        retap(folder.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("retap runs");
    until("a segment has ended", || folder.path().join("o/traces/d0-0002.trace.jsonl").exists());
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()));
    let said = json_of(&child.wait_with_output().expect("it ends"));
    let shown = json_of(&run(folder.path(), &["show", "o", "--json"]));
    for figure in ["events", "segments", "states", "transitions", "coverage"] {
        let of = |json: &Value| json[figure].as_u64().unwrap_or_else(|| panic!("{figure}: {json}"));
        assert_eq!(of(&shown), of(&said), "{figure}");
    }
    let (told, seen) = (said["device_seconds"].as_f64().expect("a time"), &shown["device_seconds"]);
    let seen = seen.as_f64().unwrap_or_else(|| panic!("{shown}"));
    // What the device did after its last step is told by no step.
    assert!(seen <= told && told - seen < 60.0, "{seen} of {told}");
}

/// Of a reduction that was stopped while its answer was confirmed, all runs of the answer count, not only those that chose it.
#[test]
fn a_stopped_reduction_tells_all_runs_of_its_answer() {
    let folder = scratch();
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("in.trace.jsonl")).expect("a copy");
    let args = ["reduce", "in.trace.jsonl", "--confirm", "100000", "--seed", "1", "--out", "r", "-q"];
    let mut child = retap(folder.path(), &args).stderr(Stdio::null()).spawn().expect("retap runs");
    let shown = || json_of(&run(folder.path(), &["show", "r", "--json"]));
    until("the session is begun", || run(folder.path(), &["show", "r"]).status.success());
    until("the answer is being confirmed", || shown()["runs"].as_u64() > Some(400));
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    // The session itself knows what there was to reduce: a file of that name may be anybody's by now.
    std::fs::remove_file(folder.path().join("in.trace.jsonl")).expect("it was there");
    assert_eq!(shown()["events_before"], 120);
    let runs = &shown()["answer_runs"];
    let (reached, of) = (runs["reached"].as_u64().expect("a number"), runs["of"].as_u64().expect("a number"));
    assert!(reached < of, "it is flaky: {runs}");
    let page = printed(folder.path(), &["show", "r"], 0);
    let said = format!("which is not yet confirmed; runs of it reached the target {reached} of {of} times:");
    assert!(page.contains(&said), "{said}: {page}");
    // Had it been stopped after the answer was confirmed, that is what is known of it.
    std::fs::copy(sample("notes-sync-conflict"), folder.path().join("in.trace.jsonl")).expect("a copy");
    run(folder.path(), &["reduce", "in.trace.jsonl", "--out", "whole", "-q"]);
    let whole = json_of(&run(folder.path(), &["show", "whole", "--json"]));
    let answer = |session: &str| folder.path().join(session).join("reduced.trace.jsonl");
    std::fs::copy(answer("whole"), answer("r")).expect("a copy");
    let claim = &whole["result"]["confirmed"];
    let told = shown();
    assert_eq!((&told["claim"], &told["answer_runs"], &told["best"]), (claim, &Value::Null, &Value::Null));
    let page = printed(folder.path(), &["show", "r"], 0);
    let said = format!("{} of {} times", claim["reached"], claim["of"]);
    assert!(page.contains("; fresh runs reached ") && page.contains(&said), "{said}: {page}");
    assert!(!page.contains("no claim") && !page.contains("not yet confirmed"), "{page}");
}
