//! `--sarif`: valid by the official schema, with lines of source where exactly one tracked file fits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use retap_testing::{Requirement, python_with, skipped};
use serde_json::{Value, json};

use crate::Checkout;
use crate::command::words;

/// The crate that carries the official schema, as a file; it is not built.
const CARRIER: (&str, &str) = ("serde-sarif", "0.8.0");
const VALIDATE: &str = "import json, sys, jsonschema\n\
                        schema, log = (json.load(open(name)) for name in sys.argv[1:3])\n\
                        validator = jsonschema.validators.validator_for(schema)\n\
                        validator.check_schema(schema)\n\
                        validator(schema).validate(log)\n";

/// The official schema, or nothing, and the reason is printed.
fn schema() -> Option<PathBuf> {
    let (name, version) = CARRIER;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let find = || {
        let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
        let places = registries.flatten().map(|registry| registry.path().join(format!("{name}-{version}")));
        places.map(|place| place.join("src/schema.json")).find(|file| file.is_file())
    };
    if find().is_none() {
        let _ = Command::new(env!("CARGO"))
            .args(["info", &format!("{name}@{version}")])
            .current_dir("/")
            .output();
    }
    let found = find();
    if found.is_none() {
        skipped(Requirement::Registry, format_args!("{name} {version} cannot be had"));
    }
    found
}

/// What is wrong with a log; nothing when it is valid.
fn invalid(python: &Path, schema: &Path, log: &Path) -> Option<String> {
    let said = Command::new(python).args(["-c", VALIDATE]).args([schema, log]).output().expect("Python runs");
    (!said.status.success()).then(|| String::from_utf8_lossy(&said.stderr).into_owned())
}

const COMMANDS: [(&str, i32, usize); 7] = [
    ("explore -d sim:notes --strategy aware --events 3000 --seed 7 --reduce --out night", 1, 1),
    ("explore -d sim:notes?blind=1 --events 100 --out blind", 2, 0),
    ("reduce notes-unnamed-tag.trace.jsonl", 0, 1),
    ("reduce keys.trace.jsonl", 1, 0),
    ("reduce missing.trace.jsonl", 2, 0),
    ("replay notes-sync-conflict.trace.jsonl --times 3", 0, 1),
    ("replay notes-sync-conflict.trace.jsonl --times 3 --expect-no-crash", 1, 1),
];

#[test]
fn logs_are_valid_by_the_official_schema() {
    let Some(schema) = schema() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sarif-venv");
    let Some(python) = python_with(&folder, &["jsonschema==4.25.1"]) else { return };
    let checkout = Checkout::new();
    for (command, code, results) in COMMANDS {
        let args: Vec<&str> = command.split_whitespace().chain(["--sarif", "x.sarif"]).collect();
        let said = checkout.run(&args);
        assert_eq!(said.status.code(), Some(code), "{command}\n{}", words(&said));
        let log = checkout.read("x.sarif");
        assert_eq!(invalid(&python, &schema, &checkout.at("x.sarif")), None, "{command}\n{log}");
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(results), "{command}\n{log}");
        // What went wrong without a result is no success.
        assert_eq!(
            run["invocations"][0]["executionSuccessful"],
            json!(code == 0 || results > 0),
            "{command}"
        );
        assert_eq!(run["invocations"][0]["exitCode"], json!(code), "{command}");
    }
    // The schema can fail.
    let log = checkout.read("x.sarif");
    for (from, to) in
        [("\"startLine\": 2", "\"startLine\": -2"), ("\"text\"", "\"words\""), ("\"2.1.0\"", "\"2.2\"")]
    {
        let bad = log.replacen(from, to, 1);
        assert_ne!(bad, log, "{from}");
        checkout.write("bad.sarif", &bad);
        assert!(
            invalid(&python, &schema, &checkout.at("bad.sarif")).is_some(),
            "{from} -> {to} is not found"
        );
    }
}

/// The location of the only result, and why there is none.
fn location(checkout: &Checkout, more: &[&str]) -> (Value, Value) {
    let args = ["replay", "notes-sync-conflict.trace.jsonl", "--times", "2", "--sarif", "x.sarif"];
    only_location(checkout, &checkout.run(&[&args[..], more].concat()))
}

fn only_location(checkout: &Checkout, said: &Output) -> (Value, Value) {
    assert_eq!(said.status.code(), Some(0), "{}", words(said));
    let log: Value = serde_json::from_str(&checkout.read("x.sarif")).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    (result["locations"][0]["physicalLocation"].clone(), result["properties"]["noLocation"].clone())
}

#[test]
fn a_line_is_told_where_one_tracked_file_fits() {
    let checkout = Checkout::new();
    let there = json!({
        "artifactLocation": { "uri": "app/src/org/retap/notes/sync/Merger.java", "uriBaseId": "%SRCROOT%" },
        "region": { "startLine": 212 },
    });
    assert_eq!(location(&checkout, &[]), (there.clone(), Value::Null));
    assert_eq!(
        location(&checkout, &["--sources", "app"]),
        (there.clone(), Value::Null),
        "from the top of the checkout"
    );
    checkout.write("tests/.keep", "");
    let args = ["replay", "../notes-sync-conflict.trace.jsonl", "--times", "1", "--sarif", "../x.sarif"];
    let said = checkout.retap(&args).current_dir(checkout.at("tests")).output().expect("retap runs");
    assert_eq!(only_location(&checkout, &said), (there.clone(), Value::Null), "from another of its folders");

    // A file that is not tracked does not count; two that are do not tell which.
    checkout.write("copy/org/retap/notes/sync/Merger.java", "");
    assert_eq!(location(&checkout, &[]), (there.clone(), Value::Null));
    let added =
        Command::new("git").args(["add", "copy"]).current_dir(checkout.path()).status().expect("git runs");
    assert!(added.success());
    assert_eq!(location(&checkout, &[]).1, "git tracks 2 files org/retap/notes/sync/Merger.java");
    assert_eq!(location(&checkout, &["--sources", "app"]), (there.clone(), Value::Null));
    checkout.write("retap.toml", "sources = \"app\"\n");
    assert_eq!(location(&checkout, &[]), (there, Value::Null), "a setting does the same");
}

#[test]
fn a_line_that_is_not_known_is_left_out_with_the_reason() {
    let checkout = Checkout::new();
    std::fs::remove_dir_all(checkout.at(".git")).expect("it was made");
    let (place, why) = location(&checkout, &[]);
    assert_eq!(place, Value::Null);
    assert_eq!(why, ". is in no git checkout that can be read; name a folder in one with --sources");
    let said = checkout.run(&["replay", "keys.trace.jsonl", "--sarif", "x.sarif", "--sources", "nowhere"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(words(&said).contains("--sources nowhere: no such folder"), "{}", words(&said));
}
