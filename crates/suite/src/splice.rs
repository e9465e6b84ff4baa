//! Bounded splicing: new traces out of fragments of known ones [DetReduce, section 3.2].
//!
//! All transitions of the known traces, each labelled with its trace and position, form a transition system. A
//! path from the launch is a candidate when it has fewer than k switches; a switch is where the next label is not
//! the next position of the same trace. The candidates are not enumerated: the one with the most new items, and
//! among these the cheapest, is looked for best first. What a path can still gain is bounded from above by what
//! can be reached from its end with the switches it has left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::bits::{Bits, WantedItems};
use crate::evidence::{Evidence, PrefixId, Standing};
use crate::input::{StateNo, SuiteInput, TransitionId};

#[cfg(test)]
mod tests;

/// The labelled transitions of the known traces.
#[derive(Debug, Clone)]
pub(crate) struct Splicer {
    /// All traces, one behind the other.
    labels: Vec<TransitionId>,
    /// For each label, whether the next one continues its trace.
    continued: Vec<bool>,
    /// The labels that begin in each state.
    leaving: BTreeMap<StateNo, Vec<u32>>,
    launches: Vec<u32>,
}

pub(crate) struct Quest<'a> {
    pub(crate) input: &'a SuiteInput,
    pub(crate) evidence: &'a Evidence,
    /// The items that are still to be covered.
    pub(crate) wanted: &'a WantedItems,
    /// What each transition gives of them.
    pub(crate) gives: &'a dyn Fn(TransitionId) -> Bits,
    /// Paths that have been tried; what a replay of them really gave is counted elsewhere.
    pub(crate) tried: &'a BTreeSet<Vec<TransitionId>>,
    pub(crate) fragments: u32,
    /// The most partial candidates that are looked at.
    pub(crate) most: u32,
}

/// The best candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spliced {
    pub(crate) path: Vec<TransitionId>,
    pub(crate) gain: usize,
    /// Whether the search was given up and a better one may exist.
    pub(crate) cut_short: bool,
}

struct Partial {
    before: Option<u32>,
    label: u32,
    switches: u32,
    time: u64,
    got: Bits,
    node: Option<PrefixId>,
}

/// By upper bound; then what has most when the search dives; then cheapest first; finished before unfinished, older
/// before younger.
type Rank = (usize, usize, Reverse<u64>, bool, Reverse<u32>);

impl Splicer {
    /// The transition system of these traces.
    pub(crate) fn new(input: &SuiteInput, traces: &[Vec<TransitionId>]) -> Self {
        let labels: Vec<TransitionId> = traces.concat();
        let mut continued = Vec::new();
        let mut launches = Vec::new();
        for trace in traces {
            launches.push(u32::try_from(continued.len()).expect("few labels"));
            continued.extend((1..=trace.len()).map(|next| next < trace.len()));
        }
        let mut leaving: BTreeMap<StateNo, Vec<u32>> = BTreeMap::new();
        for (label, &id) in (0..).zip(&labels) {
            leaving.entry(input.transition(id).from).or_default().push(label);
        }
        Self { labels, continued, leaving, launches }
    }

    /// The path with the most new items, and among these the cheapest. None when no path has any.
    ///
    /// Near the launch nearly all paths can still gain everything, so a first search dives: it prefers what has
    /// most. What it finds keeps the second one, which is exact, from looking at what is no better.
    pub(crate) fn best(&self, quest: &Quest<'_>) -> Option<Spliced> {
        let given = self.given(quest);
        let reach = self.reach(quest, &given);
        let search = |dive: bool, least: Option<Score>| {
            let (partials, queue, seen) = (Vec::new(), BinaryHeap::new(), BTreeMap::new());
            let (given, reach) = (&given, &reach);
            Search { splicer: self, quest, given, reach, dive, least, partials, queue, seen }.run()
        };
        let score = |found: &Found| (found.1, Reverse(quest.input.time_of(&found.0).0));
        let (dived, _) = search(true, None);
        let (exact, cut_short) = search(false, dived.as_ref().map(score));
        let (path, gain) = exact.or(dived)?;
        Some(Spliced { path, gain, cut_short })
    }

    fn given(&self, quest: &Quest<'_>) -> Vec<Bits> {
        self.labels.iter().map(|&id| (quest.gives)(id)).collect()
    }

    /// For each number of switches left and each label, what can still be gained behind it.
    fn reach(&self, quest: &Quest<'_>, given: &[Bits]) -> Vec<Vec<Bits>> {
        let none = quest.wanted.none();
        let mut reach: Vec<Vec<Bits>> = Vec::new();
        for switches in 0..quest.fragments.max(1) as usize {
            let mut from: BTreeMap<StateNo, Bits> = BTreeMap::new();
            if let Some(fewer) = switches.checked_sub(1).map(|fewer| &reach[fewer]) {
                for (&state, labels) in &self.leaving {
                    let mut all = none.clone();
                    for &label in labels {
                        all.join(&given[label as usize]);
                        all.join(&fewer[label as usize]);
                    }
                    from.insert(state, all);
                }
            }
            let mut here = vec![none.clone(); self.labels.len()];
            for label in (0..self.labels.len()).rev() {
                let mut all =
                    from.get(&quest.input.transition(self.labels[label]).to).unwrap_or(&none).clone();
                if self.continued[label] {
                    all.join(&given[label + 1]);
                    all.join(&here[label + 1]);
                }
                here[label] = all;
            }
            reach.push(here);
        }
        reach
    }
}

