//! Annotations and the job summary, where GitHub runs a command.

use std::process::Output;

use serde_json::Value;

use crate::Checkout;
use crate::command::{json_of, words};

fn on_github(checkout: &Checkout, args: &[&str]) -> Output {
    let mut command = checkout.retap(args);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", checkout.at("summary.md"));
    command.output().expect("retap runs")
}

/// The lines that GitHub takes for commands.
fn commands(said: &Output) -> String {
    commands_in(&words(said))
}

fn commands_in(text: &str) -> String {
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

/// A failure is said also where another crash came instead, which is annotated too.
#[test]
fn a_failure_is_annotated_beside_the_crash_that_came_instead() {
    let checkout = Checkout::new();
    let args =
        ["replay", "notes-unnamed-tag.trace.jsonl", "--times", "3", "--to", "crash:Other@A.b#00000000"];
    let said = on_github(&checkout, &args);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    insta::assert_snapshot!("other_crash_annotations", commands(&said));
}

/// The same crash has the same name in all that is told of it.
#[test]
fn the_recorded_crash_is_called_so_everywhere() {
    let checkout = Checkout::new();
    let args = ["replay", "notes-unnamed-tag.trace.jsonl", "--times", "3", "--to", "activity:LoginActivity"];
    let said = on_github(&checkout, &[&args[..], &["--junit", "x.xml"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    for told in [words(&said), checkout.read("summary.md"), checkout.read("x.xml")] {
        assert!(told.contains("the recorded crash") && !told.contains("another crash"), "{told}");
    }
}

/// What was explored of an app that shows one state only tells nothing.
#[test]
fn an_exploration_that_saw_one_state_is_said_to_be_stuck() {
    let checkout = Checkout::new();
    let app = "app wall \"Wall\"\n\nactivity MainActivity\n  on back\n    nothing\n  screen main \"Wall\"\n    \
               label \"Sign in\"\n";
    checkout.write("wall.app", app);
    let said = on_github(
        &checkout,
        &["explore", "-d", "sim:./wall.app", "--strategy", "random", "--events", "60", "--junit", "x.xml"],
    );
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    for report in ["summary.md", "x.xml"] {
        let text = checkout.read(report);
        assert!(text.contains("no crash; stuck: the app showed one state only"), "{report}: {text}");
    }
}

/// An exploration that came to its end although devices failed on the way.
#[test]
fn devices_that_failed_are_said() {
    let checkout = Checkout::new();
    let args = ["explore", "-d", "sim:notes?offline=0.01", "--events", "300", "--seed", "3"];
    let said =
        on_github(&checkout, &[&args[..], &["--junit", "x.xml", "--sarif", "x.sarif", "--json"]].concat());
    let result = json_of(&said);
    assert_eq!(result["status"], "done", "{}", words(&said));
    assert!(result["device_failures"][0]["times"].as_u64().is_some(), "{result}");
    for report in ["summary.md", "x.xml", "x.sarif"] {
        let text = checkout.read(report);
        let failed = text.contains("the device failed ") && text.contains("which ended what was under way");
        assert!(failed, "{report}: {text}");
    }
    let sarif: Value = serde_json::from_str(&checkout.read("x.sarif")).expect("JSON");
    let warning = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(warning["level"], "warning", "{warning}");
}

/// Text of an app on stdout is no command either.
#[test]
fn text_on_stdout_is_no_command() {
    let checkout = Checkout::new();
    let text = "##[add-mask]x";
    let hostile = checkout.read("notes-unnamed-tag.trace.jsonl").replace("\"Done\"", &format!("\"{text}\""));
    checkout.write("hostile.trace.jsonl", &hostile);
    let flow = format!("appId: org.retap.notes\n---\n- tapOn: Search\n- inputText: \"{text}\"\n");
    checkout.write("flow.yaml", &flow);
    for args in [
        "show hostile.trace.jsonl",
        "show hostile.trace.jsonl --json",
        "diff hostile.trace.jsonl notes-unnamed-tag.trace.jsonl",
        "diff hostile.trace.jsonl notes-unnamed-tag.trace.jsonl --json",
        "export hostile.trace.jsonl --as text --json",
        "import flow.yaml",
        "import flow.yaml --json",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let stdout = |said: &Output| String::from_utf8(said.stdout.clone()).expect("text");
        let (plain, said) = (checkout.run(&args), on_github(&checkout, &args));
        assert_eq!(said.status.code(), plain.status.code(), "{args:?}: {}", words(&said));
        assert!(stdout(&plain).contains(text), "{args:?}: {}", words(&plain));
        assert_eq!(commands_in(&stdout(&said)), "", "{args:?}");
        if stdout(&plain).starts_with('{') {
            let read = |said: &Output| -> Vec<Value> {
                stdout(said).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
            };
            assert_eq!(read(&said), read(&plain), "{args:?}");
        }
    }
    // A test with other words would be another test.
    let export = ["export", "hostile.trace.jsonl", "--as", "text"];
    let said = on_github(&checkout, &export);
    assert_eq!((said.status.code(), &*said.stdout), (Some(2), &b""[..]), "{}", words(&said));
    assert!(words(&said).contains("write the test into a folder with --out"), "{}", words(&said));
    let plain = checkout.run(&export);
    let said = on_github(&checkout, &[&export[..], &["--out", "tests"]].concat());
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let file = std::fs::read_dir(checkout.at("tests")).expect("a folder").next().expect("a test");
    let written = std::fs::read(file.expect("a file").path()).expect("a test");
    assert_eq!(
        String::from_utf8_lossy(&written).trim_end(),
        String::from_utf8_lossy(&plain.stdout).trim_end()
    );
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
