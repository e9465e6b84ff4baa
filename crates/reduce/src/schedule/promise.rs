//! How likely is a candidate to pass, given what is known?

use std::collections::BTreeMap;

use retap_mdp::Prior;

use super::OpenCandidate;
use crate::Tally;

/// The promise of candidates, each kind of candidate computed once.
///
/// The rate of a candidate is distributed as the tally and the prior recovered from ND3MIN say; given the rate, the
/// candidate passes if the missing successes come before the missing failures. For `k/n` that is exact. A sequential
/// rule moves its bounds with every run, and then it is a good guess.
#[derive(Debug, Clone)]
pub(super) struct Promise {
    prior: Prior,
    known: BTreeMap<Standing, f64>,
    last: Option<(Standing, f64)>,
}

/// All that matters of a candidate: its tally, the successes and the failures that it lacks.
type Standing = (Tally, u32, u32);

impl Default for Promise {
    fn default() -> Self {
        Self { prior: Prior::recovered(), known: BTreeMap::new(), last: None }
    }
}

impl Promise {
    /// The probability that this candidate passes.
    pub(super) fn of(&mut self, candidate: &OpenCandidate) -> f64 {
        let standing = (candidate.tally, candidate.to_pass, candidate.to_fail);
        // Most neighbours on a board are alike: a thousand candidates without runs are one look-up.
        match self.last {
            Some((last, promise)) if last == standing => promise,
            _ => {
                let promise = *self.known.entry(standing).or_insert_with(|| chance(&self.prior, standing));
                self.last = Some((standing, promise));
                promise
            }
        }
    }
}

fn chance(prior: &Prior, (tally, to_pass, to_fail): Standing) -> f64 {
    let posterior = prior.posterior((tally.reached, tally.missed));
    let chances = prior.points().iter().map(|&rate| wins(rate, to_pass, to_fail));
    posterior.iter().zip(chances).map(|(weight, chance)| weight * chance).sum()
}

/// The chance of so many successes before so many failures.
fn wins(rate: f64, successes: u32, failures: u32) -> f64 {
    // With j failures before the last success: choose(successes - 1 + j, j) * rate^successes * (1 - rate)^j.
    let mut term = (0..successes).fold(1.0, |product, _| product * rate);
    let mut sum = 0.0;
    for missed in 0..failures {
        sum += term;
        term *= (1.0 - rate) * f64::from(successes + missed) / f64::from(missed + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Fixed, Rule};

    fn promise(rule: &str, reached: u32, missed: u32) -> f64 {
        let rule: Fixed = rule.parse().unwrap();
        Promise::default().of(&OpenCandidate::new(&rule as &dyn Rule, Tally::new(reached, missed)))
    }

    #[test]
    fn known_chances() {
        // The chance that a candidate without runs passes 18/20 is known.
        assert!((promise("18/20", 0, 0) - 0.273_260_062_328).abs() < 1e-9);
        // One run decides: the mean of the prior.
        let prior = Prior::recovered();
        let mean: f64 =
            prior.points().iter().zip(prior.weights()).map(|(point, weight)| point * weight).sum();
        assert!((promise("1/1", 0, 0) - mean).abs() < 1e-12);
        assert!((wins(0.5, 3, 3) - 0.5).abs() < 1e-12);
        assert!((wins(0.5, 1, 2) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn successes_are_promising_and_failures_are_not() {
        for runs in 1..17 {
            assert!(promise("18/20", runs, 0) > promise("18/20", runs - 1, 0));
            assert!(promise("18/20", runs, 1) < promise("18/20", runs, 0));
        }
        assert!(promise("18/20", 0, 1) < 0.02);
    }
}
