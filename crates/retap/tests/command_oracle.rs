//! Reducing with an outside oracle: `--to cmd:COMMAND`, on any text and on traces.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), format!("#!/bin/sh\n{text}\n")).expect("written");
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).expect("made executable");
    }

    /// The numbers from 1 on, one a line.
    fn list(&self, name: &str, length: u32) {
        let lines: Vec<String> = (1..=length).map(|number| number.to_string()).collect();
        std::fs::write(self.path(name), lines.join("\n") + "\n").expect("written");
    }

    fn reduce(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_retap"))
            .arg("reduce")
            .args(args)
            .args(["--json"])
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("retap runs")
    }

    /// The result of a reduction that must succeed.
    fn reduced(&self, args: &[&str]) -> Value {
        let said = self.reduce(args);
        assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).expect("one JSON object")
    }
}

fn words(said: &Output) -> String {
    String::from_utf8_lossy(&said.stderr).into_owned()
}

#[test]
fn any_text_is_reduced_by_a_script() {
    let folder = Folder::new();
    folder.list("list.txt", 500);
    // One line is looked for in the file, one on standard input.
    folder.script("check.sh", r#"grep -qx 77 "$1" && grep -qx 432"#);
    for jobs in ["1", "4"] {
        let args = ["list.txt", "--to", "cmd:./check.sh", "-j", jobs, "--out", jobs, "--force"];
        let result = folder.reduced(&args);
        assert_eq!(result["kept"], serde_json::json!([77, 432]));
        assert_eq!((&result["events_before"], &result["events_after"]), (&500.into(), &2.into()));
        assert_eq!(result["confirmed"]["reached"], 20);
        assert_eq!(result["trace"], "list.reduced.txt");
        assert_eq!(std::fs::read_to_string(folder.path("list.reduced.txt")).unwrap(), "77\n432\n");
    }
    assert_eq!(std::fs::read_to_string(folder.path("list.txt")).unwrap().lines().count(), 500);
}

#[test]
fn brackets_go_together() {
    let folder = Folder::new();
    let block = |number: u32| format!("if a{number} {{\nwork {number};\n}}\n");
    let text = (1..60).map(block).chain(["while x {\nboom;\n}\n".to_owned()]).collect::<String>();
    std::fs::write(folder.path("program.c"), text).expect("written");
    // Every bracket has its other one: neither can go alone.
    folder
        .script("check.sh", r#"test "$(grep -c '{' "$1")" = "$(grep -c '}' "$1")" && grep -qx 'boom;' "$1""#);
    let result = folder.reduced(&["program.c", "--to", "cmd:./check.sh"]);
    assert_eq!(std::fs::read_to_string(folder.path("program.reduced.c")).unwrap(), "boom;\n", "{result}");
    let again = folder.reduced(&["program.reduced.c", "--to", "cmd:./check.sh"]);
    assert_eq!(again["events_after"], result["events_after"]);
}

#[test]
fn every_run_has_a_folder_of_its_own() {
    let folder = Folder::new();
    folder.list("list.txt", 60);
    // Runs at once would find each other's file if they shared a folder.
    folder.script("check.sh", r#"test -e mine && exit 3; touch mine; sleep 0.01; grep -qx 7 "$1""#);
    let result = folder.reduced(&["list.txt", "--to", "cmd:./check.sh", "-j", "4", "--write", "out.txt"]);
    assert_eq!((&result["kept"], &result["runs_inconclusive"]), (&serde_json::json!([7]), &0.into()));
    assert_eq!(std::fs::read(folder.path("out.txt")).unwrap(), b"7\n");
}

#[test]
fn a_flaky_command_is_measured() {
    let folder = Folder::new();
    folder.list("list.txt", 40);
    // Reproduces every other time, whatever is left of the list.
    folder.script(
        "count.sh",
        r#"n=$(cat "$RETAP_DIR/n" 2>/dev/null || echo 0); echo $((n+1)) > "$RETAP_DIR/n"; exit $((n % 2))"#,
    );
    let result = folder.reduced(&["list.txt", "--to", "cmd:./count.sh"]);
    assert_eq!((&result["status"], &result["events_after"]), (&"reduced".into(), &0.into()), "{result}");
    assert_eq!(result["confirmed"], serde_json::json!({ "reached": 10, "of": 20 }), "{result}");
    let said = folder.reduce(&["list.txt", "--to", "cmd:./count.sh", "--min-rate", "0.75", "--out", "x"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("--min-rate asks for at least 15 of 20"), "{}", words(&said));
    let said = folder.reduce(&["list.txt", "--to", "cmd:./count.sh", "--rule", "18/20", "--out", "y"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("below the rule"), "{}", words(&said));
}

#[test]
fn every_search_takes_a_command_for_a_trace() {
    let folder = Folder::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dalvik.trace.jsonl");
    std::fs::copy(&sample, folder.path("dalvik.trace.jsonl")).expect("samples are part of the project");
    let text = std::fs::read_to_string(&sample).expect("text");
    // Steps 1, 22, 23 and 36 are needed; the header is line 0.
    let needed: Vec<&str> = [1, 22, 23, 36].map(|step| text.lines().nth(step).expect("a step")).to_vec();
    std::fs::write(folder.path("needed"), needed.join("\n") + "\n").expect("written");
    folder.script(
        "check.sh",
        r#"while read -r line; do grep -qxF -- "$line" "$1" || exit 1; done < "$RETAP_DIR/needed""#,
    );
    for search in ["auto", "ddmin", "cdd", "hdd", "bhdd", "lhdd", "lhdd-nopre", "echo"] {
        let args = ["dalvik.trace.jsonl", "--to", "cmd:./check.sh", "--search", search, "-j", "2", "--force"];
        let pass: &[&str] = if search == "auto" { &[] } else { &["--one-by-one"] };
        let result = folder.reduced(&[&args[..], pass, &["--confirm", "2", "--out", search]].concat());
        assert_eq!(result["kept"], serde_json::json!([1, 22, 23, 36]), "{search}");
    }
    let short = std::fs::read_to_string(folder.path("dalvik.reduced.trace.jsonl")).expect("written beside");
    assert_eq!(short.lines().count(), 5, "{short}");
}

#[test]
fn commands_that_cannot_be_run() {
    let folder = Folder::new();
    folder.list("list.txt", 5);
    std::fs::write(folder.path("plain"), "no script").expect("written");
    for (command, part) in [
        ("cmd:./missing.sh", "./missing.sh cannot be run: No such file"),
        ("cmd:no-such-command-anywhere", "there is no command 'no-such-command-anywhere'"),
        ("cmd:./plain", "chmod +x ./plain"),
        ("cmd: ", "is not a target"),
    ] {
        let said = folder.reduce(&["list.txt", "--to", command]);
        assert_eq!(said.status.code(), Some(2), "{}", words(&said));
        assert_eq!(words(&said).lines().count(), 1, "{}", words(&said));
        assert!(words(&said).starts_with("error: ") && words(&said).contains(part), "{}", words(&said));
        assert!(!folder.path("retap-out").exists(), "{command} left a folder behind");
    }
}

#[test]
fn a_command_that_always_ends_with_2_says_nothing() {
    let folder = Folder::new();
    folder.list("list.txt", 5);
    folder.script("check.sh", "exit 2");
    let said = folder.reduce(&["list.txt", "--to", "cmd:./check.sh"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(
        words(&said).contains("ended with 2, which is neither 0 (it reproduces) nor 1"),
        "{}",
        words(&said)
    );
    let result: Value = serde_json::from_slice(&said.stdout).expect("one JSON object");
    assert_eq!((&result["status"], &result["runs"]), (&"cut_short".into(), &0.into()));
    assert!(!folder.path("list.reduced.txt").exists());
}

#[test]
fn a_command_that_hangs_is_killed_with_all_its_children() {
    let folder = Folder::new();
    folder.list("list.txt", 5);
    folder.script("check.sh", "sleep 600 & echo $! >> \"$RETAP_DIR/pids\"\nsleep 600");
    let said = folder.reduce(&["list.txt", "--to", "cmd:./check.sh", "--timeout", "1", "--rule", "1/1"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("0 of 12 times (the command was stopped after 1s)"), "{}", words(&said));
    for pid in std::fs::read_to_string(folder.path("pids")).expect("it ran").lines() {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(" Z "), "process {pid} is left over: {state}");
    }
}

#[test]
fn a_gigabyte_of_output_goes_nowhere() {
    let folder = Folder::new();
    folder.list("list.txt", 3);
    folder.script("check.sh", "head -c 500000000 /dev/zero; head -c 500000000 /dev/zero >&2; exit 0");
    let result = folder.reduced(&["list.txt", "--to", "cmd:./check.sh", "--confirm", "1", "--rule", "1/1"]);
    assert_eq!(result["events_after"], 0, "the command is content with an empty list");
}

#[test]
fn the_input_is_never_overwritten() {
    let folder = Folder::new();
    folder.list("list.txt", 5);
    std::os::unix::fs::symlink(folder.path("list.txt"), folder.path("link.txt")).expect("a link");
    for write in ["list.txt", "./list.txt", "link.txt"] {
        let said = folder.reduce(&["list.txt", "--to", "cmd:true", "--write", write]);
        assert_eq!(said.status.code(), Some(2));
        assert!(words(&said).contains("the input is never overwritten"), "{}", words(&said));
    }
    assert_eq!(std::fs::read_to_string(folder.path("list.txt")).unwrap().lines().count(), 5);
}

/// Nobody has typed the name of the answer beside the input, and something may stand there already.
#[test]
fn an_answer_takes_the_place_of_nothing_else() {
    let folder = Folder::new();
    folder.list("list.txt", 5);
    std::fs::write(folder.path("list.reduced.txt"), "mine\n").expect("written");
    let beside = || std::fs::read_to_string(folder.path("list.reduced.txt")).expect("it is there");
    let to = |wanted: u32| format!("cmd:grep -qx {wanted}");
    let refused = |args: &[&str]| {
        let said = folder.reduce(args);
        assert_eq!(said.status.code(), Some(2), "{}", words(&said));
        assert!(
            words(&said).contains("is there already, and is no answer of this reduction"),
            "{}",
            words(&said)
        );
    };
    refused(&["list.txt", "--to", &to(3)]);
    assert_eq!(beside(), "mine\n");
    refused(&["list.txt", "--to", &to(3), "--write", "list.reduced.txt"]);
    folder.reduced(&["list.txt", "--to", &to(3), "--write", "list.reduced.txt", "--force", "--out", "three"]);
    assert_eq!(beside(), "3\n");
    // The same reduction again, and another one that would take its place.
    std::fs::remove_file(folder.path("list.reduced.txt")).expect("it is there");
    folder.reduced(&["list.txt", "--to", &to(3)]);
    folder.reduced(&["list.txt", "--to", &to(3)]);
    refused(&["list.txt", "--to", &to(4)]);
    assert_eq!(beside(), "3\n");
    let kept = std::fs::read_to_string(folder.path("three/reduced.txt"));
    assert_eq!(kept.expect("the session keeps it, too"), "3\n");
    // An empty file holds nothing, and a pipe keeps nothing.
    std::fs::write(folder.path("empty.txt"), "").expect("written");
    for write in ["empty.txt", "/dev/null"] {
        folder.reduced(&["list.txt", "--to", &to(4), "--write", write]);
    }
}

#[test]
fn goes_on_where_it_was_stopped() {
    let folder = Folder::new();
    folder.list("list.txt", 200);
    folder.script("check.sh", r#"echo >> "$RETAP_DIR/calls"; grep -qx 77 "$1" && grep -qx 150"#);
    let calls = || std::fs::read_to_string(folder.path("calls")).expect("it ran").lines().count();
    let first = folder.reduced(&["list.txt", "--to", "cmd:./check.sh", "--out", "s"]);
    let once = calls();
    let again = folder.reduced(&["list.txt", "--to", "cmd:./check.sh", "--out", "s"]);
    assert_eq!(
        (first["kept"].clone(), once),
        (again["kept"].clone(), calls()),
        "finished runs are not repeated"
    );
}
