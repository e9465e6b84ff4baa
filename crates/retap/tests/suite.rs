//! `retap suite` and `retap replay --suite`, on the examples of DetReduce and on what explorations leave behind.

mod command;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use command::{json_of, retap, run, sample, scratch, words};
use serde_json::{Value, json};

/// All traces are run on one device, also those of others.
#[test]
fn traces_of_several_devices_are_told() {
    let folder = scratch();
    let [menu, covered] = ["menu", "menu-covered"].map(|name| sample(&format!("filebrowser-{name}")));
    let said = run(folder.path(), &["suite", &menu, &covered, "--out", "both"]);
    let warned = "warning: the traces were recorded on other devices as well (sim:filebrowser?covered=1); all of them \
                  are run on sim:filebrowser";
    assert!(words(&said).contains(warned), "{}", words(&said));
    let said = run(folder.path(), &["suite", &menu, &menu, "--out", "one"]);
    assert!(!words(&said).contains("other devices"), "{}", words(&said));
}

fn suite(folder: &Path, args: &[&str]) -> Value {
    let said = run(folder, &[&["suite", "--json"], args].concat());
    let result = json_of(&said);
    let whole = result["coverage"]["lost"] == json!([]);
    assert_eq!(said.status.code(), Some(i32::from(!whole)), "{}", words(&said));
    result
}

/// A screen that is reached by every second tap, and a crash that comes of every second.
const COIN: &str = r#"
app coin "Coin"
package org.retap.coin

activity MainActivity
  screen main "Coin"
    button "Toss" id=toss height=300
      on tap
        chance 0.5
          open HeadsActivity
    button "Safe" id=safe height=300
      on tap
        open SafeActivity
    button "Break" id=break height=300
      on tap
        chance 0.5
          crash IllegalStateException "tails"
            at org.retap.coin.Main.tails(Main.java:1)

activity HeadsActivity
  screen heads "Heads up"
    label "It is heads"

activity SafeActivity
  screen safe "Safe"
    label "Nothing happens"
"#;

/// The table says what a run of the suite was measured to take; the choice was made by what the input tells.
#[test]
fn the_two_times_of_a_suite_are_told_apart() {
    let folder = scratch();
    let traces: Vec<String> = (1..=3).map(|number| sample(&format!("filebrowser-splice-{number}"))).collect();
    let args: Vec<&str> = ["suite"].into_iter().chain(traces.iter().map(String::as_str)).collect();
    let said = words(&run(folder.path(), &[&args[..], &["--out", "small"]].concat()));
    let line = said.lines().find(|line| line.contains("no choice among the confirmed traces"));
    assert!(
        line.is_some_and(|line| line.starts_with("by the times of its steps in the input, the suite takes ")),
        "{said}"
    );
}

