//! The optimal schedule, solved: what to run next in every state, and how many steps it will take.

mod file;

pub use file::{POLICY_VERSION, PolicyError};

use crate::layout::Layout;
use crate::splits::Splits;
use crate::{Prior, Setting};

/// A solved setting.
///
/// It covers all states of fewer than n live candidates, and those of n live candidates whose runs sum to a multiple
/// of m: all that full steps can lead to from n candidates without runs.
#[derive(Debug, Clone)]
pub struct Policy {
    setting: Setting,
    prior: Prior,
    splits: Splits,
    /// By number of live candidates minus 1.
    tables: Vec<Table>,
}

/// The solved states of k live candidates: their values and best schedules.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) layout: Layout,
    /// Expected steps to the end, by place.
    pub(crate) values: Vec<f64>,
    /// The number of the best split, by place; meaningless where fewer runs are left than a step has.
    pub(crate) picks: Vec<u32>,
}

impl Policy {
    pub(crate) const fn new(setting: Setting, prior: Prior, splits: Splits, tables: Vec<Table>) -> Self {
        Self { setting, prior, splits, tables }
    }

    pub const fn setting(&self) -> &Setting {
        &self.setting
    }

    pub const fn prior(&self) -> &Prior {
        &self.prior
    }

    /// How many states there are: all covered ones, one for "a candidate has passed" and one for "all are dead".
    pub fn states(&self) -> usize {
        self.tables.iter().map(|table| table.values.len()).sum::<usize>() + 2
    }

    /// Expected steps from n candidates without runs.
    pub fn expected_steps(&self) -> f64 {
        let start = vec![(0, 0); self.setting.n() as usize];
        self.value(&start).expect("the start is covered")
    }

    /// Whether the policy knows this state.
    pub fn covers(&self, tallies: &[(u32, u32)]) -> bool {
        self.value(tallies).is_some()
    }

    /// Expected steps from this state to the end under the best schedule; `None` where it is not covered.
    pub fn value(&self, tallies: &[(u32, u32)]) -> Option<f64> {
        let live = self.live(tallies);
        if live.is_empty() {
            return Some(0.0);
        }
        let (table, place) = self.find(&live)?;
        Some(table.values[place])
    }

    /// The runs that each candidate gets in the next step, in the order of the tallies; all zero when all is decided.
    ///
    /// `None` for a state that is not covered: more candidates, or a sum of runs that full steps do not lead to.
    pub fn schedule(&self, tallies: &[(u32, u32)]) -> Option<Vec<u32>> {
        let mut runs = vec![0; tallies.len()];
        let live = self.live(tallies);
        let left: u64 = live.iter().map(|live| u64::from(self.setting.left(tallies[live.candidate]))).sum();
        if left <= u64::from(self.setting.m()) {
            for Live { candidate, .. } in live {
                runs[candidate] = self.setting.left(tallies[candidate]);
            }
            return Some(runs);
        }
        let (table, place) = self.find(&live)?;
        let split = self.splits.split(live.len(), u64::from(table.picks[place]));
        for (live, given) in live.iter().zip(split) {
            runs[live.candidate] = u32::try_from(given).expect("at most the devices");
        }
        Some(runs)
    }

    /// The live candidates by total and failures; none when one has passed.
    fn live(&self, tallies: &[(u32, u32)]) -> Vec<Live> {
        if tallies.iter().any(|&tally| self.setting.has_passed(tally)) {
            return Vec::new();
        }
        let mut live: Vec<Live> = (0..tallies.len())
            .filter(|&candidate| self.setting.is_live(tallies[candidate]))
            .map(|candidate| {
                let (s, f) = tallies[candidate];
                Live { total: (s + f) as usize, failures: f as usize, candidate }
            })
            .collect();
        live.sort_unstable();
        live
    }

    fn find(&self, live: &[Live]) -> Option<(&Table, usize)> {
        let table = self.tables.get(live.len() - 1)?;
        let state: Vec<(usize, usize)> = live.iter().map(|live| (live.total, live.failures)).collect();
        Some((table, table.layout.locate(&state)?))
    }
}

/// A live candidate of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Live {
    total: usize,
    failures: usize,
    candidate: usize,
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::ops::ControlFlow;

    use super::*;
    use crate::solve::solve;

    fn policy(n: u32) -> Policy {
        let setting = Setting::new(n, 15, 20, 18).unwrap();
        solve(setting, &Prior::recovered(), NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn schedules_come_in_the_order_of_the_caller() {
        let policy = policy(3);
        assert_eq!(policy.schedule(&[(4, 1), (2, 3), (5, 0)]).unwrap(), [0, 0, 15]);
        assert_eq!(policy.schedule(&[(5, 0), (2, 3), (4, 1)]).unwrap(), [15, 0, 0]);
        assert_eq!(
            policy.schedule(&[(0, 9), (5, 0), (4, 1)]).unwrap(),
            [0, 15, 0],
            "all dead tallies are one"
        );
        assert_eq!(policy.schedule(&[(10, 0), (5, 0)]).unwrap(), [10, 5]);
        assert_eq!(policy.schedule(&[(5, 0), (10, 0)]).unwrap(), [5, 10]);
    }

    #[test]
    fn what_is_decided_gets_nothing() {
        let policy = policy(2);
        assert_eq!(policy.schedule(&[(18, 0), (0, 0)]).unwrap(), [0, 0]);
        assert_eq!(policy.schedule(&[(0, 3), (5, 7)]).unwrap(), [0, 0]);
        assert!(policy.schedule(&[]).unwrap().is_empty());
        assert_eq!(policy.value(&[(18, 0), (0, 0)]), Some(0.0));
        assert_eq!(policy.value(&[(0, 3), (5, 7)]), Some(0.0));
    }

    #[test]
    fn what_is_not_covered_is_said_so() {
        let policy = policy(2);
        for state in [vec![(0, 0); 3], vec![(1, 0), (0, 0)], vec![(3, 0), (4, 1), (2, 2)]] {
            assert!(!policy.covers(&state) && policy.value(&state).is_none(), "{state:?}");
            assert_eq!(policy.schedule(&state), None, "{state:?}");
        }
        assert!(policy.covers(&[(1, 0), (0, 3)]), "with a dead candidate any sum of runs is covered");
        assert!(policy.covers(&[(4, 1), (9, 1)]));
    }
}
