//! The traces that a suite is made of.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_suite::{InputError, Mismatch, StepRef, Why};
use retap_trace::Trace;

use super::manifest;
use crate::error::{Doing as _, JobError, Result, require};
use crate::tracefile;

/// Traces, and the files they came from.
#[derive(Debug)]
pub struct SuiteTraces {
    pub(super) traces: Arc<[Trace]>,
    files: Vec<PathBuf>,
}

impl SuiteTraces {
    /// Reads trace files and all traces of explorations.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                files.extend(of_folder(path)?);
            } else {
                files.push(path.clone());
            }
        }
        let traces = files.iter().map(|file| tracefile::read(file)).collect::<Result<Vec<_>>>()?;
        Ok(Self { traces: traces.into(), files })
    }

    /// Reads the traces of a suite.
    pub fn of_suite(folder: &Path) -> Result<Self> {
        let (_, traces) = manifest::read(folder)?;
        let (files, traces): (Vec<PathBuf>, Vec<Trace>) = traces.into_iter().unzip();
        Ok(Self { traces: traces.into(), files })
    }

    /// All traces, with their files.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Trace)> {
        self.files.iter().map(PathBuf::as_path).zip(&*self.traces)
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The first trace, with its file.
    pub fn first(&self) -> (&Path, &Trace) {
        (&self.files[0], &self.traces[0])
    }

    /// The first trace that names a device, else the first of all, with its file.
    pub fn naming_a_device(&self) -> (&Path, &Trace) {
        let named = self.files.iter().zip(&*self.traces).find(|(_, trace)| trace.header.device.is_some());
        named.map_or_else(|| self.first(), |(file, trace)| (file.as_path(), trace))
    }

    /// The devices that they were recorded on but for this one, where they are several.
    pub(super) fn other_devices(&self, device: &str) -> Vec<&str> {
        let recorded = self.traces.iter().filter_map(|trace| trace.header.device.as_deref());
        let all: BTreeSet<&str> = recorded.collect();
        if all.len() < 2 { Vec::new() } else { all.into_iter().filter(|other| *other != device).collect() }
    }

    /// A hash of everything.
    pub(super) fn fingerprint(&self) -> Result<String> {
        let mut hasher = blake3::Hasher::new();
        for trace in &*self.traces {
            hasher.update(tracefile::fingerprint(trace)?.as_bytes());
        }
        Ok(hasher.finalize().to_hex()[..16].to_owned())
    }

    /// What is wrong, with the name of the file.
    pub(super) fn explain(&self, error: &InputError) -> JobError {
        let mut words = error.to_string();
        if let Some((trace, file)) = error.trace().and_then(|trace| Some((trace, self.files.get(trace)?))) {
            words = words.replacen(&format!("trace {trace}"), &file.display().to_string(), 1);
        }
        JobError::Refused(words)
    }

    /// A step, as people find it.
    pub(super) fn step(&self, step: Option<StepRef>) -> String {
        let Some(StepRef { trace, position }) = step else { return "the launch".to_owned() };
        let file = self.files[trace.0 as usize].display();
        let event = &self.traces[trace.0 as usize].steps[position as usize].event;
        format!("{event} ({file}, step {})", position + 1)
    }

    /// Why something is lost, in words.
    pub(super) fn why(&self, why: &Why) -> String {
        match *why {
            Why::NotFollowed(Mismatch { trace, step, followed, diverged, .. }) => {
                let step = step.map(|position| StepRef { trace, position });
                format!("{} went elsewhere in {diverged} of {} runs", self.step(step), followed + diverged)
            }
            Why::NotCovered { step, runs, covered } => {
                format!("{} covered it in {covered} of {runs} runs", self.step(Some(step)))
            }
            Why::NotTried => "no run has tried it".to_owned(),
        }
    }
}

/// The traces of an exploration, or those that lie in a folder.
fn of_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let inside = folder.join("traces");
    let folder = if inside.is_dir() { inside.as_path() } else { folder };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).doing(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".trace.jsonl") {
            files.push(path);
        }
    }
    require!(!files.is_empty(), "{} has no trace files (NAME.trace.jsonl)", folder.display());
    files.sort();
    Ok(files)
}
