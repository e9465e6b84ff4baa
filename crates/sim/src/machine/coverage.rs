//! Which code has been executed.

use retap_trace::CoverageId;

/// The code executed in this run, and what of it is news since the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coverage {
    /// One bit for each piece of code.
    words: Vec<u64>,
    /// New since the last look, in the order of execution.
    news: Vec<CoverageId>,
}

impl Coverage {
    /// Nothing executed yet, of so many pieces of code.
    pub(super) fn of(pieces: usize) -> Self {
        Self { words: vec![0; pieces.div_ceil(64)], news: Vec::new() }
    }

    /// Marks a range of pieces as executed. Goes word by word: nearly always there is nothing new.
    pub(super) fn cover(&mut self, from: u32, to: u32) {
        let mut start = from;
        while start < to {
            let index = (start / 64) as usize;
            let end = to.min((start / 64).saturating_add(1).saturating_mul(64));
            let Some(word) = self.words.get_mut(index) else { return };
            let mut new = bits(start % 64, end - start) & !*word;
            *word |= new;
            while new != 0 {
                self.news.push(CoverageId(start / 64 * 64 + new.trailing_zeros()));
                new &= new - 1;
            }
            start = end;
        }
    }

    /// What is new since the last look.
    pub(super) fn take_news(&mut self) -> Vec<CoverageId> {
        std::mem::take(&mut self.news)
    }

    /// How many pieces were executed in this run.
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }
}

/// So many bits from this one on; they fit.
const fn bits(first: u32, count: u32) -> u64 {
    let mask = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
    mask << first
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_piece_is_news_once(ranges in prop::collection::vec((0_u32..200, 0_u32..90), 0..20)) {
            let mut coverage = Coverage::of(200);
            let mut known = std::collections::BTreeSet::new();
            for (from, length) in ranges {
                coverage.cover(from, from + length);
                let fresh: Vec<_> = (from..from + length).filter(|&id| id < 256 && known.insert(id)).collect();
                let news: Vec<_> = coverage.take_news().into_iter().map(|id| id.0).collect();
                prop_assert_eq!(news, fresh);
            }
            prop_assert_eq!(coverage.count() as usize, known.len());
        }
    }
}
