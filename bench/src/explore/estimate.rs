//! Numbers with what chance can do to them.
//!
//! Intervals are of a bootstrap over apps: as many apps are drawn from those there are, with repetition, and the
//! number is worked out for them; that 10,000 times, and the middle 95 % of what comes out are the interval. An app's
//! value is the mean over its seeds, and both sides of a ratio are of the same drawn apps.

use retap_trace::{Dice, Seed};
use serde::Serialize;

const DRAWS: usize = 10_000;

/// A number and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Estimate {
    /// The mean over apps.
    pub(crate) fn mean(values: &[f64], seed: Seed) -> Self {
        Self::of(values.len(), seed, |apps| mean(&pick(values, apps)))
    }

    /// The sum over apps.
    pub(crate) fn sum(values: &[f64], seed: Seed) -> Self {
        Self::of(values.len(), seed, |apps| pick(values, apps).iter().sum())
    }

    /// How many times the one mean is of the other. Infinite where there is nothing to compare with.
    pub(super) fn ratio(ours: &[f64], theirs: &[f64], seed: Seed) -> Self {
        Self::of(ours.len(), seed, |apps| mean(&pick(ours, apps)) / mean(&pick(theirs, apps)))
    }

    fn of(apps: usize, seed: Seed, number: impl Fn(&[usize]) -> f64) -> Self {
        let all: Vec<usize> = (0..apps).collect();
        let value = number(&all);
        if apps == 0 {
            return Self { value, low: value, high: value };
        }
        let mut dice = seed.dice();
        let mut drawn: Vec<f64> = (0..DRAWS).map(|_| number(&draw(apps, &mut dice))).collect();
        drawn.sort_by(f64::total_cmp);
        Self { value, low: drawn[DRAWS / 40], high: drawn[DRAWS - 1 - DRAWS / 40] }
    }

    /// For people, with so many decimals.
    pub(crate) fn show(&self, decimals: usize) -> String {
        format!("{:.decimals$} [{:.decimals$}, {:.decimals$}]", self.value, self.low, self.high)
    }

    pub(super) fn percent(&self) -> Self {
        Self { value: self.value * 100.0, low: self.low * 100.0, high: self.high * 100.0 }
    }
}

/// Vargha and Delaney's effect size: how probable it is that one of ours is greater than one of theirs, where a tie
/// counts half. 0.5 is no difference.
pub(super) fn a12(ours: &[f64], theirs: &[f64]) -> f64 {
    let wins = |one: f64, other: f64| match one.total_cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    mean(&ours.iter().flat_map(|&one| theirs.iter().map(move |&other| wins(one, other))).collect::<Vec<_>>())
}

/// 0 of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let count = u32::try_from(values.len().max(1)).map_or(f64::INFINITY, f64::from);
    values.iter().sum::<f64>() / count
}

fn draw(apps: usize, dice: &mut Dice) -> Vec<usize> {
    (0..apps).map(|_| dice.index(apps)).collect()
}

fn pick(values: &[f64], apps: &[usize]) -> Vec<f64> {
    apps.iter().map(|&app| values[app]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn known_effect_sizes() {
        assert!(near(a12(&[2.0, 3.0], &[1.0, 1.5]), 1.0));
        assert!(near(a12(&[1.0], &[2.0, 3.0]), 0.0));
        assert!(near(a12(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), 0.5));
        assert!(near(a12(&[1.0, 2.0], &[1.0, 0.0]), 0.875));
    }

    #[test]
    fn an_interval_holds_its_value_and_is_certain_of_what_does_not_vary() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let estimate = Estimate::mean(&values, Seed(3));
        assert!(near(estimate.value, 19.5));
        // The standard error is 11.54 by the root of 40, and 1.96 of it on either side.
        assert!((estimate.low - (19.5 - 3.58)).abs() < 0.4, "seed 3: {estimate:?}");
        assert!((estimate.high - (19.5 + 3.58)).abs() < 0.4, "seed 3: {estimate:?}");
        let twice: Vec<f64> = values.iter().map(|value| 2.0 * value).collect();
        let ratio = Estimate::ratio(&twice, &values, Seed(3));
        assert!([ratio.value, ratio.low, ratio.high].into_iter().all(|number| near(number, 2.0)));
        let sum = Estimate::sum(&[1.5; 4], Seed(3));
        assert!([sum.value, sum.low, sum.high].into_iter().all(|number| near(number, 6.0)));
    }
}
