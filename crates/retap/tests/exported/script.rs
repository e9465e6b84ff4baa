//! Tests in Python and TypeScript, parsed by Python itself and by the compiler of TypeScript. Whatever a widget is called,
//! the program is the same, and only the texts differ in which the name stands.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path as File, PathBuf};
use std::process::Command;

use retap_formats::Expect;
use retap_testing::{Requirement, skipped};
use retap_trace::Trace;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::corpus::{self, Case};
use crate::deed::{Deed, Find, Place, deeds, log};
use crate::hostile::{self, PLAIN};
use crate::{exported, test_of};

const TYPESCRIPT: &str = "typescript@5.9.3";
const NODE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/exported-node");
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exported/tools");

#[derive(Deserialize)]
struct Parsed {
    shape: String,
    strings: Vec<String>,
}

/// What a parser makes of each text; none where the parser cannot be had, which is said.
fn parsed(tool: &str, texts: &[String]) -> Option<Vec<Parsed>> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (mut command, extension) = program(tool, "values")?;
    let mut files = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let file = folder.path().join(format!("{number}.{extension}"));
        std::fs::write(&file, text).expect("a file");
        files.push(file);
    }
    let said = command.args(&files).output().expect("it runs");
    assert!(said.status.success(), "{tool}: {}", String::from_utf8_lossy(&said.stderr));
    let mut all: BTreeMap<PathBuf, Parsed> = serde_json::from_slice(&said.stdout).expect("JSON");
    Some(files.iter().map(|file| all.remove(file).expect("it was read")).collect())
}

/// One of the programs in `tools` that read tests for this tool, and how those are called.
fn program(tool: &str, name: &str) -> Option<(Command, &'static str)> {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if tool == "appium" {
        if !has("python3") {
            skipped(Requirement::Python, "python3 cannot be run");
            return None;
        }
        let mut python = Command::new("python3");
        python.arg(format!("{TOOLS}/{name}.py"));
        return Some((python, "py"));
    }
    if !has("node") || !has("npm") {
        skipped(Requirement::Npm, "node and npm cannot be run");
        return None;
    }
    if !File::new(NODE).join("node_modules/typescript/package.json").exists() {
        std::fs::create_dir_all(NODE).expect("a folder");
        let install =
            ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", NODE, TYPESCRIPT];
        let said = Command::new("npm").args(install).output().expect("npm runs");
        if !said.status.success() {
            skipped(Requirement::Npm, format_args!("npm has no {TYPESCRIPT}: {said:?}"));
            return None;
        }
    }
    let mut node = Command::new("node");
    node.args([format!("{TOOLS}/{name}.mjs"), NODE.to_owned()]);
    Some((node, "ts"))
}

fn is_path(text: &str) -> bool {
    text.starts_with("//*[") || text.starts_with("(//*[")
}

#[test]
fn names_change_no_program() {
    for tool in ["appium", "webdriverio"] {
        // In so many texts of a test the name stands: one for each widget that is looked for, for each text that is typed, and
        // for each command.
        for (kind, named) in
            [(hostile::touched as fn(&str) -> Trace, 8), (hostile::typed, 2), (hostile::told, 2)]
        {
            let names = hostile::names();
            let texts: Vec<String> = [PLAIN.to_owned()]
                .iter()
                .chain(&names)
                .map(|name| test_of(&kind(name), tool).expect("it can"))
                .collect();
            let Some(parsed) = parsed(tool, &texts) else { break };
            let (plain, others) = parsed.split_first().expect("some");
            let found = plain.strings.iter().filter(|text| text.contains(PLAIN)).count();
            assert_eq!(found, named, "{tool}: {:?}", plain.strings);
            for (name, other) in names.iter().zip(others) {
                // A name with a backslash is looked for in another way.
                let way = |shape: &str| shape.replace("ANDROID_UIAUTOMATOR", "XPATH");
                assert_eq!(way(&other.shape), way(&plain.shape), "{tool}: {name:?} changes the program");
                assert_eq!(other.strings.len(), plain.strings.len(), "{tool}: {name:?}");
                let whole = commands(&kind(name)).iter().all(|command| other.strings.contains(command));
                assert!(whole, "{tool}: {name:?}: {:?}", other.strings);
                for (other, plain) in other.strings.iter().zip(&plain.strings) {
                    assert!(
                        same(other, plain, name),
                        "{tool}: {name:?}: {other:?} in the place of {plain:?}"
                    );
                }
            }
        }
    }
}

