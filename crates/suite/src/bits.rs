//! Sets of items, as bits: they are joined and compared millions of times.

use crate::item::ItemId;

/// A set of small numbers: of items, or of wanted items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bits(Box<[u64]>);

/// The few items that a search still wants, renumbered from 0 so that sets of them are short.
#[derive(Debug, Clone)]
pub(crate) struct WantedItems {
    /// For each item, its number; the largest number when it is not wanted.
    numbers: Vec<u32>,
    count: usize,
}

impl Bits {
    /// No numbers, with room for those below `count`.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// Adds a number; says whether it was new.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let new = !self.has(number);
        self.0[number as usize / 64] |= 1 << (number % 64);
        new
    }

    pub(crate) fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] & (1 << (number % 64)) != 0
    }

    /// Adds all numbers of another set.
    pub(crate) fn join(&mut self, other: &Self) {
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            *mine |= others;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many are in this set or the other.
    pub(crate) fn len_with(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(mine, others)| (mine | others).count_ones() as usize).sum()
    }

    /// Whether all of this set are in the other.
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine & !others == 0)
    }

    /// Whether each of this set is in one of the two others.
    pub(crate) fn within_both(&self, one: &Self, other: &Self) -> bool {
        self.0.iter().zip(&one.0).zip(&other.0).all(|((mine, one), other)| mine & !(one | other) == 0)
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.0).flat_map(|(place, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(place * 64 + bit)
            })
        })
    }
}

impl WantedItems {
    /// These items, each once, are wanted; `items` is the number of all items.
    pub(crate) fn new(items: usize, want: impl Iterator<Item = ItemId>) -> Self {
        let mut numbers = vec![u32::MAX; items];
        let mut count = 0;
        for (number, item) in (0..).zip(want) {
            numbers[item.index()] = number;
            count += 1;
        }
        Self { numbers, count }
    }

    /// The number of an item, if it is wanted.
    pub(crate) fn number(&self, item: ItemId) -> Option<u32> {
        Some(self.numbers[item.index()]).filter(|number| *number != u32::MAX)
    }

    pub(crate) fn none(&self) -> Bits {
        Bits::new(self.count)
    }

    pub(crate) fn of(&self, items: impl IntoIterator<Item = ItemId>) -> Bits {
        let mut bits = self.none();
        for number in items.into_iter().filter_map(|item| self.number(item)) {
            bits.insert(number);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bits(numbers: &BTreeSet<u32>) -> Bits {
        let mut bits = Bits::new(200);
        assert!(numbers.iter().all(|&number| bits.insert(number)));
        bits
    }

    proptest! {
        #[test]
        fn behave_like_sets(
            one in proptest::collection::btree_set(0_u32..200, 0..20),
            other in proptest::collection::btree_set(0_u32..200, 0..20),
            third in proptest::collection::btree_set(0_u32..200, 0..20),
        ) {
            let mut joined = bits(&one);
            joined.join(&bits(&other));
            let union: BTreeSet<u32> = one.union(&other).copied().collect();
            prop_assert_eq!(joined.iter().collect::<Vec<_>>(), union.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(bits(&one).len_with(&bits(&other)), union.len());
            prop_assert_eq!(joined.len(), union.len());
            prop_assert!(bits(&one).within(&joined) && bits(&one).within_both(&bits(&other), &joined));
            prop_assert_eq!(bits(&third).within(&joined), third.is_subset(&union));
            prop_assert_eq!(bits(&third).within_both(&bits(&one), &bits(&other)), third.is_subset(&union));
            prop_assert!((0..200).all(|number| joined.has(number) == union.contains(&number)));
        }
    }

    #[test]
    fn what_is_not_wanted_has_no_number() {
        let wanted = WantedItems::new(5, [ItemId(3), ItemId(1)].into_iter());
        assert_eq!(wanted.number(ItemId(3)), Some(0));
        assert_eq!(wanted.number(ItemId(0)), None);
        assert_eq!(wanted.of([ItemId(0), ItemId(1)]).iter().collect::<Vec<_>>(), [1]);
    }
}
