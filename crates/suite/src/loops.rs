//! A trace without some of its loops, from the cheapest up [DetReduce, section 3.1, the set L].
//!
//! A loop is a stretch of a trace that begins and ends in the same state. The ways to leave loops out are
//! exponentially many, so they are never built: they are paths through the positions of the trace, where a step
//! leads one position on and a loop leads for free to a later position in the same state, and the cheapest path
//! that is still of use is looked for when it is asked for. Two loops in a row are one, so no two free moves
//! follow each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use retap_model::Loops;
use retap_trace::StateKey;

use crate::bits::{Bits, WantedItems};
use crate::evidence::Evidence;
use crate::input::{SuiteInput, TransitionId};
use crate::item::ItemId;

#[cfg(test)]
mod tests;

/// The shorter forms of one trace.
#[derive(Debug, Clone)]
pub(crate) struct Shorter {
    path: Vec<TransitionId>,
    /// For each position, the later positions in the same state.
    jumps: Vec<Vec<u32>>,
    /// What each transition gives of what is needed.
    gives: Vec<Bits>,
    /// What the rest of the trace from each position on can give.
    ahead: Vec<Bits>,
    /// The least time from each position to the end.
    left: Vec<u64>,
    needed: Bits,
    partials: Vec<Partial>,
    /// By time in all, then by age.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    looked_at: u32,
    most: u32,
}

#[derive(Debug, Clone)]
struct Partial {
    before: Option<u32>,
    /// Transitions of the path that are done with.
    position: u32,
    jumped: bool,
    time: u64,
    got: Bits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LoopSearchResult {
    /// The next form of the trace.
    Path(Vec<TransitionId>),
    Nothing,
    /// The search was given up.
    CutShort,
}

impl Shorter {
    /// The forms of a path that keep `needed`, where each transition gives what `gives` says. At most `most`
    /// partial forms are looked at.
    pub(crate) fn new<'g>(
        input: &SuiteInput,
        path: Vec<TransitionId>,
        needed: &[ItemId],
        gives: impl Fn(TransitionId) -> &'g [ItemId],
        most: u32,
    ) -> Self {
        let wanted = WantedItems::new(input.items.len(), needed.iter().copied());
        let given: Vec<Bits> = path.iter().map(|&id| wanted.of(gives(id).iter().copied())).collect();
        let mut ahead = vec![wanted.none(); path.len() + 1];
        let mut left = vec![0; path.len() + 1];
        let jumps = jumps(input, &path);
        for position in (0..path.len()).rev() {
            let mut rest = ahead[position + 1].clone();
            rest.join(&given[position]);
            ahead[position] = rest;
            let step = input.transition(path[position]).time.0 + left[position + 1];
            let jump = jumps[position].iter().map(|&to| left[to as usize]).min();
            left[position] = jump.map_or(step, |jump| jump.min(step));
        }
        let first = Partial { before: None, position: 0, jumped: true, time: 0, got: wanted.none() };
        let needed = wanted.of(needed.iter().copied());
        let queue = BinaryHeap::from([Reverse((left[0], 0))]);
        let partials = vec![first];
        Self { path, jumps, gives: given, ahead, left, needed, partials, queue, looked_at: 0, most }
    }

    /// The cheapest form that was not handed out yet and does not begin with a prefix that is known to fail.
    pub(crate) fn next(&mut self, input: &SuiteInput, evidence: &Evidence) -> LoopSearchResult {
        while let Some(Reverse((_, index))) = self.queue.pop() {
            self.looked_at += 1;
            if self.looked_at > self.most {
                self.queue.clear();
                return LoopSearchResult::CutShort;
            }
            let prefix = self.path_of(index);
            if evidence.dead_prefix(&prefix).is_some() {
                continue;
            }
            if self.partials[index as usize].position as usize == self.path.len() {
                return LoopSearchResult::Path(prefix);
            }
            self.expand(input, index);
        }
        LoopSearchResult::Nothing
    }

    fn expand(&mut self, input: &SuiteInput, index: u32) {
        let Partial { position, jumped, time, ref got, .. } = self.partials[index as usize];
        let at = position as usize;
        let mut got_next = got.clone();
        got_next.join(&self.gives[at]);
        let step_time = time + input.transition(self.path[at]).time.0;
        let mut children = vec![Partial {
            before: Some(index),
            position: position + 1,
            jumped: false,
            time: step_time,
            got: got_next,
        }];
        if !jumped {
            let jump =
                |&to| Partial { before: Some(index), position: to, jumped: true, time, got: got.clone() };
            children.extend(self.jumps[at].iter().map(jump));
        }
        for child in children {
            let to = child.position as usize;
            if self.needed.within_both(&child.got, &self.ahead[to]) {
                let number = u32::try_from(self.partials.len()).expect("few partials");
                self.queue.push(Reverse((child.time + self.left[to], number)));
                self.partials.push(child);
            }
        }
    }

    fn path_of(&self, index: u32) -> Vec<TransitionId> {
        let chain = std::iter::successors(Some(index), |&index| self.partials[index as usize].before);
        let chain: Vec<&Partial> = chain.map(|index| &self.partials[index as usize]).collect();
        let steps = chain.iter().rev().filter(|partial| !partial.jumped);
        steps.map(|partial| self.path[partial.position as usize - 1]).collect()
    }
}

/// For each position, the later positions in the same state. Position i lies before transition i; position 0,
/// before the launch, is in no state.
fn jumps(input: &SuiteInput, path: &[TransitionId]) -> Vec<Vec<u32>> {
    let states = path.iter().map(|&id| StateKey(u64::from(input.transition(id).to.0)));
    let loops = Loops::new(&states.collect::<Vec<_>>());
    let end = |found: std::ops::Range<usize>| u32::try_from(found.end + 1).expect("a short trace");
    let jumps = (0..path.len()).map(|state| loops.beginning_at(state).map(end).collect());
    std::iter::once(Vec::new()).chain(jumps).collect()
}
