//! `--junit`: files that are as Surefire's, and green only when the exit code is 0.

use std::process::{Command, Stdio};

use retap_testing::{Requirement, skipped, until};

use crate::Checkout;
use crate::command::words;

/// What a validator says of a file; nothing when it is valid, or none is here.
fn invalid(checkout: &Checkout, file: &str) -> Option<String> {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ci/junit.xsd");
    let said = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema", schema])
        .arg(checkout.at(file))
        .output();
    match said {
        Err(_) => {
            skipped(Requirement::XmlLint, "xmllint not found (Debian package libxml2-utils)");
            None
        }
        Ok(said) if said.status.success() => None,
        Ok(said) => Some(String::from_utf8_lossy(&said.stderr).into_owned()),
    }
}

fn assert_valid(checkout: &Checkout, file: &str) {
    if let Some(why) = invalid(checkout, file) {
        panic!("{why}\n{}", checkout.read(file));
    }
}

/// The value of the first attribute of this name: that of the whole file.
fn total(xml: &str, attribute: &str) -> u32 {
    let (_, rest) = xml.split_once(&format!(" {attribute}=\"")).expect("an attribute");
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
}

fn is_green(xml: &str) -> bool {
    total(xml, "failures") == 0 && total(xml, "errors") == 0 && total(xml, "tests") > total(xml, "skipped")
}

/// Commands, their exit codes, and what their files must have.
const COMMANDS: &[(&str, i32, &[&str])] = &[
    ("explore -d sim:notes --events 20 --out quiet", 0, &["name=\"exploration\"", "20 events", "no crash"]),
    (
        "explore -d sim:notes --strategy aware --events 3000 --seed 7 --out night",
        1,
        &[
            "<failure message=\"java.lang.IllegalStateException at",
            "    at org.retap.notes.EditorActivity.addTag(",
        ],
    ),
    (
        "explore -d sim:notes?blind=1 --events 100 --out blind",
        2,
        &["<error ", "the screen could not be read"],
    ),
    (
        "reduce notes-unnamed-tag.trace.jsonl",
        0,
        &["reduced 325 events to 4; fresh runs reached it 20 of 20 times", "4. tap &apos;Done&apos;"],
    ),
    (
        "reduce keys.trace.jsonl",
        1,
        &["<failure message=\"all 2 events reached crash:", "type=\"not reproducible\""],
    ),
    (
        "reduce notes-sync-conflict.trace.jsonl --rule 20/20 -d sim:notes?flaky=0.7 --seed 3",
        1,
        &["<failure message=\"reduced 120 events", "type=\"below the rule\"", "the rule 20/20 asks for more"],
    ),
    ("reduce notes-unnamed-tag.trace.jsonl -d sim:notes?offline=1", 2, &["<error ", "is offline"]),
    ("reduce night --all --out all", 0, &["name=\"crash:IllegalStateException@", "fresh runs reached it"]),
    ("reduce missing.trace.jsonl", 2, &["<error ", "missing.trace.jsonl"]),
    (
        "replay notes-sync-conflict.trace.jsonl -d sim:notes?flaky=0.7 --times 4 --seed 3",
        0,
        &["<flakyFailure message=\"run "],
    ),
    (
        "replay notes-unnamed-tag.trace.jsonl -d sim:notes?offline=0.002 --times 3",
        0,
        &["<flakyError ", "is offline"],
    ),
    ("replay keys.trace.jsonl --times 3", 1, &["<failure ", "<rerunFailure ", "type=\"missed\""]),
    (
        "replay notes-unnamed-tag.trace.jsonl -d sim:notes?blind=1",
        2,
        &["<error message=\"cut short after 0 of 20 runs: 325 events reached", "could not be read"],
    ),
    ("replay keys.trace.jsonl --times 3 --expect-no-crash", 0, &["2 events crashed the app 0 of 3 times"]),
    (
        "replay notes-unnamed-tag.trace.jsonl --times 3 --expect-no-crash",
        1,
        &[
            "325 events crashed the app 3 of 3 times",
            "<rerunFailure message=\"run 3: java.lang.IllegalStateException",
        ],
    ),
    ("suite night --out small", 0, &[]),
    ("replay --suite small/suite", 0, &["classname=\"small/suite\"", "followed"]),
    (
        "replay --suite small/suite -d sim:notes?blind=1",
        2,
        &["<skipped ", "name=\"the whole suite\"", "<error "],
    ),
];

