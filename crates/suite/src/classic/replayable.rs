//! Before everything: how far can each trace be replayed? [DetReduce, section 5.1.2]

use super::trial::{Trial, Verdict};
use crate::algorithm::View;
use crate::input::TransitionId;

/// Replays the traces one by one and keeps their longest replayable prefixes.
#[derive(Debug, Default)]
pub(super) struct Replayable {
    /// The trace that is next.
    trace: usize,
    /// How much of it is left after what failed.
    length: Option<usize>,
    pub(super) kept: Vec<Vec<TransitionId>>,
}

impl Replayable {
    pub(super) fn propose(&mut self, view: View<'_>) -> Option<Trial> {
        loop {
            let path = view.input.path(view.input.traces.get(self.trace)?);
            let length = self.length.unwrap_or(path.len());
            // A launch alone is no trace.
            if length > 1 {
                return Some(Trial::of(path[..length].to_vec()));
            }
            self.next();
        }
    }

    pub(super) fn settle(&mut self, trial: Trial, verdict: Verdict) {
        match verdict {
            Verdict::Fails(length) => self.length = Some(length - 1),
            Verdict::Open | Verdict::Pass | Verdict::Lacks => {
                self.kept.push(trial.path);
                self.next();
            }
        }
    }

    fn next(&mut self) {
        self.trace += 1;
        self.length = None;
    }
}