/// Whether a text is the one that it is with a plain name, but for the name. What an `XPath` means is asked elsewhere; it
/// takes the place of a `UiSelector` that cannot say a backslash.
fn same(text: &str, plain: &str, name: &str) -> bool {
    if is_path(plain) {
        is_path(text)
    } else if plain.contains("new UiSelector()") {
        let said = plain.replace(PLAIN, &name.replace('"', "\\\""));
        text == said || name.contains('\\') && is_path(text)
    } else if plain.starts_with("am ") {
        // A command is compared as a whole, and the device's shell is asked elsewhere what it makes of its words.
        text.starts_with("am ")
    } else if plain.contains("plainname") {
        // The test is called after the crash.
        text.chars().all(|letter| letter.is_ascii_alphanumeric() || " _:".contains(letter))
    } else {
        text == plain.replace(PLAIN, name)
    }
}

/// What the device is told by the steps.
fn commands(trace: &Trace) -> Vec<String> {
    let of = |deed: Deed| if let Deed::Shell(commands) = deed { commands } else { Vec::new() };
    deeds(trace).into_iter().flat_map(of).collect()
}

#[test]
fn samples_and_generated_crashes_are_programs() {
    let cases = corpus::all();
    for tool in ["appium", "webdriverio"] {
        let texts: Vec<String> = cases.iter().filter_map(|case| test_of(&case.trace, tool)).collect();
        assert!(texts.len() >= 30, "{tool}: {}", texts.len());
        let Some(parsed) = parsed(tool, &texts) else { continue };
        assert!(parsed.iter().all(|one| !one.strings.is_empty()));
    }
}

/// The part of a test that reads the log is run, with a driver that has one.
#[test]
fn exceptions_are_known_by_their_names_whatever_line_ends_stand_before_them() {
    for tool in ["appium", "webdriverio"] {
        let Some((mut command, extension)) = program(tool, "crashed") else { continue };
        let folder = tempfile::tempdir().expect("a scratch folder");
        let torn = hostile::torn().into_iter().map(|(trace, _)| (trace, true));
        let traces: Vec<(Trace, bool)> = hostile::signed().into_iter().chain(torn).collect();
        for (number, (trace, _)) in traces.iter().enumerate() {
            let file = folder.path().join(format!("{number}.{extension}"));
            let text = exported(trace, tool, Expect::Crash).expect("it can").text;
            std::fs::write(&file, text).expect("a file");
            std::fs::write(file.with_extension("log"), log(trace).join("\n")).expect("a file");
            command.arg(file);
        }
        let said = command.output().expect("it runs");
        assert!(said.status.success(), "{tool}: {}", String::from_utf8_lossy(&said.stderr));
        let passed: Vec<bool> = serde_json::from_slice(&said.stdout).expect("JSON");
        for ((trace, same), passed) in traces.iter().zip(&passed) {
            assert_eq!(passed, same, "{tool}: {:?}", trace.header.note);
        }
        assert_eq!(passed.len(), traces.len());
    }
}

