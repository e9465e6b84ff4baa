//! Every command opens each of its devices once. A phone that is opened is changed: its settings, its log, its app.

mod command;

use std::path::Path;
use std::process::{Output, Stdio};

use command::{json_of, retap, run, sample, scratch, words};
use retap_testing::until;

/// Two crashes, and a screen besides.
const APP: &str = r#"
app two "Two"
package org.retap.two

activity MainActivity
  screen main "Two"
    button "One" height=300
      on tap
        crash IllegalStateException "one"
          at org.retap.two.Main.one(Main.java:1)
    button "Two" height=300
      on tap
        crash IllegalStateException "two"
          at org.retap.two.Main.two(Main.java:2)
    button "Next" height=300
      on tap
        open NextActivity

activity NextActivity
  screen next "Next"
    label "The end"
"#;

const DEVICE: &str = "sim:./two.app";

/// The devices that a command says it has opened, one name for each time.
fn opened(said: &Output) -> Vec<String> {
    words(said).lines().filter_map(|line| line.strip_prefix("opened ")).map(str::to_owned).collect()
}

/// Runs a command with `-v` that ends with this code, and has opened this device so many times and no other one.
fn opens(folder: &Path, args: &[&str], code: i32, device: &str, times: usize) -> Output {
    let said = run(folder, &[args, &["-v", "--json"]].concat());
    assert_eq!(said.status.code(), Some(code), "{args:?}: {}", words(&said));
    assert_eq!(opened(&said), vec![device; times], "{args:?}: {}", words(&said));
    said
}

/// A folder with the app, and an exploration `night` of it that has found both crashes.
fn explored() -> tempfile::TempDir {
    let folder = scratch();
    std::fs::write(folder.path().join("two.app"), APP).expect("a file");
    let explore = ["explore", "-d", DEVICE, "--strategy", "aware", "--events", "300", "--devices", "3"];
    let said = opens(folder.path(), &[&explore[..], &["--out", "night"]].concat(), 1, DEVICE, 3);
    assert_eq!(json_of(&said)["crashes"].as_array().map(Vec::len), Some(2), "{}", words(&said));
    folder
}

#[test]
fn a_reduction_opens_each_device_once() {
    let folder = scratch();
    // It has all there is: a search, values, fresh runs, recordings of runs that part.
    let trace = sample("notes-sync-conflict");
    let device = "sim:notes?flaky=0.7";
    let reduce = ["reduce", &trace, "--device", device, "--devices", "2", "--seed", "11", "--out", "x"];
    let said = opens(folder.path(), &reduce, 0, device, 2);
    assert!(json_of(&said)["runs"].as_u64() > Some(2), "{}", words(&said));
    // A reduction that is done may ask its devices for nothing, and opens none twice.
    let again = run(folder.path(), &[&reduce[..], &["-v"]].concat());
    assert!(again.status.success() && opened(&again).len() <= 2, "{}", words(&again));
    // Published algorithms on many devices.
    let ruled = ["--search", "ddmin", "--rule", "9/10", "--schedule", "async", "--devices", "4"];
    opens(folder.path(), &[&["reduce", &sample("diner")], &ruled[..]].concat(), 0, "sim:diner", 4);
}

#[test]
fn reducing_all_crashes_opens_each_device_once() {
    let folder = explored();
    let all = ["reduce", "night", "--all", "--confirm", "5", "--devices", "2", "--out", "short"];
    let said = opens(folder.path(), &all, 0, DEVICE, 2);
    assert_eq!(json_of(&said)["reductions"].as_array().map(Vec::len), Some(2), "{}", words(&said));
}

#[test]
fn a_suite_opens_each_device_once_and_so_does_its_replay() {
    let folder = explored();
    opens(folder.path(), &["suite", "night", "--devices", "4", "--out", "small"], 0, DEVICE, 4);
    let classic = ["suite", "night", "--classic", "--devices", "2", "--out", "classic"];
    opens(folder.path(), &classic, 0, DEVICE, 2);
    let said = opens(folder.path(), &["replay", "--suite", "small/suite", "--devices", "3"], 0, DEVICE, 3);
    assert!(json_of(&said)["passed"].as_u64() > Some(1), "{}", words(&said));
}

#[test]
fn a_replay_opens_each_device_once() {
    let folder = scratch();
    let trace = sample("notes-sync-conflict");
    opens(folder.path(), &["replay", &trace, "--times", "7"], 0, "sim:notes", 1);
    opens(folder.path(), &["replay", &trace, "--times", "7", "--devices", "3"], 0, "sim:notes", 3);
}

/// Crashes on the simulator are reduced while the exploration goes on: that takes a second set, and not one for each.
#[test]
fn exploring_and_reducing_opens_each_device_twice_at_most() {
    let folder = explored();
    let explore = ["explore", "-d", DEVICE, "--strategy", "aware", "--events", "300", "--devices", "3"];
    let said = run(folder.path(), &[&explore[..], &["--reduce", "-v", "--json", "--out", "both"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert_eq!(json_of(&said)["reduced"].as_array().map(Vec::len), Some(2), "{}", words(&said));
    assert!((3..=6).contains(&opened(&said).len()), "{}", words(&said));
}

/// A second process on the folder of one that was killed, by the same command and by `--resume`.
#[test]
fn going_on_opens_each_device_once() {
    let folder = scratch();
    let explore = ["explore", "-d", "sim:notes", "--strategy", "timetravel", "--events", "60000"];
    let explore = [&explore[..], &["--devices", "2", "--out", "x"]].concat();
    let mut first = retap(folder.path(), &explore)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("retap starts");
    let traces = || std::fs::read_dir(folder.path().join("x/traces")).map_or(0, Iterator::count);
    until("some of it is saved", || traces() > 5);
    assert!(first.try_wait().expect("a child").is_none(), "it was over too soon");
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    for resume in [&explore[..], &["explore", "--resume", "x"]] {
        let said = opens(folder.path(), resume, 1, "sim:notes", 2);
        assert!(words(&said).contains("going on after "), "{}", words(&said));
        assert_eq!(json_of(&said)["events"], 60000, "{}", words(&said));
    }
}
