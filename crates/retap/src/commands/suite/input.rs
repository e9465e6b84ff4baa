//! The traces that a suite is made of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use retap_suite::{InputError, Mismatch, StepRef, Why};
use retap_trace::Trace;

use crate::{devices, tracefile};

/// Traces, and the files they came from.
pub(super) struct Input {
    pub(super) traces: Arc<[Trace]>,
    files: Vec<PathBuf>,
}

impl Input {
    /// Reads trace files and all traces of explorations.
    pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                files.extend(of_folder(path)?);
            } else {
                files.push(path.clone());
            }
        }
        let traces = files.iter().map(|file| tracefile::read(file)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Self { traces: traces.into(), files })
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The first trace, with its file.
    pub(super) fn first(&self) -> (&Path, &Trace) {
        (&self.files[0], &self.traces[0])
    }

    /// The device that was typed, or is set, or that the first trace which names one names.
    pub(super) fn device(&self, candidates: [Option<&str>; 2]) -> anyhow::Result<String> {
        let named = self.files.iter().zip(&*self.traces).find(|(_, trace)| trace.header.device.is_some());
        let (file, trace) = named.map_or_else(|| self.first(), |(file, trace)| (file.as_path(), trace));
        devices::choose_for(candidates, &trace.header, file)
    }

    /// Refuses traces of another app than the device runs.
    pub(super) fn check_app(&self, device: &str) -> anyhow::Result<()> {
        let (file, first) = self.first();
        devices::check_app(&first.header, file, device)
    }

    /// A hash of everything.
    pub(super) fn fingerprint(&self) -> anyhow::Result<String> {
        let mut hasher = blake3::Hasher::new();
        for trace in &*self.traces {
            hasher.update(tracefile::fingerprint(trace)?.as_bytes());
        }
        Ok(hasher.finalize().to_hex()[..16].to_owned())
    }

    /// What is wrong, with the name of the file.
    pub(super) fn explain(&self, error: &InputError) -> anyhow::Error {
        match error.trace().and_then(|trace| Some((trace, self.files.get(trace)?))) {
            Some((trace, file)) => {
                let words = error.to_string();
                anyhow::anyhow!(
                    "{}",
                    words.replacen(&format!("trace {trace}"), &file.display().to_string(), 1)
                )
            }
            None => anyhow::anyhow!("{error}"),
        }
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
fn of_folder(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let inside = folder.join("traces");
    let folder = if inside.is_dir() { inside.as_path() } else { folder };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".trace.jsonl") {
            files.push(path);
        }
    }
    ensure!(!files.is_empty(), "{} has no trace files (NAME.trace.jsonl)", folder.display());
    files.sort();
    Ok(files)
}
