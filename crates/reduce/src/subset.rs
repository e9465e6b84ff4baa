//! Which steps of a trace are kept.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A subsequence of a trace: the kept positions, from 0, as runs of neighbours.
///
/// Runs, because a search over a list of 100,000 lines asks for thousands of complements at once, and each of
/// them is the list with one hole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subset {
    /// Not empty, in order, neither touching nor overlapping.
    runs: Arc<[(u32, u32)]>,
    len: u32,
}

impl Subset {
    /// All of a trace with so many steps.
    pub fn all(len: u32) -> Self {
        Self::from_ranges(std::iter::once(0..len))
    }

    pub fn empty() -> Self {
        Self::from_ranges(std::iter::empty())
    }

    /// The positions in these ranges, which must be in order and not overlap.
    pub fn from_ranges(ranges: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for range in ranges {
            match runs.last_mut() {
                _ if range.is_empty() => {}
                Some(last) if last.1 == range.start => last.1 = range.end,
                _ => runs.push((range.start, range.end)),
            }
        }
        debug_assert!(runs.windows(2).all(|pair| pair[0].1 < pair[1].0), "ranges in order");
        let len = runs.iter().map(|(start, end)| end - start).sum();
        Self { runs: runs.into(), len }
    }

    /// These positions, which must be in order and not repeat.
    pub fn from_positions(positions: impl IntoIterator<Item = u32>) -> Self {
        Self::from_ranges(positions.into_iter().map(|position| position..position + 1))
    }

    /// How many steps are kept.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether nothing is kept.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The kept positions as ranges, in order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.runs.iter().map(|&(start, end)| start..end)
    }

    /// The kept positions, in order.
    pub fn positions(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges().flatten()
    }

    /// Whether a position is kept.
    pub fn has(&self, position: u32) -> bool {
        let run = self.runs.partition_point(|&(_, end)| end <= position);
        self.runs.get(run).is_some_and(|&(start, _)| start <= position)
    }

    /// The kept position of this number, counted from 0.
    pub fn nth(&self, rank: u32) -> Option<u32> {
        let mut before = 0;
        self.ranges().find_map(|run| {
            let position = run.start + (rank.checked_sub(before)?);
            before += run.end - run.start;
            (position < run.end).then_some(position)
        })
    }

    /// The kept positions number `ranks.start` to `ranks.end`, counted among the kept ones.
    #[must_use]
    pub fn part(&self, ranks: &Range<u32>) -> Self {
        let mut before = 0;
        Self::from_ranges(self.ranges().map(|run| {
            let shifted = |rank: u32| run.start + rank.saturating_sub(before).min(run.end - run.start);
            let kept = shifted(ranks.start)..shifted(ranks.end);
            before += run.end - run.start;
            kept
        }))
    }

    /// The positions that both keep.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        Self::from_positions(self.positions().filter(|position| other.has(*position)))
    }

    /// The positions that the other one does not keep.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self::from_positions(self.positions().filter(|position| !other.has(*position)))
    }

    /// All kept positions but those.
    #[must_use]
    pub fn without(&self, ranks: &Range<u32>) -> Self {
        let (head, tail) = (self.part(&(0..ranks.start)), self.part(&(ranks.end..self.len)));
        Self::from_ranges(head.ranges().chain(tail.ranges()))
    }
}

impl fmt::Debug for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ranges()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_a_list_of_positions(kept: BTreeSet<u8>, a in 0_u32..40, b in 0_u32..40) {
            let list: Vec<u32> = kept.into_iter().map(u32::from).collect();
            let subset = Subset::from_positions(list.iter().copied());
            let count = u32::try_from(list.len()).unwrap();
            let ranks = a.min(b).min(count)..a.max(b).min(count);
            let (from, to) = (ranks.start as usize, ranks.end as usize);

            prop_assert_eq!(subset.len(), count);
            prop_assert_eq!(subset.positions().collect::<Vec<_>>(), list.clone());
            prop_assert_eq!(subset.nth(a), list.get(a as usize).copied());
            prop_assert_eq!(subset.part(&ranks).positions().collect::<Vec<_>>(), &list[from..to]);
            let rest: Vec<u32> = list[..from].iter().chain(&list[to..]).copied().collect();
            prop_assert_eq!(subset.without(&ranks), Subset::from_positions(rest));
            prop_assert_eq!(subset.minus(&subset.part(&ranks)), subset.without(&ranks));
            for position in 0..260 {
                prop_assert_eq!(subset.has(position), list.contains(&position));
            }
        }
    }

    #[test]
    fn equal_contents_are_equal_however_they_were_made() {
        assert_eq!(Subset::all(4), Subset::from_positions([0, 1, 2, 3]));
        assert_eq!(Subset::all(4).without(&(0..4)), Subset::empty());
    }
}
