//! `retap import`: recordings of other tools become traces that `reduce`, `replay` and `export` take.

mod command;

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use command::{json_of, retap, run, scratch, words};
use serde_json::json;

const FLOW: &str = include_str!("../../../samples/tag-a-note.maestro.yaml");
/// What a reduction makes of that flow, read and found to be as a person would write it.
const GOLDEN: &str = include_str!("golden/tag-a-note.maestro.yaml");
const CRASH: &str = "crash:IllegalStateException@EditorActivity.addTag#5cd8f2da";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("room for a file");
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A flow that somebody wrote goes in, and the part of it that matters comes out, as a flow.
#[test]
fn a_flow_by_hand_is_imported_reduced_and_exported_shorter() {
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    let said = run(
        folder.path(),
        &["import", "tag.yaml", "--device", "sim:notes", "--to", "crash", "--out", "traces", "--json"],
    );
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let imported = json_of(&said);
    assert_eq!(imported["from"], "maestro");
    assert_eq!(imported["file"], "traces/tag.trace.jsonl");
    assert_eq!(imported["app"], "org.retap.notes");
    let events = imported["events"].as_u64().expect("a number");
    let trace = text(folder.path(), "traces/tag.trace.jsonl");
    assert_eq!(trace.lines().count() as u64, events + 1);

    let said = run(folder.path(), &["replay", "traces/tag.trace.jsonl", "--times", "5", "--json"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let said = run(folder.path(), &["reduce", "traces/tag.trace.jsonl", "--out", "short", "--json"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let reduced = json_of(&said);
    assert_eq!(reduced["status"], "reduced", "{reduced}");
    let signature = CRASH.strip_prefix("crash:").expect("a crash");
    assert!(text(folder.path(), "short/reduced.trace.jsonl").contains(signature));
    assert_eq!(
        (&reduced["events_before"], &reduced["events_after"]),
        (&json!(events), &json!(4)),
        "{reduced}"
    );

    let said = run(folder.path(), &["export", "short", "--as", "maestro"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let flow = String::from_utf8(said.stdout).expect("text");
    assert_eq!(flow, GOLDEN);
    assert!(flow.lines().filter(|line| line.starts_with("- tap")).count() < FLOW.matches("tapOn").count());

    // What was written is read again, and still ends in the same crash.
    write(folder.path(), "short.yaml", &flow);
    let again = ["import", "short.yaml", "--device", "sim:notes", "--to", CRASH, "--out", "traces", "-q"];
    assert_eq!(run(folder.path(), &again).status.code(), Some(0));
    let said = run(folder.path(), &["replay", "traces/short.trace.jsonl", "--times", "5", "--json"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_eq!(json_of(&said)["confirmed"]["reached"], 5);
}

/// retap finds a widget by its id alone where it is labelled otherwise. A test of another tool would look for both.
#[test]
fn a_widget_that_a_flow_calls_otherwise_is_exported_as_it_was_found() {
    let folder = scratch();
    write(
        folder.path(),
        "tag.yaml",
        &FLOW.replace("- tapOn: Done", "- tapOn:\n    id: done\n    text: Ready"),
    );
    let import = ["import", "tag.yaml", "--device", "sim:notes", "--to", "crash", "--out", "."];
    assert_eq!(run(folder.path(), &import).status.code(), Some(0));
    let trace = "tag.trace.jsonl";
    for (what, ready) in [(trace, true), ("short", false)] {
        if what == "short" {
            assert_eq!(run(folder.path(), &["reduce", trace, "--out", "short"]).status.code(), Some(0));
        }
        let said = run(folder.path(), &["export", what, "--as", "adb"]);
        assert_eq!(said.status.code(), Some(0), "{}", words(&said));
        let script = String::from_utf8(said.stdout).expect("text");
        let finds: Vec<&str> = script.lines().filter(|line| line.starts_with("find ")).collect();
        assert_eq!(finds.iter().any(|line| line.contains("Ready")), ready, "{script}");
        assert!(finds.last().is_some_and(|line| line.contains(":id/done")), "{script}");
    }
}

#[test]
fn what_was_read_and_skipped_is_said() {
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    let said = run(folder.path(), &["import", "tag.yaml", "--device", "sim:notes", "--out", "."]);
    assert_eq!(said.status.code(), Some(0));
    assert_eq!(words(&said), include_str!("golden/import.txt"));
    assert!(said.stdout.is_empty());
    let quiet = run(folder.path(), &["import", "tag.yaml", "-q"]);
    let lines = String::from_utf8(quiet.stdout).expect("text");
    assert!(lines.starts_with("{\"retap\":\"trace\""), "{lines}");
}

#[test]
fn a_recording_may_come_through_a_pipe() {
    let folder = scratch();
    let mut import = retap(folder.path(), &["import", "-", "--json", "--out", "traces"]);
    let mut import =
        import.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap");
    let script =
        "type= raw events\nstart data >>\nLaunchActivity(a.b, a.b.Main)\nTap(1, 2)\nDispatchFlip(true)\n";
    import.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("a reader");
    let said = import.wait_with_output().expect("an end");
    let result = json_of(&said);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_eq!((&result["from"], &result["events"]), (&json!("monkey"), &json!(1)));
    assert_eq!(result["because"], "it has the line 'start data >>'");
    assert_eq!(
        result["skipped"],
        json!([{ "what": "DispatchFlip statements: a hardware keyboard", "count": 1, "line": 5 }])
    );
    assert_eq!(result["file"], "traces/monkey.trace.jsonl");
    assert!(result["notes"][0].as_str().expect("words").contains("--to crash"), "{result}");
}

#[test]
fn what_cannot_be_imported_is_one_sentence_and_2() {
    let folder = scratch();
    let files = [
        ("dump.xml", "<hierarchy rotation=\"0\"></hierarchy>", "error: dump.xml: it is a UI Automator dump"),
        (
            "notes.txt",
            "hello",
            "error: notes.txt: retap does not know what wrote this; say it with --from: monkey,",
        ),
        (
            "flow.yaml",
            "appId: a.b\n---\n- runScript: x.js\n",
            "error: flow.yaml: line 3: runScript: scripts are not run",
        ),
        (
            "tap.txt",
            "start data >>\nTap(1, 2)\n",
            "error: tap.txt: the recording does not say which app it is of",
        ),
        (
            "out.yaml",
            "appId: a.b\n---\n- runFlow: ../x.yaml\n",
            "error: out.yaml: line 3: runFlow: ../x.yaml lies outside",
        ),
    ];
    for (name, content, sentence) in files {
        write(folder.path(), name, content);
        let said = run(folder.path(), &["import", name]);
        assert_eq!(said.status.code(), Some(2), "{name}");
        assert!(words(&said).starts_with(sentence), "{}", words(&said));
        assert_eq!(words(&said).trim_end().lines().count(), 1, "{}", words(&said));
        assert!(said.stdout.is_empty());
    }
    for (args, sentence) in [
        (&["import", "gone.txt"][..], "error: gone.txt: cannot be opened"),
        (&["import", "tap.txt", "--from", "monky"], "error: tap.txt: --from: there is no importer 'monky'"),
        (&["import", "tap.txt", "--screen", "big"], "error: invalid value 'big'"),
        (&["import", "tap.txt", "--app", "a.b", "--device", "sim:notes"], "error: "),
        (&["import", "tap.txt", "--app", "a.b", "--device", "notes"], "error: there is no device 'notes'"),
        (
            &["import", "tap.txt", "--app", "a.b", "--to", "cmd:./check.sh"],
            "error: --to cmd:./check.sh: a command judges files",
        ),
        (&["import", "tap.txt", "--seed", "7"], "error: --seed does nothing here"),
    ] {
        let said = run(folder.path(), args);
        assert_eq!(said.status.code(), Some(2), "{args:?}");
        assert!(words(&said).starts_with(sentence), "{}", words(&said));
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_not_followed() {
    let (folder, outside) = (scratch(), scratch());
    write(outside.path(), "secret.yaml", "appId: a.b\n---\n- back\n");
    write(folder.path(), "flow.yaml", "appId: a.b\n---\n- runFlow: link.yaml\n");
    std::os::unix::fs::symlink(outside.path().join("secret.yaml"), folder.path().join("link.yaml"))
        .expect("a link");
    let said = run(folder.path(), &["import", "flow.yaml"]);
    assert_eq!(said.status.code(), Some(2));
    let sentence = "error: flow.yaml: line 3: runFlow: link.yaml lies outside the folder of the recording";
    assert!(words(&said).starts_with(sentence), "{}", words(&said));
}

/// What somebody has worked on since is not lost.
#[test]
fn files_with_other_content_are_overwritten_only_by_force() {
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    let import = ["import", "tag.yaml", "--device", "sim:notes", "--to", "crash", "--out", "out", "-q"];
    let export = ["export", "out/tag.trace.jsonl", "--as", "text", "--out", "out", "-q"];
    for (args, file) in [(&import[..], "out/tag.trace.jsonl"), (&export, "out/tag.text.txt")] {
        // The same may be written again.
        for _ in 0..2 {
            let said = run(folder.path(), args);
            assert_eq!(said.status.code(), Some(0), "{}", words(&said));
        }
        let made = text(folder.path(), file);
        write(folder.path(), file, "mine");
        let said = run(folder.path(), args);
        let sentence =
            format!("error: {file} has other content; --force overwrites it, another --out keeps it\n");
        assert!(said.status.code() == Some(2) && words(&said).ends_with(&sentence), "{}", words(&said));
        assert_eq!(text(folder.path(), file), "mine");
        let said = run(folder.path(), &[args, &["--force"]].concat());
        assert_eq!(said.status.code(), Some(0), "{}", words(&said));
        assert_eq!(text(folder.path(), file), made);
    }
}

/// Also by force, for that is what the test is made of.
#[cfg(unix)]
#[test]
fn an_export_does_not_take_the_place_of_its_trace() {
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    assert_eq!(run(folder.path(), &["import", "tag.yaml", "--out", ".", "-q"]).status.code(), Some(0));
    let trace = text(folder.path(), "tag.trace.jsonl");
    std::os::unix::fs::symlink("tag.trace.jsonl", folder.path().join("tag.text.txt")).expect("a link");
    let said = run(folder.path(), &["export", "tag.trace.jsonl", "--as", "text", "--out", ".", "--force"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(
        words(&said).contains("tag.text.txt is the trace itself; name another folder"),
        "{}",
        words(&said)
    );
    assert_eq!(text(folder.path(), "tag.trace.jsonl"), trace);
}

#[cfg(unix)]
#[test]
fn a_script_for_adb_may_be_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    assert_eq!(run(folder.path(), &["import", "tag.yaml", "--out", ".", "-q"]).status.code(), Some(0));
    for (tool, file, runs) in [("adb", "tag.adb.sh", true), ("maestro", "tag.maestro.yaml", false)] {
        let said = run(folder.path(), &["export", "tag.trace.jsonl", "--as", tool, "--out", ".", "-q"]);
        assert_eq!(said.status.code(), Some(0), "{}", words(&said));
        let mode = std::fs::metadata(folder.path().join(file)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o100 != 0, runs, "{file}: {mode:o}");
    }
}

/// The file to mend is the template, not the trace.
#[test]
fn what_is_wrong_in_a_template_is_said_with_its_file() {
    let folder = scratch();
    write(folder.path(), "tag.yaml", FLOW);
    assert_eq!(run(folder.path(), &["import", "tag.yaml", "--out", ".", "-q"]).status.code(), Some(0));
    std::fs::create_dir(folder.path().join("tpl")).expect("a folder");
    for (template, says) in [
        ("{{ package }}\n{{ foo }}", "error: tpl/text.jinja, line 2: undefined value"),
        ("{{ refuse('no way') }}", "error: tpl/text.jinja: no way\n"),
    ] {
        write(folder.path(), "tpl/text.jinja", template);
        let export = ["export", "tag.trace.jsonl", "--as", "text", "--templates", "tpl"];
        let said = run(folder.path(), &export);
        assert!(said.status.code() == Some(2) && words(&said).starts_with(says), "{}", words(&said));
    }
}

/// What goes to a program through stdout is what would stand in the file, to the last character.
#[test]
fn stdout_is_the_file() {
    let folder = scratch();
    let odd = "a\u{7f}b\u{9b}c\u{1b}cd";
    let flow = format!(
        "appId: a.b\n---\n- launchApp\n- tapOn: {}\n",
        json!(odd).to_string().replace('\u{7f}', "\\u007f").replace('\u{9b}', "\\u009b")
    );
    write(folder.path(), "c.yaml", &flow);
    let import = ["import", "c.yaml", "--to", "crash"];
    let said = run(folder.path(), &import);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_eq!(run(folder.path(), &[&import[..], &["--out", "traces"]].concat()).status.code(), Some(0));
    let trace = text(folder.path(), "traces/c.trace.jsonl");
    assert!(trace.contains('\u{7f}'), "{trace}");
    assert_eq!(String::from_utf8(said.stdout).expect("text"), trace);
    let result = json_of(&run(folder.path(), &[&import[..], &["--json"]].concat()));
    assert_eq!(result["text"], trace);

    let system = format!("{{\"event\":{{\"do\":\"system\",\"action\":{}}}}}\n", json!(odd));
    write(
        folder.path(),
        "s.trace.jsonl",
        &(trace.lines().next().expect("a header").to_owned() + "\n" + &system),
    );
    let export = ["export", "s.trace.jsonl", "--as", "adb"];
    let said = run(folder.path(), &export);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    assert_eq!(run(folder.path(), &[&export[..], &["--out", "tests"]].concat()).status.code(), Some(0));
    let script = text(folder.path(), "tests/s.adb.sh");
    assert!(script.contains('\u{1b}') && script.contains('\u{7f}'), "{script}");
    assert_eq!(String::from_utf8(said.stdout).expect("text"), script);
}
