//! A suite as a folder: its traces, and a manifest that says what each is there for.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use retap_suite::{Item, SuiteReport};
use retap_trace::{CoverageId, Level, Trace, TraceDigest};
use serde::{Deserialize, Serialize};

use super::names::covered;
use super::replay::expected;
use crate::error::{Doing as _, Result, require};
use crate::names::Names;
use crate::reduce::answer_in;
use crate::{text, tracefile};

/// The file beside the traces.
pub(super) const NAME: &str = "suite.json";
const VERSION: u32 = 1;

/// What a suite says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SuiteManifest {
    retap: String,
    version: u32,
    /// The package of the app.
    pub package: String,
    /// Its build.
    pub build: Option<String>,
    /// The level at which states are compared.
    #[serde(with = "text")]
    pub level: Level,
    /// The traces.
    pub traces: Vec<SuiteEntry>,
    /// What the code is called that the traces execute, as far as that is known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    code: BTreeMap<u32, String>,
}

/// A trace of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuiteEntry {
    /// Its file, in the folder of the suite.
    pub file: String,
    /// Its steps.
    pub transitions: usize,
    /// What they are. Suites of earlier versions do not tell.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub digest: Option<TraceDigest>,
    /// What was seen after them. Suites of earlier versions do not tell.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub seen: Option<TraceDigest>,
    /// The device time of a run.
    pub seconds: f64,
    /// Runs that followed it, and runs on its way that failed.
    pub confirmed: (u32, u32),
    /// How many items it covers.
    pub covers: usize,
    /// The items that no other trace of the suite has, in words.
    pub only: Vec<String>,
}

/// Writes a suite; the manifest last, so that a folder with one is whole.
pub(super) fn write(
    folder: &Path,
    traces: &[Trace],
    report: &SuiteReport,
    level: Level,
    names: &Names,
    words: impl Fn(&Item) -> String,
) -> Result<()> {
    let mut entries = Vec::new();
    for (number, (trace, kept)) in traces.iter().zip(&report.kept).enumerate() {
        let file = format!("{:03}.trace.jsonl", number + 1);
        tracefile::write(&folder.join(&file), trace)?;
        entries.push(SuiteEntry {
            file,
            transitions: trace.steps.len(),
            digest: Some(trace.digest()),
            seen: Some(trace.seen_digest()),
            seconds: kept.time.as_secs_f64(),
            confirmed: (kept.confirmed.reached, kept.confirmed.missed),
            covers: kept.covers,
            only: kept.only.iter().map(&words).collect(),
        });
    }
    let app = traces.first().map(|trace| &trace.header.app);
    let manifest = SuiteManifest {
        retap: "suite".to_owned(),
        version: VERSION,
        package: app.map_or_else(String::new, |app| app.package.to_string()),
        build: app.and_then(|app| app.build.clone()),
        level,
        traces: entries,
        code: covered(traces.iter().flat_map(|trace| &trace.steps))
            .filter_map(|id| Some((id.0, names.code.get(&id)?.clone())))
            .collect(),
    };
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    retap_store::write_beside(folder.join(NAME), |to| to.write_all(text.as_bytes()))?;
    Ok(())
}

/// The names of code that the suite in a folder knows, if there is one.
pub(super) fn names(folder: &Path) -> Names {
    let text = std::fs::read_to_string(folder.join(NAME)).unwrap_or_default();
    serde_json::from_str(&text).map_or_else(|_| Names::default(), |manifest: SuiteManifest| manifest.names())
}

/// Whether a path stands for one trace, be it its file or the folder of an answer.
fn is_one_trace(path: &Path) -> bool {
    matches!(answer_in(path), Ok(Some(_))) || (path.is_file() && tracefile::header(path).is_ok())
}

