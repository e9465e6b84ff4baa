//! Where else an item can be had: the recorded prefixes that covered it.
//!
//! Nothing may be lost: as long as an item is covered by no path that was followed, the way that is believed to be
//! the shortest and the cheapest recorded prefixes that are not known to fail are candidates. When none is left, no
//! trace of the input has the item in a prefix that can be replayed.

use super::candidate::Candidates;
use super::round::Round;
use crate::evidence::Evidence;
use crate::input::{SuiteInput, TransitionId};
use crate::item::ItemId;

/// For each item, the prefixes of traces that end where it was first covered, the cheapest first.
#[derive(Debug)]
pub(crate) struct Occurrences(Vec<Vec<Occurrence>>);

/// A prefix of a trace, by its time, the number of the trace, and the index of its last transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    time: u64,
    trace: u32,
    index: u32,
}

impl Occurrences {
    pub(super) fn new(input: &SuiteInput) -> Self {
        let mut all = vec![Vec::new(); input.items.len()];
        for (number, trace) in (0..).zip(&input.traces) {
            let mut time = 0;
            let times = input.path(trace).iter().map(|&id| {
                time += input.transition(id).time.0;
                time
            });
            let times: Vec<u64> = times.collect();
            for &(item, index) in trace.credits.iter().filter(|credit| credit.1 > 0) {
                all[item.index()].push(Occurrence { time: times[index as usize], trace: number, index });
            }
        }
        for list in &mut all {
            list.sort_unstable();
        }
        Self(all)
    }

    /// Adds candidates for the items that no followed path covers.
    pub(super) fn add(&self, round: &Round<'_>, candidates: &mut Candidates) {
        /// Recorded prefixes per item: one may be dear where another shares its way with many items.
        const EACH: usize = 2;
        let input = round.view.input;
        let missing: Vec<ItemId> = input.items.ids().filter(|&item| !candidates.covers(item)).collect();
        let shortest = shortest(round);
        for item in missing {
            if let Some(path) = shortest[item.index()].clone() {
                candidates.add(round, path, &[]);
            }
            let live = self.0[item.index()].iter().filter(|one| one.live(input, round.view.evidence));
            for one in live.take(EACH) {
                let trace = &input.traces[one.trace as usize];
                let credits = trace.credits.iter().filter(|credit| credit.1 <= one.index);
                let promised: Vec<ItemId> = credits.map(|credit| credit.0).collect();
                candidates.add(round, one.path(input).to_vec(), &promised);
            }
        }
    }
}

impl Occurrence {
    fn path(self, input: &SuiteInput) -> &[TransitionId] {
        &input.path(&input.traces[self.trace as usize])[..=self.index as usize]
    }

    /// Whether it has not been followed, which did not cover the item then, and is not known to fail.
    fn live(self, input: &SuiteInput, evidence: &Evidence) -> bool {
        let path = self.path(input);
        evidence.followed_prefix(path).1 < path.len() && evidence.dead_prefix(path).is_none()
    }
}

/// For each item, the shortest path that is believed to cover it.
fn shortest(round: &Round<'_>) -> Vec<Option<Vec<TransitionId>>> {
    let input = round.view.input;
    let start = round.start();
    let tree = round.ways.from(start.stack);
    let mut best: Vec<Option<(u64, TransitionId, u32)>> = vec![None; input.items.len()];
    for id in input.ids().filter(|&id| input.transition(id).sample.is_some()) {
        let Some((length, node)) = round.ways.shortest(&tree, id) else { continue };
        for item in round.beliefs.gives(id) {
            let best = &mut best[item.index()];
            if best.is_none_or(|best| (length, id, node) < best) {
                *best = Some((length, id, node));
            }
        }
    }
    let path = |(_, id, node)| {
        let steps = tree.way(node).into_iter().chain([id]);
        start.path.iter().copied().chain(steps).collect()
    };
    best.into_iter().map(|best| best.map(path)).collect()
}
