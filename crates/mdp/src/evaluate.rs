//! The exact cost of any schedule: expected steps and runs until a candidate has passed or all are dead.
//!
//! Goes forward, step by step, with the probability of every state that can occur. States keep the order of the
//! candidates, since a schedule may treat equal tallies differently by their place; all dead tallies are one.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::{Prior, Setting};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Expected steps.
    pub steps: f64,
    /// Expected runs.
    pub runs: f64,
    /// Different states in which the schedule is asked.
    pub states: usize,
}

/// A schedule that breaks the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluateError {
    /// Not one number a candidate.
    #[error("the schedule gave {given} numbers of runs for {candidates} candidates")]
    Length {
        /// How many numbers.
        given: usize,
        candidates: usize,
    },
    /// No run although a candidate is live: it would never end.
    #[error("the schedule gave no runs in the state {0:?}")]
    Idle(Vec<(u32, u32)>),
    /// More runs than devices.
    #[error("the schedule gave {given} runs to {devices} devices")]
    Devices {
        /// How many runs.
        given: u64,
        devices: u32,
    },
    /// Runs for a candidate that may have no more.
    #[error("the schedule gave {given} runs to a candidate with the tally {tally:?}, but it has {left} left")]
    Spent {
        /// How many runs.
        given: u32,
        /// To which candidate.
        tally: (u32, u32),
        /// How many it may get.
        left: u32,
    },
}

/// Follows the schedule from `n` candidates without runs. Told the tallies, it says how many runs each candidate gets
/// in the next step; dead candidates show as `(0, nr - st + 1)`.
pub fn evaluate(
    setting: &Setting,
    prior: &Prior,
    mut schedule: impl FnMut(&[(u32, u32)]) -> Vec<u32>,
) -> Result<Cost, EvaluateError> {
    let mut cost = Cost { steps: 0.0, runs: 0.0, states: 0 };
    let start = vec![(0, 0); setting.n() as usize];
    let mut chances = Chances::new(setting, prior);
    let mut asked = BTreeSet::new();
    let mut states = vec![State { tallies: start, chance: 1.0 }];
    while !states.is_empty() {
        let mut next = Vec::new();
        for state in states {
            let runs = schedule(&state.tallies);
            asked.insert(state.tallies.clone());
            let all = check(setting, &state.tallies, &runs)?;
            cost.steps += state.chance;
            cost.runs += state.chance * f64::from(all);
            let mut prefix = Vec::with_capacity(runs.len());
            chances.spread(&state, &runs, state.chance, &mut prefix, &mut next);
        }
        states = merge(next);
    }
    cost.states = asked.len();
    Ok(cost)
}

struct State {
    tallies: Vec<(u32, u32)>,
    chance: f64,
}

fn merge(mut states: Vec<State>) -> Vec<State> {
    states.sort_by(|one, other| one.tallies.cmp(&other.tallies));
    states.dedup_by(|later, first| {
        let same = later.tallies == first.tallies;
        if same {
            first.chance += later.chance;
        }
        same
    });
    states
}

fn check(setting: &Setting, tallies: &[(u32, u32)], runs: &[u32]) -> Result<u32, EvaluateError> {
    if runs.len() != tallies.len() {
        return Err(EvaluateError::Length { given: runs.len(), candidates: tallies.len() });
    }
    for (&given, &tally) in runs.iter().zip(tallies) {
        let left = setting.left(tally);
        if given > left {
            return Err(EvaluateError::Spent { given, tally, left });
        }
    }
    let all: u64 = runs.iter().map(|&run| u64::from(run)).sum();
    match u32::try_from(all) {
        Ok(0) => Err(EvaluateError::Idle(tallies.to_vec())),
        Ok(few) if few <= setting.m() => Ok(few),
        _ => Err(EvaluateError::Devices { given: all, devices: setting.m() }),
    }
}

/// What runs do to a candidate, computed once for each tally and number of runs.
struct Chances<'a> {
    setting: &'a Setting,
    prior: &'a Prior,
    known: BTreeMap<((u32, u32), u32), Vec<Outcome>>,
}

/// An undecided or dead candidate after some runs, and how likely that is. Passing ends everything.
type Outcome = ((u32, u32), f64);

impl<'a> Chances<'a> {
    fn new(setting: &'a Setting, prior: &'a Prior) -> Self {
        Self { setting, prior, known: BTreeMap::new() }
    }

    /// Adds all states that these runs can lead to.
    fn spread(
        &mut self,
        state: &State,
        runs: &[u32],
        chance: f64,
        prefix: &mut Vec<(u32, u32)>,
        next: &mut Vec<State>,
    ) {
        let place = prefix.len();
        if place == runs.len() {
            if prefix.iter().any(|&tally| self.setting.is_live(tally)) {
                next.push(State { tallies: prefix.clone(), chance });
            }
            return;
        }
        for (tally, share) in self.outcomes(state.tallies[place], runs[place]) {
            prefix.push(tally);
            self.spread(state, runs, chance * share, prefix, next);
            prefix.pop();
        }
    }

    fn outcomes(&mut self, tally: (u32, u32), runs: u32) -> Vec<Outcome> {
        if runs == 0 {
            return vec![(tally, 1.0)];
        }
        let (setting, prior) = (self.setting, self.prior);
        self.known.entry((tally, runs)).or_insert_with(|| outcomes(setting, prior, tally, runs)).clone()
    }
}

fn outcomes(setting: &Setting, prior: &Prior, (s, f): (u32, u32), runs: u32) -> Vec<Outcome> {
    let dead = (0, setting.fatal());
    let mut outcomes: Vec<Outcome> = Vec::new();
    for failures in 0..=runs {
        let successes = runs - failures;
        let after = (s + successes, f + failures);
        let chance = prior.predictive((s, f), (successes, failures));
        if setting.has_passed(after) || chance <= 0.0 {
            continue;
        }
        let after = if setting.is_dead(after) { dead } else { after };
        match outcomes.last_mut() {
            Some((last, share)) if *last == after => *share += chance,
            _ => outcomes.push((after, chance)),
        }
    }
    outcomes
}

#[cfg(test)]
mod tests;
