//! Sorted lists of small numbers, numbered without gaps.
//!
//! The rank of `x0 <= x1 <= ...` is the sum of `choose(xj + j, j + 1)`: the combinatorial number system. Ranks
//! order lists of one length by their last number, then by the one before it, and so on.

/// The numbering.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    /// `choose(x + place, place + 1)` by place, then by x.
    rows: Vec<Vec<u64>>,
}

impl Ranks {
    /// For lists of up to `length` numbers, each at most `largest`. Numbers beyond 64 bits stay at the largest.
    pub(crate) fn new(length: usize, largest: usize) -> Self {
        let mut rows: Vec<Vec<u64>> = Vec::with_capacity(length);
        for _ in 0..length {
            let mut row = vec![0_u64];
            for x in 1..=largest {
                let grown = rows.last().map_or(1, |before| before[x]);
                row.push(row[x - 1].saturating_add(grown));
            }
            rows.push(row);
        }
        Self { rows }
    }

    /// What the number `x` at this place adds to the rank.
    pub(crate) fn part(&self, place: usize, x: usize) -> usize {
        usize::try_from(self.rows[place][x]).expect("lists were counted before they are numbered")
    }

    /// The rank of a sorted list.
    pub(crate) fn rank(&self, list: impl IntoIterator<Item = usize>) -> usize {
        list.into_iter().enumerate().map(|(place, x)| self.part(place, x)).sum()
    }

    /// How many sorted lists of this length there are with numbers below `values`.
    pub(crate) fn count(&self, length: usize, values: usize) -> u64 {
        if length == 0 { 1 } else { self.rows[length - 1][values] }
    }
}

/// Turns a sorted list into the next one by rank, with numbers below `values`; `false` when it was the last.
pub(crate) fn advance(list: &mut [usize], values: usize) -> bool {
    for place in 0..list.len() {
        let limit = list.get(place + 1).copied().unwrap_or(values - 1);
        if list[place] < limit {
            list[place] += 1;
            list[..place].fill(0);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_all_sorted_lists() {
        for length in 0..=4 {
            for values in 1..=6 {
                let ranks = Ranks::new(length, values);
                let mut list = vec![0; length];
                let mut rank = 0;
                loop {
                    assert!(list.is_sorted());
                    assert_eq!(ranks.rank(list.iter().copied()), rank, "{list:?}");
                    rank += 1;
                    if !advance(&mut list, values) {
                        break;
                    }
                }
                assert_eq!(ranks.count(length, values), rank as u64, "{length} below {values}");
            }
        }
    }

    #[test]
    fn counts_do_not_overflow() {
        assert_eq!(Ranks::new(40, 10_000).count(40, 10_000), u64::MAX);
    }
}
