//! `retap explore`: what the strategies find, one seed one run, being stopped and going on, the user's rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use retap_testing::until;
use serde_json::Value;

use crate::tool::{explore, retap, scratch, words};

/// Every file below a folder, with what is in it.
pub(crate) fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_owned();
                found.insert(name, std::fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// Every step of every trace of an exploration. The last line of a killed one may be cut off.
fn steps(folder: &Path) -> Vec<Value> {
    let traces = contents(&folder.join("traces"));
    let texts = traces.values().map(|text| String::from_utf8_lossy(text));
    let mut steps = Vec::new();
    for text in texts {
        for line in text.split_inclusive('\n').skip(1) {
            match serde_json::from_str(line) {
                Err(_) if !line.ends_with('\n') => {}
                step => steps.push(step.expect("a step")),
            }
        }
    }
    steps
}

#[test]
fn time_travel_gets_out_of_both_traps_and_monkey_does_not() {
    let folder = scratch();
    let found = |strategy: &str| {
        let finds = |seed: &u64| {
            let (seed, out) = (seed.to_string(), format!("{strategy}-{seed}"));
            let device = ["--device", "sim:flashcards", "--strategy", strategy];
            let limits = ["--minutes", "60", "--seed", &seed, "--out", &out, "-q"];
            let (result, _) = explore(folder.path(), &[&device[..], &limits].concat());
            result["crashes"].as_array().expect("a list").iter().any(|crash| crash["reproduced"] == true)
        };
        (1..=10).filter(finds).count()
    };
    let (timetravel, monkey) = (found("timetravel"), found("monkey"));
    assert!(timetravel >= 9 && monkey <= 3, "timetravel {timetravel}, monkey {monkey} of 10 seeds");
}

/// `published` is the three settings of the paper, and wins over the file; where to go back to stays open.
#[test]
fn time_travel_as_published_is_its_settings() {
    let folder = scratch();
    let run = |name: &str, more: &[&str]| {
        let args = ["--device", "sim:flashcards", "--minutes", "30", "--seed", "3", "--out", name, "-q"];
        let (mut result, _) = explore(folder.path(), &[&args, more].concat());
        result["session"] = Value::Null;
        for crash in result["crashes"].as_array_mut().expect("a list") {
            crash["trace"] = Value::Null;
        }
        (result, contents(&folder.path().join(name).join("traces")))
    };
    for strategy in ["timetravel", "mr"] {
        let with = |name: &str, more: &[&str]| run(name, &[&["--strategy", strategy], more].concat());
        let usual = with(&format!("{strategy}-usual"), &[]);
        let spelt = with(&format!("{strategy}-spelt"), &["--blind", "--timetravel", "no-progress=200"]);
        let published = with(&format!("{strategy}-published"), &["--timetravel", "published"]);
        assert!(published == spelt && published != usual, "{strategy}");
    }
    let settings = "[explore]\npct = { touch = 90 }\ntimetravel = { no-progress = 7, easy = 0.1 }\n";
    std::fs::write(folder.path().join("retap.toml"), settings).expect("a scratch file");
    let (published, select) = (["--timetravel", "published"], ["--select", "neighbourhood"]);
    let again = run("again", &[&["--strategy", "timetravel"], &published[..]].concat());
    assert_eq!(
        again.1,
        contents(&folder.path().join("timetravel-published/traces")),
        "the file does not count"
    );
    let other = run("other", &[&["--strategy", "timetravel"], &published[..], &select].concat());
    assert_ne!(other.1, again.1, "--select has its effect");
}

#[test]
fn one_seed_is_one_session() {
    let folder = scratch();
    for devices in ["1", "8"] {
        for more in [&[][..], &["--no-snapshots"]] {
            let run = |name: &str| {
                let out = format!("{name}-{devices}-{}", more.len());
                let args = ["--device", "sim:flashcards?badload=0.1&garbage=0.1", "--strategy", "timetravel"];
                let limits = ["--minutes", "20", "--seed", "5", "--devices", devices, "--out", &out];
                let (result, _) = explore(folder.path(), &[&args[..], &limits, more].concat());
                assert!(result["time_travel"]["restores"].as_u64() > Some(2), "{result}");
                contents(&folder.path().join(out))
            };
            let (first, second) = (run("a"), run("b"));
            assert!(first == second, "{devices} devices {more:?}");
        }
    }
}

#[test]
fn replay_snapshots_say_what_they_cost() {
    let folder = scratch();
    let args =
        ["--device", "sim:flashcards", "--strategy", "timetravel", "--minutes", "30", "--no-snapshots"];
    let (result, said) = explore(folder.path(), &[&args[..], &["--out", "x"]].concat());
    let travels = &result["time_travel"];
    assert!(
        travels["replayed_events"].as_u64() > Some(10) && travels["restore_seconds"].as_f64() > Some(1.0)
    );
    assert!(words(&said).contains("by replaying"), "{}", words(&said));
}

/// Loads that fail, and loads that restore something else, are noticed and never put down to the app.
#[test]
fn bad_snapshots_are_not_the_apps_fault() {
    let folder = scratch();
    let device = "sim:flashcards?badload=0.4&garbage=0.4";
    let args =
        ["--device", device, "--strategy", "timetravel", "--minutes", "60", "--seed", "3", "--out", "x"];
    let (result, _) = explore(folder.path(), &args);
    assert_eq!(result["status"], "done");
    assert!(result["time_travel"]["failed"].as_u64() > Some(0), "{result}");
    for crash in result["crashes"].as_array().expect("a list") {
        let name = crash["signature"].as_str().expect("a text");
        assert!(name.starts_with("ArrayIndexOutOfBoundsException@CardReader.column"), "{name}");
    }
}

#[test]
fn a_crash_after_going_back_is_tried_from_a_clean_start() {
    let folder = scratch();
    let args = ["--device", "sim:flashcards", "--strategy", "timetravel", "--minutes", "60", "--seed", "2"];
    let (result, said) = explore(folder.path(), &[&args[..], &["--out", "x"]].concat());
    let crash = &result["crashes"][0];
    assert_eq!(crash["tried_again"], serde_json::json!([1, 1]), "{result}");
    assert!(words(&said).contains("1 of 1 times from a clean start"), "{}", words(&said));
    // Its trace is whole, whatever it was found after, and replays as it says.
    let trace = folder.path().join(crash["trace"].as_str().expect("a path, from where retap was started"));
    let events = crash["events"].as_u64().expect("a number");
    let text = std::fs::read_to_string(&trace).expect("it was saved");
    assert_eq!(text.lines().count() as u64, events + 1);
    let replay =
        retap(folder.path(), &["replay", &trace.display().to_string()]).output().expect("retap runs");
    assert_eq!(replay.status.code(), Some(0), "{}", words(&replay));
    // The segment that ended with it goes on from another one, and is read as one trace all the same.
    let segments = contents(&folder.path().join("x/traces"));
    let travelled = segments.iter().find(|(_, text)| text.starts_with(b"{") && contains(text, "\"after\""));
    let (name, _) = travelled.expect("a segment from a saved state");
    let segment = folder.path().join("x/traces").join(name).display().to_string();
    let replay = retap(folder.path(), &["replay", &segment, "--to", "activity:X", "--times", "1"]);
    let said = { replay }.output().expect("retap runs");
    assert_eq!(said.status.code(), Some(1), "it is read and run: {}", words(&said));
}

/// Looks at the whole screen in a trace file: before its first step, and after steps.
fn looks(text: &str) -> u64 {
    let steps: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a step")).collect();
    let full = |seen: &Value| !seen["full"].is_null();
    let after = steps.iter().filter(|step| full(&step["after"])).count();
    after as u64 + u64::from(steps.first().is_some_and(|step| full(&step["before"])))
}

#[test]
fn looks_are_counted_and_reducing_goes_by_them() {
    let folder = scratch();
    let run = |look: &str| {
        let args = ["--device", "sim:notes", "--strategy", "aware", "--events", "3000", "--seed", "3"];
        explore(folder.path(), &[&args[..], &["--look", look, "--out", look]].concat()).0
    };
    let (always, adaptive) = (run("always"), run("adaptive"));
    let number = |result: &Value, field: &str| result[field].as_u64().expect("a number");
    assert_eq!(number(&always, "looks"), number(&always, "events") + number(&always, "segments"));
    assert!(number(&adaptive, "looks") < number(&adaptive, "events") / 2, "{adaptive}");
    for result in [&always, &adaptive] {
        let crash = &result["crashes"][0];
        let file = crash["trace"].as_str().expect("a path");
        let text = std::fs::read_to_string(folder.path().join(file)).expect("it was saved");
        assert_eq!(crash["looks"], looks(&text));
        let reduce = ["reduce", file, "--search", "echo", "--rule", "1/1", "--json", "--out", "short"];
        let said = retap(folder.path(), &reduce).output().expect("retap runs");
        let last: Value = serde_json::from_slice(&said.stdout).unwrap_or_else(|_| panic!("{}", words(&said)));
        assert_eq!(last["looks"], crash["looks"], "{last}");
        assert!(last["trials"].as_u64() < Some(40), "{last}");
        std::fs::remove_dir_all(folder.path().join("short")).expect("it was there");
    }
}

fn contains(text: &[u8], part: &str) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.lines().next().is_some_and(|line| line.contains(part)))
}