/// A report takes the place of an earlier one, and of nothing else.
#[test]
fn a_report_overwrites_nothing_but_a_report() {
    let checkout = Checkout::new();
    checkout.run(&["explore", "-d", "sim:notes", "--events", "30", "--out", "night", "-q"]);
    checkout.run(&["suite", "notes-unnamed-tag.trace.jsonl", "--out", "made", "-q"]);
    checkout.write("my.app", include_str!("../../../sim/apps/notes.app"));
    checkout.write("retap.toml", "seed = 7\n");
    checkout.write("claims.sarif", "{\"retap\":\"trace\",\"claim\":{\"runs\":20}}\n");
    checkout.write("old.xml", "<?xml version=\"1.0\"?>\n<testsuite name=\"of another tool\"/>\n");
    checkout.write("list.xml", "<testsuite/>\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("keys.trace.jsonl", checkout.at("link.xml")).expect("a link");
    let replay = ["replay", "keys.trace.jsonl", "-d", "sim:./my.app", "--expect-no-crash", "--times", "1"];
    let judged = ["reduce", "list.xml", "--to", "cmd:true", "--junit", "list.xml"];
    let refusals = [
        (
            [&replay[..], &["--junit", "keys.trace.jsonl"]].concat(),
            "keys.trace.jsonl",
            "what this command reads",
        ),
        (
            [&replay[..], &["--sarif", "./keys.trace.jsonl"]].concat(),
            "keys.trace.jsonl",
            "what this command reads",
        ),
        (judged.to_vec(), "list.xml", "what this command reads"),
        ([&replay[..], &["--junit", "my.app"]].concat(), "my.app", "a file that is no JUnit report"),
        ([&replay[..], &["--junit", "retap.toml"]].concat(), "retap.toml", "a file that is no JUnit report"),
        (
            [&replay[..], &["--sarif", "claims.sarif"]].concat(),
            "claims.sarif",
            "a file that is no SARIF report",
        ),
        ([&replay[..], &["--sarif", "old.xml"]].concat(), "old.xml", "a file that is no SARIF report"),
        ([&replay[..], &["--junit", "night/session.db"]].concat(), "night/session.db", "parts of a session"),
        (
            ["replay", "--suite", "made/suite", "--junit", "made/suite/suite.json"].to_vec(),
            "made/suite/suite.json",
            "parts of a session",
        ),
    ];
    for (args, file, said) in refusals {
        let before = std::fs::read(checkout.at(file)).expect("it is there");
        let refused = checkout.run(&args);
        let told = words(&refused);
        assert!(refused.status.code() == Some(2) && told.contains(said), "{args:?}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(std::fs::read(checkout.at(file)).expect("it is still there") == before, "{args:?}");
    }
    let both = |other: &'static [&'static str]| [&replay[..], &["--junit", "r.xml"], other].concat();
    let reduce = ["reduce", "notes-unnamed-tag.trace.jsonl", "--write", "r.xml", "--junit", "./r.xml"];
    for (args, said) in [
        (both(&["--sarif", "r.xml"]), "--junit and --sarif name the same file"),
        (both(&["--sarif", "./made/../r.xml"]), "--junit and --sarif name the same file"),
        (reduce.to_vec(), "--write and --junit name the same file"),
    ] {
        let refused = checkout.run(&args);
        let told = words(&refused);
        assert!(refused.status.code() == Some(2) && told.contains(said), "{args:?}: {told}");
        assert!(!checkout.at("r.xml").exists(), "{args:?}");
    }
    if cfg!(unix) {
        let through = checkout.run(&[&replay[..], &["--junit", "link.xml"]].concat());
        assert_eq!(through.status.code(), Some(2), "{}", words(&through));
    }
    let inside = ["--out", "x", "--junit", "x/session.db"];
    let new = checkout.run(&[&["explore", "-d", "sim:notes", "--events", "9"], &inside[..]].concat());
    assert!(new.status.code() == Some(2) && !checkout.at("x").exists(), "{}", words(&new));
}

#[test]
fn two_reports_do_not_meet_in_one_file() {
    let checkout = Checkout::new();
    let replay = ["replay", "keys.trace.jsonl", "-d", "sim:notes", "--expect-no-crash", "--times", "1"];
    let dash = checkout.run(&[&replay[..], &["--junit", "-"]].concat());
    assert!(words(&dash).contains("--junit -: a report goes into a file"), "{}", words(&dash));
    assert!(dash.status.code() == Some(2) && !checkout.at("-").exists());
    #[cfg(unix)]
    {
        // To a link to what is not there yet.
        std::os::unix::fs::symlink("x.xml", checkout.at("z.xml")).expect("a link");
        std::os::unix::fs::symlink("z.xml", checkout.at("y.xml")).expect("a link");
        let both = checkout.run(&[&replay[..], &["--junit", "x.xml", "--sarif", "y.xml"]].concat());
        assert_eq!(both.status.code(), Some(2), "{}", words(&both));
        assert!(words(&both).contains("--junit and --sarif name the same file"), "{}", words(&both));
    }
}

/// Nobody waits for hours to be told that there is nobody to tell.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_to_who_reads_it_and_to_nobody_else() {
    let checkout = Checkout::new();
    std::fs::create_dir(checkout.at("out")).expect("a folder");
    for pipe in ["pipe.xml", "out/keys.text.txt", "out/flow.trace.jsonl"] {
        let made = Command::new("mkfifo").arg(checkout.at(pipe)).status();
        assert!(made.expect("mkfifo runs").success());
    }
    checkout.write("flow.yaml", "appId: a.b\n---\n- back\n");
    let replay = ["replay", "keys.trace.jsonl", "-d", "sim:notes", "--expect-no-crash", "--times", "1"];
    let replay = [&replay[..], &["--junit", "pipe.xml"]].concat();
    let export = ["export", "keys.trace.jsonl", "--as", "text", "--out", "out"];
    let import = ["import", "flow.yaml", "--out", "out"];
    let reduce = ["reduce", "notes-unnamed-tag.trace.jsonl", "--write", "pipe.xml", "--confirm", "2"];
    for args in [&replay[..], &export, &import, &reduce] {
        let refused = checkout.run(args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", words(&refused));
        assert!(words(&refused).contains("is a pipe that nobody reads"), "{}", words(&refused));
        assert!(
            !words(&refused).contains("runs of") && !checkout.at("retap-out").exists(),
            "it is known before anything is run: {}",
            words(&refused)
        );
    }
    let reader = Command::new("cat").arg(checkout.at("pipe.xml")).stdout(Stdio::piped()).spawn();
    let reader = reader.expect("cat runs");
    let mut said = checkout.run(&replay);
    // The reader may not be there yet.
    until("the pipe is read", || {
        let read = said.status.code() == Some(0);
        if !read {
            said = checkout.run(&replay);
        }
        read
    });
    let read = reader.wait_with_output().expect("it ends").stdout;
    assert!(String::from_utf8_lossy(&read).contains("<testsuites"), "{}", words(&said));
}

/// What is told of a crash is run as it stands.
#[test]
fn the_command_that_shows_a_crash_again_can_be_typed() {
    let checkout = Checkout::new();
    let known = checkout.read("notes-unnamed-tag.trace.jsonl");
    let plain: Vec<String> = known
        .lines()
        .map(|line| {
            let mut part: serde_json::Value = serde_json::from_str(line).expect("JSON");
            for field in ["crash", "target"] {
                part.as_object_mut().expect("an object").remove(field);
            }
            part.to_string()
        })
        .collect();
    checkout.write("plain.trace.jsonl", &(plain.join("\n") + "\n"));
    let args = ["replay", "plain.trace.jsonl", "--to", "crash", "--times", "2", "--sarif", "x.sarif"];
    let said = checkout.run(&args);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let log = checkout.read("x.sarif");
    assert!(log.contains("retap replay plain.trace.jsonl --to crash"), "{log}");
    assert!(log.contains("a crash that the trace does not record; ended 2 of 2 runs"), "{log}");
    // A target of its own would be measured in the place of the one that was typed.
    let (first, rest) = known.split_once('\n').expect("a header");
    let mut header: serde_json::Value = serde_json::from_str(first).expect("JSON");
    header["target"] = "crash:X@Y.z#1".into();
    checkout.write("other.trace.jsonl", &format!("{header}\n{rest}"));
    let told = |typed: &[&str]| {
        let replay = ["replay", "other.trace.jsonl", "--times", "2", "--sarif", "x.sarif"];
        checkout.run(&[&replay[..], typed].concat());
        checkout.read("x.sarif")
    };
    for typed in [["--to", "crash"].as_slice(), &["--expect-no-crash"]] {
        let (log, command) = (told(typed), format!("retap replay other.trace.jsonl {}", typed.join(" ")));
        assert!(log.contains(&command), "{command}: {log}");
    }
    let own = told(&[]);
    assert!(own.contains("retap replay other.trace.jsonl") && !own.contains("--to"), "{own}");
}

/// Who reads the report has not seen what was typed.
#[test]
fn a_rate_that_was_asked_for_is_told() {
    let checkout = Checkout::new();
    let args =
        ["reduce", "notes-sync-conflict.trace.jsonl", "-d", "sim:notes?flaky=0.5", "--min-rate", "0.99"];
    let said = checkout.run(&[&args[..], &["--junit", "x.xml"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let xml = checkout.read("x.xml");
    assert!(xml.contains("; --min-rate asks for at least "), "{xml}");
}

#[test]
fn a_report_takes_the_place_of_an_earlier_one() {
    let checkout = Checkout::new();
    checkout.write("old.xml", "<?xml version=\"1.0\"?>\n<testsuite name=\"of another tool\"/>\n");
    let replay = ["replay", "keys.trace.jsonl", "-d", "sim:notes", "--expect-no-crash", "--times", "1"];
    checkout.write("of.sarif", "{\n \"version\": \"2.1.0\",\n \"runs\": []\n}\n");
    for file in ["of.sarif", "of.sarif"] {
        let taken = checkout.run(&[&replay[..], &["--sarif", file]].concat());
        assert_eq!(taken.status.code(), Some(0), "{}", words(&taken));
        assert!(checkout.read(file).contains("sarif-2.1.0"), "{file}");
    }
    for file in ["old.xml", "new.xml", "new.xml"] {
        let taken = checkout.run(&[&replay[..], &["--junit", file]].concat());
        assert_eq!(taken.status.code(), Some(0), "{}", words(&taken));
        assert!(checkout.read(file).contains("<testsuites"), "{file}");
    }
}

#[test]
fn files_are_valid_and_green_only_when_the_exit_code_is_0() {
    let checkout = Checkout::new();
    for (number, (command, code, parts)) in COMMANDS.iter().enumerate() {
        let file = format!("{number}.xml");
        let mut args: Vec<&str> = command.split_whitespace().collect();
        let makes_one = args[0] != "suite";
        if makes_one {
            args.extend(["--junit", &file]);
        }
        let said = checkout.run(&args);
        assert_eq!(said.status.code(), Some(*code), "{command}\n{}", words(&said));
        if !makes_one {
            continue;
        }
        let xml = checkout.read(&file);
        assert_eq!(is_green(&xml), *code == 0, "{command}\n{xml}");
        for part in *parts {
            assert!(xml.contains(part), "{command}: no {part} in\n{xml}");
        }
        assert_valid(&checkout, &file);
    }
}

/// The schema finds what is wrong: each of these changes makes a valid file invalid.
#[test]
fn the_schema_can_fail() {
    let checkout = Checkout::new();
    let said = checkout.run(&["replay", "keys.trace.jsonl", "--times", "3", "--junit", "good.xml"]);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let good = checkout.read("good.xml");
    let changes: [(&str, &str); 8] = [
        ("<failure ", "<fault "),
        (" type=\"missed\"", ""),
        ("tests=\"1\"", "tests=\"0\""),
        ("<stackTrace>", "<stack>x</stack><stackTrace>"),
        ("<rerunFailure ", "<flakyFailure "),
        ("classname=\"retap.replay\" ", ""),
        ("timestamp=\"2", "timestamp=\"now 2"),
        ("time=\"", "time=\"-"),
    ];
    for (from, to) in changes {
        let bad = match from {
            // The end of the element goes with its beginning.
            "<rerunFailure " => good.replace("rerunFailure", "flakyFailure"),
            "<failure " => good.replace("failure ", "fault ").replace("</failure>", "</fault>"),
            from => good.replacen(from, to, 1),
        };
        assert_ne!(bad, good, "{from}");
        checkout.write("bad.xml", &bad);
        assert!(
            invalid(&checkout, "bad.xml").is_some_and(|why| why.contains("bad.xml"))
                || invalid(&checkout, "good.xml").is_none() && Command::new("xmllint").output().is_err(),
            "{from} -> {to} is not found"
        );
    }
}

/// Starts a command that takes long, over the green file of an earlier one.
fn long_command(checkout: &Checkout) -> std::process::Child {
    let quiet =
        checkout.run(&["explore", "-d", "sim:notes", "--events", "20", "--out", "q", "--junit", "x.xml"]);
    assert_eq!(quiet.status.code(), Some(0), "{}", words(&quiet));
    assert!(is_green(&checkout.read("x.xml")));
    let args = [
        "explore",
        "-d",
        "sim:notes",
        "--events",
        "100000000",
        "--seed",
        "7",
        "--out",
        "long",
        "--junit",
        "x.xml",
    ];
    let child = checkout.retap(&args).stderr(Stdio::piped()).spawn().expect("retap starts");
    until("the exploration has begun", || checkout.at("long/session.db").exists());
    child
}

#[cfg(unix)]
#[test]
fn a_command_that_is_killed_leaves_no_green_file() {
    let checkout = Checkout::new();
    let mut child = long_command(&checkout);
    child.kill().expect("it runs");
    child.wait().expect("it ended");
    let xml = checkout.read("x.xml");
    assert!(!is_green(&xml) && xml.contains("it still runs, or it was killed"), "{xml}");
    assert_valid(&checkout, "x.xml");
}

#[cfg(unix)]
#[test]
fn a_command_that_is_interrupted_leaves_no_green_file() {
    let checkout = Checkout::new();
    let child = long_command(&checkout);
    let sent =
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("sh runs");
    assert!(sent.success());
    let said = child.wait_with_output().expect("it ended");
    assert_eq!(said.status.code(), Some(130), "{}", words(&said));
    let xml = checkout.read("x.xml");
    assert!(!is_green(&xml) && xml.contains("<error message=\"interrupted after "), "{xml}");
    assert_valid(&checkout, "x.xml");
}

/// What was found and could not be reduced is not told as reduced.
#[test]
fn a_crash_that_was_not_reduced_is_told_so() {
    let checkout = Checkout::new();
    let app = include_str!("../dice.app");
    assert!(app.contains("chance 0.5"), "{app}");
    checkout.write("dice.app", &app.replace("chance 0.5", "chance 0.05"));
    checkout.write("retap.toml", "[reduce]\nmin-rate = 0.99\n");
    let args = ["explore", "-d", "sim:./dice.app", "--strategy", "aware", "--events", "60", "--seed", "1"];
    let said = checkout.run(&[&args[..], &["--reduce", "--junit", "x.xml", "--sarif", "x.sarif"]].concat());
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    assert!(words(&said).contains("not reduced: its trace reached it"), "{}", words(&said));
    for report in ["x.xml", "x.sarif"] {
        let text = checkout.read(report);
        assert!(text.contains("reduced: no: the whole trace reached it"), "{text}");
        assert!(!text.contains("reduced to "), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_known_at_once() {
    let checkout = Checkout::new();
    std::fs::create_dir(checkout.at("taken")).expect("a folder");
    let said = checkout.run(&["explore", "-d", "sim:notes", "--events", "100000000", "--junit", "taken"]);
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(words(&said).contains("taken"), "{}", words(&said));
}

#[test]
fn a_flaky_trace_is_shown_as_surefire_does() {
    let checkout = Checkout::new();
    let args = ["replay", "notes-sync-conflict.trace.jsonl", "-d", "sim:notes?flaky=0.7", "--times", "4"];
    let said = checkout.run(&[&args[..], &["--seed", "3", "--junit", "x.xml"]].concat());
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let xml = checkout.read("x.xml");
    let (before, rest) = xml.split_once("timestamp=\"").expect("a time");
    let (_, after) = rest.split_once('"').expect("its end");
    insta::assert_snapshot!(format!("{before}timestamp=\"(now)\"{after}"));
}