/// What is lost is a failure, and has a name that people know.
#[test]
fn what_is_lost_is_named_and_ends_with_1() {
    let folder = scratch();
    std::fs::write(folder.path().join("coin.app"), COIN).expect("a file");
    let explore = ["explore", "-d", "sim:./coin.app", "--strategy", "random", "--events", "400", "-q"];
    run(folder.path(), &[&explore[..], &["--out", "night"]].concat());
    let make = |input: &str, more: &[&str]| {
        let said = run(folder.path(), &[&["suite", input, "--json"], more].concat());
        assert_eq!(said.status.code(), Some(1), "{}", words(&said));
        let lost = json_of(&said)["coverage"]["lost"].as_array().expect("a list").clone();
        let lost: Vec<String> =
            lost.iter().map(|lost| lost["item"].as_str().expect("words").to_owned()).collect();
        for item in &lost {
            assert!(words(&said).contains(item), "nothing is said of {item}: {}", words(&said));
        }
        lost
    };
    let has = |lost: &[String], item: &str| {
        assert!(lost.iter().any(|lost| lost.contains(item)), "{item} in {lost:?}");
    };
    let lost = make("night", &["--out", "a"]);
    has(&lost, "crash IllegalStateException@Main.tails#");
    has(&lost, "state HeadsActivity with 'Heads up', 'It is heads'");
    has(&lost, "code MainActivity.main.toss.tap/");
    assert!(lost.iter().all(|lost| !lost.contains("number")), "{lost:?}");

    // Traces without their exploration: the app knows its code, and states are known by how they are come to.
    std::fs::create_dir(folder.path().join("alone")).expect("a folder");
    for entry in std::fs::read_dir(folder.path().join("night/traces")).expect("traces") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, folder.path().join("alone").join(path.file_name().expect("a name")))
            .expect("a copy");
    }
    let lost = make("alone", &["--out", "b"]);
    has(&lost, "state HeadsActivity after tap 'Toss'");
    has(&lost, "code MainActivity.main.toss.tap/");

    // In another build the numbers mean other code: only what was written down then is believed.
    let other = COIN.replacen("  screen main", "  on resume\n    log info Coin \"here\"\n  screen main", 1);
    std::fs::write(folder.path().join("other.app"), other).expect("a file");
    has(&make("night", &["--out", "c", "-d", "sim:./other.app"]), "code MainActivity.main.toss.tap/");
    has(
        &make("alone", &["--out", "d", "-d", "sim:./other.app"]),
        "a piece of code whose name was not recorded (number ",
    );
}

/// A trace to a screen that another screen leads to. `{late}` is what happens there besides.
const SAFE: &str = r#"
app coin "Coin"
package org.retap.coin

activity MainActivity
  screen main "Coin"
    button "Toss" id=toss height=300
      on tap
        open HeadsActivity

activity HeadsActivity
  screen heads "Heads up"
    button "Safe" id=safe height=300
      on tap
        open SafeActivity
        {late}

activity SafeActivity
  screen safe "Safe"
    label "Nothing happens"
"#;

/// Two builds of that app, of which one dies late, and a trace of the way that was recorded on one of them, with what was
/// seen, as `red/reduced.trace.jsonl`.
fn safe(recorded_on: &str, to: &str) -> tempfile::TempDir {
    let folder = scratch();
    let late = "after 2s\n          after 2s\n            after 2s\n              \
                crash IllegalStateException \"late\"\n                at org.retap.coin.Main.late(Main.java:2)";
    for (name, late) in [("sound.app", "nothing"), ("late.app", late)] {
        std::fs::write(folder.path().join(name), SAFE.replace("{late}", late)).expect("a file");
    }
    let tap = |id: &str| {
        let widget = json!({"id": format!("org.retap.coin:id/{id}")});
        json!({"event": {"do": "tap", "at": [540, 300], "widget": widget, "by": "widget"}})
    };
    let header =
        json!({"retap": "trace", "version": 1, "app": {"package": "org.retap.coin"}, "start": "launched"});
    let steps = format!("{header}\n{}\n{}\n", tap("toss"), tap("safe"));
    std::fs::write(folder.path().join("hand.trace.jsonl"), steps).expect("a file");
    let reduce = ["reduce", "hand.trace.jsonl", "-d", recorded_on, "--to", to, "--out", "red", "-q"];
    let said = run(folder.path(), &reduce);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    folder
}

/// How a suite goes, and what is said of it.
fn goes(folder: &Path, suite: &str, device: &str) -> (Option<i32>, Value, String) {
    let said = run(folder, &["replay", "--suite", suite, "-d", device, "--json"]);
    (said.status.code(), json_of(&said), words(&said))
}

