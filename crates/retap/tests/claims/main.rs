//! What is claimed of an answer is true: it is of exactly the saved events, by fresh runs that chose nothing, and every
//! number can be counted again.

#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "counts are small here")]

mod recount;
mod rules;

use std::path::Path;
use std::process::{Command, Output};

use recount::recount;
use serde_json::Value;

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1").output().expect("retap runs")
}

fn json(said: &Output) -> Value {
    let text = String::from_utf8(said.stdout.clone()).expect("text");
    let words = String::from_utf8_lossy(&said.stderr);
    serde_json::from_str(text.lines().last().unwrap_or_else(|| panic!("no JSON: {words}"))).expect("JSON")
}

fn sample(name: &str) -> String {
    format!("{}/../../samples/{name}.trace.jsonl", env!("CARGO_MANIFEST_DIR"))
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))).expect("small")
}

/// A run that crashes before its last event was once saved as the answer, with the figures of the longer one.
#[test]
fn the_saved_trace_is_the_confirmed_one() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::fs::write(folder.path().join("dice.app"), include_str!("../dice.app")).expect("a file");
    let tap =
        r#"{"event":{"do":"tap","at":[540,300],"widget":{"id":"org.retap.dice:id/roll"},"by":"widget"}}"#;
    let head = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.dice"},"start":"launched","device":"sim:dice.app"}"#;
    let trace = format!("{head}\n{}", format!("{tap}\n").repeat(8));
    std::fs::write(folder.path().join("d.trace.jsonl"), trace).expect("a file");
    for (seed, more) in (1..=6).flat_map(|seed| [(seed, &[][..]), (seed, &["--rule", "18/20"])]) {
        let (seed, out) = (seed.to_string(), format!("{seed}-{}", more.len()));
        let said = run(
            folder.path(),
            &[&["reduce", "d.trace.jsonl", "--to", "crash", "--seed", &seed, "--json", "--out", &out], more]
                .concat(),
        );
        let result = json(&said);
        assert!(matches!(said.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&said.stderr));
        recount(folder.path(), &folder.path().join("d.trace.jsonl"), &result);
        let file = result["trace"].as_str().expect("a file");
        let replay = run(folder.path(), &["replay", file, "--times", "400", "--seed", "77", "--json"]);
        let rate = json(&replay)["rate"]["estimate"].as_f64().expect("a rate");
        let within = |end: &str| result["rate"][end].as_f64().expect("a rate");
        assert!(
            (within("low") - 0.05..=within("high") + 0.05).contains(&rate),
            "claimed {}, but 400 replays give {rate}",
            result["rate"]
        );
    }
}

/// Samples and the devices they are reduced on: flaky, steady, and with faults.
const PLAYED: [(&str, &str); 7] = [
    ("notes-sync-conflict", "sim:notes?flaky=0.6"),
    ("notes-sync-conflict", "sim:notes?flaky=0.9"),
    ("notes-leaked-dialog", "sim:notes?offline=0.003"),
    ("notes-unnamed-tag", "sim:notes?flaky=0.5"),
    ("dalvik", "sim:dalvik"),
    ("diner", "sim:diner"),
    ("flashcards", "sim:flashcards"),
];

/// Ways to reduce: searches, rules, schedules, with and without values, on one device and on several.
const WAYS: [&str; 14] = [
    "",
    "",
    "--no-values",
    "--devices 3",
    "--devices 4 --no-values",
    "--min-rate 0.7",
    "--confirm 7",
    "--search ddmin --rule 9/10",
    "--search ddmin --rule 3/4 --devices 3 --schedule round-robin --values",
    "--search auto --rule bayes:0.9@0.97",
    "--search cdd --rule auto --values",
    "--search hdd --rule 4/5 --one-by-one",
    "--search lhdd --rule auto",
    "--search echo --rule 2/3 --devices 2",
];

/// How many seeds each way gets: `RETAP_RECOUNT_SEEDS=10` for a long test.
fn seeds() -> u64 {
    std::env::var("RETAP_RECOUNT_SEEDS").map_or(1, |text| text.parse().expect("a number of seeds"))
}

/// Reduces and counts everything again. Says how the reduction ended.
fn reduce_and_recount(folder: &Path, input: &str, args: &[&str]) -> String {
    let said = run(folder, &[&["reduce", input, "--json"], args].concat());
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(matches!(said.status.code(), Some(0 | 1)), "retap reduce {input} {}: {words}", args.join(" "));
    let result = json(&said);
    recount(folder, &folder.join(input), &result);
    result["status"].as_str().expect("a word").to_owned()
}

