//! The ways to split the runs of a step over candidates, numbered without gaps.

/// Splits of `runs` over up to `candidates`, at most `cap` each.
#[derive(Debug, Clone)]
pub(crate) struct Splits {
    runs: usize,
    cap: usize,
    /// By number of candidates and number of runs: how many splits there are of so many runs or fewer.
    up_to: Vec<Vec<u64>>,
}

impl Splits {
    /// `None` when there are more than 32 bits can number.
    pub(crate) fn new(candidates: usize, runs: usize, cap: usize) -> Option<Self> {
        let mut up_to = vec![vec![1_u64; runs + 1]];
        for _ in 0..candidates {
            let fewer = up_to.last().expect("starts with none");
            let mut sum = 0_u64;
            let row: Vec<u64> = (0..=runs)
                .map(|left| {
                    // One more candidate takes 0 to cap of what is left.
                    sum += fewer[left] - if left > cap { fewer[left - cap - 1] } else { 0 };
                    sum
                })
                .collect();
            if sum > u64::from(u32::MAX) {
                return None;
            }
            up_to.push(row);
        }
        Some(Self { runs, cap, up_to })
    }

    /// How many splits over so many candidates there are.
    pub(crate) fn count(&self, candidates: usize) -> u64 {
        let row = &self.up_to[candidates];
        row[self.runs] - if self.runs == 0 { 0 } else { row[self.runs - 1] }
    }

    /// What it adds to the number of a split that the candidate at this place gets so many of the runs that the
    /// candidates up to it share.
    pub(crate) fn part(&self, place: usize, shared: usize, given: usize) -> u64 {
        self.up_to[place][shared] - self.up_to[place][shared - given]
    }

    /// The number of a split. Its runs sum to the runs of a step.
    pub(crate) fn number(&self, split: &[usize]) -> u64 {
        let mut shared = self.runs;
        let mut number = 0;
        for (place, &given) in split.iter().enumerate().rev() {
            number += self.part(place, shared, given);
            shared -= given;
        }
        number
    }

    pub(crate) fn split(&self, candidates: usize, mut number: u64) -> Vec<usize> {
        let mut split = vec![0; candidates];
        let mut shared = self.runs;
        for place in (0..candidates).rev() {
            let most = shared.min(self.cap);
            let fits = |given: &usize| *given == most || self.part(place, shared, given + 1) > number;
            let given = (0..=most).find(fits).unwrap_or(most);
            number -= self.part(place, shared, given);
            shared -= given;
            split[place] = given;
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_split_has_its_number() {
        for candidates in 1..=4 {
            for runs in 0..=7 {
                for cap in 1..=8 {
                    let splits = Splits::new(candidates, runs, cap).unwrap();
                    let mut seen = BTreeSet::new();
                    for number in 0..splits.count(candidates) {
                        let split = splits.split(candidates, number);
                        assert_eq!(split.iter().sum::<usize>(), runs, "{split:?}");
                        assert!(split.iter().all(|&given| given <= cap), "{split:?}");
                        assert_eq!(splits.number(&split), number, "{split:?}");
                        seen.insert(split);
                    }
                    assert_eq!(seen.len() as u64, splits.count(candidates));
                }
            }
        }
        assert_eq!(Splits::new(5, 15, 15).unwrap().count(5), 3876);
        assert_eq!(Splits::new(5, 4, 1).unwrap().count(5), 5);
        assert!(Splits::new(9, 100, 100).is_none());
    }
}
