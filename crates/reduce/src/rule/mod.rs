//! When does a candidate count as reproducing?

mod bayes;
mod doubt;
mod fixed;
mod sprt;

use std::fmt;
use std::str::FromStr;

pub use bayes::Bayes;
pub use fixed::Fixed;
pub use sprt::Sprt;

use crate::{Tally, Verdict};

/// A rule: a pure function of the tally.
pub trait Rule: fmt::Display {
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

    /// Whether the order of outcomes matters to the verdict, as it does when a run of luck can end the test early.
    /// Runs that reach their target often end sooner than those that miss, so under such a rule outcomes count in
    /// the order in which their runs began.
    fn ordered(&self) -> bool {
        false
    }

    /// How many of so many confirming runs must reach the target for an answer of this rule to stand.
    fn least_confirmed(&self, runs: u32) -> u32;

    /// How many of how many runs it asks for, if it is of that kind (ND3MIN's).
    fn fixed(&self) -> Option<(u32, u32)> {
        None
    }

    /// The same rule once more.
    fn again(&self) -> Box<dyn Rule>;
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        self.again()
    }
}

#[derive(Clone)]
pub enum RuleChoice {
    /// What suits the search and what the runs show. Written `auto`.
    Auto,
    Rule(Box<dyn Rule>),
}

impl RuleChoice {
    /// How many of how many runs it asks for, if it is of that kind (ND3MIN's).
    pub fn fixed(&self) -> Option<(u32, u32)> {
        match self {
            Self::Auto => None,
            Self::Rule(rule) => rule.fixed(),
        }
    }
}

impl FromStr for RuleChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(if text == "auto" { Self::Auto } else { Self::Rule(parse(text)?) })
    }
}

impl fmt::Display for RuleChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

impl fmt::Debug for RuleChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RuleChoice({self})")
    }
}

/// A rule that can be chosen.
#[derive(Debug, Clone, Copy)]
pub struct RuleKind {
    /// How it is written.
    pub form: &'static str,
    /// What it says, with an example.
    pub about: &'static str,
    /// Whether a text is meant to be such a rule.
    fits: fn(&str) -> bool,
    parse: fn(&str) -> Result<Box<dyn Rule>, String>,
}

/// All rules. A new one is a file with a [`RuleKind`], and a line here.
pub const RULES: &[RuleKind] = &[fixed::KIND, sprt::KIND, bayes::KIND];

/// The rule that is written so: `18/20`, `sprt:0.8,0.95,0.2,0.1` or `bayes:0.9@0.97`.
pub fn parse(text: &str) -> Result<Box<dyn Rule>, String> {
    let text = text.trim();
    if let Some(kind) = RULES.iter().find(|kind| (kind.fits)(text)) {
        return (kind.parse)(text);
    }
    Err(format!("'{text}' is not a rule; write {}", in_words()))
}

/// How rules are written, with what each says.
pub fn in_words() -> String {
    let forms: Vec<String> = RULES.iter().map(|kind| format!("{} ({})", kind.form, kind.about)).collect();
    match &forms[..] {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        forms => forms.concat(),
    }
}

/// The rate that shorter traces are asked for, by what the whole trace has shown: 0.9 of a trace that always reaches its
/// target, and less, without a jump, of one that does not.
pub fn asked(whole: Tally) -> f64 {
    let own = f64::from(whole.reached) / f64::from(whole.runs().max(1));
    own * (0.6 + 0.3 * own)
}

#[cfg(test)]
mod tests;
