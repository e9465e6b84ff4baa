//! Annotations and the job summary, where GitHub runs a command.

use std::process::Output;

use crate::Checkout;
use crate::command::{json_of, words};

fn on_github(checkout: &Checkout, args: &[&str]) -> Output {
    let mut command = checkout.retap(args);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", checkout.at("summary.md"));
    command.output().expect("retap runs")
}

/// The lines that GitHub takes for commands.
fn commands(said: &Output) -> String {
    let text = words(said);
    let found = text.lines().filter(|line| line.trim_start().starts_with("::") || line.contains("##["));
    found.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn an_exploration_is_annotated_and_summarized() {
    let checkout = Checkout::new();
    let args =
        ["explore", "-d", "sim:notes", "--strategy", "aware", "--events", "3000", "--seed", "7", "--reduce"];
    let said = on_github(&checkout, &[&args[..], &["--out", "night"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    insta::assert_snapshot!("explore_annotations", commands(&said));
    insta::assert_snapshot!("explore_summary", checkout.read("summary.md"));
}

#[test]
fn replays_are_annotated_and_summarized() {
    let checkout = Checkout::new();
    let args = ["replay", "notes-sync-conflict.trace.jsonl", "-d", "sim:notes?flaky=0.7", "--times", "6"];
    let said = on_github(&checkout, &[&args[..], &["--seed", "3", "--expect-no-crash"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    insta::assert_snapshot!("replay_annotations", commands(&said));
    insta::assert_snapshot!("replay_summary", checkout.read("summary.md"));
}

/// No list is so long that a run is lost: those that are not listed are counted.
#[test]
fn all_device_failures_are_counted() {
    let checkout = Checkout::new();
    let args =
        ["replay", "notes-unnamed-tag.trace.jsonl", "-d", "sim:notes?offline=0.0005", "--times", "200"];
    let said = on_github(&checkout, &[&args[..], &["--json", "--junit", "x.xml"]].concat());
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let failed = json_of(&said)["runs_inconclusive"].as_u64().expect("a number");
    assert!(failed > 21, "{failed}");
    let summary = checkout.read("summary.md");
    assert!(summary.contains(&format!("; {failed} other runs went wrong")), "{failed}: {summary}");
    let xml = checkout.read("x.xml");
    assert!(xml.contains(&format!("{} more runs went wrong and are not listed", failed - 20)), "{xml}");
}

/// What could not be done is told as well, and each command adds to the summary.
#[test]
fn failures_are_annotated_and_summarized() {
    let checkout = Checkout::new();
    let said = on_github(&checkout, &["reduce", "missing.trace.jsonl"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    let again = on_github(&checkout, &["replay", "notes-unnamed-tag.trace.jsonl", "-d", "sim:notes?blind=1"]);
    assert_eq!(again.status.code(), Some(2), "{}", words(&again));
    insta::assert_snapshot!("failures_annotations", commands(&said) + &commands(&again));
    insta::assert_snapshot!("failures_summary", checkout.read("summary.md"));
}

#[test]
fn elsewhere_nothing_is_annotated() {
    let checkout = Checkout::new();
    for value in ["", "false"] {
        let mut command = checkout.retap(&["reduce", "notes-unnamed-tag.trace.jsonl"]);
        command.env("GITHUB_ACTIONS", value).env("GITHUB_STEP_SUMMARY", checkout.at("summary.md"));
        let said = command.output().expect("retap runs");
        assert_eq!((commands(&said), checkout.at("summary.md").exists()), (String::new(), false));
    }
}

/// A summary that cannot be written is no failure of the command: nobody asked for it.
#[test]
fn a_summary_that_cannot_be_written_is_said() {
    let checkout = Checkout::new();
    let mut command = checkout.retap(&["replay", "keys.trace.jsonl", "--times", "1", "--expect-no-crash"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", checkout.path());
    let said = command.output().expect("retap runs");
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert!(words(&said).contains("warning: cannot write the job summary to"), "{}", words(&said));
}
