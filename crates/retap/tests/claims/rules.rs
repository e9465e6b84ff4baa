//! Statistics by themselves: what the formulas of the documents say, without the product's code.

/// The prior of ND3MIN, figure 4, recovered: rates, and how many of 402 subtraces had them.
const PRIOR: [(f64, f64); 11] = [
    (0.0, 202.0),
    (0.1, 20.0),
    (0.2, 16.0),
    (0.3, 12.0),
    (0.4, 10.0),
    (0.5, 8.0),
    (0.6, 3.0),
    (0.7, 2.0),
    (0.8, 18.0),
    (0.9, 15.0),
    (0.99, 96.0),
];
/// Runs of a candidate after which the rule `bayes` decides.
const CAP: u64 = 60;

/// Runs that reached the target, and runs that missed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shown {
    pub(crate) reached: u64,
    pub(crate) missed: u64,
}

impl Shown {
    pub(crate) const fn runs(self) -> u64 {
        self.reached + self.missed
    }
}

/// The chance of exactly so many hits.
fn exactly(hits: u64, runs: u64, rate: f64) -> f64 {
    (0..hits).fold(1.0, |product, nth| product * (runs - nth) as f64 / (nth + 1) as f64)
        * rate.powi(hits as i32)
        * (1.0 - rate).powi((runs - hits) as i32)
}

fn chance(hits: impl Iterator<Item = u64>, runs: u64, rate: f64) -> f64 {
    hits.map(|hits| exactly(hits, runs, rate)).sum()
}

/// Clopper and Pearson's interval: the rates at which so many hits or more, or so many or fewer, have a chance of 2.5 %.
pub(crate) fn interval(shown: Shown) -> (f64, f64) {
    let Shown { reached, .. } = shown;
    let runs = shown.runs();
    let search = |above: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if above(middle) { high = middle } else { low = middle }
        }
        f64::midpoint(low, high)
    };
    let low = if reached == 0 { 0.0 } else { search(&|rate| chance(reached..=runs, runs, rate) >= 0.025) };
    let high = if reached == runs { 1.0 } else { search(&|rate| chance(0..=reached, runs, rate) <= 0.025) };
    (low, high)
}

/// The probability of a rate of at least this, after these runs.
pub(crate) fn at_least(rate: f64, shown: Shown) -> f64 {
    let weight = |point: f64, count: f64| {
        count * point.powi(shown.reached as i32) * (1.0 - point).powi(shown.missed as i32)
    };
    let all: f64 = PRIOR.iter().map(|(point, count)| weight(*point, *count)).sum();
    let above = PRIOR.iter().filter(|(point, _)| *point > rate - 1e-9);
    above.map(|(point, count)| weight(*point, *count)).sum::<f64>() / all
}

/// ND3MIN's Lemma 1 for an answer of so many events under the rule `least`/`runs`.
pub(crate) fn minimality(least: u64, runs: u64, events: u64) -> f64 {
    let failed = |point: f64, count: f64| count * chance(0..least, runs, point);
    let bound = least as f64 / runs as f64;
    let all: f64 = PRIOR.iter().map(|(point, count)| failed(*point, *count)).sum();
    let below = PRIOR.iter().filter(|(point, _)| *point < bound - 1e-9);
    let below: f64 = below.map(|(point, count)| failed(*point, *count)).sum();
    (below / all).powi(events as i32)
}

/// A rule as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    Fixed(u64, u64),
    Bayes(f64, f64),
}

impl Rule {
    pub(crate) fn of(text: &str) -> Self {
        if let Some((rate, sure)) = text.strip_prefix("bayes:").and_then(|rest| rest.split_once('@')) {
            return Self::Bayes(rate.parse().expect("a rate"), sure.parse().expect("a confidence"));
        }
        let (least, runs) = text.split_once('/').unwrap_or_else(|| panic!("no recount for the rule {text}"));
        Self::Fixed(least.parse().expect("a number"), runs.parse().expect("a number"))
    }

    /// Whether these runs pass; nothing while more are wanted.
    pub(crate) fn verdict(self, shown: Shown) -> Option<bool> {
        match self {
            Self::Fixed(_, runs) if shown.runs() > runs => Some(shown.reached >= self.least(shown.runs())),
            Self::Fixed(least, _) if shown.reached >= least => Some(true),
            Self::Fixed(least, runs) => (shown.missed > runs - least).then_some(false),
            Self::Bayes(rate, sure) => {
                let likely = at_least(rate, shown);
                if shown.runs() >= CAP {
                    return Some(likely >= f64::midpoint(sure, 0.1));
                }
                if likely >= sure || likely <= 0.1 {
                    return Some(likely >= sure);
                }
                // A verdict that no run up to the cap can change is given at once. That is so when the best and the
                // worst that can come agree.
                let left = CAP - shown.runs();
                let best = Shown { reached: shown.reached + left, ..shown };
                let worst = Shown { missed: shown.missed + left, ..shown };
                let (best, worst) = (at_least(rate, best), at_least(rate, worst));
                let middle = f64::midpoint(sure, 0.1);
                match (best >= middle, worst >= middle) {
                    (true, true) => Some(true),
                    (false, false) => Some(false),
                    _ => None,
                }
            }
        }
    }

    /// The fewest of so many fresh runs that do.
    pub(crate) fn least(self, runs: u64) -> u64 {
        match self {
            Self::Fixed(_, 1) => runs.min(1),
            Self::Fixed(least, of) => (runs * least).div_ceil(of),
            Self::Bayes(rate, _) => (0..=runs)
                .find(|hits| *hits as f64 >= rate * runs as f64 - 1e-9)
                .expect("a rate is at most 1"),
        }
    }
}
