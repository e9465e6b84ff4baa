//! The traces that are exported: the samples and generated crashes, all reduced.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_generate::Recipe;
use retap_trace::{Header, Size, Step, Target, Trace};

/// How many generated apps crash.
const GENERATED: usize = 20;

/// Samples for suites: they have no target, and stay as they are.
const UNREDUCED: [&str; 6] = [
    "filebrowser-menu",
    "filebrowser-menu-covered",
    "filebrowser-nested",
    "filebrowser-splice-1",
    "filebrowser-splice-2",
    "filebrowser-splice-3",
];

/// A trace, and what it is called.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) trace: Trace,
    /// The tools that it is for.
    pub(crate) tools: &'static [&'static str],
}

impl Case {
    pub(crate) fn is_for(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }
}

const EVERY: &[&str] = &["maestro", "uiautomator", "espresso"];

/// Every sample and every generated crash.
pub(crate) fn all() -> Vec<Case> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut cases = samples(folder.path());
    cases.extend(generated(folder.path()));
    cases
}

/// A sample, reduced.
pub(crate) fn sample(name: &str) -> Trace {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = sample_folder().join(format!("{name}.trace.jsonl"));
    reduced(folder.path(), &file, name)
}

fn sample_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn samples(scratch: &Path) -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(sample_folder())
        .expect("samples")
        .map(|entry| entry.expect("a file").path())
        .filter(|file| file.to_string_lossy().ends_with(".trace.jsonl"))
        .collect();
    files.sort();
    assert!(files.len() >= 16, "{files:?}");
    let case = |file: &PathBuf| {
        let name = file.file_name().expect("a name").to_string_lossy().replace(".trace.jsonl", "");
        let trace =
            if UNREDUCED.contains(&name.as_str()) { read(file) } else { reduced(scratch, file, &name) };
        Case { name, trace, tools: EVERY }
    };
    files.iter().map(case).collect()
}

/// Crashes of generated apps, with steps of every kind.
fn generated(scratch: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for seed in 1..=GENERATED {
        let knobs =
            [("seed", seed.to_string()), ("screens", "20".to_owned()), ("rotation", "0.3".to_owned())];
        let knobs: Vec<(String, String)> =
            knobs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let app = retap_generate::generate(&Recipe::parse(&knobs).expect("a recipe")).expect("an app");
        let bug = &app.known[seed % app.known.len()];
        let mut header = Header::new(app.app.package.clone());
        let words: Vec<String> = knobs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        header.device = Some(format!("sim:gen?{}", words.join("&")));
        header.screen = Some(Size { width: 1080, height: 1920 });
        header.target = Some(Target::Crash(bug.signature.clone()));
        let trace = Trace { header, steps: bug.events.iter().cloned().map(Step::new).collect() };
        let name = format!("generated-{seed}");
        let file = scratch.join(format!("{name}.trace.jsonl"));
        trace.write(File::create(&file).expect("a file")).expect("it can be written");
        let trace = reduced(scratch, &file, &name);
        cases.push(Case { name, trace, tools: EVERY });
    }
    cases
}

fn reduced(scratch: &Path, file: &Path, name: &str) -> Trace {
    let out = scratch.join(name);
    let said = Command::new(env!("CARGO_BIN_EXE_retap"))
        .args(["reduce", "--quiet", "--seed", "1", "--out"])
        .args([&out, file])
        .current_dir(scratch)
        .output()
        .expect("retap runs");
    assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
    read(&out.join("reduced.trace.jsonl"))
}

fn read(file: &Path) -> Trace {
    let open = File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Trace::read(file.display().to_string(), BufReader::new(open)).expect("a good trace")
}
