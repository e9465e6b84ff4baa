//! What an exploration has found: states, coverage, crashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use retap_model::{Graph, TraceNumber};
use retap_reduce::Tally;
use retap_trace::{Crash, Level, Signature, Step};
use serde::Serialize;

use crate::tracefile;

/// Everything found so far. It is built from traces alone, so that going on after a stop means reading them again.
#[derive(Debug)]
pub(super) struct Findings {
    graph: Graph,
    traces: u32,
    crashes: BTreeMap<Signature, Finding>,
    order: Vec<Signature>,
    /// Steps of all traces.
    pub(super) events: u64,
}

/// A crash, with the shortest and the longest trace that lead to it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The crash, as the shortest trace ends in it: its words may differ from one time to the next.
    pub crash: Crash,
    /// How often it was seen.
    pub seen: u32,
    /// The shortest trace that can be relied on: its file and its length.
    pub shortest: (PathBuf, usize),
    /// The longest.
    pub longest: (PathBuf, usize),
    /// Looks at the whole screen in the shortest.
    pub looks: usize,
    /// How the shortest came about.
    pub proof: Proof,
}

/// What speaks for a trace that ended in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It went back in time and was not tried again.
    Untried,
    /// It was tried again from a clean start, with this result.
    Tried(Tally),
    /// It began with a clean start.
    CleanStart,
}

/// A crash in the result for programs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrashResult {
    /// What tells it from other crashes.
    pub signature: String,
    /// What kind of crash.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: retap_trace::CrashKind,
    /// What was thrown.
    pub exception: String,
    /// What was thrown first, where that is another exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// How often it was seen.
    pub seen: u32,
    /// Events of its best trace.
    pub events: usize,
    /// Looks at the whole screen while these were made.
    pub looks: usize,
    /// Its best trace.
    pub trace: PathBuf,
    /// Whether it can come from a clean start: it did, or it did when it was tried again.
    pub reproduced: bool,
    /// How many of how many clean runs ended with it, when it was found after going back in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried_again: Option<(u32, u32)>,
}

impl Proof {
    /// Whether the crash can come from a clean start.
    pub const fn holds(self) -> bool {
        match self {
            Self::Untried => false,
            Self::Tried(tally) => tally.reached > 0,
            Self::CleanStart => true,
        }
    }
}

impl Findings {
    pub(super) fn new() -> Self {
        Self { graph: Graph::new(), traces: 0, crashes: BTreeMap::new(), order: Vec::new(), events: 0 }
    }

    /// Adds the steps of a segment.
    pub(super) fn add(&mut self, steps: &[Step]) {
        self.graph.add_trace(TraceNumber(self.traces), steps, Level::Layout);
        self.traces += 1;
        self.events += steps.len() as u64;
    }

    /// Whether a crash was seen before.
    pub(super) fn knows(&self, crash: &Crash) -> bool {
        self.crashes.contains_key(&crash.signature)
    }

    /// Adds a crash at the end of a segment's file, with all steps from a clean start. Where that is the best trace to it
    /// so far, says which file the whole trace belongs in.
    pub(super) fn add_crash(
        &mut self,
        crash: &Crash,
        segment: &Path,
        path: &[&Step],
        proof: Proof,
    ) -> Option<PathBuf> {
        let file = Path::new("crashes").join(tracefile::name_of(&crash.signature));
        let (length, looks) = (path.len(), retap_model::count_looks(path.iter().copied()));
        let this = (segment.to_owned(), length);
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
            known.crash = crash.clone();
            file
        })
    }

    pub(super) fn states(&self) -> usize {
        self.graph.states().len()
    }

    pub(super) fn transitions(&self) -> usize {
        self.graph.edges().len()
    }

    /// The crashes in the order they were first seen.
    pub(super) fn crashes(&self) -> impl ExactSizeIterator<Item = &Finding> {
        self.order.iter().map(|signature| &self.crashes[signature])
    }

    /// The length of the longest trace to a crash.
    pub(super) fn longest(&self) -> usize {
        self.crashes().map(|finding| finding.longest.1).max().unwrap_or(0)
    }

    /// The crashes for programs, when all this is in a folder.
    pub(super) fn results(&self, folder: &Path) -> Vec<CrashResult> {
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

#[cfg(test)]
mod tests {
    use retap_trace::{CrashKind, Event, Frame};

    use super::*;

    #[test]
    fn a_finding_has_the_words_of_its_shortest_trace() {
        let crash = |message: &str| {
            let frames = vec![Frame("a.b.Main.save(Main.java:3)".to_owned())];
            Crash::new(CrashKind::Java, "a.b.Broken", message, None, frames, "a.b")
        };
        let steps = [Step::new(Event::Launch), Step::new(Event::Launch), Step::new(Event::Launch)];
        let mut findings = Findings::new();
        for (message, length) in [("first", 2), ("shortest", 1), ("longest", 3)] {
            let path: Vec<&Step> = steps[..length].iter().collect();
            findings.add_crash(&crash(message), Path::new("traces/x"), &path, Proof::CleanStart);
        }
        let found = findings.crashes().next().expect("a finding");
        assert_eq!((findings.crashes().len(), found.shortest.1, &*found.crash.message), (1, 1, "shortest"));
    }
}
