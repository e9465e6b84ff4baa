//! Crashes to export: those of the samples, one that takes every kind of step, and generated ones. Each with an app that has it, and one that was mended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_generate::{Recipe, generate};
use retap_trace::{Event, Header, Step, Target, Trace};
use serde_json::Value;

use crate::bench::{LONGEST, finish};

/// The samples that end in a crash, and their apps. That of `notes-sync-conflict` comes in two runs of three.
const SAMPLES: [(&str, &str); 9] = [
    ("notes-unnamed-tag", "notes"),
    ("dalvik", "dalvik"),
    ("notes-thumbnail", "notes"),
    ("notes-undo-restore", "notes"),
    ("notes-leaked-dialog", "notes"),
    ("notes-empty-history", "notes"),
    ("notes-sync-conflict", "notes"),
    ("addi", "addi"),
    ("flashcards", "flashcards"),
];
const FLAKY: &str = "notes-sync-conflict";
/// Generated apps have system events, rotations, forms, lists, menus and dialogs on the way to their crashes.
const RECIPE: &str =
    "screens=10&branches=200&bugs=1&depth=3&dialogs=0.4&menus=0.4&lists=0.3&system=0.2&rotation=0.2";
pub(super) const GENERATED: usize = 20;

/// A crash.
pub(super) struct CrashCase {
    /// Letters, digits and `_`.
    pub(super) name: String,
    /// The reduced trace.
    trace: PathBuf,
    pub(super) package: String,
    /// The exception or signal, without its package.
    pub(super) exception: String,
    /// Whether every run reaches it.
    pub(super) always: bool,
    pub(super) broken: PathBuf,
    pub(super) mended: PathBuf,
}

impl CrashCase {
    /// The test of this crash for a tool.
    pub(super) fn export(&self, tool: &str, expect: &str) -> String {
        let mut retap = Command::new(env!("CARGO_BIN_EXE_retap"));
        let said =
            finish(retap.arg("export").arg(&self.trace).args(["--as", tool, "--expect", expect]), LONGEST);
        assert!(said.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&said.stderr));
        String::from_utf8(said.stdout).expect("text")
    }

    /// A crash that this reduced trace reaches in this app.
    fn new(folder: &Path, name: &str, app: &str, trace: PathBuf) -> Self {
        let (broken, mended) =
            (folder.join(format!("{name}.app")), folder.join(format!("{name}-mended.app")));
        fs::write(&broken, app).expect("a file");
        let without = without_crashes(app);
        assert_ne!(without, app, "{name} has no crash");
        fs::write(&mended, without).expect("a file");
        let text = fs::read_to_string(&trace).expect("it was saved");
        let line =
            |line: Option<&str>| -> Value { serde_json::from_str(line.expect("a line")).expect("JSON") };
        let exception = line(text.lines().last())["crash"]["exception"].as_str().expect("a crash").to_owned();
        let exception = exception.rsplit('.').next().expect("a name").to_owned();
        let package = line(text.lines().next())["app"]["package"].as_str().expect("a package").to_owned();
        let (name, always) = (name.replace('-', "_"), name != FLAKY);
        Self { name, trace, package, exception, always, broken, mended }
    }

    /// The same of a trace that is reduced first; where it names its app, that lies in the folder.
    fn reduced(folder: &Path, name: &str, app: &str, trace: &Path) -> Self {
        fs::write(folder.join(format!("{name}.app")), app).expect("a file");
        let out = folder.join(name);
        let mut retap = Command::new(env!("CARGO_BIN_EXE_retap"));
        retap
            .args(["reduce", "--quiet", "--seed", "1"])
            .arg(trace)
            .arg("--out")
            .arg(&out)
            .current_dir(folder);
        let said = finish(&mut retap, LONGEST);
        assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
        Self::new(folder, name, app, out.join("reduced.trace.jsonl"))
    }
}

/// The crashes of the samples.
pub(super) fn samples(folder: &Path) -> Vec<CrashCase> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project");
    let case = |(name, app): &(&str, &str)| {
        let app = fs::read_to_string(project.join(format!("crates/sim/apps/{app}.app"))).expect("an app");
        CrashCase::reduced(folder, name, &app, &project.join(format!("samples/{name}.trace.jsonl")))
    };
    SAMPLES.iter().map(case).collect()
}

/// A crash that takes one step of each kind, by each kind of name.
pub(super) fn every_step(folder: &Path) -> CrashCase {
    let trace = folder.join("every.trace.jsonl");
    fs::write(&trace, include_str!("every.trace.jsonl")).expect("a file");
    CrashCase::new(folder, "every", include_str!("every.app"), trace)
}

/// Crashes of generated apps. Those that take two fingers are left out: Appium's exporters refuse them.
pub(super) fn generated(folder: &Path) -> Vec<CrashCase> {
    (1..).filter_map(|seed| generated_case(folder, seed)).take(GENERATED).collect()
}

fn generated_case(folder: &Path, seed: u64) -> Option<CrashCase> {
    let knobs = RECIPE.split('&').map(|knob| knob.split_once('=').expect("a knob"));
    let knobs: Vec<(String, String)> =
        knobs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let recipe = Recipe { seed, ..Recipe::parse(&knobs).expect("a recipe") };
    let made = generate(&recipe).expect("an app");
    let bug = made.known.first().expect("a bug");
    if bug.events.iter().any(|event| matches!(event, Event::Pinch { .. })) {
        return None;
    }
    let name = format!("generated_{seed}");
    let mut header = Header::new(&*made.app.package);
    header.device = Some(format!("sim:{name}.app"));
    header.target = Some(Target::Crash(bug.signature.clone()));
    let steps = bug.events.iter().cloned().map(Step::new).collect();
    let trace = folder.join(format!("{name}.trace.jsonl"));
    let file = fs::File::create(&trace).expect("a file");
    Trace { header, steps }.write(file).expect("it can be written");
    Some(CrashCase::reduced(folder, &name, &made.text, &trace))
}

/// The app with nothing in the place of each crash and of its stack.
fn without_crashes(app: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut mended = Vec::new();
    let mut stack_of = None;
    for line in app.lines() {
        if stack_of.is_some_and(|crash| indent(line) > crash && line.trim_start().starts_with("at ")) {
            continue;
        }
        let crash = ["crash ", "native ", "hang "].iter().any(|word| line.trim_start().starts_with(word));
        stack_of = crash.then(|| indent(line));
        mended.push(if crash { format!("{:1$}nothing", "", indent(line)) } else { line.to_owned() });
    }
    mended.join("\n") + "\n"
}
