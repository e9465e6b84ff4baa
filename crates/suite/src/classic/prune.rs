//! Phase 1: traces that add nothing go, then loops [DetReduce, algorithm 1].

use std::collections::{BTreeSet, VecDeque};

use super::trial::{Trial, Verdict};
use super::{Kept, held};
use crate::algorithm::{Bound, View};
use crate::input::TransitionId;
use crate::item::ItemId;
use crate::loops::{LoopSearchResult, Shorter};

/// Leaves loops out of the traces one by one.
#[derive(Debug)]
pub(super) struct Prune {
    rest: VecDeque<Vec<TransitionId>>,
    /// The shorter forms of the trace that is next, and what they must cover.
    forms: Option<(Shorter, Vec<ItemId>)>,
    pub(super) reduced: Kept,
}

impl Prune {
    /// Drops the traces that add nothing to those before them.
    pub(super) fn new(view: View<'_>, traces: Vec<Vec<TransitionId>>) -> Self {
        let mut all = Kept::new(view);
        for trace in traces {
            if !all.missing(&held(view.evidence, &trace)).is_empty() {
                all.add(view.evidence, trace);
            }
        }
        Self { rest: all.paths.into(), forms: None, reduced: Kept::new(view) }
    }

    /// Traces whose loops have not been left out yet.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn propose(
        &mut self,
        view: View<'_>,
        gives: &[Vec<ItemId>],
        bounds: &mut BTreeSet<Bound>,
    ) -> Option<Trial> {
        loop {
            let trace = self.rest.front()?;
            let (forms, needed) = self.forms.get_or_insert_with(|| {
                let needed = self.reduced.missing(&held(view.evidence, trace));
                let gives = |id: TransitionId| &*gives[id.index()];
                (Shorter::new(view.input, trace.clone(), &needed, gives, view.settings.breadth), needed)
            });
            if !needed.is_empty() {
                match forms.next(view.input, view.evidence) {
                    LoopSearchResult::Path(path) => return Some(Trial { path, needed: needed.clone() }),
                    LoopSearchResult::CutShort => _ = bounds.insert(Bound::Loops),
                    LoopSearchResult::Nothing => {}
                }
                // The trace as it is has been replayed already.
                self.reduced.add(view.evidence, trace.clone());
            }
            self.next();
        }
    }

    pub(super) fn settle(&mut self, view: View<'_>, trial: Trial, verdict: Verdict) {
        if verdict == Verdict::Pass {
            self.reduced.add(view.evidence, trial.path);
            self.next();
        }
    }

    fn next(&mut self) {
        self.rest.pop_front();
        self.forms = None;
    }
}