/// An app that dies a while after the last step has not followed it, be it replayed or made a suite of.
#[test]
fn an_app_that_dies_after_the_last_step_does_not_pass() {
    let folder = safe("sim:./sound.app", "activity:org.retap.coin.SafeActivity");
    let make = ["red/reduced.trace.jsonl", "-d", "sim:./sound.app", "--out", "small"];
    let made = suite(folder.path(), &make);
    assert_eq!((&made["coverage"]["lost"], &made["after"]["transitions"]), (&json!([]), &2.into()), "{made}");
    let (code, _, said) = goes(folder.path(), "small/suite", "sim:./sound.app");
    assert_eq!(code, Some(0), "{said}");
    let (code, _, said) = goes(folder.path(), "small/suite", "sim:./late.app");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("step 2 ended in IllegalStateException@Main.late"), "{said}");

    // A suite that is made of such an app does not promise the step, so it passes.
    let made = suite(folder.path(), &["red/reduced.trace.jsonl", "-d", "sim:./late.app", "--out", "late"]);
    let lost = made["coverage"]["lost"].to_string();
    assert!(lost.contains("SafeActivity") && !lost.contains("HeadsActivity"), "{made}");
    assert_eq!(made["after"]["transitions"], 1, "{made}");
    let (code, _, said) = goes(folder.path(), "late/suite", "sim:./late.app");
    assert_eq!(code, Some(0), "{said}");
}

/// A crash that comes late is recorded, followed, made a suite of and replayed as any other; its wait is device time.
#[test]
fn a_late_crash_is_followed_where_it_is_expected() {
    let folder = safe("sim:./late.app", "crash");
    let trace = std::fs::read_to_string(folder.path().join("red/reduced.trace.jsonl")).expect("a trace");
    let steps: Vec<Value> =
        trace.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(steps.iter().all(|step| step["before"].is_object()), "{trace}");
    assert_eq!(steps[1]["crash"]["message"], "late", "{trace}");
    let made = suite(folder.path(), &["red/reduced.trace.jsonl", "-d", "sim:./late.app", "--out", "small"]);
    assert_eq!((&made["coverage"]["lost"], &made["after"]["transitions"]), (&json!([]), &2.into()), "{made}");
    assert_eq!(made["traces_not_recorded"], 0, "{made}");
    let (code, result, said) = goes(folder.path(), "small/suite", "sim:./late.app");
    assert_eq!(code, Some(0), "{said}");
    assert!(result["traces"][0]["seconds"].as_f64().is_some_and(|seconds| seconds > 6.0), "{result}");
    let (code, _, said) = goes(folder.path(), "small/suite", "sim:./sound.app");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("step 2 (tap widget safe) led elsewhere"), "{said}");
}

