//! The reproduction rate that runs have shown, with its uncertainty.

use std::fmt;

use crate::Tally;

/// A measured rate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Successes by runs.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Rate {
    /// The rate of a tally with the interval of Clopper and Pearson, which holds the true rate in at least 95 of 100
    /// cases, whatever it is. Without runs nothing is known: 0 to 1.
    pub fn of(tally: Tally) -> Self {
        const TAIL: f64 = 0.025;
        if tally.runs() == 0 {
            return Self { estimate: 0.0, low: 0.0, high: 1.0 };
        }
        // The rate at which so many successes, or more, become as unlikely as a tail; likewise for failures.
        let low = |tally: Tally| match tally.reached {
            0 => 0.0,
            reached => bisect(|rate| at_most(tally.runs(), reached - 1, rate) <= 1.0 - TAIL),
        };
        let mirrored = Tally::new(tally.missed, tally.reached);
        let estimate = f64::from(tally.reached) / f64::from(tally.runs());
        Self { estimate, low: low(tally), high: 1.0 - low(mirrored) }
    }
}

/// `83 to 100 of 100 runs`: outward, so that nothing is claimed that the interval does not hold.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} to {:.0} of 100 runs", libm::floor(self.low * 100.0), libm::ceil(self.high * 100.0))
    }
}

/// The probability of at most so many successes in so many runs at a rate.
pub(crate) fn at_most(runs: u32, successes: u32, rate: f64) -> f64 {
    if rate >= 1.0 {
        return if successes >= runs { 1.0 } else { 0.0 };
    }
    if rate <= 0.0 {
        return 1.0;
    }
    // By logarithms, because the first terms of many runs are smaller than any number.
    let (hit, miss) = (libm::log(rate), libm::log1p(-rate));
    let mut term = f64::from(runs) * miss;
    let mut sum = libm::exp(term);
    for count in 1..=successes {
        term += libm::log(f64::from(runs - count + 1) / f64::from(count)) + hit - miss;
        sum += libm::exp(term);
    }
    sum.min(1.0)
}

/// The smallest rate at which this holds, where it holds for all above.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { high = middle } else { low = middle }
    }
    // The lower end: never more than is known.
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        for (reached, missed, low, high) in [
            (20, 0, 0.831_566, 1.0),
            (10, 10, 0.271_958, 0.728_042),
            (0, 20, 0.0, 0.168_434),
            (18, 2, 0.683_017, 0.987_651),
            (1, 0, 0.025, 1.0),
            (90_000, 10_000, 0.898_124, 0.901_853),
        ] {
            let rate = Rate::of(Tally::new(reached, missed));
            assert!(
                (rate.low - low).abs() < 2e-6 && (rate.high - high).abs() < 2e-6,
                "{reached} {missed}: {rate:?}"
            );
        }
        let none = Rate::of(Tally::default());
        assert!(none.low <= 0.0 && none.high >= 1.0);
    }

    #[test]
    fn in_words_the_interval_is_never_narrower_than_it_is() {
        assert_eq!(Rate::of(Tally::new(20, 0)).to_string(), "83 to 100 of 100 runs");
        assert_eq!(Rate::of(Tally::new(10, 10)).to_string(), "27 to 73 of 100 runs");
    }

    #[test]
    fn covers_every_rate_as_often_as_it_says() {
        for percent in 1..100 {
            let rate = f64::from(percent) / 100.0;
            let covered: f64 = (0..=20)
                .filter(|&reached| {
                    let Rate { low, high, .. } = Rate::of(Tally::new(reached, 20 - reached));
                    low <= rate && rate <= high
                })
                .map(|reached| {
                    at_most(20, reached, rate)
                        - if reached > 0 { at_most(20, reached - 1, rate) } else { 0.0 }
                })
                .sum();
            assert!(covered >= 0.95, "{rate}: {covered}");
        }
    }
}
