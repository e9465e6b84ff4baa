//! ND3MIN from the command line: the parts of delta debugging, and what is believed before any run.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1").env("XDG_CACHE_HOME", folder.join("cache"));
    command.output().expect("retap runs")
}

/// Reduces the food app's trace under 18 of 20; returns the result and what was said.
fn reduce(folder: &Path, more: &[&str]) -> (Value, String) {
    let trace = format!("{}/../../samples/diner.trace.jsonl", env!("CARGO_MANIFEST_DIR"));
    let usual = ["reduce", &*trace, "--search", "ddmin", "--rule", "18/20", "--json", "-v"];
    let said = run(folder, &[&usual[..], more].concat());
    let words = String::from_utf8(said.stderr).expect("text");
    assert_eq!(said.status.code(), Some(0), "{words}");
    let text = String::from_utf8(said.stdout).expect("text");
    (serde_json::from_str(text.lines().last().expect("a result")).expect("JSON"), words)
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

#[test]
fn parts_are_as_many_as_typed() {
    let folder = scratch();
    let (two, _) = reduce(folder.path(), &["--out", "usual"]);
    let (same, _) = reduce(folder.path(), &["--parts", "2", "--out", "two"]);
    let (five, words) = reduce(folder.path(), &["--parts", "5", "--out", "five"]);
    for field in ["kept", "runs", "trials", "executed_events"] {
        assert_eq!(two[field], same[field], "2 is the default: {field}");
    }
    assert_eq!((&two["events_after"], &five["events_after"]), (&3.into(), &3.into()));
    assert_ne!(two["runs"], five["runs"]);
    // 48 events in five parts: three of ten and two of nine, not two of 24.
    let of = |events: &str| words.lines().any(|line| line.contains("part") && line.contains(events));
    assert!(of(" 9 events") && of(" 10 events") && !of(" 24 events"), "{words}");
}

#[test]
fn a_prior_from_a_file_decides_p1_and_p2() {
    let folder = scratch();
    std::fs::write(folder.path().join("doubt.json"), r#"{"p":[0.5,0.99],"weight":[0.999999,0.000001]}"#)
        .expect("a scratch file");
    let p = |result: &Value| [&result["p1"], &result["p2"]].map(|p| p.as_f64().expect("a number"));
    let (usual, _) = reduce(folder.path(), &["--out", "usual"]);
    let (doubt, words) = reduce(folder.path(), &["--prior", "doubt.json", "--out", "doubt"]);
    assert_eq!(usual["runs"], doubt["runs"], "without the schedule optimal, the runs are the same");
    // 20 of 20 under 0.5 and 0.99, by hand: 0.999999 / 2^20 against 0.000001 * 0.99^20.
    let (low, high) = (0.999_999 * 0.5_f64.powi(20), 0.000_001 * 0.99_f64.powi(20));
    assert!((p(&doubt)[0] - high / (low + high)).abs() < 1e-9, "{doubt}");
    assert!(p(&usual)[0] > 0.99 && p(&doubt)[1] > p(&usual)[1], "{usual} {doubt}");
    assert!(words.contains("under the given prior"), "{words}");
}

/// What was learnt stays what it is for a session, whatever is reduced afterwards.
#[test]
fn a_prior_is_learnt_from_the_reductions_so_far() {
    let folder = scratch();
    let made = |seed: &str| reduce(folder.path(), &["--seed", seed]);
    made("1");
    let optimal = ["--prior", "learnt", "--schedule", "optimal", "--devices", "15", "--out", "learnt"];
    let (first, words) = reduce(folder.path(), &optimal);
    assert!(words.contains("prior learnt from 1 session in retap-out"), "{words}");
    assert!(words.contains("under the learnt prior"), "{words}");
    let kept = std::fs::read_to_string(folder.path().join("learnt/prior.json")).expect("it is kept");
    let weights = serde_json::from_str::<Value>(&kept).expect("JSON")["weight"].clone();
    let sum: f64 = weights.as_array().expect("a list").iter().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{kept}");
    made("2");
    let (again, words) = reduce(folder.path(), &optimal);
    assert!(words.contains("going on after") && !words.contains("prior learnt from"), "{words}");
    assert_eq!((&first["p1"], &first["runs"]), (&again["p1"], &again["runs"]));
    let (other, words) = reduce(folder.path(), &["--prior", "learnt:retap-out", "--out", "other"]);
    assert!(words.contains("prior learnt from 2 sessions in retap-out"), "{words}");
    assert_eq!(other["status"], "reduced");
}
