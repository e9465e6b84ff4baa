//! What is believed about a candidate before its first run: a discrete distribution of its success rate
//! (ND3MIN, sections 4.3 and 5.1).
//!
//! The paper's formula for the chance of an outcome lacks the normalisation; here the weights after a tally
//! `(s, f)` are `prior(p) * p^s * (1-p)^f` divided by their sum.

mod json;

use thiserror::Error;

/// Points and their weights. The weights sum to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior {
    points: Vec<f64>,
    weights: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Error)]
pub enum PriorError {
    /// Not JSON at all.
    #[error("the prior is not JSON: {0}")]
    Syntax(String),
    /// JSON of another shape.
    #[error("the prior is not of the form {{\"p\": [...], \"weight\": [...]}}: {0}")]
    Shape(String),
    /// No points.
    #[error("the prior has no points")]
    Empty,
    /// More points than anyone needs.
    #[error("the prior has {0} points, but at most {MOST_POINTS} are supported")]
    TooMany(usize),
    /// Points and weights do not match.
    #[error("the prior has {points} points but {weights} weights")]
    Lengths { points: usize, weights: usize },
    /// A point is no rate.
    #[error("point {place} of the prior is {value}, but a success rate lies between 0 and 1")]
    Point {
        /// Which point, from 1.
        place: usize,
        value: f64,
    },
    /// A weight is no probability.
    #[error("weight {place} of the prior is {value}, but a probability lies between 0 and 1")]
    Weight {
        /// Which weight, from 1.
        place: usize,
        value: f64,
    },
    /// The weights do not sum to 1.
    #[error("the weights of the prior sum to {0}, but must sum to 1")]
    Sum(f64),
    /// Too little to learn from.
    #[error(
        "a prior is learnt from at least {LEAST_LEARNT} candidates with {least} runs or more, and there are {0}",
        least = Prior::LEAST_RUNS
    )]
    TooFew(usize),
}

/// Candidates that a prior is learnt from, at least. The paper had 402.
const LEAST_LEARNT: usize = 20;

const MOST_POINTS: usize = 10_000;

impl Prior {
    /// Runs of a candidate that says enough to learn from: a rule of 18 of 20 turns the worst down after so many.
    pub const LEAST_RUNS: u32 = 3;