#[test]
fn every_number_is_what_can_be_counted() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (mut ends, mut number) = (std::collections::BTreeMap::<String, u64>::new(), 0);
    for seed in 1..=seeds() {
        for (name, device) in PLAYED {
            for way in WAYS {
                // No two reductions have the same dice.
                number += 1;
                let (seed, out) = ((seed * 1000 + number).to_string(), format!("p{number}"));
                let mut args = vec!["--device", device, "--seed", &seed, "--out", &out];
                args.extend(way.split_whitespace());
                println!("retap reduce {name} {}", args.join(" "));
                *ends.entry(reduce_and_recount(folder.path(), &sample(name), &args)).or_default() += 1;
            }
        }
    }
    println!("{number} reductions: {ends:?}");
    for end in ["reduced", "below_the_rule", "not_reproducible"] {
        assert!(ends.contains_key(end), "no reduction ended as {end}: {ends:?}");
    }
}

/// Of lists that a command judges, a steady one and a flaky one.
#[cfg(unix)]
#[test]
fn every_number_of_a_list_is_what_can_be_counted() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a scratch folder");
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("made executable");
    };
    script("steady.sh", r#"grep -qx 7 "$1" && grep -qx 23"#);
    // Every fourth run misses, whatever it is of; every ninth cannot tell.
    let flaky = r#"n=$(cat "$RETAP_DIR/n" 2>/dev/null || echo 0); echo $((n+1)) > "$RETAP_DIR/n"
        test $((n % 9)) = 8 && exit 2; test $((n % 4)) = 3 && exit 1; grep -qx 7 "$1""#;
    script("flaky.sh", flaky);
    let lines: Vec<String> = (1..=30).map(|number| number.to_string()).collect();
    std::fs::write(folder.path().join("list.txt"), lines.join("\n") + "\n").expect("a file");
    std::fs::copy(sample("dalvik"), folder.path().join("t.trace.jsonl")).expect("a file");
    let mut number = 0;
    for seed in 1..=seeds() {
        for (list, to, way) in [
            ("list.txt", "cmd:./steady.sh", ""),
            ("list.txt", "cmd:./steady.sh", "-j 3"),
            ("list.txt", "cmd:./steady.sh", "--search ddmin --rule 1/1"),
            ("list.txt", "cmd:./flaky.sh", ""),
            ("list.txt", "cmd:./flaky.sh", "--search ddmin --rule 3/5"),
            ("t.trace.jsonl", "cmd:grep -q 'Time zones' \"$1\"", "--search hdd --rule auto"),
        ] {
            number += 1;
            let (seed, out) = ((seed * 1000 + number).to_string(), format!("c{number}"));
            // The answer of the one before lies beside the list.
            let mut args = vec!["--to", to, "--seed", &seed, "--out", &out, "--force"];
            args.extend(way.split_whitespace());
            println!("retap reduce {list} {}", args.join(" "));
            reduce_and_recount(folder.path(), list, &args);
        }
    }
}

/// 95 events were once reported as 20 of 20 after 8,861 runs, and held 7 times in 10.
#[test]
fn what_holds_seven_times_in_ten_is_said_to() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for seed in ["9", "3"] {
        let out = format!("x{seed}");
        let said = run(
            folder.path(),
            &["reduce", &sample("notes-sync-conflict"), "--seed", seed, "--json", "--out", &out],
        );
        let result = json(&said);
        assert_eq!(result["status"], "reduced", "{result}");
        assert!(number(&result["events_after"]) <= 9 && number(&result["runs"]) < 400, "{result}");
        let low = result["rate"]["low"].as_f64().expect("a rate");
        assert!(low <= 0.7, "{result}");
    }
}

/// Without a given rate only what never works is refused; with one, what works less often.
#[test]
fn a_flaky_trace_is_refused_only_when_a_rate_is_asked_for() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let reduce = |more: &[&str], out: &str| {
        let args = [
            "reduce",
            &sample("notes-sync-conflict"),
            "--device",
            "sim:notes?flaky=0.3",
            "--json",
            "--out",
            out,
        ];
        let said = run(folder.path(), &[&args, more].concat());
        (said.status.code(), json(&said)["status"].clone())
    };
    assert_eq!(reduce(&[], "a"), (Some(0), "reduced".into()));
    assert_eq!(reduce(&["--min-rate", "0.75"], "b"), (Some(1), "not_reproducible".into()));
    let (code, status) = reduce(&["--rule", "9/10", "--search", "ddmin"], "c");
    assert_eq!((code, status), (Some(1), "below_the_rule".into()));
}
