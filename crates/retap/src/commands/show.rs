//! `retap show`: a trace, a session or a suite in words.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use retap_job::overview::{self, SessionOverview};
use retap_job::suite::SuiteManifest;
use retap_job::tracefile;
use retap_show::{ShownSession, ShownSuite, ShownTrace, StepRanges};
use retap_trace::{Level, Trace};

use super::Context;
use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::output::show;

/// The level at which states are told apart, unless another is given.
pub(super) const LEVEL: Level = Level::Layout;

/// Something that can be shown, read from a path.
pub(super) enum Named {
    Trace(Box<Trace>),
    Session(Box<SessionOverview>),
    Suite(SuiteManifest),
}

impl Named {
    /// Reads what is there, whatever it is.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        if !path.is_dir() {
            return Ok(Self::Trace(Box::new(tracefile::read(path)?)));
        }
        if SuiteManifest::is_in(path) {
            return Ok(Self::Suite(SuiteManifest::read(path)?));
        }
        if path.join("session.db").exists() {
            return Ok(Self::Session(Box::new(overview::overview(path)?)));
        }
        bail!("{} is neither the folder of a session nor a suite{}", path.display(), inside(path))
    }

    pub(super) const fn what(&self) -> &'static str {
        match self {
            Self::Trace(_) => "a trace",
            Self::Session(_) => "a session",
            Self::Suite(_) => "a suite",
        }
    }
}

/// What a folder that is nothing itself has in it, to choose from.
fn inside(folder: &Path) -> String {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let shown = |path: &PathBuf| path.join("session.db").exists() || SuiteManifest::is_in(path);
    let is_trace = |path: &PathBuf| path.to_string_lossy().ends_with(".trace.jsonl");
    let mut found: Vec<PathBuf> = read.filter(|path| shown(path) || is_trace(path)).collect();
    found.sort();
    let names: Vec<String> = found.iter().take(5).map(|path| path.display().to_string()).collect();
    match (&names[..], found.len() - names.len()) {
        ([], _) => "; name one, or a trace".to_owned(),
        (names, 0) => format!("; name one in it: {}", names.join(", ")),
        (names, more) => format!("; name one in it: {} and {more} more", names.join(", ")),
    }
}

pub(super) fn run(args: &ShowArgs, context: &Context) -> anyhow::Result<Exit> {
    let path = args.path.as_path();
    let named = Named::read(path)?;
    if !matches!(named, Named::Trace(_)) {
        ensure!(args.steps.is_empty(), "--steps does nothing with {}; leave it out", named.what());
        ensure!(args.shown.level.is_none(), "--level does nothing with {}; leave it out", named.what());
    }
    let pages = !args.shown.no_pager;
    match &named {
        Named::Trace(trace) => {
            let platform = overview::platform_near(path);
            let steps = ranges(&args.steps, trace)?;
            let shown = ShownTrace {
                file: path,
                trace,
                platform: platform.as_deref(),
                level: args.shown.level.unwrap_or(LEVEL),
                steps: &steps,
            };
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
        Named::Session(session) => {
            let shown = ShownSession(session);
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
        Named::Suite(manifest) => {
            let damage = damage(path, manifest);
            let shown = ShownSuite { folder: path, manifest, damage: &damage };
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
    }
    Ok(Exit::Done)
}

fn ranges(typed: &[StepRanges], trace: &Trace) -> anyhow::Result<StepRanges> {
    let mut steps = StepRanges::default();
    for ranges in typed {
        steps.extend(ranges.clone());
    }
    if let Some(beyond) = steps.beyond(trace.steps.len()) {
        bail!("--steps {beyond}: the trace has {} steps", trace.steps.len());
    }
    Ok(steps)
}

/// What is wrong with the traces of a suite.
fn damage(folder: &Path, manifest: &SuiteManifest) -> Vec<String> {
    let read = |file: &str| tracefile::read(&folder.join(file)).err().map(|error| error.in_words());
    manifest.traces.iter().filter_map(|entry| read(&entry.file)).collect()
}
