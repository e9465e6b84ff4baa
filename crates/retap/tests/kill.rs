//! Nothing is lost: SIGKILL at random moments, the same command again, the same answer.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use retap_store::{LogEntry, Seq, Session, SessionView};
use retap_trace::Seed;
use serde_json::Value;

/// The default reducer on a flaky app: search, values, claim and ten recordings.
const DEFAULT: &str =
    "samples/notes-sync-conflict.trace.jsonl --device sim:notes?flaky=0.7 --confirm 150 --seed 11";
/// The same on devices that drop off, of which several run ahead.
const AHEAD: &str = "samples/notes-sync-conflict.trace.jsonl --device sim:notes?flaky=0.7&offline=0.005 --devices 3 \
                     --confirm 12 --seed 5";
/// A published algorithm under a rule.
const RULED: &str =
    "samples/diner.trace.jsonl --search ddmin --rule 90/100 --schedule async --devices 4 --seed 11";

/// What a reduction goes through.
const PHASES: [&str; 4] = ["search", "values", "claim", "recording"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn reduce(args: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.arg("reduce").args(args.split_whitespace()).args(["--json", "-q", "--out"]);
    command.arg(out).current_dir(root());
    command
}

/// Everything that a reduction leaves.
#[derive(Debug, PartialEq)]
struct Left {
    /// What it printed, without the folder, which differs.
    result: Value,
    answer: String,
    log: Vec<LogEntry>,
}

/// Runs to the end.
fn finish(args: &str, out: &Path) -> Left {
    let said = reduce(args, out).output().expect("retap runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = String::from_utf8(said.stdout).expect("JSON is text");
    let mut result: Value = serde_json::from_str(text.lines().last().expect("a last line")).expect("JSON");
    for place in ["session", "trace"] {
        result.as_object_mut().expect("an object").remove(place);
    }
    let answer = std::fs::read_to_string(out.join("reduced.trace.jsonl")).expect("the answer is saved");
    Left { result, answer, log: log(out) }
}

/// All that a session has recorded, after checking that it is sound; nothing when it is not yet there.
fn log(dir: &Path) -> Vec<LogEntry> {
    let Ok(view) = SessionView::open(dir) else { return Vec::new() };
    assert_eq!(view.integrity().expect("readable"), Vec::<String>::new());
    view.read(&[], Seq::START).map(|entry| entry.expect("readable")).collect()
}

/// Two reductions left the same: answer, result, and the log, entry by entry.
fn same(again: &Left, first: &Left, what: &str) {
    for (again, first) in again.log.iter().zip(&first.log) {
        assert_eq!(again, first, "{what}: the same entries in the same order");
    }
    assert_eq!(again.log.len(), first.log.len(), "{what}: none twice, none missing");
    assert_eq!(again.answer, first.answer, "{what}");
    assert_eq!(again.result, first.result, "{what}");
}

/// What a reduction is at after this entry.
fn phase(entry: &LogEntry) -> &'static str {
    let confirms = entry.data["label"].as_str().is_some_and(|label| label.starts_with("confirmation"));
    match &*entry.kind {
        "recording" => "recording",
        "play" if confirms => "claim",
        "play" => "values",
        _ => "search",
    }
}

/// Lets a reduction live for so long, then sends it a signal. Says whether it was still at work.
fn live_and_die(args: &str, dir: &Path, life: Duration, signal: &str) -> bool {
    let mut child =
        reduce(args, dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap starts");
    std::thread::sleep(life);
    // One that has ended meanwhile is not yet waited for, so its number is still its own.
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    !child.wait().expect("a child ends").success()
}

/// Kills reductions so often, half of the time after new entries at the least, and in each of these phases. Says how often
/// that was.
fn hunt(args: &str, signal: &str, least: u64, phases: &[&str]) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let began = Instant::now();
    let calm = finish(args, &scratch.path().join("calm"));
    let mut most = u64::try_from(began.elapsed().as_micros() * 2 / 3).expect("seconds").max(1_000);

    let mut dice = Seed(50).dice();
    let (mut kills, mut productive, mut hunts, mut recorded) = (0, 0, 0, 0);
    let mut hit: BTreeMap<&str, u64> = BTreeMap::new();
    for attempt in 0.. {
        let everywhere = phases.iter().all(|phase| hit.contains_key(phase));
        if kills >= least && productive * 2 >= kills && everywhere {
            break;
        }
        assert!(attempt < 2_000, "{kills} kills, {productive} after new entries: {hit:?}");
        let hunted = scratch.path().join(format!("hunted-{hunts}"));
        let at_work = live_and_die(args, &hunted, Duration::from_micros(dice.below(most)), signal);
        let now = log(&hunted);
        assert!(
            now.len() >= recorded,
            "after kill {kills} there are {} entries, before it {recorded}",
            now.len()
        );
        let grew = now.len() > recorded;
        recorded = now.len();
        if !at_work {
            same(&finish(args, &hunted), &calm, &format!("hunt {hunts}"));
            (hunts, recorded) = (hunts + 1, 0);
            most -= most / 20;
            continue;
        }
        kills += 1;
        if let Some(last) = now.last().filter(|_| grew) {
            productive += 1;
            *hit.entry(phase(last)).or_default() += 1;
        } else {
            // It was killed before it had caught up: the next one lives longer.
            most += most / 10;
        }
    }
    same(&finish(args, &scratch.path().join(format!("hunted-{hunts}"))), &calm, &format!("hunt {hunts}"));
    format!("{kills} kills, {productive} of them after new entries, in {} reductions: {hit:?}", hunts + 1)
}

#[test]
fn killed_at_random_moments_it_comes_to_the_same_answer() {
    println!("{}", hunt(DEFAULT, "-KILL", 50, &PHASES));
}

#[test]
fn a_published_algorithm_that_is_killed_comes_to_the_same_answer() {
    println!("{}", hunt(RULED, "-KILL", 12, &["search"]));
}

/// A reduction that is asked to stop says what it has, and that must not be in the way of the rest.
#[test]
fn stopped_at_random_moments_it_comes_to_the_same_answer() {
    println!("{}", hunt(DEFAULT, "-INT", 12, &["values", "recording"]));
}

/// A process that is killed leaves the beginning of the log, and nothing else that counts. Here each beginning is made,
/// and each is gone on with, so no moment is left to chance.
#[test]
fn whatever_was_recorded_it_comes_to_the_same_answer() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let dir = scratch.path().join("calm");
    let calm = finish(AHEAD, &dir);
    let plan = SessionView::open(&dir).expect("a session").plan().clone();
    for kind in ["app", "run", "withdrawn", "play", "recording", "batch"] {
        assert!(calm.log.iter().any(|entry| entry.kind == kind), "no {kind} is tried");
    }
    for length in 0..calm.log.len() {
        let dir = scratch.path().join(format!("cut-{length}"));
        let mut session = Session::create(&dir, &plan).expect("a session");
        let kept = calm.log[..length].iter();
        session.append_all(kept.map(|entry| (&entry.kind, entry.at, &entry.data))).expect("written");
        session.close().expect("closed");
        same(&finish(AHEAD, &dir), &calm, &format!("after {length} entries"));
    }
}

