//! `k/n`: at least k successes in n runs, stopped as soon as the result is certain (ND3MIN, section 3).

use std::fmt;
use std::str::FromStr;

use super::{Rule, RuleKind};
use crate::{Tally, Verdict};

pub(super) const KIND: RuleKind = RuleKind {
    form: "K/N",
    about: "18/20: at least 18 of 20 runs",
    fits: |text| text.contains('/') && !text.contains(':'),
    parse: |text| Ok(Box::new(text.parse::<Fixed>()?)),
};

/// At least `least` successes in `runs` runs. `1/1` is classic delta debugging.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixed {
    least: u32,
    runs: u32,
}

impl Fixed {
    /// The rule, if it makes sense: 1 <= least <= runs.
    pub fn new(least: u32, runs: u32) -> Result<Self, String> {
        const MOST: u32 = 10_000;
        if least == 0 {
            Err(format!(
                "the rule {least}/{runs} would pass everything; at least 1 run must reach the target"
            ))
        } else if least > runs {
            Err(format!("the rule {least}/{runs} can never pass; {least} of {runs} runs is impossible"))
        } else if runs > MOST {
            Err(format!("the rule {least}/{runs} asks for more than {MOST} runs of each candidate"))
        } else {
            Ok(Self { least, runs })
        }
    }
}

impl Rule for Fixed {
    fn judge(&self, tally: Tally) -> Verdict {
        if tally.runs() > self.runs {
            // Fresh runs were added to those that settled it: now the proportion counts.
            let enough = tally.reached >= self.least_confirmed(tally.runs());
            if enough { Verdict::Pass } else { Verdict::Fail }
        } else if tally.reached >= self.least {
            Verdict::Pass
        } else if tally.missed > self.runs - self.least {
            Verdict::Fail
        } else {
            Verdict::Open
        }
    }

    fn wanted(&self, tally: Tally) -> u32 {
        self.runs.saturating_sub(tally.runs())
    }

    /// In the rule's own proportion. One run proves nothing about rates, so `1/1` asks only that the target is
    /// reached at all, and the report shows how often.
    fn least_confirmed(&self, runs: u32) -> u32 {
        if self.runs == 1 { runs.min(1) } else { (runs * self.least).div_ceil(self.runs) }
    }

    fn fixed(&self) -> Option<(u32, u32)> {
        Some((self.least, self.runs))
    }

    fn again(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.least, self.runs)
    }
}

impl FromStr for Fixed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<u32>().ok();
        let parts = text.split_once('/').and_then(|(least, runs)| Some((number(least)?, number(runs)?)));
        let (least, runs) = parts.ok_or_else(|| {
            format!("'{text}' is not a rule; write K/N, such as 18/20: at least 18 of 20 runs")
        })?;
        Self::new(least, runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_as_soon_as_the_result_is_certain() {
        let rule: Fixed = "18/20".parse().unwrap();
        assert_eq!(rule.judge(Tally::new(17, 2)), Verdict::Open);
        assert_eq!(rule.judge(Tally::new(18, 0)), Verdict::Pass);
        assert_eq!(rule.judge(Tally::new(17, 3)), Verdict::Fail);
        assert_eq!(rule.judge(Tally::new(0, 3)), Verdict::Fail);
        assert_eq!(rule.wanted(Tally::new(10, 2)), 8);
    }

    #[test]
    fn open_means_that_a_run_is_wanted() {
        for (least, runs) in [(1, 1), (18, 20), (1, 5), (5, 5)] {
            let rule = Fixed::new(least, runs).unwrap();
            for reached in 0..=runs {
                for missed in 0..=runs - reached {
                    let tally = Tally::new(reached, missed);
                    assert!(rule.judge(tally) != Verdict::Open || rule.wanted(tally) > 0, "{rule} {tally:?}");
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for wrong in ["", "18", "a/b", "0/5", "6/5", "18/20/22", "-1/3", "1/100000"] {
            let said = wrong.parse::<Fixed>().unwrap_err();
            assert!(said.contains("rule"), "{wrong}: {said}");
        }
    }
}
