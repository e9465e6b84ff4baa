//! Another solver, as plain as can be: every schedule, every outcome, by recursion, with the paper's formula.

use std::collections::BTreeMap;

use crate::{Prior, Setting};

pub(super) struct Naive<'a> {
    setting: Setting,
    prior: &'a Prior,
    known: BTreeMap<Vec<(u32, u32)>, f64>,
}

impl<'a> Naive<'a> {
    pub(super) fn new(setting: Setting, prior: &'a Prior) -> Self {
        Self { setting, prior, known: BTreeMap::new() }
    }

    /// Expected steps from a state under the best schedule.
    pub(super) fn value(&mut self, tallies: &[(u32, u32)]) -> f64 {
        if tallies.iter().any(|&tally| self.setting.has_passed(tally)) {
            return 0.0;
        }
        let mut live: Vec<(u32, u32)> =
            tallies.iter().copied().filter(|&tally| self.setting.is_live(tally)).collect();
        live.sort_unstable();
        if live.is_empty() {
            return 0.0;
        }
        if let Some(&value) = self.known.get(&live) {
            return value;
        }
        let left: u32 = live.iter().map(|&tally| self.setting.left(tally)).sum();
        let mut schedules = Vec::new();
        self.schedules(&live, self.setting.m().min(left), &mut Vec::new(), &mut schedules);
        let value = schedules.iter().map(|runs| self.follow(&live, runs)).fold(f64::INFINITY, f64::min);
        self.known.insert(live, value);
        value
    }

    /// Expected steps when the next one is this schedule.
    pub(super) fn follow(&mut self, tallies: &[(u32, u32)], runs: &[u32]) -> f64 {
        1.0 + self.after(tallies, runs, &mut Vec::new())
    }

    fn after(&mut self, tallies: &[(u32, u32)], runs: &[u32], next: &mut Vec<(u32, u32)>) -> f64 {
        let place = next.len();
        if place == tallies.len() {
            return self.value(&next.clone());
        }
        let (s, f) = tallies[place];
        let mut sum = 0.0;
        for failures in 0..=runs[place] {
            let successes = runs[place] - failures;
            let chance = self.chance((s, f), (successes, failures));
            if chance > 0.0 {
                next.push((s + successes, f + failures));
                sum += chance * self.after(tallies, runs, next);
                next.pop();
            }
        }
        sum
    }

    fn chance(&self, (s, f): (u32, u32), (s2, f2): (u32, u32)) -> f64 {
        let power = |base: f64, exponent: u32| (0..exponent).fold(1.0, |product, _| product * base);
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let weigh = |s: u32, f: u32| -> f64 {
            let points = self.prior.points().iter().zip(self.prior.weights());
            points.map(|(&point, weight)| weight * power(point, s) * power(1.0 - point, f)).sum()
        };
        if s2 + f2 == 0 {
            return 1.0;
        }
        let choose = factorial(s2 + f2) / factorial(s2) / factorial(f2);
        // Where the prior says that this cannot be, it stands as if nothing had been seen.
        if weigh(s, f) > 0.0 { choose * weigh(s + s2, f + f2) / weigh(s, f) } else { choose * weigh(s2, f2) }
    }

    fn schedules(&self, live: &[(u32, u32)], left: u32, runs: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        let place = runs.len();
        if place == live.len() {
            if left == 0 {
                all.push(runs.clone());
            }
            return;
        }
        for given in 0..=left.min(self.setting.left(live[place])) {
            runs.push(given);
            self.schedules(live, left - given, runs, all);
            runs.pop();
        }
    }
}
