//! The four numbers of a trace selection problem (ND3MIN, section 4), and what they make of a tally.
//!
//! A tally `(s, f)` counts the successes and failures of one candidate. It is *passed*, *dead* or *live*.

use thiserror::Error;

/// How many candidates, devices, runs and successes. Always sensible: see [`Setting::new`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    pub(crate) n: u32,
    pub(crate) m: u32,
    pub(crate) nr: u32,
    pub(crate) st: u32,
}

/// Numbers that make no setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SettingError {
    #[error("{name} is 0, but there must be at least 1 {what}")]
    Zero {
        /// The number, as the paper calls it.
        name: &'static str,
        /// What it counts.
        what: &'static str,
    },
    /// More successes than runs.
    #[error("st is {st} and nr is {nr}, but {st} successes in {nr} runs are impossible")]
    Impossible {
        /// Successes asked for.
        st: u32,
        /// Runs.
        nr: u32,
    },
    /// A number is beyond all use.
    #[error("{name} is {given}, but at most {most} is supported")]
    TooLarge {
        /// The number, as the paper calls it.
        name: &'static str,
        given: u32,
        most: u32,
    },
}

impl Setting {
    /// `n` candidates, `m` devices, at most `nr` runs of each candidate, `st` successes to pass.
    pub fn new(n: u32, m: u32, nr: u32, st: u32) -> Result<Self, SettingError> {
        const MOST: u32 = 100_000;
        const MOST_RUNS: u32 = 10_000;
        for (name, what, given, most) in [
            ("n", "candidate", n, MOST),
            ("m", "device", m, MOST),
            ("nr", "run", nr, MOST_RUNS),
            ("st", "success", st, u32::MAX),
        ] {
            if given == 0 {
                return Err(SettingError::Zero { name, what });
            }
            if given > most {
                return Err(SettingError::TooLarge { name, given, most });
            }
        }
        if st > nr {
            return Err(SettingError::Impossible { st, nr });
        }
        Ok(Self { n, m, nr, st })
    }

    /// Candidates at the start.
    pub const fn n(&self) -> u32 {
        self.n
    }

    /// Devices: runs in one step.
    pub const fn m(&self) -> u32 {
        self.m
    }

    /// The most runs of one candidate.
    pub const fn nr(&self) -> u32 {
        self.nr
    }

    /// Successes with which a candidate passes.
    pub const fn st(&self) -> u32 {
        self.st
    }

    /// The number of failures that kills a candidate.
    pub const fn fatal(&self) -> u32 {
        self.nr - self.st + 1
    }

    /// Has this candidate enough successes?
    pub const fn has_passed(&self, (s, _): (u32, u32)) -> bool {
        s >= self.st
    }

    /// Can this candidate no longer pass?
    pub const fn is_dead(&self, (s, f): (u32, u32)) -> bool {
        s < self.st && f >= self.fatal()
    }

    /// Is this candidate still undecided? Then it has at least one run left.
    pub const fn is_live(&self, (s, f): (u32, u32)) -> bool {
        s < self.st && f < self.fatal()
    }

    /// Runs that this candidate may still get; none when it is decided.
    pub const fn left(&self, (s, f): (u32, u32)) -> u32 {
        if self.is_live((s, f)) { self.nr - s - f } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_in_words() {
        for (n, m, nr, st, said) in [
            (0, 15, 20, 18, "n is 0, but there must be at least 1 candidate"),
            (5, 0, 20, 18, "m is 0, but there must be at least 1 device"),
            (5, 15, 0, 0, "nr is 0, but there must be at least 1 run"),
            (5, 15, 20, 0, "st is 0, but there must be at least 1 success"),
            (5, 15, 20, 21, "st is 21 and nr is 20, but 21 successes in 20 runs are impossible"),
            (5, 15, 20_000, 18, "nr is 20000, but at most 10000 is supported"),
        ] {
            assert_eq!(Setting::new(n, m, nr, st).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn a_tally_is_exactly_one_of_passed_dead_and_live() {
        for (nr, st) in [(1, 1), (20, 18), (5, 1), (4, 4)] {
            let setting = Setting::new(1, 1, nr, st).unwrap();
            for s in 0..=nr {
                for tally in (0..=nr - s).map(|f| (s, f)) {
                    let states = [setting.has_passed(tally), setting.is_dead(tally), setting.is_live(tally)];
                    assert_eq!(states.iter().filter(|&&yes| yes).count(), 1, "{st}/{nr} {tally:?}");
                    assert_eq!(setting.is_live(tally), setting.left(tally) > 0, "{st}/{nr} {tally:?}");
                }
            }
        }
    }
}
