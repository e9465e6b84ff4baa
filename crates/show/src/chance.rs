//! Whether two measured rates differ beyond chance.

use retap_reduce::Tally;

/// Below this probability a difference is called beyond chance.
const UNLIKELY: f64 = 0.05;

/// What two tallies say of whether their rates differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Comparison {
    /// One of them has no runs.
    Unknown,
    /// Equal rates would give a difference like this, or a larger one, with this probability: it may be chance.
    MayBeChance(f64),
    /// The same, and the probability is below 5 %.
    BeyondChance(f64),
}

impl Comparison {
    /// Compares two tallies by Fisher's exact test, with two sides.
    pub(crate) fn of(one: Tally, other: Tally) -> Self {
        if one.runs() == 0 || other.runs() == 0 {
            return Self::Unknown;
        }
        match fisher(one, other) {
            p if p < UNLIKELY => Self::BeyondChance(p),
            p => Self::MayBeChance(p),
        }
    }

    /// In words, without a claim that the runs do not bear.
    pub(crate) fn in_words(self) -> String {
        match self {
            Self::Unknown => "too few runs to compare".to_owned(),
            Self::MayBeChance(p) if p >= 0.995 => "no difference that runs could show".to_owned(),
            Self::MayBeChance(p) => format!(
                "may be chance: equal rates would differ at least as much in {} of 100 such pairs (Fisher's exact test)",
                percent(p)
            ),
            Self::BeyondChance(p) => format!(
                "beyond chance: equal rates would differ at least as much in {} of 100 such pairs (Fisher's exact test)",
                percent(p)
            ),
        }
    }
}

fn percent(p: f64) -> String {
    match p * 100.0 {
        small if small < 0.01 => "less than 0.01".to_owned(),
        small if small < 1.0 => format!("{small:.2}"),
        large => format!("{large:.0}"),
    }
}

/// The probability that two samples of one rate differ at least as much as these: Fisher's exact test with two sides,
/// as the sum over all tables with the same margins that are not likelier than this one.
fn fisher(one: Tally, other: Tally) -> f64 {
    let (first, second) = (u64::from(one.runs()), u64::from(other.runs()));
    let reached = u64::from(one.reached) + u64::from(other.reached);
    let (least, most) = (reached.saturating_sub(second), reached.min(first));
    // From one table to the next by the ratio of their probabilities, all relative to the first.
    let mut logs = vec![0.0_f64];
    for hits in least..most {
        let up = number(first - hits) * number(reached - hits);
        let down = number(hits + 1) * number(second + hits + 1 - reached);
        logs.push(logs[logs.len() - 1] + libm::log(up / down));
    }
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - highest)).collect();
    let at = usize::try_from(u64::from(one.reached) - least).unwrap_or(0);
    // Tables that are as likely but for the last digits count.
    let bound = weights[at] * (1.0 + 1e-7);
    let tail: f64 = weights.iter().filter(|weight| **weight <= bound).sum();
    (tail / weights.iter().sum::<f64>()).min(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^53")]
const fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed apart from this, by whole binomial coefficients.
    #[test]
    fn known_probabilities() {
        for ((a, b), (c, d), p) in [
            ((3, 1), (1, 3), 0.485_714_285_714),
            ((17, 3), (20, 0), 0.230_769_230_769),
            ((20, 0), (0, 20), 1.450_889_e-11),
            ((10, 2), (3, 15), 0.000_536_724_119),
            ((5, 5), (5, 5), 1.0),
        ] {
            let found = fisher(Tally::new(a, b), Tally::new(c, d));
            assert!((found - p).abs() < 1e-9_f64.max(p * 1e-5), "{a} {b} {c} {d}: {found} is not {p}");
            assert!((found - fisher(Tally::new(c, d), Tally::new(a, b))).abs() < 1e-12);
        }
    }

    #[test]
    fn it_adds_up_for_many_runs_and_none() {
        let p = fisher(Tally::new(900_000, 100_000), Tally::new(899_900, 100_100));
        assert!((0.0..=1.0).contains(&p) && p > 0.5, "{p}");
        assert_eq!(Comparison::of(Tally::default(), Tally::new(1, 1)), Comparison::Unknown);
        assert!(matches!(Comparison::of(Tally::new(20, 0), Tally::new(2, 18)), Comparison::BeyondChance(_)));
        assert!(matches!(Comparison::of(Tally::new(20, 0), Tally::new(17, 3)), Comparison::MayBeChance(_)));
    }
}
