//! What an exploration has found: states, coverage, crashes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use retap_model::{Graph, TraceNumber};
use retap_reduce::Tally;
use retap_trace::{CoverageId, Crash, Level, Signature, Step};
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
    /// The shortest trace that can be relied on: its file and its length.
    pub(crate) shortest: (PathBuf, usize),
    /// The longest.
    pub(crate) longest: (PathBuf, usize),
    /// Looks at the whole screen in the shortest.
    pub(crate) looks: usize,
    /// How the shortest came about.
    pub(crate) proof: Proof,
}

/// What speaks for a trace that ended in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It went back in time and was not tried again.
    Untried,
    /// It was tried again from a clean start, with this result.
    Tried(Tally),
    /// It began with a clean start.
    CleanStart,
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
    /// Looks at the whole screen while these were made.
    looks: usize,
    trace: PathBuf,
    /// Whether it can come from a clean start: it did, or it did when it was tried again.
    reproduced: bool,
    /// How many of how many clean runs ended with it, when it was found after going back in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried_again: Option<(u32, u32)>,
}

impl Proof {
    /// Whether the crash can come from a clean start.
    pub(crate) const fn holds(self) -> bool {
        match self {
            Self::Untried => false,
            Self::Tried(tally) => tally.reached > 0,
            Self::CleanStart => true,
        }
    }
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

    /// Adds the steps of a leg.
    pub(crate) fn add(&mut self, steps: &[Step]) {
        self.graph.add_trace(TraceNumber(self.traces), steps, Level::Layout);
        self.traces += 1;
        self.events += steps.len() as u64;
        self.covered.extend(steps.iter().flat_map(|step| &step.coverage).copied());
    }

    /// Whether a crash was seen before.
    pub(crate) fn knows(&self, crash: &Crash) -> bool {
        self.crashes.contains_key(&crash.signature)
    }

    /// Adds a crash at the end of a leg's file, with all steps from a clean start. Where that is the best trace to it
    /// so far, says which file the whole trace belongs in.
    pub(crate) fn add_crash(
        &mut self,
        crash: &Crash,
        leg: &Path,
        way: &[&Step],
        proof: Proof,
    ) -> Option<PathBuf> {
        let name = crash.signature.0.replace(|char: char| !char.is_alphanumeric() && char != '.', "-");
        let file = Path::new("crashes").join(format!("{name}.trace.jsonl"));
        let (length, looks) = (way.len(), retap_model::count_looks(way.iter().copied()));
        let this = (leg.to_owned(), length);
        let Some(known) = self.crashes.get_mut(&crash.signature) else {
            self.order.push(crash.signature.clone());
            let shortest = (file.clone(), length);
            let new = Finding { crash: crash.clone(), seen: 1, shortest, longest: this, looks, proof };
            self.crashes.insert(crash.signature.clone(), new);
            return Some(file);
        };
        known.seen += 1;
        if length > known.longest.1 {
            known.longest = this;
        }
        // A trace that holds is worth more than a short one.
        let better = (proof.holds(), std::cmp::Reverse(length))
            > (known.proof.holds(), std::cmp::Reverse(known.shortest.1));
        (better && proof != Proof::Untried).then(|| {
            (known.shortest, known.looks, known.proof) = ((file.clone(), length), looks, proof);
            file
        })
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

    /// The crashes for programs, when all this is in a folder.
    pub(crate) fn results(&self, folder: &Path) -> Vec<CrashResult> {
        let result = |finding: &Finding| CrashResult {
            signature: finding.crash.signature.to_string(),
            kind: finding.crash.kind,
            exception: finding.crash.exception.clone(),
            root_cause: finding.crash.root_cause.clone(),
            seen: finding.seen,
            events: finding.shortest.1,
            looks: finding.looks,
            trace: folder.join(&finding.shortest.0),
            reproduced: finding.proof.holds(),
            tried_again: match finding.proof {
                Proof::Tried(tally) => Some((tally.reached, tally.runs())),
                Proof::Untried | Proof::CleanStart => None,
            },
        };
        self.crashes().map(result).collect()
    }
}
