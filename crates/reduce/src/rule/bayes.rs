//! `bayes:RATE@CONFIDENCE`: stop as soon as it is likely enough that the rate is RATE or more, or unlikely enough.
//!
//! Passes when the probability that the candidate's rate is at least RATE, given its tally, is CONFIDENCE or more;
//! fails when it is 0.1 or less. The bounds differ on purpose: a wrong pass spoils the answer, a wrong fail only
//! makes it a little longer, and the evidence on a candidate stays in the ledger if the search proposes it again.
//!
//! The prior is the one recovered from ND3MIN (see [`Prior::recovered`]), not a uniform one. Half of all candidates
//! never work and most others nearly always do; a uniform prior takes every rate for equally likely and would ask
//! for 33 successes in a row before it passed anything at `0.9@0.97`, where this one asks for 9. Its points are
//! 0.8, 0.9 and 0.99 at the upper end, so a RATE of 0.95 means 0.99, and one above 0.99 is refused. Against the
//! prior itself, `bayes:0.9@0.97` makes the mistakes of `18/20` with two thirds of its runs; where candidates
//! behave otherwise, the confirmation of the answer is what can be relied on.

use std::fmt;
use std::str::FromStr;

use retap_mdp::Prior;

use super::doubt::{Bounds, CAP, Doubt, MOST};
use super::{Rule, RuleKind};
use crate::{Tally, Verdict};

pub(super) const KIND: RuleKind = RuleKind {
    form: "bayes:RATE@CONFIDENCE",
    about: "bayes:0.9@0.97",
    fits: |text| text.starts_with("bayes:"),
    parse: |text| Ok(Box::new(text.parse::<Bayes>()?)),
};

/// The rule and its cap.
#[derive(Debug, Clone, PartialEq)]
pub struct Bayes {
    terms: Terms,
    prior: Prior,
    bounds: Bounds,
    doubt: Doubt,
}

/// The rule as people write it, whether it makes sense or not.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Terms {
    rate: f64,
    confidence: f64,
    cap: u32,
}

/// The probability at which a candidate fails.
const UNLIKELY: f64 = 0.1;

impl Bayes {
    /// Passes what has a rate of at least `rate` with probability `confidence`, by at most `cap` runs of a
    /// candidate.
    pub fn new(rate: f64, confidence: f64, cap: u32) -> Result<Self, String> {
        let terms = Terms { rate, confidence, cap };
        let prior = Prior::recovered();
        if !(rate > 0.0 && rate < 1.0) {
            return Err(format!("the rule {terms} has RATE {rate}, which must lie between 0 and 1"));
        }
        if !(confidence > 0.5 && confidence < 1.0) {
            return Err(format!(
                "the rule {terms} has CONFIDENCE {confidence}, which must lie between 0.5 and 1"
            ));
        }
        if !(1..=MOST).contains(&cap) {
            return Err(format!("the rule {terms} has a cap of {cap} runs, which must be 1 to {MOST}"));
        }
        if prior.at_least(rate, (0, 0)) <= UNLIKELY {
            return Err(format!("the rule {terms} asks for more than it can tell; RATE is at most 0.99"));
        }
        let bounds = Bounds { pass: confidence, fail: UNLIKELY };
        let doubt = Doubt::new(cap, bounds, |tally| prior.at_least(rate, (tally.reached, tally.missed)));
        if doubt.judge(Tally::default()) != Some(Verdict::Open) {
            return Err(format!("the rule {terms} is never sure of a rate of {rate} by {cap} runs"));
        }
        Ok(Self { terms, prior, bounds, doubt })
    }
}

impl Rule for Bayes {
    fn judge(&self, tally: Tally) -> Verdict {
        let beyond =
            || self.bounds.nearer(self.prior.at_least(self.terms.rate, (tally.reached, tally.missed)));
        self.doubt.judge(tally).unwrap_or_else(beyond)
    }

    fn ordered(&self) -> bool {
        true
    }

    fn wanted(&self, tally: Tally) -> u32 {
        self.doubt.wanted(tally)
    }

    /// RATE of them.
    fn least_confirmed(&self, runs: u32) -> u32 {
        // A hair less than the product, which may be rounded up: 0.9 of 20 is 18.
        let share = self.terms.rate * f64::from(runs) - 1e-9;
        (0..=runs).find(|&reached| f64::from(reached) >= share).unwrap_or(runs)
    }

    fn again(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bayes:{}@{}", self.rate, self.confidence)?;
        if self.cap == CAP { Ok(()) } else { write!(f, ",{}", self.cap) }
    }
}

impl fmt::Display for Bayes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.fmt(f)
    }
}

impl FromStr for Bayes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is not a rule; write bayes:RATE@CONFIDENCE, such as bayes:0.9@0.97, and a comma and the \
                 most runs of a candidate if it is not {CAP}"
            )
        };
        let (rate, rest) =
            text.strip_prefix("bayes:").and_then(|rest| rest.split_once('@')).ok_or_else(wrong)?;
        let (confidence, cap) = match rest.split_once(',') {
            Some((confidence, cap)) => (confidence, cap.trim().parse().map_err(|_| wrong())?),
            None => (rest, CAP),
        };
        match (rate.trim().parse(), confidence.trim().parse()) {
            (Ok(rate), Ok(confidence)) => Self::new(rate, confidence, cap),
            _ => Err(wrong()),
        }
    }
}
