//! When does a candidate count as reproducing?

mod fixed;

use std::fmt;

pub use fixed::Fixed;

use crate::{Tally, Verdict};

/// A rule: a pure function of the tally.
pub trait Rule: fmt::Display {
    /// What the tally means.
    fn judge(&self, tally: Tally) -> Verdict;

    /// The most further runs that could still matter to the verdict. At least 1 while the verdict is open.
    fn wanted(&self, tally: Tally) -> u32;

    /// The fewest further successes, with no failure among them, that make the candidate pass. Its verdict is
    /// open.
    fn to_pass(&self, tally: Tally) -> u32 {
        let after = |more: &u32| self.judge(Tally::new(tally.reached + more, tally.missed)) == Verdict::Pass;
        (1..=self.wanted(tally)).find(after).unwrap_or_else(|| self.wanted(tally))
    }

    /// The fewest further failures, with no success among them, that make it fail. Its verdict is open.
    fn to_fail(&self, tally: Tally) -> u32 {
        let after = |more: &u32| self.judge(Tally::new(tally.reached, tally.missed + more)) == Verdict::Fail;
        (1..=self.wanted(tally)).find(after).unwrap_or_else(|| self.wanted(tally))
    }

    /// How many fresh runs of the whole trace to begin with, and how many of them must reach the target.
    fn check(&self) -> Tally;

    /// How many of so many confirming runs must reach the target for an answer of this rule to stand.
    fn least_confirmed(&self, runs: u32) -> u32;
}

/// The rule that is written so: `18/20`.
pub fn parse(text: &str) -> Result<Box<dyn Rule>, String> {
    text.parse::<Fixed>().map(|rule| Box::new(rule) as Box<dyn Rule>)
}
