//! Phase 2: fragments are put together, the largest new coverage first [DetReduce, algorithm 2].

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::trial::{Trial, Verdict};
use super::{Kept, held};
use crate::algorithm::{Bound, View};
use crate::bits::WantedItems;
use crate::input::TransitionId;
use crate::item::ItemId;
use crate::splice::{Quest, Splicer};

/// Puts fragments together until everything is covered.
#[derive(Debug)]
pub(super) struct Splicing {
    splicer: Splicer,
    /// Paths whose replays were followed so far: their coverage is known, not predicted. The traces of phase 1
    /// are the first of them, so that nothing can be lost.
    known: Vec<Vec<TransitionId>>,
    tried: BTreeSet<Vec<TransitionId>>,
    target: Vec<ItemId>,
    pub(super) kept: Kept,
}

impl Splicing {
    pub(super) fn new(view: View<'_>, traces: Vec<Vec<TransitionId>>) -> Self {
        let mut target: Vec<ItemId> = traces.iter().flat_map(|trace| held(view.evidence, trace)).collect();
        target.sort_unstable();
        target.dedup();
        let splicer = Splicer::new(view.input, &traces);
        let tried = traces.iter().cloned().collect();
        Self { splicer, known: traces, tried, target, kept: Kept::new(view) }
    }

    pub(super) fn propose(
        &mut self,
        view: View<'_>,
        gives: &[Vec<ItemId>],
        bounds: &mut BTreeSet<Bound>,
    ) -> Option<Trial> {
        let missing = self.kept.missing(&self.target);
        let wanted = WantedItems::new(view.input.items.len(), missing.iter().copied());
        let quest = Quest {
            input: view.input,
            evidence: view.evidence,
            wanted: &wanted,
            gives: &|id| wanted.of(gives[id.index()].iter().copied()),
            tried: &self.tried,
            fragments: view.settings.fragments,
            most: view.settings.breadth,
        };
        let spliced = self.splicer.best(&quest);
        let known = self.best_known(view);
        let gain =
            |spliced: &crate::splice::Spliced| (spliced.gain, Reverse(view.input.time_of(&spliced.path)));
        match (spliced, known) {
            (Some(spliced), known) if known.is_none_or(|(rank, _)| gain(&spliced) > rank) => {
                if spliced.cut_short {
                    bounds.insert(Bound::Splices);
                }
                let given = spliced.path.iter().flat_map(|id| &gives[id.index()]).copied();
                let mut needed: Vec<ItemId> =
                    given.filter(|item| missing.binary_search(item).is_ok()).collect();
                needed.sort_unstable();
                needed.dedup();
                Some(Trial { path: spliced.path, needed })
            }
            (_, Some((_, place))) => Some(Trial::of(self.known[place].clone())),
            (_, None) => None,
        }
    }

    /// Of the paths whose coverage is known, the one that adds most, with its place.
    fn best_known(&self, view: View<'_>) -> Option<((usize, Reverse<retap_trace::Micros>), usize)> {
        let rank = |path: &Vec<TransitionId>| {
            let gain = self.kept.missing(&held(view.evidence, path)).len();
            (gain, Reverse(view.input.time_of(path)))
        };
        let ranked = self.known.iter().enumerate().map(|(place, path)| (rank(path), place));
        ranked.filter(|((gain, _), _)| *gain > 0).max_by_key(|&(rank, place)| (rank, Reverse(place)))
    }

    pub(super) fn settle(&mut self, view: View<'_>, trial: Trial, verdict: Verdict) {
        let first = self.tried.insert(trial.path.clone());
        match verdict {
            Verdict::Pass => self.kept.add(view.evidence, trial.path),
            Verdict::Lacks | Verdict::Open if first => self.known.push(trial.path),
            Verdict::Lacks | Verdict::Open => {}
            Verdict::Fails(_) => self.known.retain(|known| *known != trial.path),
        }
    }
}
