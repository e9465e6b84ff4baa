//! Time as microseconds: a count that adds exactly, on a real clock and on a virtual one alike.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// A length of time, or a moment as the time since the start of its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub u64);

impl Micros {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// So many milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// So many seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// In whole milliseconds, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }

    /// In seconds, for people and for JSON.
    #[expect(clippy::cast_precision_loss, reason = "2^53 microseconds are 285 years")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The time between two moments, zero when `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Micros {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Micros {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Micros {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0 / 1_000_000;
        match self.0 {
            0..1_000 => write!(f, "{} µs", self.0),
            1_000..1_000_000 => write!(f, "{} ms", self.0 / 1_000),
            1_000_000..60_000_000 => write!(f, "{:.1} s", self.as_secs_f64()),
            60_000_000..3_600_000_000 => write!(f, "{} min {:02} s", secs / 60, secs % 60),
            _ => write!(f, "{} h {:02} min", secs / 3600, secs / 60 % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_people_say_it() {
        let said = |micros| Micros(micros).to_string();
        assert_eq!(said(12), "12 µs");
        assert_eq!(said(250_000), "250 ms");
        assert_eq!(said(3_700_000), "3.7 s");
        assert_eq!(said(125_000_000), "2 min 05 s");
        assert_eq!(said(7_380_000_000), "2 h 03 min");
    }

    #[test]
    fn never_overflows() {
        assert_eq!(Micros(u64::MAX) + Micros(1), Micros(u64::MAX));
        assert_eq!(Micros(1).since(Micros(5)), Micros::ZERO);
    }
}
