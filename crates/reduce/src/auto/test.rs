//! The sequential test of a short list: does it reach the target as often as it should?
//!
//! Evidence is counted for a rate of 0.9 against one of 0.65. As long as nothing has flaked, one run decides. From then
//! on a miss asks for about four more hits. Where the list that is shortened is known to reach its target less often
//! than that, a shorter one is asked for no more than that list holds: its reference.

use crate::{Tally, Verdict};

/// The evidence of a hit: ln(0.9 / 0.65).
const UP: f64 = 0.325_422_400_434_627_95;
/// The evidence of a miss: ln(0.1 / 0.35).
const DOWN: f64 = -1.252_762_968_495_367_8;
/// Evidence of this much or less: no.
const REJECTED: f64 = -1.5;
/// After so many runs the sign of the evidence decides.
const MOST: u32 = 40;
/// So few hits are a no when they are less likely than this at the reference.
const UNLIKELY: f64 = 0.05;

/// What is asked of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Straight hits that are a yes.
    pub hits: u32,
    /// Whether anything has flaked so far.
    pub flaky: bool,
    /// The rate of the list that is shortened, where it is known to be low.
    pub reference: Option<f64>,
}

/// The evidence for a rate of 0.9 against one of 0.65.
pub fn evidence(tally: Tally) -> f64 {
    f64::from(tally.reached) * UP + f64::from(tally.missed) * DOWN
}

/// The rate to expect after a tally, starting from knowing nothing.
pub fn mean(tally: Tally) -> f64 {
    f64::from(tally.reached + 1) / f64::from(tally.runs() + 2)
}

impl Test {
    /// What a tally means.
    pub fn judge(self, tally: Tally) -> Verdict {
        match self.reference {
            Some(rate) => self.judge_by_reference(tally, rate),
            None => self.judge_by_evidence(tally),
        }
    }

    fn judge_by_reference(self, tally: Tally, rate: f64) -> Verdict {
        if tally.runs() > 0 && at_most(tally, rate) <= UNLIKELY {
            Verdict::Fail
        } else if tally.reached >= self.hits {
            Verdict::Pass
        } else {
            Verdict::Open
        }
    }

    fn judge_by_evidence(self, tally: Tally) -> Verdict {
        let evidence = evidence(tally);
        let sure = tally.reached == 0 && !self.flaky;
        if tally.reached > 0 && evidence >= f64::from(self.hits) * UP - 1e-9 {
            Verdict::Pass
        } else if tally.missed > 0 && (evidence <= REJECTED || sure) {
            Verdict::Fail
        } else if tally.runs() < MOST {
            Verdict::Open
        } else if evidence > 0.0 {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }
}

/// The probability of so few hits in so many runs at a rate.
fn at_most(tally: Tally, rate: f64) -> f64 {
    let odds = rate / (1.0 - rate);
    let mut term = libm::pow(1.0 - rate, f64::from(tally.runs()));
    let mut sum = term;
    for hits in 1..=tally.reached {
        term *= odds * f64::from(tally.runs() - hits + 1) / f64::from(hits);
        sum += term;
    }
    sum
}
