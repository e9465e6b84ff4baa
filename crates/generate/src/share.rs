//! Shares and rates: numbers from 0 to 1 that are whole inside, so that every platform draws the same.

use std::fmt;
use std::str::FromStr;

/// A number from 0 to 1, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 1_000_000;

    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(Self::WHOLE);

    /// So many hundredths, at most all of them.
    pub const fn percent(percent: u32) -> Self {
        let parts = percent.saturating_mul(Self::WHOLE / 100);
        Self(if parts > Self::WHOLE { Self::WHOLE } else { parts })
    }

    /// How many that is of so many, rounded.
    pub fn of(self, count: usize) -> usize {
        let parts = count as u64 * u64::from(self.0) + u64::from(Self::WHOLE / 2);
        usize::try_from(parts / u64::from(Self::WHOLE)).expect("at most as many as there are")
    }

    /// How many have to come to so many others to be this share of all, rounded. Nine tenths are the most.
    pub(super) fn beside(self, others: usize) -> usize {
        let part = u64::from(self.0.min(Self::WHOLE / 10 * 9));
        let rest = u64::from(Self::WHOLE) - part;
        usize::try_from((others as u64 * part + rest / 2) / rest).expect("at most nine times as many")
    }

    /// Whether shares of one thing are no more than all of it.
    pub(super) fn together(shares: &[Self]) -> bool {
        shares.iter().map(|share| share.0).sum::<u32>() <= Self::WHOLE
    }

    /// As a number from 0 to 1.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }
}

/// As people write it: `0.05`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = format!("{:06}", self.0 % Self::WHOLE);
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{}", self.0 / Self::WHOLE),
            some => write!(f, "{}.{some}", self.0 / Self::WHOLE),
        }
    }
}

impl FromStr for Share {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number: f64 = text.parse().map_err(|_| ())?;
        if !(0.0..=1.0).contains(&number) {
            return Err(());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
        Ok(Self((number * f64::from(Self::WHOLE)).round() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_read_and_write_alike() {
        for text in ["0", "1", "0.05", "0.5", "0.123456"] {
            assert_eq!(text.parse::<Share>().unwrap().to_string(), text);
        }
        for wrong in ["", "x", "-0.1", "1.01", "NaN", "inf"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_are_rounded() {
        assert_eq!(Share::percent(10).of(80), 8);
        assert_eq!(Share::percent(10).of(4), 0);
        assert_eq!(Share::percent(10).of(5), 1);
        assert_eq!(
            (Share::percent(10).beside(90), Share::percent(50).beside(7), Share::ALL.beside(2)),
            (10, 7, 18)
        );
        assert_eq!((Share::NONE.of(7), Share::ALL.of(7), Share::percent(300)), (0, 7, Share::ALL));
    }
}