/// Code that is not executed any more is named by the suite itself; in another build its number means nothing.
#[test]
fn code_that_is_missing_has_a_name() {
    let folder = scratch();
    let app = COIN.replace("chance 0.5", "if true");
    std::fs::write(folder.path().join("coin.app"), &app).expect("a file");
    let explore = ["explore", "-d", "sim:./coin.app", "--strategy", "random", "--events", "200", "-q"];
    run(folder.path(), &[&explore[..], &["--out", "night"]].concat());
    assert_eq!(suite(folder.path(), &["night", "--out", "small"])["coverage"]["lost"], json!([]));
    let path = folder.path().join("small/suite/suite.json");
    let manifest: Value = serde_json::from_slice(&std::fs::read(&path).expect("a manifest")).expect("JSON");
    let (id, name) = manifest["code"].as_object().and_then(|code| code.iter().next()).expect("names");
    let id: u32 = id.parse().expect("a number");

    // A trace that claims more than it does.
    let step = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
    let executes = |text: &str| text.lines().position(|line| step(line)["coverage"].is_array());
    let traces = std::fs::read_dir(folder.path().join("small/suite"))
        .expect("a suite")
        .map(|entry| entry.expect("one").path());
    let mut traces: Vec<PathBuf> =
        traces.filter(|path| path.to_string_lossy().ends_with(".trace.jsonl")).collect();
    traces.sort();
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a trace");
    let (place, line) =
        (0..).zip(&traces).find_map(|(place, path)| Some((place, executes(&read(path))?))).expect("code");
    let claims = &traces[place];
    let text = read(claims);
    let mut manifest = manifest.clone();
    manifest["code"]["9999"] = json!("MainActivity.gone.tap");
    // What was seen on the way is part of the promise, where the manifest has a hash of it.
    manifest["traces"][place].as_object_mut().expect("a trace").remove("seen");
    std::fs::write(&path, manifest.to_string()).expect("a file");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut more = step(&lines[line]);
    more["coverage"].as_array_mut().expect("code").push(json!(9999));
    lines[line] = more.to_string();
    std::fs::write(claims, lines.join("\n") + "\n").expect("a file");
    assert!(id != 9999 && !name.as_str().unwrap_or_default().is_empty());
    let said = run(folder.path(), &["replay", "--suite", "small/suite", "--json"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("this code was not executed: MainActivity.gone.tap"), "{}", words(&said));
    assert_eq!(json_of(&said)["code_compared"], true);
    assert!(json_of(&said)["traces"][place]["missing_code"] == json!(["MainActivity.gone.tap"]));

    std::fs::write(folder.path().join("coin.app"), app + "\n# another build\n").expect("a file");
    let said = run(folder.path(), &["replay", "--suite", "small/suite", "--json"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_eq!(json_of(&said)["code_compared"], false);
    assert!(words(&said).contains("code is not"), "{}", words(&said));
}

/// Examples 2.1 to 2.4 of DetReduce, by both algorithms.
#[test]
fn the_file_browser_comes_out_exactly() {
    for more in [&[][..], &["--classic"]] {
        let folder = scratch();
        let transitions = |names: &[&str]| {
            let files: Vec<String> = names.iter().map(|name| sample(name)).collect();
            let args: Vec<&str> = files.iter().map(String::as_str).chain(["--out", names[0]]).collect();
            let result = suite(folder.path(), &[&args[..], more].concat());
            assert_eq!(result["coverage"]["lost"], json!([]), "{result}");
            (result["after"]["transitions"].clone(), result)
        };
        assert_eq!(transitions(&["filebrowser-menu"]).0, 2, "a loop without code goes {more:?}");
        assert_eq!(
            transitions(&["filebrowser-menu-covered"]).0,
            4,
            "a loop with code of its own stays {more:?}"
        );
        assert_eq!(transitions(&["filebrowser-nested"]).0, 3, "folders that only look alike stay {more:?}");
        let names = ["filebrowser-splice-1", "filebrowser-splice-2", "filebrowser-splice-3"];
        let (_, result) = transitions(&names);
        let size = |of: &str| {
            let size = &result[of];
            [size["traces"].clone(), size["transitions"].clone(), size["restarts"].clone()]
                .map(|n| n.as_u64())
        };
        assert_eq!(size("before"), [Some(3), Some(13), Some(3)]);
        assert_eq!(size("after"), [Some(1), Some(7), Some(1)], "{more:?}");
        assert_eq!(result["coverage"]["before"], result["coverage"]["after"]);
        for field in ["replays", "device_seconds", "suite", "session"] {
            assert!(result.get(field).is_some(), "no {field}");
        }
    }
}

/// Explores, and makes a suite of it; the folder of the suite.
fn from_an_exploration(folder: &Path, device: &str, minutes: &str) -> (Value, PathBuf) {
    let explore = ["explore", "--device", device, "--strategy", "swifthand", "--minutes", minutes, "-q"];
    run(folder, &[&explore[..], &["--seed", "3", "--out", "explored"]].concat());
    let result = suite(folder, &["explored", "--out", "small", "--devices", "4"]);
    let path = folder.join(result["suite"].as_str().expect("a path"));
    (result, path)
}

#[test]
fn an_exploration_becomes_a_suite_that_runs() {
    let folder = scratch();
    let (result, path) = from_an_exploration(folder.path(), "sim:notes", "120");
    let size = |of: &str| result[of]["transitions"].as_u64().expect("a number");
    assert!(size("before") > 17 * size("after"), "{} to {}", size("before"), size("after"));
    assert_eq!(result["coverage"]["lost"], json!([]), "{result}");
    assert_eq!(result["coverage"]["before"], result["coverage"]["after"], "crashes are coverage too");
    let path = path.display().to_string();
    let said =
        run(folder.path(), &["replay", "--suite", &path, "--junit", "out.xml", "--json", "--devices", "3"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let replay = json_of(&said);
    assert_eq!((&replay["failed"], &replay["passed"]), (&json!(0), &result["after"]["traces"]));
    let xml = std::fs::read_to_string(folder.path().join("out.xml")).expect("it was written");
    assert_eq!(
        xml.matches("<testcase ").count() as u64,
        result["after"]["traces"].as_u64().expect("a number")
    );
    assert!(xml.contains("failures=\"0\""), "{xml}");

    // The same suite on an app in which something has changed.
    let manifest = std::fs::read_to_string(Path::new(&path).join("suite.json")).expect("a manifest");
    assert!(manifest.contains("\"only\""), "{manifest}");
    let notes = include_str!("../../sim/apps/notes.app");
    let changed = notes.replacen("          open SearchActivity\n", "          nothing\n", 1);
    assert_ne!(notes, changed);
    std::fs::write(folder.path().join("changed.app"), changed).expect("a file");
    let changed = ["replay", "--suite", &path, "-d", "sim:./changed.app", "--junit", "bad.xml"];
    let said = run(folder.path(), &changed);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("failed"), "{}", words(&said));
    assert!(words(&said).contains("sim:./changed.app runs build"), "another build is said: {}", words(&said));

    // Another app is not a changed one.
    let said = run(folder.path(), &["replay", "--suite", &path, "-d", "sim:diner"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(words(&said).contains("is of the app org.retap.notes, but sim:diner runs"), "{}", words(&said));
    assert!(
        std::fs::read_to_string(folder.path().join("bad.xml"))
            .expect("written")
            .contains("<failure message=")
    );
}

/// The traces of a suite, as bytes.
fn traces_of(folder: &Path, out: &str, result: &Value) -> Vec<Vec<u8>> {
    let count = result["after"]["traces"].as_u64().expect("a number");
    let read = |number: u64| {
        let name = format!("{number:03}.trace.jsonl");
        std::fs::read(folder.join(out).join("suite").join(name)).expect("readable")
    };
    (1..=count).map(read).collect()
}

/// Snapshots make the search faster. The simulator does without unless it is told to, and loads that fail or restore
/// something else cost time and nothing else.
#[test]
fn snapshots_speed_up_the_search_and_lose_nothing() {
    let folder = scratch();
    let explore = ["explore", "--device", "sim:notes", "--strategy", "swifthand", "--minutes", "40", "-q"];
    run(folder.path(), &[&explore[..], &["--out", "explored"]].concat());
    let make = |out: &str, more: &[&str]| {
        let result = suite(folder.path(), &[&["explored", "--out", out], more].concat());
        assert_eq!(result["coverage"]["lost"], json!([]), "{result}");
        assert_eq!(result["coverage"]["before"], result["coverage"]["after"], "{result}");
        let seconds = result["device_seconds"].as_f64().expect("a number");
        (seconds, traces_of(folder.path(), out, &result), result)
    };
    let (usual, traces, result) = make("usual", &[]);
    let (off, ..) = make("off", &["--snapshots", "off"]);
    assert!((usual - off).abs() < 1e-9, "{usual} and {off}");
    let (on, same, _) = make("on", &["--snapshots", "on"]);
    assert!(on < 0.9 * usual, "{usual} s to {on} s");
    assert!(traces == same, "it is another suite");
    let manifest = std::fs::read_to_string(folder.path().join("on/suite/suite.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    for trace in manifest["traces"].as_array().expect("a list") {
        assert!(trace["confirmed"][0].as_u64() >= Some(8) && trace["confirmed"][1] == 0, "{trace}");
    }

    let bad = ["--snapshots", "on", "-d", "sim:notes?badload=0.5&garbage=0.5"];
    let (_, _, spoilt) = make("bad", &bad);
    assert_eq!(spoilt["after"], result["after"]);
    let said = run(
        folder.path(),
        &["suite", "explored", "--out", "phone", "-d", "sim:notes?profile=phone", "--snapshots", "on"],
    );
    assert!(words(&said).contains("profile=phone has no snapshots"), "{}", words(&said));
}

/// Everywhere that `counter.app` has counted to it looks the same, but for a text.
#[test]
fn joins_are_as_asked_for() {
    let folder = scratch();
    let app = "app counter \"Counter\"\npackage org.retap.counter\n\nactivity MainActivity\n  var taps int = 0\n\n  \
               screen main\n    label \"{taps} taps\" id=taps\n    button \"Count\" id=count\n      on tap\n        \
               set taps = taps + 1\n    button \"Next\" id=next\n      on tap\n        open NextActivity\n\n\
               activity NextActivity\n  screen next \"Next\"\n    label \"The end\"\n";
    std::fs::write(folder.path().join("counter.app"), app).expect("a file");
    let explore =
        ["explore", "--device", "sim:./counter.app", "--strategy", "random", "--events", "2000", "-q"];
    run(folder.path(), &[&explore[..], &["--out", "explored"]].concat());
    let counted_twice = |path: PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let lines: Vec<&str> = text.lines().collect();
        let step = |line: &&str| serde_json::from_str::<Value>(line).expect("JSON");
        let activity = |step: &Value| step["after"]["activity"].as_str().unwrap_or_default().to_owned();
        let steps: Vec<Value> = lines.iter().skip(1).map(step).collect();
        let next = steps.iter().position(|step| activity(step).ends_with(".NextActivity"))?;
        let before = &steps[..next];
        let at_home = before.iter().all(|step| activity(step).ends_with(".MainActivity"));
        let counts: std::collections::BTreeSet<String> =
            before.iter().map(|step| step["after"]["full"].to_string()).collect();
        (at_home && counts.len() >= 3).then(|| lines[..next + 2].join("\n") + "\n")
    };
    let traces = std::fs::read_dir(folder.path().join("explored/traces")).expect("traces");
    let mut traces: Vec<PathBuf> = traces.map(|entry| entry.expect("an entry").path()).collect();
    traces.sort();
    let walk = traces.into_iter().find_map(counted_twice).expect("a walk that counts and goes on");
    std::fs::write(folder.path().join("walk.trace.jsonl"), walk).expect("a file");
    let transitions = |joins: &[&str]| {
        let out = format!("out{}", joins.concat());
        let result = suite(folder.path(), &[&["walk.trace.jsonl", "--out", &out], joins].concat());
        assert_eq!(result["coverage"]["lost"], json!([]), "{result}");
        result["after"]["transitions"].as_u64().expect("a number")
    };
    let (alike, equal) = (transitions(&[]), transitions(&["--joins", "concrete"]));
    assert_eq!(alike, transitions(&["--joins", "abstract"]));
    assert!(alike < equal, "{alike} where states look alike, {equal} where they are equal");
}

/// On an app of which 2 % of the transitions vary, every trace of the suite replays at least 19 of 20 times.
#[test]
fn a_flaky_app_gets_a_suite_that_holds() {
    let folder = scratch();
    let device = "sim:gen?seed=4&screens=12&nondet=0.02";
    let (_, path) = from_an_exploration(folder.path(), device, "120");
    let count = |seed: u32| {
        let (seed, path) = (seed.to_string(), path.display().to_string());
        let said = run(folder.path(), &["replay", "--suite", &path, "--json", "-q", "--seed", &seed]);
        let result = json_of(&said);
        let traces = result["traces"].as_array().expect("a list").clone();
        traces.iter().map(|trace| u32::from(trace["diverged_at"].is_null())).collect::<Vec<_>>()
    };
    let rounds: Vec<Vec<u32>> = (100..120).map(count).collect();
    for trace in 0..rounds[0].len() {
        let followed: u32 = rounds.iter().map(|round| round[trace]).sum();
        assert!(followed >= 19, "trace {} was followed {followed} of 20 times", trace + 1);
    }
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_suite() {
    let folder = scratch();
    let explore = ["explore", "--device", "sim:notes", "--strategy", "random", "--minutes", "60", "-q"];
    run(folder.path(), &[&explore[..], &["--out", "explored"]].concat());
    let whole = suite(folder.path(), &["explored", "--out", "whole"]);
    let files = |out: &str| {
        let read =
            |name: &str| std::fs::read(folder.path().join(out).join("suite").join(name)).expect("readable");
        let count = whole["after"]["traces"].as_u64().expect("a number");
        (1..=count).map(|number| read(&format!("{number:03}.trace.jsonl"))).collect::<Vec<_>>()
    };
    let (mut kills, mut attempt) = (0, 0);
    while kills < 20 {
        let out = format!("killed-{attempt}");
        attempt += 1;
        assert!(attempt < 40, "it ends too quickly to be killed 20 times");
        loop {
            let mut command = retap(folder.path(), &["suite", "explored", "--out", &out, "--json", "-q"]);
            let mut child =
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap starts");
            let pause = 5 + (kills * 37 + attempt * 11) % 240;
            std::thread::sleep(std::time::Duration::from_millis(pause));
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            child.kill().expect("it is killed");
            child.wait().expect("it ends");
            kills += 1;
            if kills % 5 == 0 {
                break;
            }
        }
        let resumed = suite(folder.path(), &["explored", "--out", &out]);
        assert_eq!(resumed["replays"], whole["replays"], "no replay is lost or repeated");
        assert!(files(&out) == files("whole"), "{out} is another suite");
    }
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = scratch();
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    let text = std::fs::read_to_string(sample("filebrowser-menu")).expect("a sample");
    let blind: Vec<String> = text
        .lines()
        .enumerate()
        .map(
            |(line, text)| {
                if line == 0 { text.to_owned() } else { r#"{"event":{"do":"launch"}}"#.to_owned() }
            },
        )
        .collect();
    let blind = blind.join("\n") + "\n";
    std::fs::write(folder.path().join("blind.trace.jsonl"), &blind).expect("a file");
    let other = text.replace("\"build\":\"", "\"build\":\"x");
    std::fs::write(folder.path().join("other.trace.jsonl"), other).expect("a file");
    let menu = sample("filebrowser-menu");
    let dalvik = sample("dalvik");
    for (args, parts) in [
        (&[menu.as_str(), &dalvik][..], &["dalvik.trace.jsonl", "one suite is of one app"][..]),
        (&["blind.trace.jsonl"], &["blind.trace.jsonl has no state after step"]),
        (&[&menu, "other.trace.jsonl"], &["other.trace.jsonl is of build", "does not mix"]),
        (&["empty"], &["empty has no trace files"]),
        (&["missing"], &["missing"]),
        (&[&menu, "--runs", "0"], &["--runs takes 1 to 1000"]),
        (&[&menu, "--joins", "x"], &["abstract or concrete"]),
        (&[&menu, "--snapshots", "maybe"], &["--snapshots takes on, off or auto", "'maybe'"]),
    ] {
        let said = run(folder.path(), &[&["suite"], args].concat());
        assert_eq!(said.status.code(), Some(2), "{}", words(&said));
        assert_eq!(words(&said).lines().count(), 1, "{}", words(&said));
        for part in parts {
            assert!(words(&said).contains(part), "{part} is not in {}", words(&said));
        }
    }
    let said = run(folder.path(), &["replay", "--suite", "empty"]);
    assert!(
        said.status.code() == Some(2) && words(&said).contains("empty is not a suite"),
        "{}",
        words(&said)
    );
    // A suite whose traces somebody has exchanged for others.
    let made = run(folder.path(), &["suite", &menu, "--out", "made"]);
    assert_eq!(made.status.code(), Some(0), "{}", words(&made));
    std::fs::write(folder.path().join("made/suite/001.trace.jsonl"), &blind).expect("a file");
    rewritten(&folder.path().join("made/suite/suite.json"), |manifest| {
        manifest["traces"][0] = json!({"file": "001.trace.jsonl", "transitions": blind.lines().count() - 1,
            "seconds": 1, "confirmed": [8, 0], "covers": 1, "only": []});
    });
    let said = run(folder.path(), &["replay", "--suite", "made/suite"]);
    let part = "001.trace.jsonl, step 1, does not say which state it leads to";
    assert!(said.status.code() == Some(2) && words(&said).contains(part), "{}", words(&said));
}

/// Changes the manifest of a suite.
fn rewritten(path: &Path, change: impl FnOnce(&mut Value)) {
    let text = std::fs::read_to_string(path).expect("a manifest");
    let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
    change(&mut manifest);
    std::fs::write(path, manifest.to_string()).expect("a file");
}

/// What has lost steps, does others or stands in the place of another would pass without having shown anything.
#[test]
fn a_suite_with_other_traces_than_it_was_made_of_is_refused() {
    type Change = fn(&mut Value);
    let folder = scratch();
    let (_, whole) = from_an_exploration(folder.path(), "sim:notes", "20");
    let text = std::fs::read_to_string(whole.join("002.trace.jsonl")).expect("a trace");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 3, "{text}");
    let mut swapped = lines.clone();
    swapped.swap(1, 2);
    let none: Change = |_| ();
    let old: Change = |manifest| {
        let traces = manifest["traces"].as_array_mut().expect("a list");
        for entry in traces {
            let entry = entry.as_object_mut().expect("an object");
            assert!(entry.remove("digest").is_some() && entry.remove("seen").is_some());
        }
    };
    let twice: Change = |manifest| manifest["traces"][1]["file"] = json!("001.trace.jsonl");
    let outside: Change = |manifest| manifest["traces"][1]["file"] = json!("../suite/002.trace.jsonl");
    // The same events, and less that they are compared with.
    let mut blind: Value = serde_json::from_str(lines[1]).expect("a step");
    assert!(blind.as_object_mut().expect("an object").remove("coverage").is_some(), "{}", lines[1]);
    let blind = blind.to_string();
    let mut blinded = lines.clone();
    blinded[1] = &blind;
    let damages: [(&str, &[&str], Change, &str); 8] = [
        ("empty", &lines[..1], none, "002.trace.jsonl has lost or gained steps: suite.json says"),
        ("short", &lines[..3], none, "and it has 2; make the suite again"),
        ("old-short", &lines[..3], old, "and it has 2; make the suite again"),
        ("swapped", &swapped, none, "002.trace.jsonl was changed since the suite was made"),
        ("blinded", &blinded, none, "002.trace.jsonl was changed since the suite was made"),
        ("twice", &lines, twice, "suite.json names 001.trace.jsonl twice"),
        ("outside", &lines, outside, "which is not the name of a file in its folder"),
        ("old", &lines, old, ""),
    ];
    for (name, lines, change, part) in damages {
        let copy = folder.path().join(name);
        std::fs::create_dir(&copy).expect("a folder");
        for entry in std::fs::read_dir(&whole).expect("a suite") {
            let path = entry.expect("an entry").path();
            std::fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("a copy");
        }
        std::fs::write(copy.join("002.trace.jsonl"), lines.join("\n") + "\n").expect("a file");
        rewritten(&copy.join("suite.json"), change);
        let said = run(folder.path(), &["replay", "--suite", name, "--junit", "out.xml"]);
        let expected = if part.is_empty() { 0 } else { 2 };
        assert_eq!(said.status.code(), Some(expected), "{name}: {}", words(&said));
        if part.is_empty() {
            continue;
        }
        assert!(words(&said).contains(part) && words(&said).lines().count() == 1, "{name}: {}", words(&said));
        let said = run(folder.path(), &["diff", &whole.display().to_string(), name]);
        assert_eq!(said.status.code(), Some(2), "{name}: {}", words(&said));
        let said = run(folder.path(), &["show", name]);
        let shown = String::from_utf8(said.stdout.clone()).expect("text") + &words(&said);
        let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains(part), "{name}: {shown}");
    }
}
