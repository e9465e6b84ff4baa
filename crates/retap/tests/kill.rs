//! Nothing is lost: SIGKILL at random moments, the same command again, the same answer.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use retap_lab::recorded_runs;
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

#[test]
fn killed_at_random_moments_it_comes_to_the_same_answer() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let calm = scratch.path().join("calm");
    let began = std::time::Instant::now();
    let answer = finish(&calm);
    let took = began.elapsed();
    let runs = recorded_runs(&SessionView::open(&calm).expect("a session")).expect("a journal");

    let hunted = scratch.path().join("hunted");
    let mut dice = Seed(50).dice();
    let (mut killed, mut recorded, mut grew) = (0, 0, 0);
    for kill in 0..KILLS {
        // Each life is a small share of the whole, so that most lives end in the middle of the work.
        let most = u64::try_from(took.as_micros() / 5).expect("seconds").max(2_000);
        let life = Duration::from_micros(dice.below(most));
        let mut child =
            reduce(&hunted).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap starts");
        std::thread::sleep(life);
        killed += u32::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("a child can be killed");
        child.wait().expect("a child ends");
        if hunted.join("session.db").exists() {
            let Ok(view) = SessionView::open(&hunted) else { continue };
            assert_eq!(view.integrity().expect("readable"), Vec::<String>::new(), "after kill {kill}");
            let now = recorded_runs(&view).expect("a journal").len();
            assert!(now >= recorded, "after kill {kill} there are {now} runs, before it {recorded}");
            grew += u32::from(now > recorded);
            recorded = now;
        }
    }
    assert!(killed > 25, "only {killed} kills came before the end; the reduction is too short for this test");
    assert!(grew > 5, "only {grew} of {KILLS} lives recorded anything");

    assert_eq!(finish(&hunted), answer, "the answer after {killed} kills");
    let hunted_runs = recorded_runs(&SessionView::open(&hunted).expect("a session")).expect("a journal");
    for (again, first) in hunted_runs.iter().zip(&runs) {
        assert_eq!(again, first, "the same runs in the same order");
    }
    assert_eq!(hunted_runs.len(), runs.len(), "none twice, none missing");
    let read = |dir: &Path| std::fs::read(dir.join("reduced.trace.jsonl")).expect("the answer is saved");
    assert_eq!(read(&hunted), read(&calm));
    println!("{killed} of {KILLS} kills came in the middle, {grew} after new runs; {} runs", runs.len());
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