    pub fn new(points: Vec<f64>, weights: Vec<f64>) -> Result<Self, PriorError> {
        if points.len() != weights.len() {
            return Err(PriorError::Lengths { points: points.len(), weights: weights.len() });
        }
        if points.is_empty() {
            return Err(PriorError::Empty);
        }
        if points.len() > MOST_POINTS {
            return Err(PriorError::TooMany(points.len()));
        }
        let is_share = |value: &f64| (0.0..=1.0).contains(value);
        if let Some(place) = points.iter().position(|point| !is_share(point)) {
            return Err(PriorError::Point { place: place + 1, value: points[place] });
        }
        if let Some(place) = weights.iter().position(|weight| !is_share(weight)) {
            return Err(PriorError::Weight { place: place + 1, value: weights[place] });
        }
        let sum: f64 = weights.iter().sum();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(PriorError::Sum(sum));
        }
        Ok(Self { points, weights })
    }

    /// Reads `{"p": [...], "weight": [...]}`; `w` does for `weight`, and an object that holds it as `prior` does
    /// too.
    pub fn from_json(text: &str) -> Result<Self, PriorError> {
        json::read(text)
    }

    /// The prior of the paper's figure 4, recovered.
    ///
    /// The figure's numbers are not printed. These weights, multiples of 1/402 (the paper counted 402 subtraces),
    /// reproduce every probability that the paper prints. Only the mass at 0.8, 0.9 and 0.99 is well
    /// determined by that; how the rest splits below 0.5 is a choice.
    pub fn recovered() -> Self {
        const COUNTS: [u32; 11] = [202, 20, 16, 12, 10, 8, 3, 2, 18, 15, 96];
        let points = vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99];
        let weights = COUNTS.iter().map(|&count| f64::from(count) / 402.0).collect();
        Self { points, weights }
    }

    /// The prior that these tallies of different candidates show [ND3MIN, section 5.1]: how many of them have which
    /// success rate, to the nearest tenth.
    ///
    /// Candidates with fewer than three runs say too little and are left out. Half a candidate is added to every rate,
    /// so that none is called impossible. The highest is 0.99 as in the paper's own prior.
    pub fn learnt(tallies: &[(u32, u32)]) -> Result<Self, PriorError> {
        let points = Self::recovered().points;
        let mut counts = vec![0.5; points.len()];
        let told = |(s, f): &&(u32, u32)| u64::from(*s) + u64::from(*f) >= u64::from(Self::LEAST_RUNS);
        let mut candidates = 0;
        for &(s, f) in tallies.iter().filter(told) {
            let (s, runs) = (u64::from(s), u64::from(s) + u64::from(f));
            let tenths = (20 * s + runs) / (2 * runs);
            counts[usize::try_from(tenths).expect("at most ten")] += 1.0;
            candidates += 1;
        }
        if candidates < LEAST_LEARNT {
            return Err(PriorError::TooFew(candidates));
        }
        let sum: f64 = counts.iter().sum();
        Ok(Self { points, weights: counts.into_iter().map(|count| count / sum).collect() })
    }

    /// The prior as [`from_json`](Self::from_json) reads it.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// The success rates that are thought possible.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The probability of each point.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The probability of each point after a tally.
    ///
    /// A tally that the prior calls impossible teaches nothing: the prior stands.
    pub fn posterior(&self, (s, f): (u32, u32)) -> Vec<f64> {
        let (s, runs) = (u64::from(s), u64::from(s) + u64::from(f));
        let mut weights = self.weights.clone();
        for run in 0..runs {
            // Successes and failures evenly mixed and normalised after every run: thousands of runs of one kind
            // would push a point to 0 that the other kind brings back.
            let success = (run + 1) * s / runs > run * s / runs;
            for (weight, point) in weights.iter_mut().zip(&self.points) {
                *weight *= if success { *point } else { 1.0 - point };
            }
            let sum: f64 = weights.iter().sum();
            if sum <= 0.0 {
                return self.weights.clone();
            }
            for weight in &mut weights {
                *weight /= sum;
            }
        }
        weights
    }

    /// The chance that the next `s2 + f2` runs of a candidate with this tally bring `s2` successes and `f2`
    /// failures.
    pub fn predictive(&self, tally: (u32, u32), (s2, f2): (u32, u32)) -> f64 {
        let (runs, failures) = ((s2 + f2) as usize, f2 as usize);
        let chances = self.points.iter().map(|&point| binomial(point, runs)[failures]);
        self.posterior(tally).iter().zip(chances).map(|(weight, chance)| weight * chance).sum()
    }

    /// The probability that the success rate is at least `rate`, given a tally.
    pub fn at_least(&self, rate: f64, tally: (u32, u32)) -> f64 {
        let posterior = self.posterior(tally);
        posterior
            .iter()
            .zip(&self.points)
            .filter(|(_, point)| reaches(**point, rate))
            .map(|(weight, _)| weight)
            .sum()
    }
}

/// The chance of 0, 1, ... `runs` failures in as many runs with this success rate.
pub(crate) fn binomial(point: f64, runs: usize) -> Vec<f64> {
    let mut chances = vec![1.0];
    for _ in 0..runs {
        next_binomial(point, &mut chances);
    }
    chances
}

/// One run more. Sums of products of shares only: nothing cancels and nothing overflows.
pub(crate) fn next_binomial(point: f64, chances: &mut Vec<f64>) {
    chances.push(0.0);
    for failures in (0..chances.len()).rev() {
        let with_failure = if failures == 0 { 0.0 } else { chances[failures - 1] * (1.0 - point) };
        chances[failures] = chances[failures] * point + with_failure;
    }
}

/// Whether a point counts as at least `rate`: a grid point such as 0.9 must equal 18/20 whatever the rounding.
pub(crate) fn reaches(point: f64, rate: f64) -> bool {
    point >= rate - 1e-12
}

#[cfg(test)]
mod tests;
