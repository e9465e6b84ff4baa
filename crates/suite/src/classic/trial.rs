//! One candidate of the published algorithm, replayed until it is settled.

use crate::algorithm::{Request, SuitePhase, View};
use crate::evidence::Noted;
use crate::input::TransitionId;
use crate::item::ItemId;
use crate::order::Purpose;

/// A candidate under trial.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    pub(super) path: Vec<TransitionId>,
    /// What its replays must cover.
    pub(super) needed: Vec<ItemId>,
}

/// What became of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// More replays are needed.
    Open,
    /// All replays were followed and covered what they must.
    Pass,
    /// All replays were followed so far, but did not cover what they must.
    Lacks,
    /// This prefix, by its length, was not followed.
    Fails(usize),
}

impl Trial {
    /// A path that must be followed, whatever it covers.
    pub(super) fn of(path: Vec<TransitionId>) -> Self {
        Self { path, needed: Vec::new() }
    }

    /// What is known without a further replay.
    pub(super) fn standing(&self, view: View<'_>) -> Verdict {
        let Some(node) = view.evidence.find(&self.path) else { return self.open(view) };
        let runs = view.evidence.node(node).runs();
        if runs > 0 {
            let held = view.evidence.held(node);
            if self.needed.iter().any(|item| held.binary_search(item).is_err()) {
                return Verdict::Lacks;
            }
        }
        if runs >= view.settings.runs { Verdict::Pass } else { self.open(view) }
    }

    fn open(&self, view: View<'_>) -> Verdict {
        view.evidence.dead_prefix(&self.path).map_or(Verdict::Open, Verdict::Fails)
    }

    /// What is known after one more replay, which is part of the evidence already.
    pub(super) fn after(&self, view: View<'_>, noted: Noted) -> Verdict {
        match noted {
            Noted::Diverged(index) => Verdict::Fails(index + 1),
            Noted::Whole => self.standing(view),
            Noted::Forgiven(_) | Noted::Nothing => Verdict::Open,
        }
    }

    /// One more replay.
    pub(super) fn request(&self, phase: SuitePhase) -> Request {
        Request { path: self.path.clone(), purpose: Purpose::Confirm, label: phase.to_string() }
    }
}