/// The part of a test that tells Android's `am` something is run, with a driver that carries it out in a shell.
#[test]
fn am_is_taken_at_its_words() {
    for tool in ["appium", "webdriverio"] {
        let Some((mut command, extension)) = program(tool, "told") else { continue };
        let folder = tempfile::tempdir().expect("a scratch folder");
        for (number, (says, code, _)) in hostile::AM.iter().enumerate() {
            let folder = folder.path().join(number.to_string());
            std::fs::create_dir(&folder).expect("a folder");
            let file = folder.join(format!("test.{extension}"));
            std::fs::write(&file, test_of(&hostile::asks_am(says), tool).expect("it can")).expect("a file");
            std::fs::write(folder.join("says"), says).expect("a file");
            let am = folder.join("am");
            std::fs::write(&am, format!("#!/bin/sh\ncat \"${{0%/*}}/says\" >&2\nexit {code}\n"))
                .expect("a file");
            std::fs::set_permissions(&am, PermissionsExt::from_mode(0o755)).expect("its owner may");
            command.arg(file);
        }
        let said = command.output().expect("it runs");
        assert!(said.status.success(), "{tool}: {}", String::from_utf8_lossy(&said.stderr));
        let worked: Vec<bool> = serde_json::from_slice(&said.stdout).expect("JSON");
        let wanted: Vec<bool> = hostile::AM.iter().map(|(_, _, works)| *works).collect();
        assert_eq!(worked, wanted, "{tool}: {:?}", hostile::AM);
    }
}

/// An `XPath` of a test, and the widgets of its trace.
pub(crate) struct Path {
    about: String,
    expression: String,
    finds: Vec<Find>,
}

/// Every `XPath` in the tests of these traces.
pub(crate) fn paths(cases: &[Case]) -> Vec<Path> {
    let tests: Vec<(&Case, String)> =
        cases.iter().filter_map(|case| Some((case, test_of(&case.trace, "appium")?))).collect();
    let texts: Vec<String> = tests.iter().map(|(_, text)| text.clone()).collect();
    let Some(parsed) = parsed("appium", &texts) else { return Vec::new() };
    let mut paths = Vec::new();
    for ((case, _), parsed) in tests.iter().zip(parsed) {
        for expression in parsed.strings.into_iter().filter(|text| is_path(text)) {
            paths.push(Path { about: case.name.clone(), expression, finds: finds(&case.trace) });
        }
    }
    paths
}

pub(crate) fn finds(trace: &Trace) -> Vec<Find> {
    let of = |deed: Deed| match deed {
        Deed::Tap(Place::Widget(find))
        | Deed::DoubleTap(Place::Widget(find))
        | Deed::LongTap(Place::Widget(find), _)
        | Deed::Pinch(Place::Widget(find), _)
        | Deed::Text(Some(find), _) => Some(find),
        _ => None,
    };
    deeds(trace).into_iter().filter_map(of).collect()
}

impl Path {
    pub(crate) fn asked(&self) -> Vec<Value> {
        let attribute = |name: &str| match name {
            "id" => "resource-id",
            "desc" => "content-desc",
            "text" => "text",
            _ => "hint",
        };
        let of = |find: &Find| {
            let attributes: BTreeMap<_, _> =
                find.names.iter().map(|(name, value)| (attribute(name), value)).collect();
            json!({"path": self.expression, "attributes": attributes})
        };
        self.finds.iter().map(of).collect()
    }
}

/// Each means one of the widgets of its trace, and no other that is almost called the same.
pub(crate) fn check_paths(paths: &[Path], answer: &Value) {
    let mut answers = answer.as_array().expect("a list").iter();
    for path in paths {
        let means = |find: &Find, fits: &Value| {
            *fits == find.index.map_or_else(|| json!([0, 1, 2, 3]), |index| json!([index]))
        };
        let fits: Vec<&Value> = answers.by_ref().take(path.finds.len()).collect();
        let found = path.finds.iter().zip(&fits).any(|(find, fits)| means(find, fits));
        assert!(found, "{}: {} means {fits:?} of {:?}", path.about, path.expression, path.finds);
    }
    assert!(answers.next().is_none() && paths.len() > hostile::NAMES.len(), "{} paths", paths.len());
}