/// New items, then time.
type Score = (usize, Reverse<u64>);

/// A path and its new items.
type Found = (Vec<TransitionId>, usize);

struct Search<'a> {
    splicer: &'a Splicer,
    quest: &'a Quest<'a>,
    given: &'a [Bits],
    reach: &'a [Vec<Bits>],
    dive: bool,
    /// What is no better than this need not be looked at.
    least: Option<Score>,
    partials: Vec<Partial>,
    queue: BinaryHeap<Rank>,
    /// What the partials at each label with so many switches have, to drop those that are worse in every way.
    seen: BTreeMap<(u32, u32), Vec<(Bits, u64)>>,
}

impl Search<'_> {
    /// The best path, and whether the search was given up before all were looked at.
    fn run(mut self) -> (Option<Found>, bool) {
        for &label in &self.splicer.launches {
            self.add(None, label, 0);
        }
        let mut cut_short = false;
        while let Some((gain, _, _, finished, Reverse(index))) = self.queue.pop() {
            if finished {
                let path = self.path_of(index);
                if !self.quest.tried.contains(&path) {
                    return (Some((path, gain)), cut_short);
                }
            } else if self.partials.len() < self.quest.most as usize {
                self.expand(index);
            } else {
                // Beyond the bound, only what is finished is taken.
                cut_short = true;
            }
        }
        (None, cut_short)
    }

    fn expand(&mut self, index: u32) {
        let Partial { label, switches, .. } = self.partials[index as usize];
        if self.splicer.continued[label as usize] {
            self.add(Some(index), label + 1, switches);
        }
        if switches + 1 >= self.quest.fragments {
            return;
        }
        let to = self.quest.input.transition(self.splicer.labels[label as usize]).to;
        for &next in self.splicer.leaving.get(&to).into_iter().flatten() {
            if next != label + 1 || !self.splicer.continued[label as usize] {
                self.add(Some(index), next, switches + 1);
            }
        }
    }

    fn add(&mut self, before: Option<u32>, label: u32, switches: u32) {
        let id = self.splicer.labels[label as usize];
        let from = before.map(|index| &self.partials[index as usize]);
        let node = match from {
            None => self.quest.evidence.child(PrefixId::ROOT, id),
            Some(partial) => partial.node.and_then(|node| self.quest.evidence.child(node, id)),
        };
        if node.is_some_and(|node| self.quest.evidence.standing(node) == Standing::Dead) {
            return;
        }
        let mut got = from.map_or_else(|| self.quest.wanted.none(), |partial| partial.got.clone());
        got.join(&self.given[label as usize]);
        let time = from.map_or(0, |partial| partial.time) + self.quest.input.transition(id).time.0;
        let left = (self.quest.fragments - 1 - switches) as usize;
        let bound = got.len_with(&self.reach[left][label as usize]);
        let had = from.map_or(0, |partial| partial.got.len());
        let hopeless = bound == 0 || self.least.is_some_and(|least| (bound, Reverse(time)) <= least);
        if hopeless || self.worse(label, switches, &got, time) {
            return;
        }
        let index = u32::try_from(self.partials.len()).expect("few partials");
        let gain = got.len();
        self.partials.push(Partial { before, label, switches, time, got, node });
        let depth = if self.dive { gain } else { 0 };
        self.queue.push((bound, depth, Reverse(time), false, Reverse(index)));
        // A path that ends here counts only when it is better than what is known already.
        if gain > had && self.least.is_none_or(|least| (gain, Reverse(time)) > least) {
            self.queue.push((gain, depth, Reverse(time), true, Reverse(index)));
        }
    }

    /// Whether another partial at the same place has all of this and took no longer.
    fn worse(&mut self, label: u32, switches: u32, got: &Bits, time: u64) -> bool {
        const KEPT: usize = 8;
        let seen = self.seen.entry((label, switches)).or_default();
        if seen.iter().any(|(other, took)| *took <= time && got.within(other)) {
            return true;
        }
        if seen.len() < KEPT {
            seen.push((got.clone(), time));
        }
        false
    }

    fn path_of(&self, index: u32) -> Vec<TransitionId> {
        let chain = std::iter::successors(Some(index), |&index| self.partials[index as usize].before);
        let mut path: Vec<_> =
            chain.map(|index| self.splicer.labels[self.partials[index as usize].label as usize]).collect();
        path.reverse();
        path
    }
}
