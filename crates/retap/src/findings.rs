//! What an exploration has found: states, coverage, crashes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use retap_model::{Graph, TraceNumber};
use retap_trace::{CoverageId, Crash, Level, Signature, Trace};
use serde::Serialize;

/// Everything found so far. It is built from traces alone, so that going on after a stop means reading them again.
#[derive(Debug)]
pub(crate) struct Findings {
    graph: Graph,
    traces: u32,
    covered: BTreeSet<CoverageId>,
    crashes: BTreeMap<Signature, Finding>,
    order: Vec<Signature>,
    /// Steps of all traces.
    pub(crate) events: u64,
}

/// A crash, with the shortest and the longest trace that lead to it.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) crash: Crash,
    /// How often it was seen.
    pub(crate) seen: u32,
    /// The shortest trace: its file and its length.
    pub(crate) shortest: (PathBuf, usize),
    /// The longest.
    pub(crate) longest: (PathBuf, usize),
}

/// A crash in the result for programs.
#[derive(Debug, Serialize)]
pub(crate) struct CrashResult {
    signature: String,
    kind: retap_trace::CrashKind,
    exception: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_cause: Option<String>,
    seen: u32,
    events: usize,
    trace: PathBuf,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self {
            graph: Graph::new(),
            traces: 0,
            covered: BTreeSet::new(),
            crashes: BTreeMap::new(),
            order: Vec::new(),
            events: 0,
        }
    }

    /// Adds a trace that is saved in a file.
    pub(crate) fn add(&mut self, trace: &Trace, file: &Path) {
        self.graph.add_trace(TraceNumber(self.traces), &trace.steps, Level::Layout);
        self.traces += 1;
        self.events += trace.steps.len() as u64;
        self.covered.extend(trace.steps.iter().flat_map(|step| &step.coverage).copied());
        if let Some(crash) = trace.steps.last().and_then(|step| step.crash.as_ref()) {
            self.add_crash(crash, file, trace.steps.len());
        }
    }

    fn add_crash(&mut self, crash: &Crash, file: &Path, length: usize) {
        let this = (file.to_owned(), length);
        let Some(known) = self.crashes.get_mut(&crash.signature) else {
            self.order.push(crash.signature.clone());
            let new = Finding { crash: crash.clone(), seen: 1, shortest: this.clone(), longest: this };
            self.crashes.insert(crash.signature.clone(), new);
            return;
        };
        known.seen += 1;
        if length < known.shortest.1 {
            known.shortest = this;
        } else if length > known.longest.1 {
            known.longest = this;
        }
    }

    pub(crate) fn states(&self) -> usize {
        self.graph.states().len()
    }

    pub(crate) fn transitions(&self) -> usize {
        self.graph.edges().len()
    }

    pub(crate) fn coverage(&self) -> usize {
        self.covered.len()
    }

    /// The crashes in the order they were first seen.
    pub(crate) fn crashes(&self) -> impl ExactSizeIterator<Item = &Finding> {
        self.order.iter().map(|signature| &self.crashes[signature])
    }

    /// The crashes for programs.
    pub(crate) fn results(&self) -> Vec<CrashResult> {
        let result = |finding: &Finding| CrashResult {
            signature: finding.crash.signature.to_string(),
            kind: finding.crash.kind,
            exception: finding.crash.exception.clone(),
            root_cause: finding.crash.root_cause.clone(),
            seen: finding.seen,
            events: finding.shortest.1,
            trace: finding.shortest.0.clone(),
        };
        self.crashes().map(result).collect()
    }
}
