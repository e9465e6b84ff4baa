//! Nothing is lost: SIGKILL at random moments, the same command again, the same answer.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use retap_lab::{Done, recorded_runs};
use retap_store::SessionView;
use retap_trace::Seed;
use serde_json::Value;

const KILLS: u64 = 50;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn reduce(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command
        .args([
            "reduce",
            "samples/diner.trace.jsonl",
            "--search",
            "ddmin",
            "--rule",
            "90/100",
            "--schedule",
            "async",
        ])
        .args(["--devices", "4", "--seed", "11", "--json", "-q"])
        .arg("--out")
        .arg(out)
        .current_dir(root());
    command
}

/// Runs to the end and returns the result without the folder, which differs.
fn finish(out: &Path) -> Value {
    let said = reduce(out).output().expect("retap runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = String::from_utf8(said.stdout).expect("JSON is text");
    let mut result: Value = serde_json::from_str(text.lines().last().expect("a last line")).expect("JSON");
    for place in ["session", "trace"] {
        result.as_object_mut().expect("an object").remove(place);
    }
    result
}

/// The runs that a session has recorded, after checking that it is sound; none when it is not yet there.
fn journal(dir: &Path) -> Vec<Done> {
    let Ok(view) = SessionView::open(dir) else { return Vec::new() };
    assert_eq!(view.integrity().expect("readable"), Vec::<String>::new());
    recorded_runs(&view).expect("a journal")
}

/// Lets a reduction live for so long, then kills it. Says whether it was still at work.
fn live_and_die(dir: &Path, life: Duration) -> bool {
    let mut child = reduce(dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap starts");
    std::thread::sleep(life);
    let at_work = child.try_wait().expect("a child").is_none();
    child.kill().expect("a child can be killed");
    child.wait().expect("a child ends");
    at_work
}

/// Finishes a reduction that was killed again and again, and compares it with one that was left in peace.
fn compare(hunted: &Path, calm: &Path, answer: &Value) {
    assert_eq!(&finish(hunted), answer);
    let (again, first) = (journal(hunted), journal(calm));
    for (again, first) in again.iter().zip(&first) {
        assert_eq!(again, first, "the same runs in the same order");
    }
    assert_eq!(again.len(), first.len(), "none twice, none missing");
    let read = |dir: &Path| std::fs::read(dir.join("reduced.trace.jsonl")).expect("the answer is saved");
    assert_eq!(read(hunted), read(calm));
}

#[test]
fn killed_at_random_moments_it_comes_to_the_same_answer() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let calm = scratch.path().join("calm");
    let began = std::time::Instant::now();
    let answer = finish(&calm);
    let mut most = u64::try_from(began.elapsed().as_micros() / 3).expect("seconds").max(1_000);

    let mut dice = Seed(50).dice();
    let (mut kills, mut productive, mut hunts, mut recorded) = (0, 0, 0, 0);
    // Half of the kills at the least must come after the process had recorded runs of its own.
    for attempt in 0.. {
        if kills >= KILLS && productive >= KILLS / 2 {
            break;
        }
        assert!(attempt < 2_000, "{kills} kills, {productive} after new runs: lives are too short");
        let hunted = scratch.path().join(format!("hunted-{hunts}"));
        let at_work = live_and_die(&hunted, Duration::from_micros(dice.below(most)));
        let now = journal(&hunted).len();
        assert!(now >= recorded, "after kill {kills} there are {now} runs, before it {recorded}");
        let grew = now > recorded;
        recorded = now;
        if at_work {
            kills += 1;
            productive += u64::from(grew);
            // On a machine that has become slower, lives become longer.
            most += if grew { 0 } else { most / 50 };
        } else {
            compare(&hunted, &calm, &answer);
            (hunts, recorded) = (hunts + 1, 0);
        }
    }
    compare(&scratch.path().join(format!("hunted-{hunts}")), &calm, &answer);
    println!("{kills} kills, {productive} of them after new runs, in {} reductions", hunts + 1);
}

#[test]
fn two_processes_on_one_session_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let plan = retap_store::Plan::new("0.1.0", "reduce", Value::Null);
    let held = retap_store::Session::create(scratch.path(), &plan).expect("a session");
    let said = reduce(scratch.path()).output().expect("retap runs");
    assert_eq!(said.status.code(), Some(2));
    let words = String::from_utf8_lossy(&said.stderr);
    assert!(words.contains("in use by process") && words.lines().count() == 1, "{words}");
    drop(held);
}
