//! The sequential test of a short list: does it reach the target as often as the list it comes from?
//!
//! As long as nothing has flaked, one run decides. From then on two things are told apart. A list that lacks something
//! needed never reaches the target: after enough misses that is clear, and misses of longer lists that lack the same
//! event count as well. A list that reaches the target at times is compared with the one it comes from: both have been
//! run only so often, so it is turned down when it is clearly worse, and taken after a few hits when it may be as good.
//! The less often the list it comes from reaches the target, the fewer hits are asked for: small losses would take more
//! runs to see than they are worth.

use std::fmt;

use crate::rate::at_most;
use crate::rule::Rule;
use crate::{Tally, Verdict};

/// The rate that is hoped for; a list that holds it is not compared with a higher one.
pub(super) const HIGH: f64 = 0.9;
/// The evidence of a hit for a rate of 0.9 against one of 0.65.
const UP: f64 = 0.325_422_400_434_627_95;
/// The evidence of a miss.
const DOWN: f64 = -1.252_762_968_495_367_8;
/// A list that is still in doubt after so many runs is taken: it cannot be much worse.
const MOST: u32 = 40;
/// How many runs a rate that was expected beforehand is worth, and that rate.
const PRIOR: f64 = 4.0;
const EXPECTED: f64 = 0.95;
/// A tally that is worse by so little may be of the same rate.
const NEAR: f64 = 0.6;
/// One that is worse by so much is not.
const FAR: f64 = 1.7;
/// How many hits fewer are asked for where the rate of the list that is shortened is lower by 1.
const SLACK: f64 = 6.0;

/// What is asked of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Hits that are asked for where the list that is shortened nearly always reaches its target.
    pub hits: u32,
    /// Whether anything has flaked so far.
    pub flaky: bool,
    /// What is known of the list that is shortened.
    pub reference: Reference,
    /// Misses without a hit are a no when they are less likely than this.
    pub unlikely: f64,
}

/// What is known of a list: as if it had been run so often, and had reached its target at that rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    pub rate: f64,
    pub runs: f64,
}

/// The evidence for a rate of 0.9 against one of 0.65.
pub fn evidence(tally: Tally) -> f64 {
    f64::from(tally.reached) * UP + f64::from(tally.missed) * DOWN
}

/// The rate to expect after a tally, starting from knowing nothing.
pub fn mean(tally: Tally) -> f64 {
    f64::from(tally.reached + 1) / f64::from(tally.runs() + 2)
}

impl Reference {
    /// A list that has shown this, where other lists that had reached the target before have shown that.
    pub fn new(tally: Tally, others: Tally) -> Self {
        let (after_some, _) = shown(others, PRIOR, EXPECTED);
        let (rate, runs) = shown(tally, PRIOR, after_some);
        Self { rate, runs }
    }
}

/// The rate after so many runs at a rate that was expected, and a tally; and all these runs.
fn shown(tally: Tally, runs: f64, rate: f64) -> (f64, f64) {
    let all = f64::from(tally.runs()) + runs;
    ((f64::from(tally.reached) + runs * rate) / all, all)
}

impl Test {
    pub fn judge(self, tally: Tally) -> Verdict {
        self.judge_with(tally, tally)
    }

    /// What a tally means, where `without` is what is known of all lists that lack the same event.
    pub fn judge_with(self, tally: Tally, without: Tally) -> Verdict {
        let Tally { reached, missed } = tally;
        if reached == 0 {
            let no = missed > 0 && (!self.flaky || self.is_dead(without));
            return if no { Verdict::Fail } else { Verdict::Open };
        }
        let worse = self.worse(tally);
        let enough = f64::from(reached) >= self.enough() && worse <= NEAR;
        if enough || worse < FAR && tally.runs() >= MOST {
            Verdict::Pass
        } else if worse >= FAR {
            Verdict::Fail
        } else {
            Verdict::Open
        }
    }

    /// The hits that are asked for.
    fn enough(self) -> f64 {
        f64::max(1.0, f64::from(self.hits) - f64::max(0.0, HIGH - self.reference.rate) * SLACK)
    }

    /// Whether so few hits are hardly possible at the rate of the list that is shortened.
    fn is_dead(self, without: Tally) -> bool {
        at_most(without.runs(), without.reached, f64::min(self.reference.rate, HIGH)) <= self.unlikely
    }

    /// How much likelier a tally is at a rate of its own below the reference than at the same rate: the logarithm.
    fn worse(self, tally: Tally) -> f64 {
        let (hits, runs) = (f64::from(tally.reached), f64::from(tally.runs()));
        let Reference { rate, runs: others } = self.reference;
        if hits >= rate * runs {
            return 0.0;
        }
        let both = (hits + rate * others) / (runs + others);
        at_rate(hits, runs, hits / runs) + at_rate(rate * others, others, rate)
            - at_rate(hits, runs, both)
            - at_rate(rate * others, others, both)
    }
}

/// How likely so many hits in so many runs are at a rate: the logarithm, without what does not depend on the rate.
fn at_rate(hits: f64, runs: f64, rate: f64) -> f64 {
    let part = |count: f64, share: f64| if count > 0.0 { count * libm::log(share) } else { 0.0 };
    part(hits, rate) + part(runs - hits, 1.0 - rate)
}

/// The test as a rule, for what is judged after the search.
impl Rule for Test {
    fn judge(&self, tally: Tally) -> Verdict {
        Self::judge(*self, tally)
    }

    fn wanted(&self, tally: Tally) -> u32 {
        MOST.saturating_sub(tally.runs()).max(1)
    }

    fn ordered(&self) -> bool {
        true
    }

    /// It asks nothing of a claim: what fresh runs show is told.
    fn least_confirmed(&self, _: u32) -> u32 {
        0
    }

    fn again(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("auto")
    }
}
