//! The reproduction rate that runs have shown, with its uncertainty.

use crate::Tally;

/// A measured rate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Successes by runs.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Rate {
    /// The rate of a tally with the Wilson score interval, which stays honest at 0 of n and n of n and for few
    /// runs. Without runs nothing is known: 0 to 1.
    pub fn of(tally: Tally) -> Self {
        const Z: f64 = 1.959_963_984_540_054;
        if tally.runs() == 0 {
            return Self { estimate: 0.0, low: 0.0, high: 1.0 };
        }
        let (reached, runs) = (f64::from(tally.reached), f64::from(tally.runs()));
        let estimate = reached / runs;
        let shrink = 1.0 + Z * Z / runs;
        let middle = (estimate + Z * Z / (2.0 * runs)) / shrink;
        let spread = Z / shrink * (estimate * (1.0 - estimate) / runs + Z * Z / (4.0 * runs * runs)).sqrt();
        Self { estimate, low: (middle - spread).max(0.0), high: (middle + spread).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        let sure = Rate::of(Tally::new(20, 0));
        assert!((sure.low - 0.838_9).abs() < 1e-4 && sure.high > 0.999_999, "{sure:?}");
        let half = Rate::of(Tally::new(10, 10));
        assert!((half.low - 0.299_3).abs() < 1e-4 && (half.high - 0.700_7).abs() < 1e-4, "{half:?}");
        let none = Rate::of(Tally::default());
        assert!(none.low <= 0.0 && none.high >= 1.0);
    }
}
