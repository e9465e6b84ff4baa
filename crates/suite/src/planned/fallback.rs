//! Where else an item can be had: the recorded prefixes that covered it.
//!
//! Nothing may be lost: as long as an item is covered by no path that was followed, the way that is believed to be
//! the shortest and the cheapest recorded prefixes that are not known to fail are candidates. When none is left, no
//! trace of the input has the item in a prefix that can be replayed.

use super::candidate::Candidates;
use super::round::Round;
use crate::evidence::Evidence;
use crate::item::ItemId;
use crate::material::{Material, TransitionId};

/// For each item, the prefixes of walks that end where it was first covered, the cheapest first.
#[derive(Debug)]
pub(crate) struct Occurrences(Vec<Vec<Occurrence>>);

/// A prefix of a walk, by its time, the number of the walk, and the index of its last transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    time: u64,
    walk: u32,
    index: u32,
}

impl Occurrences {
    pub(super) fn new(material: &Material) -> Self {
        let mut all = vec![Vec::new(); material.items.len()];
        for (number, walk) in (0..).zip(&material.walks) {
            let mut time = 0;
            let times = material.path(walk).iter().map(|&id| {
                time += material.transition(id).time.0;
                time
            });
            let times: Vec<u64> = times.collect();
            for &(item, index) in walk.credits.iter().filter(|credit| credit.1 > 0) {
                all[item.index()].push(Occurrence { time: times[index as usize], walk: number, index });
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
        let material = round.view.material;
        let missing: Vec<ItemId> = material.items.ids().filter(|&item| !candidates.covers(item)).collect();
        let shortest = shortest(round);
        for item in missing {
            if let Some(path) = shortest[item.index()].clone() {
                candidates.add(round, path, &[]);
            }
            let live = self.0[item.index()].iter().filter(|one| one.live(material, round.view.evidence));
            for one in live.take(EACH) {
                let walk = &material.walks[one.walk as usize];
                let credits = walk.credits.iter().filter(|credit| credit.1 <= one.index);
                let promised: Vec<ItemId> = credits.map(|credit| credit.0).collect();
                candidates.add(round, one.path(material).to_vec(), &promised);
            }
        }
    }
}

impl Occurrence {
    fn path(self, material: &Material) -> &[TransitionId] {
        &material.path(&material.walks[self.walk as usize])[..=self.index as usize]
    }

    /// Whether it has not been followed, which did not cover the item then, and is not known to fail.
    fn live(self, material: &Material, evidence: &Evidence) -> bool {
        let path = self.path(material);
        evidence.followed_prefix(path).1 < path.len() && evidence.dead_prefix(path).is_none()
    }
}

/// For each item, the shortest path that is believed to cover it.
fn shortest(round: &Round<'_>) -> Vec<Option<Vec<TransitionId>>> {
    let material = round.view.material;
    let start = round.start();
    let tree = round.ways.from(start.stack);
    let mut best: Vec<Option<(u64, TransitionId, u32)>> = vec![None; material.items.len()];
    for id in material.ids().filter(|&id| material.transition(id).sample.is_some()) {
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
