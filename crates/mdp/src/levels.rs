//! The failure levels of a candidate whose number of runs is known.
//!
//! After `total` runs, only the failures are open: those of a live candidate lie in a short range, and one more
//! level stands for "dead". Levels are counted from the lowest possible one.

use crate::Setting;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Levels {
    runs: usize,
    needed: usize,
    fatal: usize,
}

impl Levels {
    pub(crate) fn new(setting: &Setting) -> Self {
        Self { runs: setting.nr() as usize, needed: setting.st() as usize, fatal: setting.fatal() as usize }
    }

    /// The most runs of a candidate: totals of live candidates are below it.
    pub(crate) const fn runs(self) -> usize {
        self.runs
    }

    /// The failures that kill, which is also how the level "dead" is counted.
    pub(crate) const fn fatal(self) -> usize {
        self.fatal
    }

    /// The fewest failures with which a candidate has not passed.
    pub(crate) const fn lowest(self, total: usize) -> usize {
        (total + 1).saturating_sub(self.needed)
    }

    /// How many levels are live.
    pub(crate) fn live(self, total: usize) -> usize {
        self.fatal.min(total + 1) - self.lowest(total)
    }

    /// How many levels there are with "dead", where that is possible; it is the last.
    pub(crate) fn all(self, total: usize) -> usize {
        (self.fatal + 1).min(total + 1) - self.lowest(total)
    }

    /// The most live levels of any total.
    pub(crate) fn most_live(self) -> usize {
        (0..self.runs).map(|total| self.live(total)).max().unwrap_or(1)
    }

    /// The most levels of any total.
    pub(crate) fn most(self) -> usize {
        (0..=self.runs).map(|total| self.all(total)).max().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_tallies_that_have_not_passed() {
        for (nr, st) in [(1, 1), (20, 18), (5, 1), (4, 4), (9, 3)] {
            let setting = Setting::new(1, 1, nr, st).unwrap();
            let levels = Levels::new(&setting);
            for total in 0..=nr {
                let tallies: Vec<(u32, u32)> = (0..=total).map(|f| (total - f, f)).collect();
                let live: Vec<u32> =
                    tallies.iter().filter(|&&tally| setting.is_live(tally)).map(|&(_, f)| f).collect();
                let dead = tallies.iter().any(|&tally| setting.is_dead(tally));
                let total = total as usize;
                assert_eq!(levels.live(total), live.len(), "{st}/{nr} {total}");
                assert_eq!(levels.all(total), live.len() + usize::from(dead), "{st}/{nr} {total}");
                let lowest = live.first().map_or(levels.fatal(), |&f| f as usize);
                assert_eq!(levels.lowest(total), lowest, "{st}/{nr} {total}");
            }
        }
    }
}
