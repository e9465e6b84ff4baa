//! What ND3MIN says about its answer: p1 and p2 (sections 3 and 5.2).

use crate::Prior;
use crate::prior::{binomial, reaches};

/// The rate of which the paper asks how likely it is: `p_b - epsilon` = 0.9 - 0.05.
pub const RELIABLE: f64 = 0.85;

/// p1: the probability that the answer's success rate is at least [`RELIABLE`], after `reached` of `runs` fresh
/// runs of it reached the target.
pub fn reliability(prior: &Prior, reached: u32, runs: u32) -> f64 {
    prior.at_least(RELIABLE, (reached, runs.saturating_sub(reached)))
}

/// p2: the probability that no single event can be left out of an answer of `length` events, by Lemma 1.
///
/// The search ended because each of the `length` candidates with one event less failed the rule `st` of `nr`.
/// One of them would disprove minimality if its rate were `p_b = st/nr` all the same.
pub fn minimality(prior: &Prior, st: u32, nr: u32, length: u32) -> f64 {
    let failed: Vec<f64> = prior
        .points()
        .iter()
        .zip(prior.weights())
        .map(|(&point, weight)| {
            let passes: f64 =
                binomial(point, nr as usize).iter().take((nr.saturating_sub(st) + 1) as usize).sum();
            weight * (1.0 - passes).max(0.0)
        })
        .collect();
    let bound = f64::from(st) / f64::from(nr);
    let below = failed.iter().zip(prior.points()).filter(|(_, point)| !reaches(**point, bound));
    let (below, all): (f64, f64) = (below.map(|(weight, _)| weight).sum(), failed.iter().sum());
    // When no candidate can fail, none of them did: then nothing speaks against minimality.
    let each = if all > 0.0 { below / all } else { 1.0 };
    (0..length).fold(1.0, |product, _| product * each)
}

/// The probability with two digits as the paper prints it: cut off, not rounded, since it is a lower bound.
pub fn truncated(probability: f64) -> String {
    format!("{:.2}", (probability * 100.0).floor() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the paper prints for a number of successes in 20 runs.
    const RELIABILITY: [(u32, &str); 10] = [
        (20, "0.99"),
        (19, "0.94"),
        (18, "0.69"),
        (17, "0.43"),
        (16, "0.23"),
        (15, "0.11"),
        (14, "0.04"),
        (12, "0.00"),
        (11, "0.00"),
        (7, "0.00"),
    ];

    /// What it prints for a length of a trace. It prints 0.94 and 0.95 for three events.
    const MINIMALITY: [(u32, &str); 18] = [
        (0, "1.00"),
        (1, "0.98"),
        (2, "0.96"),
        (3, "0.95"),
        (4, "0.93"),
        (5, "0.91"),
        (6, "0.90"),
        (7, "0.88"),
        (8, "0.87"),
        (10, "0.84"),
        (11, "0.82"),
        (13, "0.80"),
        (15, "0.77"),
        (16, "0.76"),
        (19, "0.72"),
        (23, "0.67"),
        (25, "0.65"),
        (30, "0.59"),
    ];

    #[test]
    fn the_recovered_prior_reproduces_what_the_paper_prints() {
        let prior = Prior::recovered();
        for (successes, printed) in RELIABILITY {
            assert_eq!(truncated(reliability(&prior, successes, 20)), printed, "{successes} of 20");
        }
        for (length, printed) in MINIMALITY {
            assert_eq!(truncated(minimality(&prior, 18, 20, length)), printed, "{length} events");
        }
    }

    #[test]
    fn the_bound_of_section_3_holds() {
        let prior = Prior::recovered();
        let passed = |from: f64| -> f64 {
            let points = prior.points().iter().zip(prior.weights()).filter(|(point, _)| **point >= from);
            points.map(|(&point, weight)| weight * binomial(point, 20).iter().take(3).sum::<f64>()).sum()
        };
        assert!((passed(0.0) - 0.273_260_062_328).abs() < 1e-9);
        assert!((passed(0.85) / passed(0.0) - 0.965_471_393_082).abs() < 1e-9);
        assert!((minimality(&prior, 18, 20, 1) - 0.983_082_490_312).abs() < 1e-9);
    }

    #[test]
    fn edges() {
        let prior = Prior::recovered();
        assert_eq!(truncated(minimality(&prior, 18, 20, 0)), "1.00");
        assert_eq!(truncated(0.999_999), "0.99");
        let sure = Prior::new(vec![1.0], vec![1.0]).unwrap();
        assert_eq!(truncated(minimality(&sure, 1, 1, 3)), "1.00");
        assert_eq!(truncated(reliability(&sure, 0, 20)), "1.00");
    }
}