/// Sessions once held runs and plays only. One of those is gone on with, and what it lacks is written.
#[test]
fn a_session_without_recordings_is_gone_on_with() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (dir, old) = (scratch.path().join("calm"), scratch.path().join("old"));
    let calm = finish(AHEAD, &dir);
    let plan = SessionView::open(&dir).expect("a session").plan().clone();
    let mut session = Session::create(&old, &plan).expect("a session");
    for LogEntry { kind, at, mut data, .. } in calm.log.iter().cloned() {
        if kind == "run" || kind == "play" {
            data.as_object_mut().expect("an object").remove("ordered_after");
            session.append(&kind, at, &data).expect("written");
        }
    }
    session.close().expect("closed");
    let again = finish(AHEAD, &old);
    assert_eq!((again.result, again.answer), (calm.result, calm.answer));
    let kinds = |log: &[LogEntry]| {
        let mut kinds = BTreeMap::<String, u64>::new();
        for entry in log {
            *kinds.entry(entry.kind.clone()).or_default() += 1;
        }
        kinds
    };
    assert_eq!(kinds(&again.log), kinds(&calm.log));
}

/// A session of another build of the app is not gone on with: its runs are no evidence of this one.
#[test]
fn another_build_of_the_app_is_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let app = include_str!("dice.app");
    let file = scratch.path().join("dice.app");
    std::fs::write(&file, app).expect("a file");
    let trace = scratch.path().join("d.trace.jsonl");
    let head = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.dice","build":"old"},"device":"sim:dice.app"}"#;
    let tap =
        r#"{"event":{"do":"tap","at":[540,300],"widget":{"id":"org.retap.dice:id/roll"},"by":"widget"}}"#;
    std::fs::write(&trace, format!("{head}\n{tap}\n")).expect("a file");
    let args = format!("{} --to crash --seed 4", trace.display());
    let out = scratch.path().join("out");
    let left = finish(&args, &out);
    let header: Value = serde_json::from_str(left.answer.lines().next().expect("a header")).expect("JSON");
    let build = &left.log[0].data["build"];
    assert!(build.is_string() && *build != "old");
    assert_eq!((&header["app"]["build"], &header["seed"]), (build, &4.into()), "{header}");
    assert!(header["screen"].is_array(), "{header}");

    std::fs::write(&file, app.replace("\"Roll\"", "\"Roll it\"")).expect("a file");
    let said = reduce(&args, &out).output().expect("retap runs");
    let words = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(2), "{words}");
    assert!(words.contains("was begun on build") && words.contains("--out"), "{words}");
}

#[test]
fn two_processes_on_one_session_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let plan = retap_store::Plan::new("0.1.0", "reduce", Value::Null);
    let held = Session::create(scratch.path(), &plan).expect("a session");
    let said = reduce(RULED, scratch.path()).output().expect("retap runs");
    assert_eq!(said.status.code(), Some(2));
    let words = String::from_utf8_lossy(&said.stderr);
    assert!(words.contains("in use by process") && words.lines().count() == 1, "{words}");
    drop(held);
}