impl SuiteManifest {
    /// Whether a folder says that it is a suite.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(NAME).is_file()
    }

    /// What a piece of code is called, where that is known.
    pub fn code_name(&self, id: CoverageId) -> Option<&str> {
        self.code.get(&id.0).map(String::as_str)
    }

    /// Reads what the suite in a folder says, without its traces.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        let inner = folder.join("suite");
        require!(
            path.exists() || !Self::is_in(&inner),
            "{} is the folder of a session, and its suite is {}; name that",
            folder.display(),
            inner.display()
        );
        require!(
            path.exists(),
            "{} is not a suite: it has no {NAME}; 'retap suite' makes one of traces{}",
            folder.display(),
            if is_one_trace(folder) {
                ", and without --suite 'retap replay' replays this one trace"
            } else {
                ""
            }
        );
        let text = std::fs::read_to_string(&path)
            .doing(|| format!("{} is not a suite: cannot read {}", folder.display(), path.display()))?;
        let manifest: Self =
            serde_json::from_str(&text).doing(|| format!("{} is damaged", path.display()))?;
        require!(manifest.retap == "suite", "{} is not the manifest of a suite", path.display());
        require!(
            manifest.version == VERSION,
            "{} is of version {}, this retap reads {VERSION}; update retap",
            path.display(),
            manifest.version
        );
        manifest.check_files(&path)?;
        Ok(manifest)
    }

    /// Each trace is named once, as a file beside the manifest: of one that is named in the place of another nobody would
    /// notice that the other never runs.
    fn check_files(&self, path: &Path) -> Result<()> {
        let mut known = BTreeSet::new();
        for SuiteEntry { file, .. } in &self.traces {
            let plain = Path::new(file).file_name() == Some(OsStr::new(file));
            require!(plain, "{} names {file}, which is not the name of a file in its folder", path.display());
            require!(
                known.insert(file),
                "{} names {file} twice, so another trace of the suite may never run; make the suite again",
                path.display()
            );
        }
        Ok(())
    }

    /// What is wrong with its traces in a folder, one sentence each.
    pub fn damage(&self, folder: &Path) -> Vec<String> {
        self.traces.iter().filter_map(|entry| Some(entry.read(folder).err()?.in_words())).collect()
    }

    /// What its code is called.
    pub(super) fn names(&self) -> Names {
        let code = self.code.iter().map(|(id, name)| (CoverageId(*id), name.clone())).collect();
        Names { code, ..Names::default() }
    }
}

impl SuiteEntry {
    /// Reads its trace, which must be the one that the manifest was written for: one that has lost steps, or what they are
    /// compared with, would pass.
    fn read(&self, folder: &Path) -> Result<Trace> {
        let file = folder.join(&self.file);
        let trace = tracefile::read(&file)?;
        let (steps, promised) = (trace.steps.len(), self.transitions);
        require!(
            steps == promised,
            "{} has lost or gained steps: {NAME} says {promised}, and it has {steps}; make the suite again",
            file.display()
        );
        let is_same = self.digest.is_none_or(|digest| digest == trace.digest())
            && self.seen.is_none_or(|seen| seen == trace.seen_digest());
        require!(is_same, "{} was changed since the suite was made; make the suite again", file.display());
        Ok(trace)
    }
}

/// Reads a suite: its manifest, and its traces with their files.
pub(super) fn read(folder: &Path) -> Result<(SuiteManifest, Vec<(PathBuf, Trace)>)> {
    let manifest = SuiteManifest::read(folder)?;
    let read = |entry: &SuiteEntry| -> Result<(PathBuf, Trace)> {
        let file = folder.join(&entry.file);
        let trace = entry.read(folder)?;
        let unknown = trace.steps.iter().position(|step| expected(step, manifest.level).is_none());
        require!(
            unknown.is_none(),
            "{}, step {}, does not say which state it leads to at the level {}; make the suite again",
            file.display(),
            unknown.unwrap_or_default() + 1,
            manifest.level,
        );
        Ok((file, trace))
    };
    let traces = manifest.traces.iter().map(read).collect::<Result<Vec<_>>>()?;
    require!(!traces.is_empty(), "the suite {} has no traces", folder.display());
    Ok((manifest, traces))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what stands for one trace can be replayed without `--suite`.
    #[test]
    fn what_is_no_suite_is_said_to_be_a_trace_where_it_is_one() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let at = |name: &str| scratch.path().join(name);
        for folder in ["night/traces", "reduced"] {
            std::fs::create_dir_all(at(folder)).expect("a folder");
        }
        let trace = Trace { header: retap_trace::Header::new("a.b"), steps: Vec::new() };
        for file in ["night/traces/0000.trace.jsonl", "reduced/reduced.trace.jsonl", "alone.trace.jsonl"] {
            tracefile::write(&at(file), &trace).expect("room");
        }
        std::fs::write(at("notes.txt"), "none").expect("room");
        for (path, is_trace) in
            [("night", false), ("notes.txt", false), ("reduced", true), ("alone.trace.jsonl", true)]
        {
            let said = SuiteManifest::read(&at(path)).expect_err("no suite").in_words();
            assert!(said.contains("is not a suite: it has no suite.json"), "{said}");
            assert_eq!(said.contains("without --suite"), is_trace, "{said}");
        }
    }
}
