//! Seeded chance: the only source of randomness in retap.
//!
//! ChaCha8 with sampling of our own, so that one seed gives one run on every platform and with every version
//! of the libraries. Golden values below hold it.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::time::Micros;

/// Where randomness starts. Seeds branch by label and number, so that parts do not share a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seed(pub u64);

/// A stream of random choices. It cannot be copied: a copied stream would repeat its choices.
#[derive(Debug, PartialEq)]
pub struct Dice {
    rng: ChaCha8Rng,
}

impl Seed {
    /// The seed of a part, told apart by its name and number.
    #[must_use]
    pub fn branch(self, part: &str, number: u64) -> Self {
        let named = xxh3_64_with_seed(part.as_bytes(), self.0);
        Self(xxh3_64_with_seed(&number.to_le_bytes(), named))
    }

    /// The dice of this seed.
    pub fn dice(self) -> Dice {
        Dice { rng: ChaCha8Rng::seed_from_u64(self.0) }
    }
}

impl Dice {
    /// A number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // Widening multiplication; the few draws that would favour some numbers are drawn again.
        let reject = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.rng.next_u64()) * u128::from(bound);
            #[expect(clippy::cast_possible_truncation, reason = "the two halves of 128 bits")]
            let (high, low) = ((product >> 64) as u64, product as u64);
            if low >= reject {
                return high;
            }
        }
    }

    /// An index of a list of this length.
    ///
    /// # Panics
    /// When the list is empty.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("smaller than a usize")
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = i64::from(high.max(low)) - i64::from(low) + 1;
        let drawn = self.below(span.unsigned_abs());
        i32::try_from(i64::from(low) + i64::try_from(drawn).unwrap_or(0)).unwrap_or(low)
    }

    /// A number from 0 up to but not 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    pub fn unit(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Yes with this probability. Certainties draw nothing.
    pub fn chance(&mut self, probability: f64) -> bool {
        probability >= 1.0 || (probability > 0.0 && self.unit() < probability)
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.index(items.len())) }
    }

    /// Which of the weights a draw falls on; `None` when all are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.below(total);
        weights.iter().position(|&weight| {
            let here = left < u64::from(weight);
            left = left.saturating_sub(u64::from(weight));
            here
        })
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// A lognormal time with this median and spread (standard deviation of the logarithm).
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time of up to an hour, rounded to microseconds"
    )]
    pub fn lognormal(&mut self, median: Micros, spread: f64) -> Micros {
        const HOUR: f64 = 3.6e9;
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        let normal = radius * libm::cos(std::f64::consts::TAU * self.unit());
        Micros((median.0 as f64 * libm::exp(spread * normal)).clamp(0.0, HOUR) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_one_stream_for_ever() {
        let mut dice = Seed(7).branch("device", 3).dice();
        let drawn: [u64; 6] = std::array::from_fn(|_| dice.below(1000));
        assert_eq!(drawn, [9, 16, 62, 316, 736, 926]);
        assert_eq!(dice.lognormal(Micros::from_millis(400), 0.5), Micros(386_972));
    }

    #[test]
    fn draws_are_fair() {
        let mut dice = Seed(1).dice();
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[dice.index(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (9_600..10_400).contains(&count)), "{seen:?}");
        let heads = (0..10_000).filter(|_| dice.chance(0.3)).count();
        assert!((2_850..3_150).contains(&heads), "{heads}");
        let third = (0..8_000).filter(|_| dice.weighted(&[1, 0, 3]) == Some(2)).count();
        assert!((5_800..6_200).contains(&third), "{third}");
    }

    #[test]
    fn the_edges_hold() {
        let mut dice = Seed(2).dice();
        assert_eq!(dice.below(1), 0);
        assert_eq!(dice.between(5, 5), 5);
        assert_eq!(dice.weighted(&[0, 0]), None);
        assert_eq!(dice.pick::<u8>(&[]), None);
        assert!(dice.chance(1.0) && !dice.chance(0.0));
        assert!((0..1000).all(|_| (-3..=3).contains(&dice.between(-3, 3))));
    }
}