#[cfg(unix)]
#[test]
fn what_was_cut_short_goes_on() {
    for signal in ["INT", "KILL"] {
        let folder = scratch();
        let args = ["explore", "--device", "sim:notes", "--strategy", "timetravel", "--events", "400000"];
        let mut command =
            retap(folder.path(), &[&args[..], &["--seed", "4", "--out", "x", "--json"]].concat());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap starts");
        let traces = folder.path().join("x/traces");
        let legs = || std::fs::read_dir(&traces).map_or(0, Iterator::count);
        until("20 legs are saved", || legs() >= 20);
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh runs").success());
        let said = child.wait_with_output().expect("it ends");
        if signal == "INT" {
            assert_eq!(said.status.code(), Some(130), "{}", words(&said));
            assert!(words(&said).contains("go on with\n  retap explore --resume x"), "{}", words(&said));
            assert!(String::from_utf8_lossy(&said.stdout).contains(r#""status":"cut_short""#));
        }
        let before = steps(&folder.path().join("x")).len();
        assert!(before > 0);
        let shorter = folder.path().join("x").display().to_string();
        let mut resumed = retap(folder.path(), &["explore", "--resume", &shorter, "--json"]);
        let resumed = resumed.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap starts");
        until("40 legs are saved", || legs() >= 40);
        let kill = format!("kill -INT {}", resumed.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh runs").success());
        let said = resumed.wait_with_output().expect("it ends");
        assert!(words(&said).contains("going on after"), "{}", words(&said));
        let result: Value = serde_json::from_slice(&said.stdout).expect("JSON");
        assert!(
            result["events"].as_u64() > Some(before as u64),
            "nothing of the {before} events is lost: {result}"
        );
        assert_eq!(result["events"].as_u64(), Some(steps(&folder.path().join("x")).len() as u64), "{signal}");
    }
}

#[test]
fn a_device_that_is_gone_for_good_cuts_it_short() {
    let folder = scratch();
    let (result, said) =
        explore(folder.path(), &["--device", "sim:notes?gone=1", "--events", "100", "--out", "x"]);
    assert_eq!(
        (said.status.code(), &result["status"]),
        (Some(2), &Value::from("cut_short")),
        "{}",
        words(&said)
    );
    assert!(words(&said).contains("cut short") && words(&said).contains("--resume x"), "{}", words(&said));
}

#[test]
fn an_exploration_ends_when_nothing_is_new() {
    let folder = scratch();
    let args = ["--device", "sim:dalvik", "--strategy", "aware", "--minutes", "6000", "--idle-minutes", "30"];
    let (result, _) = explore(folder.path(), &[&args[..], &["--out", "x"]].concat());
    let hours = result["device_seconds"].as_f64().expect("a number") / 3600.0;
    assert!((0.5..20.0).contains(&hours), "{hours} hours");
}

#[test]
fn the_users_rules_are_kept() {
    let folder = scratch();
    let script = concat!(
        r#"{"retap":"trace","version":1,"app":{"package":"org.retap.notes"},"start":"launched"}"#,
        "\n",
        r#"{"event":{"do":"tap","at":[540,200],"widget":{"text":"New note"},"by":"widget"}}"#,
        "\n"
    );
    std::fs::write(folder.path().join("login.trace.jsonl"), script).expect("a file");
    let config = r#"
        [explore]
        start = "login.trace.jsonl"
        [explore.rules]
        avoid = ["Tags", "Archive*"]
        permissions = "allow"
        [explore.rules.texts]
        "*title*" = ["Grüße 🙂"]
    "#;
    std::fs::write(folder.path().join("retap.toml"), config).expect("a file");
    let args = ["--device", "sim:notes", "--strategy", "ms", "--events", "4000", "--seed", "6", "--out", "x"];
    let (result, said) = explore(folder.path(), &args);
    assert!(matches!(said.status.code(), Some(0 | 1)), "{}", words(&said));
    assert!(result["events"].as_u64() >= Some(4000));
    let steps = steps(&folder.path().join("x"));
    let touched = |step: &Value| step["event"]["widget"]["text"].as_str().unwrap_or_default().to_owned();
    assert!(steps.iter().all(|step| touched(step) != "Tags" && !touched(step).starts_with("Archive")));
    let typed = |step: &&Value| step["event"]["do"] == "text" && step["event"]["text"] == "Grüße 🙂";
    assert!(steps.iter().filter(typed).count() > 0, "the texts by field are typed");
    let starts = contents(&folder.path().join("x/traces"));
    for text in starts.values() {
        let second = std::str::from_utf8(text).expect("text").lines().nth(1).expect("a step");
        assert!(second.contains("New note"), "every start begins with the script: {second}");
    }
}

/// An activity that the app itself never opens, and that does not expect to be opened by others.
const SHARING: &str = r#"app sharing "Sharing"
package org.sharing
activity MainActivity
  screen main "Main"
    button "Nothing"
activity ShareActivity exported
  on create
    crash java.lang.NullPointerException "no extras"
  screen share "Share"
"#;

#[test]
fn what_others_may_start_is_started() {
    let folder = scratch();
    std::fs::write(folder.path().join("sharing.app"), SHARING).expect("a file");
    let hours = |strategy: &str, out: &str| {
        let args =
            ["--device", "sim:./sharing.app", "--strategy", strategy, "--minutes", "240", "--out", out];
        explore(folder.path(), &args)
    };
    assert_eq!(hours("aware", "taps").1.status.code(), Some(0), "no tap leads there");
    let (result, said) = hours("ms", "events");
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let trace = folder.path().join(result["crashes"][0]["trace"].as_str().expect("a path"));
    let last = std::fs::read_to_string(&trace).expect("the trace is there");
    assert!(
        last.lines().last().expect("a step").contains(r#""component":"org.sharing/.ShareActivity""#),
        "{last}"
    );
    let replayed =
        retap(folder.path(), &["replay", "--times", "5"]).arg(&trace).output().expect("retap runs");
    assert_eq!(replayed.status.code(), Some(0), "{}", words(&replayed));
}

#[test]
fn a_night_ends_with_reduced_traces() {
    let folder = scratch();
    let args =
        ["--device", "sim:notes", "--strategy", "timetravel", "--minutes", "120", "--reduce", "--out", "x"];
    let (result, said) = explore(folder.path(), &args);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let reduced = result["reduced"].as_array().expect("a list");
    assert!(!reduced.is_empty(), "{result}");
    for crash in reduced {
        assert!(
            crash["events"].as_u64() <= Some(12) && crash["confirmed"]["reached"].as_u64() > Some(10),
            "{crash}"
        );
        let trace = crash["trace"].as_str().expect("a path");
        assert!(folder.path().join(trace).exists(), "{trace}");
    }
}

/// What is reduced already is not to be reduced next, also when the finished command is repeated.
#[test]
fn a_crash_that_was_reduced_is_told_as_reduced() {
    let folder = scratch();
    let args = ["explore", "--device", "sim:notes", "--strategy", "aware", "--events", "1000", "--seed", "7"];
    for _ in 0..2 {
        let args = [&args[..], &["--reduce", "--out", "x"]].concat();
        let said = retap(folder.path(), &args).output().expect("retap runs");
        let words = words(&said);
        let answer = "x/reduced/IllegalStateException-EditorActivity.addTag-5cd8f2da/reduced.trace.jsonl";
        let told =
            format!("\n  reduced to 4 events, 20 of 20: {answer}\n  retap export {answer} --as markdown\n");
        assert!(words.contains(&told), "{words}");
        assert!(!words.contains("  retap reduce "), "{words}");
    }
}

#[test]
fn wrong_settings_get_one_sentence() {
    let folder = scratch();
    for (args, part) in [
        (&["--strategy", "magic"][..], "timetravel"),
        (&["--timetravel", "magic=1"], "no-progress"),
        (&["--timetravel", "magic"], "published or NAME=NUMBER"),
        (&["--timetravel", "easy=7"], "from 0 to 1"),
        (&["--select", "best"], "own or neighbourhood"),
        (&["--look", "never"], "always or adaptive"),
        (&["--start", "missing.jsonl"], "missing.jsonl"),
        (&["--events", "0"], "more than 0"),
    ] {
        let said = retap(folder.path(), &[&["explore", "-d", "sim:notes"], args].concat()).output();
        let said = said.expect("retap runs");
        assert_eq!(said.status.code(), Some(2), "{}", words(&said));
        assert!(words(&said).contains(part) && words(&said).lines().count() == 1, "{}", words(&said));
    }
}

/// A field is typed into again and again: what stands in it is never taken for its name.
#[test]
fn fields_are_not_named_by_what_stands_in_them() {
    let folder = scratch();
    let app = "app form \"Form\"\npackage org.retap.form\n\nvar line text = \"\"\nvar other text = \"\"\n\n\
               activity MainActivity\n  screen main \"Form\"\n    field line hint=\"Your line\" height=500\n    \
               field other id=other height=500\n";
    std::fs::write(folder.path().join("form.app"), app).expect("a file");
    let settings = "[explore.rules.texts]\n\"*\" = [\"my text\"]\n";
    std::fs::write(folder.path().join("retap.toml"), settings).expect("a file");
    let args =
        ["explore", "-d", "sim:./form.app", "--strategy", "aware", "--events", "200", "--out", "x", "-q"];
    let said = retap(folder.path(), &args).output().expect("retap runs");
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let trace = std::fs::read_to_string(folder.path().join("x/traces/d0-0000.trace.jsonl")).expect("a trace");
    let typed = trace.lines().filter(|line| line.contains(r#""do":"text""#)).count();
    assert!(typed > 2 && trace.contains("my text"), "{trace}");
    for line in trace.lines().skip(1) {
        let step: Value = serde_json::from_str(line).expect("JSON");
        assert_ne!(step["event"]["widget"]["text"], "my text", "{line}");
    }
    assert!(trace.contains(r#""hint":"Your line""#), "{trace}");
}

/// "No crash found" tells nothing of an app of which nothing was seen.
#[test]
fn an_exploration_that_saw_one_state_says_so() {
    let folder = scratch();
    let app = "app wall \"Wall\"\n\nactivity MainActivity\n  on back\n    nothing\n  screen main \"Wall\"\n    \
               label \"Sign in\"\n";
    std::fs::write(folder.path().join("wall.app"), app).expect("a file");
    let stuck =
        |said: &str| said.contains("stuck: the app showed one state only") && said.contains("--start");
    for strategy in ["random", "swifthand"] {
        let args = ["-d", "sim:./wall.app", "--strategy", strategy, "--events", "60", "--out", strategy];
        let (result, said) = explore(folder.path(), &args);
        assert_eq!((&result["states"], said.status.code()), (&Value::from(1), Some(0)), "{}", words(&said));
        assert!(stuck(&words(&said)), "{strategy}: {}", words(&said));
        let shown = retap(folder.path(), &["show", strategy]).output().expect("retap runs");
        let shown = String::from_utf8_lossy(&shown.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(stuck(&shown), "{strategy}: {shown}");
    }
    for args in [["sim:./wall.app", "--events", "5"], ["sim:notes", "--events", "60"]] {
        let (_, said) = explore(folder.path(), &[&["-d"], &args[..]].concat());
        assert!(!words(&said).contains("stuck"), "{}", words(&said));
    }
}
