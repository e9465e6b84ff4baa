//! What is broken, foreign or missing is said in a sentence, and the rest is told.

use std::fs;
use std::path::Path;

use crate::command::{run, sample, scratch};
use crate::{printed, refused, tap, trace};

fn explored(folder: &Path) {
    let args =
        ["explore", "--device", "sim:notes", "--strategy", "aware", "--events", "1500", "--seed", "7", "-q"];
    run(folder, &[&args[..], &["--out", "night"]].concat());
}

#[test]
fn what_is_no_session_is_named() {
    let folder = scratch();
    let here = folder.path();
    fs::create_dir(here.join("empty")).expect("a folder");
    assert!(
        refused(here, &["show", "empty"])
            .contains("empty is neither the folder of a session or of a recording, nor a suite; name one")
    );
    assert!(refused(here, &["show", "nothing"]).contains("cannot open the trace nothing: "));
    fs::create_dir(here.join("foreign")).expect("a folder");
    fs::write(
        here.join("foreign/session.db"),
        "SQLite it is not, and it is long enough to look like something".repeat(20),
    )
    .expect("a file");
    let said = refused(here, &["show", "foreign"]);
    assert!(said.contains("foreign/session.db was not written by retap, or is damaged"), "{said}");
    trace(here, "a.trace.jsonl", "", [tap("Go", 0, 1)]);
    let said = refused(here, &["show", "."]);
    assert!(said.contains("name one in it: ./a.trace.jsonl"), "{said}");
    fs::create_dir(here.join("suite")).expect("a folder");
    fs::write(here.join("suite/suite.json"), "{\"retap\":\"suite\",").expect("a file");
    assert!(refused(here, &["show", "suite"]).contains("suite/suite.json is damaged"));
    fs::write(here.join("empty.trace.jsonl"), "").expect("a file");
    assert!(
        refused(here, &["show", "empty.trace.jsonl"]).contains("empty.trace.jsonl:1:1: the file is empty")
    );
}

#[test]
fn a_manifest_that_says_too_much_is_shown_with_its_damage() {
    let folder = scratch();
    let here = folder.path();
    run(here, &["suite", &sample("notes-unnamed-tag"), "--out", "made", "-q"]);
    let file = here.join("made/suite/suite.json");
    let whole = fs::read_to_string(&file).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    let mut second = manifest["traces"][0].clone();
    manifest["traces"][0]["transitions"] = u64::MAX.into();
    second["file"] = "009.trace.jsonl".into();
    manifest["traces"].as_array_mut().expect("a list").push(second);
    fs::write(&file, manifest.to_string()).expect("a file");
    let said = run(here, &["show", "made/suite"]);
    let shown = String::from_utf8(said.stdout.clone()).expect("text") + &crate::words(&said);
    assert!(said.status.code() != Some(3) && shown.contains("18446744073709551615"), "{shown}");
}

#[test]
fn a_trace_that_was_cut_off_says_where() {
    let folder = scratch();
    let whole = fs::read(sample("dalvik")).expect("a sample");
    fs::write(folder.path().join("cut.trace.jsonl"), &whole[..whole.len() - 30]).expect("a file");
    let said = refused(folder.path(), &["show", "cut.trace.jsonl"]);
    assert!(said.contains("was cut off in the middle of line 37, after 35 whole steps"), "{said}");
}

/// The end of a segment that was cut off by a kill is no damage; a spoilt line is, and so is a trace that is gone.
#[test]
fn an_exploration_with_spoilt_files_tells_the_rest() {
    let folder = scratch();
    explored(folder.path());
    let whole = printed(folder.path(), &["show", "night"], 0);
    let segment = folder.path().join("night/traces/d0-0000.trace.jsonl");
    let text = fs::read(&segment).expect("a trace");
    fs::write(&segment, &text[..text.len() - 10]).expect("a file");
    let cut = printed(folder.path(), &["show", "night"], 0);
    assert!(cut.contains("1499 events in ") && !cut.contains("could not be read"), "{cut}");
    let spoilt = String::from_utf8(text).expect("text").replacen("\"do\":\"", "\"do\":\"x", 1);
    fs::write(&segment, spoilt).expect("a file");
    let crash = fs::read_dir(folder.path().join("night/crashes")).expect("a folder").next().expect("a crash");
    fs::remove_file(crash.expect("a file").path()).expect("it goes");
    let told = printed(folder.path(), &["show", "night"], 0);
    assert!(told.contains("could not be read: night/traces/d0-0000.trace.jsonl:2:"), "{told}");
    assert!(told.contains("could not be read: cannot open the trace night/crashes/"), "{told}");
    assert!(told.contains("crash: IllegalStateException@EditorActivity.addTag#5cd8f2da"), "{told}");
    assert!(whole.contains("crash: java.lang.IllegalStateException at"), "{whole}");
}

/// A database that ends too early, as after a failed copy.
#[test]
fn half_a_database_is_damaged() {
    let folder = scratch();
    explored(folder.path());
    let file = folder.path().join("night/session.db");
    let whole = fs::read(&file).expect("a database");
    fs::write(&file, &whole[..whole.len() / 2]).expect("a file");
    let said = refused(folder.path(), &["show", "night"]);
    assert!(said.contains("night/session.db") && said.contains("damaged"), "{said}");
}
