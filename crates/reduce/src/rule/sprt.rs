//! `sprt:P0,P1,ALPHA,BETA`: Wald's sequential probability ratio test (Sequential Tests of Statistical Hypotheses,
//! 1945).
//!
//! A candidate of rate P0 or less should fail, one of P1 or more should pass; in between, either is fine. ALPHA
//! bounds the chance that the former passes, BETA the chance that the latter fails; Wald's bounds are nearly
//! exact, and the cap on runs changes them a little. Clear candidates are settled by few runs: against rates as
//! ND3MIN met them, `sprt:0.8,0.95,0.2,0.1` makes the mistakes of `18/20` with two thirds of its runs.

use std::fmt;
use std::str::FromStr;

use super::doubt::{Bounds, CAP, Doubt, MOST};
use super::{Rule, RuleKind};
use crate::{Tally, Verdict};

pub(super) const KIND: RuleKind = RuleKind {
    form: "sprt:P0,P1,ALPHA,BETA",
    about: "sprt:0.8,0.95,0.2,0.1",
    fits: |text| text.starts_with("sprt:"),
    parse: |text| Ok(Box::new(text.parse::<Sprt>()?)),
};

/// The test and its cap.
#[derive(Debug, Clone, PartialEq)]
pub struct Sprt {
    terms: Terms,
    bounds: Bounds,
    doubt: Doubt,
}

/// The rule as people write it, whether it makes sense or not.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Terms {
    low: f64,
    high: f64,
    alpha: f64,
    beta: f64,
    cap: u32,
}

impl Sprt {
    /// Tells rates of `low` from rates of `high`, wrong with chances `alpha` (passes at `low`) and `beta` (fails at
    /// `high`), by at most `cap` runs of a candidate.
    pub fn new(low: f64, high: f64, alpha: f64, beta: f64, cap: u32) -> Result<Self, String> {
        let terms = Terms { low, high, alpha, beta, cap };
        for (name, value) in [("P0", low), ("P1", high), ("ALPHA", alpha), ("BETA", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(format!("the rule {terms} has {name} {value}, which must lie between 0 and 1"));
            }
        }
        if low >= high {
            return Err(format!("the rule {terms} needs a P0 below its P1, so that it can tell them apart"));
        }
        if alpha + beta >= 1.0 {
            return Err(format!("the rule {terms} is no better than a coin; ALPHA + BETA must be below 1"));
        }
        if !(1..=MOST).contains(&cap) {
            return Err(format!("the rule {terms} has a cap of {cap} runs, which must be 1 to {MOST}"));
        }
        let bounds = Bounds { pass: libm::log((1.0 - beta) / alpha), fail: libm::log(beta / (1.0 - alpha)) };
        let doubt = Doubt::new(cap, bounds, |tally| terms.evidence(tally));
        if doubt.judge(Tally::default()) != Some(Verdict::Open) {
            return Err(format!("the rule {terms} cannot tell {low} from {high} by {cap} runs"));
        }
        Ok(Self { terms, bounds, doubt })
    }
}

impl Rule for Sprt {
    fn judge(&self, tally: Tally) -> Verdict {
        let beyond = || self.bounds.nearer(self.terms.evidence(tally));
        self.doubt.judge(tally).unwrap_or_else(beyond)
    }

    fn ordered(&self) -> bool {
        true
    }

    fn wanted(&self, tally: Tally) -> u32 {
        self.doubt.wanted(tally)
    }

    /// As many as an answer of rate P1 falls short of with chance BETA at most.
    fn least_confirmed(&self, runs: u32) -> u32 {
        let odds = libm::log((1.0 - self.terms.high) / self.terms.high);
        let mut chance = f64::from(runs) * libm::log(self.terms.high);
        let mut so_far = libm::exp(chance);
        let mut missed = 0;
        while so_far < 1.0 - self.terms.beta && missed + 1 < runs {
            chance += libm::log(f64::from(runs - missed) / f64::from(missed + 1)) + odds;
            so_far += libm::exp(chance);
            missed += 1;
        }
        runs - missed
    }

    fn again(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl Terms {
    /// How much more likely the tally is at rate P1 than at P0: the logarithm of the ratio.
    fn evidence(&self, tally: Tally) -> f64 {
        let for_high = libm::log(self.high) - libm::log(self.low);
        let for_low = libm::log(1.0 - self.low) - libm::log(1.0 - self.high);
        f64::from(tally.reached) * for_high - f64::from(tally.missed) * for_low
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sprt:{},{},{},{}", self.low, self.high, self.alpha, self.beta)?;
        if self.cap == CAP { Ok(()) } else { write!(f, ",{}", self.cap) }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.fmt(f)
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is not a rule; write sprt:P0,P1,ALPHA,BETA, such as sprt:0.8,0.95,0.2,0.1, and a comma \
                 and the most runs of a candidate if it is not {CAP}"
            )
        };
        let parts: Vec<&str> =
            text.strip_prefix("sprt:").ok_or_else(wrong)?.split(',').map(str::trim).collect();
        let (numbers, cap) = match parts[..] {
            [_, _, _, _] => (&parts[..], CAP),
            [_, _, _, _, cap] => (&parts[..4], cap.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        };
        let numbers: Result<Vec<f64>, _> = numbers.iter().map(|number| number.parse()).collect();
        match numbers.as_deref() {
            Ok(&[low, high, alpha, beta]) => Self::new(low, high, alpha, beta, cap),
            _ => Err(wrong()),
        }
    }
}
