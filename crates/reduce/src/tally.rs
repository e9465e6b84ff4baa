//! Outcomes of runs, counted.

/// How one run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Reached,
    /// The run was sound and the target was not reached.
    Missed,
    /// The device failed, not the app: no evidence at all.
    Inconclusive,
}

/// Successes and failures of a candidate. Inconclusive runs are in neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tally {
    /// Runs that reached the target.
    pub reached: u32,
    /// Runs that did not.
    pub missed: u32,
}

/// What a rule makes of a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The candidate reproduces.
    Pass,
    /// It does not.
    Fail,
    /// More runs are needed.
    Open,
}

impl Tally {
    /// So many successes and failures.
    pub const fn new(reached: u32, missed: u32) -> Self {
        Self { reached, missed }
    }

    /// All runs that count.
    pub const fn runs(self) -> u32 {
        self.reached + self.missed
    }

    /// How much likelier two tallies are at rates of their own than at one and the same rate: the logarithm.
    pub fn apart(one: Self, other: Self) -> f64 {
        let at_its_best = |tally: Self| {
            let part = |count: u32| {
                let (count, runs) = (f64::from(count), f64::from(tally.runs()));
                if count > 0.0 { count * libm::log(count / runs) } else { 0.0 }
            };
            part(tally.reached) + part(tally.missed)
        };
        let both = Self::new(one.reached + other.reached, one.missed + other.missed);
        at_its_best(one) + at_its_best(other) - at_its_best(both)
    }

    pub const fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Reached => self.reached += 1,
            Outcome::Missed => self.missed += 1,
            Outcome::Inconclusive => {}
        }
    }
}
