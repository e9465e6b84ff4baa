//! What Maestro, Kotlin's compiler and `XPath` make of exported files: one JVM reads them all.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use retap_formats::Expect;
use retap_testing::{Requirement, skipped};
use retap_trace::{Event, Selector, Step, Trace};
use serde_json::{Value, json};

use crate::corpus::{self, Case};
use crate::kotlin::{self, Compiled};
use crate::{deed, exported, hostile, maestro, script, test_of};

/// What Maven gets and builds is kept between runs, in the folder of the build.
const BUILT: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/exported-tools");
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exported/tools");

/// The tools, built; none where something is missing, which is said.
fn tools() -> Option<String> {
    for program in ["java", "javac", "mvn"] {
        if Command::new(program).arg("-version").output().is_err() {
            skipped(Requirement::Java, format_args!("{program} cannot be run"));
            return None;
        }
    }
    let folder = format!("-Dfolder={BUILT}");
    let built = mvn(&["--offline", &folder]);
    let built = if built.status.success() { built } else { mvn(&[&folder]) };
    let said = String::from_utf8_lossy(&built.stdout).into_owned();
    if said.contains("Could not transfer artifact") {
        skipped(Requirement::Java, format_args!("Maven Central cannot be reached: {said}"));
        return None;
    }
    assert!(built.status.success(), "{said}");
    let libraries = std::fs::read_to_string(Path::new(BUILT).join("classpath")).expect("it was built");
    Some(format!("{BUILT}/classes:{libraries}"))
}

fn mvn(args: &[&str]) -> Output {
    let pom = format!("{TOOLS}/pom.xml");
    let more = ["-B", "-q", "-f", &pom, "compile"];
    Command::new("mvn").args(more).args(args).output().expect("Maven runs")
}

/// The folder in which the tools find what they are asked.
pub(crate) struct Asked {
    folder: tempfile::TempDir,
    names: BTreeSet<String>,
    paths: Vec<Value>,
}

impl Asked {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for part in ["flows", "tests", "wrong"] {
            std::fs::create_dir(folder.path().join(part)).expect("a folder");
        }
        Self { folder, names: BTreeSet::new(), paths: Vec::new() }
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.path().join(part)
    }

    fn put(&self, part: &str, text: &str) {
        std::fs::write(self.path(part), text).expect("a file");
    }

    /// Everything that is called something in the trace may stand on the screen.
    fn add_names(&mut self, trace: &Trace) {
        let of_text =
            |event: &Event| if let Event::Text { widget, .. } = event { widget.clone() } else { None };
        for Step { event, found, .. } in &trace.steps {
            let widget = event.aim().and_then(|aim| aim.widget.clone()).or_else(|| of_text(event));
            let found = found.as_ref().map(|found| found.widget.clone());
            for Selector { id, text, desc, hint, .. } in widget.into_iter().chain(found) {
                self.names.extend([id, text, desc, hint].into_iter().flatten().map(|name| name.to_string()));
            }
        }
    }

    /// What the tools answer, and the names that were on the screen.
    fn answer(&self, libraries: &str) -> (Value, Vec<String>) {
        let names: Vec<String> = self.names.iter().cloned().collect();
        self.put("names.json", &json!(names).to_string());
        self.put("paths.json", &json!(self.paths).to_string());
        let said = Command::new("java")
            .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", libraries, "retap.tools.Check"])
            .arg(self.folder.path())
            .output()
            .expect("Java runs");
        let answer = std::fs::read(self.path("answer.json"));
        let answer = answer.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&said.stderr)));
        (serde_json::from_slice(&answer).expect("JSON"), names)
    }
}

/// The log of a phone for each test: after the crash, and without one.
fn logs(compiled: &[Compiled<'_>]) -> Value {
    let of = |one: &Compiled<'_>| {
        let trace = &one.case.trace;
        let log = json!({"crashed": deed::log(trace).join("\n"), "quiet": deed::started(trace)});
        (format!("n{}", one.package), log)
    };
    Value::Object(compiled.iter().map(of).collect())
}

