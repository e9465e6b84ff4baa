//! How promising a state is [TimeMachine §3.3, equation 1].
//!
//! `f(s) = f0 * (1 + r)^w * (1 - p)^(v - w)`, where `v` is how often the state was visited and `w` how many
//! interesting states were first found from it. Plain multiplications in a fixed order, so that every platform
//! gets the same number. After some thousand visits without progress it is 0.

/// How promising states are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitnessSettings {
    /// What a found interesting state adds (`r`).
    pub reward: f64,
    /// What a visit without progress takes (`p`).
    pub penalty: f64,
    /// How many times fitter an interesting state begins than another one.
    pub interesting: f64,
}

/// What fitness is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Record {
    /// How often the state was visited (`v`).
    pub(crate) visits: u32,
    /// How many interesting states were first found from it (`w`).
    pub(crate) found: u32,
    /// Whether it is interesting itself.
    pub(crate) interesting: bool,
}

/// The published values.
impl Default for FitnessSettings {
    fn default() -> Self {
        Self { reward: 0.1, penalty: 0.1, interesting: 6.0 }
    }
}

impl FitnessSettings {
    /// The fitness of a state with this record.
    pub(crate) fn of(&self, record: Record) -> f64 {
        let start = if record.interesting { self.interesting } else { 1.0 };
        // Looks can be rarer than events, so more can be found from a state than it was seen.
        let in_vain = record.visits.saturating_sub(record.found);
        start * power(1.0 + self.reward, record.found) * power(1.0 - self.penalty, in_vain)
    }
}

/// By squaring; the standard library's may differ from platform to platform.
fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result *= base;
        }
        base *= base;
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fitness(visits: u32, found: u32, interesting: bool) -> f64 {
        FitnessSettings::default().of(Record { visits, found, interesting })
    }

    fn assert_near(left: f64, right: f64) {
        assert!((left - right).abs() <= 1e-12 * right.abs(), "{left} is not {right}");
    }

    #[test]
    fn it_is_the_published_formula() {
        assert_near(fitness(0, 0, false), 1.0);
        assert_near(fitness(1, 0, true), 6.0 * 0.9);
        assert_near(fitness(5, 2, true), 6.0 * 1.1 * 1.1 * 0.9 * 0.9 * 0.9);
        assert_near(fitness(5, 2, true), 6.0 * fitness(5, 2, false));
    }

    #[test]
    fn it_ends_at_zero_and_not_at_nonsense() {
        for visits in [10_000, u32::MAX] {
            let worn_out = fitness(visits, 0, true);
            assert!((0.0..1e-300).contains(&worn_out), "{worn_out}");
        }
    }

    proptest! {
        #[test]
        fn visits_in_vain_make_it_less_and_finds_make_it_more(
            visits in 0..3_000_u32, found in 0..200_u32, interesting: bool,
        ) {
            let visits = visits.max(found);
            let here = fitness(visits, found, interesting);
            prop_assert!(fitness(visits + 1, found, interesting) < here);
            prop_assert!(fitness(visits + 1, found + 1, interesting) > here);
            prop_assert!(fitness(visits, found, false) <= here);
        }

        #[test]
        fn powers_are_powers(base in 0.0..1.5_f64, exponent in 0..400_u32) {
            let slow = (0..exponent).fold(1.0, |product, _| product * base);
            // Numbers too small to be normal have fewer digits.
            prop_assert!((power(base, exponent) - slow).abs() <= 1e-9 * slow.abs() + f64::MIN_POSITIVE);
        }
    }
}
