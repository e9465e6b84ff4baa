//! Where the states of k live candidates stand in a table.
//!
//! A state is a multiset of tallies. States with the same sorted totals form a block, blocks stand in the order of
//! their rank, and within a block candidates with the same total count as one group whose failures are sorted. So
//! a table has one entry for each state, and no more.

use std::iter;

use crate::levels::Levels;
use crate::ranks::{Ranks, advance};

/// The layout of one table.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    levels: Levels,
    ranks: Ranks,
    candidates: usize,
    modulus: usize,
    /// Where each block starts, by rank, or [`ABSENT`].
    first: Vec<u32>,
    length: usize,
}

/// More states, or lists of totals, than this are refused.
pub(crate) const MOST_STATES: u64 = 100_000_000;

const ABSENT: u32 = u32::MAX;

impl Layout {
    /// The layout for so many candidates, of those states whose runs sum to a multiple of `modulus`. `None` when
    /// it would be too large.
    pub(crate) fn new(levels: Levels, candidates: usize, modulus: usize) -> Option<Self> {
        let ranks = Ranks::new(candidates, levels.runs() + 1);
        if ranks.count(candidates, levels.runs()) > MOST_STATES {
            return None;
        }
        let mut layout = Self { levels, ranks, candidates, modulus, first: Vec::new(), length: 0 };
        let mut next = 0_u64;
        let mut totals = vec![0; candidates];
        loop {
            if layout.keeps(totals.iter().sum()) {
                layout.first.push(u32::try_from(next).expect("below the most states"));
                next = next.saturating_add(layout.block_length(&totals) as u64);
            } else {
                layout.first.push(ABSENT);
            }
            if next > MOST_STATES {
                return None;
            }
            if !advance(&mut totals, levels.runs()) {
                break;
            }
        }
        layout.length = usize::try_from(next).expect("below the most states");
        Some(layout)
    }

    /// How many states there are.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    pub(crate) const fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// How many lists of sorted totals there are, with or without a block.
    pub(crate) const fn lists(&self) -> usize {
        self.first.len()
    }

    /// The rank of a list of sorted totals.
    pub(crate) fn rank(&self, totals: &[usize]) -> usize {
        self.ranks.rank(totals.iter().copied())
    }

    /// Whether states whose runs sum to this are kept.
    pub(crate) const fn keeps(&self, sum: usize) -> bool {
        sum.is_multiple_of(self.modulus)
    }

    /// All sorted totals that have a block, in order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let mut totals = Some(vec![0; self.candidates]);
        let lists = iter::from_fn(move || {
            let current = totals.take()?;
            let mut next = current.clone();
            totals = advance(&mut next, self.levels.runs()).then_some(next);
            Some(current)
        });
        lists.zip(&self.first).filter(|(_, first)| **first != ABSENT).map(|(totals, _)| totals)
    }

    /// Where the block of these sorted totals starts.
    pub(crate) fn block(&self, totals: impl IntoIterator<Item = usize>) -> Option<usize> {
        let first = self.first[self.ranks.rank(totals)];
        (first != ABSENT).then_some(first as usize)
    }

    /// How many states the block of these sorted totals has.
    pub(crate) fn block_length(&self, totals: &[usize]) -> usize {
        let groups = totals.chunk_by(|one, other| one == other);
        groups.map(|group| self.group_length(group[0], group.len())).fold(1, usize::saturating_mul)
    }

    /// In how many ways failures can be spread over so many candidates with this total.
    pub(crate) fn group_length(&self, total: usize, members: usize) -> usize {
        usize::try_from(self.ranks.count(members, self.levels.live(total))).unwrap_or(usize::MAX)
    }

    /// Where a state stands. Its live candidates come as (total, failures), sorted.
    pub(crate) fn locate(&self, state: &[(usize, usize)]) -> Option<usize> {
        let block = self.block(state.iter().map(|&(total, _)| total))?;
        let mut within = 0;
        for group in state.chunk_by(|one, other| one.0 == other.0) {
            let total = group[0].0;
            let lowest = self.levels.lowest(total);
            within = within * self.group_length(total, group.len())
                + self.ranks.rank(group.iter().map(|&(_, failures)| failures - lowest));
        }
        Some(block + within)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Setting;

    #[test]
    fn every_state_has_its_place() {
        for (nr, st) in [(1, 1), (4, 3), (5, 2), (3, 3)] {
            let levels = Levels::new(&Setting::new(1, 1, nr, st).unwrap());
            let live = |total: usize| {
                (0..levels.live(total)).map(move |level| (total, levels.lowest(total) + level))
            };
            let tallies: Vec<(usize, usize)> = (0..levels.runs()).flat_map(live).collect();
            for candidates in 1..=3 {
                for modulus in 1..=3 {
                    let layout = Layout::new(levels, candidates, modulus).unwrap();
                    let mut places = BTreeSet::new();
                    let mut members = vec![0; candidates];
                    loop {
                        let state: Vec<(usize, usize)> =
                            members.iter().map(|&tally| tallies[tally]).collect();
                        let kept = state.iter().map(|&(total, _)| total).sum::<usize>() % modulus == 0;
                        let place = layout.locate(&state);
                        assert_eq!(place.is_some(), kept, "{state:?}");
                        assert!(place.is_none_or(|place| places.insert(place)), "{state:?} shares its place");
                        if !advance(&mut members, tallies.len()) {
                            break;
                        }
                    }
                    assert!(places.iter().copied().eq(0..layout.length()), "{st}/{nr} {candidates}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let levels = Levels::new(&Setting::new(1, 1, 200, 100).unwrap());
        assert!(Layout::new(levels, 1, 1).is_some());
        assert!(Layout::new(levels, 9, 1).is_none());
    }
}