/// Every trace that is exported, with its hostile ones.
fn cases() -> Vec<Case> {
    let mut cases = corpus::all();
    for (number, name) in hostile::names().iter().enumerate() {
        for (kind, trace, tools) in [
            ("touched", hostile::touched(name), &["maestro", "uiautomator"][..]),
            // Espresso has no places.
            ("named", hostile::touched_by_name(name), &["espresso"]),
            ("typed", hostile::typed(name), &["maestro", "uiautomator", "espresso"]),
        ] {
            cases.push(Case { name: format!("hostile-{kind}-{number}"), trace, tools });
        }
        // UI Automator has no shell: it is refused where a shell would need quotes.
        let (name, trace) = (format!("hostile-told-{number}"), hostile::told(name));
        cases.push(Case { name, trace, tools: &["uiautomator"] });
    }
    for trace in hostile::other_kinds() {
        let name = trace.header.app.package.to_string();
        cases.push(Case { name, trace, tools: &["maestro", "uiautomator"] });
    }
    for (number, (trace, _)) in hostile::signed().into_iter().enumerate() {
        cases.push(Case { name: format!("signed-{number}"), trace, tools: &["uiautomator"] });
    }
    for (number, (trace, _)) in hostile::torn().into_iter().enumerate() {
        cases.push(Case { name: format!("torn-{number}"), trace, tools: &["uiautomator"] });
    }
    let (name, trace) = ("changing".to_owned(), hostile::changing());
    cases.push(Case { name, trace, tools: &["uiautomator"] });
    let (name, trace) = ("told".to_owned(), hostile::told(hostile::PLAIN));
    cases.push(Case { name, trace, tools: &["uiautomator"] });
    cases
}

#[test]
fn maestro_kotlin_and_xpath_understand_what_was_meant() {
    let Some(libraries) = tools() else { return };
    let cases = cases();
    let mut asked = Asked::new();
    let mut compiled: Vec<Compiled<'_>> = Vec::new();
    let mut flows: Vec<&Case> = Vec::new();
    for case in &cases {
        asked.add_names(&case.trace);
        if let Some(flow) = test_of(&case.trace, "maestro").filter(|_| case.is_for("maestro")) {
            asked.put(&format!("flows/{}.yaml", case.name), &flow);
            flows.push(case);
        }
        for (tool, expect) in kotlin::TESTS.iter().filter(|(tool, _)| case.is_for(tool)) {
            let Ok(test) = exported(&case.trace, tool, *expect) else { continue };
            let one = Compiled { case, tool, crash: *expect == Expect::Crash, package: compiled.len() };
            asked.put(&format!("tests/{}.kt", one.file()), &one.in_its_package(&test.text));
            kotlin::needs_what_it_imports(&one, &test.text);
            compiled.push(one);
        }
    }
    for (number, wrong) in kotlin::misspelt(&hostile::touched(hostile::PLAIN)).iter().enumerate() {
        asked.put(&format!("wrong/w{number}.kt"), wrong);
    }
    asked.put("logs.json", &logs(&compiled).to_string());
    let paths = script::paths(&cases);
    asked.paths = paths.iter().flat_map(script::Path::asked).collect();
    let (answer, names) = asked.answer(&libraries);
    // It would be no test if most were refused.
    assert!(flows.len() >= 30 + 2 * hostile::NAMES.len(), "{} flows", flows.len());
    assert!(compiled.len() >= 50 + 6 * hostile::NAMES.len(), "{} Kotlin tests", compiled.len());
    for case in flows {
        maestro::check(case, &answer["flows"][format!("{}.yaml", case.name)], &names);
    }
    kotlin::check(&compiled, &answer["tests"]);
    kotlin::check_misspelt(&answer["wrong"]);
    if !paths.is_empty() {
        script::check_paths(&paths, &answer["paths"]);
    }
}
