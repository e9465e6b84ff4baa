//! Shorter forms of a path that is known to replay.
//!
//! A path is there for the items that no other chosen path has. Each of them was covered by some step; what lies
//! between two such steps only leads from one to the next, and its loops may go [DetReduce, section 3.1]. Whether
//! the items are still covered then, only a replay tells.

use std::collections::BTreeMap;
use std::ops::Range;

use super::round::Round;
use crate::evidence::PrefixId;
use crate::input::{StateNo, TransitionId};
use crate::item::ItemId;

/// Forms of the path of a node that keep the steps that covered these items, in the order in which they should be
/// tried: without any loop, without one half of the loops, without a single one.
pub(super) fn cuts(round: &Round<'_>, node: PrefixId, own: &[ItemId]) -> Vec<Vec<TransitionId>> {
    let path = round.view.evidence.path(node);
    let mut from = 1;
    let mut loops: Vec<Range<usize>> = Vec::new();
    for step in round.view.evidence.covered_at(node, own) {
        loops.extend(loops_of(round, &path, from..step));
        from = step + 1;
    }
    let mut forms = Vec::new();
    if loops.len() > 1 {
        let (first, second) = loops.split_at(loops.len().div_ceil(2));
        forms.extend([without(&path, &loops), without(&path, first), without(&path, second)]);
    }
    // One by one, the longest first; then only a part of each.
    loops.sort_by_key(|one| (std::cmp::Reverse(one.len()), one.start));
    let parts = loops.iter().flat_map(|one| parts(round, &path, one));
    let single: Vec<Range<usize>> = loops.iter().cloned().chain(parts).collect();
    forms.extend(single.iter().map(|one| without(&path, std::slice::from_ref(one))));
    forms
}

/// Loops that can be left out together: the widest from each state on. Position p lies before step p, in the state
/// that the step before led to; a loop is a range of steps between two positions of the stretch.
fn loops_of(round: &Round<'_>, path: &[TransitionId], stretch: Range<usize>) -> Vec<Range<usize>> {
    let last: BTreeMap<StateNo, usize> =
        (stretch.start..=stretch.end).map(|position| (state(round, path, position), position)).collect();
    let mut loops = Vec::new();
    let mut at = stretch.start;
    while at < stretch.end {
        let end = last[&state(round, path, at)];
        if end > at {
            loops.push(at..end);
        }
        at = end.max(at + 1);
    }
    loops
}

/// Of a loop that comes back to its state more than once, the first half of its rounds, and the first round.
fn parts(round: &Round<'_>, path: &[TransitionId], one: &Range<usize>) -> Vec<Range<usize>> {
    let home = state(round, path, one.start);
    let returns: Vec<usize> = (one.start + 1..one.end).filter(|&at| state(round, path, at) == home).collect();
    let mut ends: Vec<usize> = returns.get(returns.len() / 2).copied().into_iter().collect();
    ends.extend(returns.first().filter(|first| !ends.contains(first)));
    ends.into_iter().map(|end| one.start..end).collect()
}

fn state(round: &Round<'_>, path: &[TransitionId], position: usize) -> StateNo {
    round.view.input.transition(path[position - 1]).to
}

/// The path without the steps of these loops.
fn without(path: &[TransitionId], loops: &[Range<usize>]) -> Vec<TransitionId> {
    let kept = (0..path.len()).filter(|step| !loops.iter().any(|one| one.contains(step)));
    kept.map(|step| path[step]).collect()
}
