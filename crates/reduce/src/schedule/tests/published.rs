//! Two schedules that need no table (ND3MIN, sections 4.1 and 4.2) as the paper states them: pure functions of
//! the tallies, which the schedules are held against.
//!
//! Each answers with the runs that each candidate gets in the next step: at most m in all, at most nr for one
//! candidate over all steps, none for a decided candidate, and none at all once a candidate has passed. They look
//! at m, nr and st of the setting; how many candidates there are, the tallies say.

use std::cmp::Ordering;

use retap_mdp::Setting;

/// The observed rate from which the heuristic thinks that a candidate will pass: the paper's c.
pub(super) const PROMISING: f64 = 0.8;

/// One run each in turn, skipping decided and full candidates; a step continues where the last one left off. The cursor
/// is the candidate whose turn is next.
pub(super) fn round_robin_from(setting: &Setting, tallies: &[(u32, u32)], cursor: &mut usize) -> Vec<u32> {
    let mut step = Step::new(setting, tallies);
    let everyone: Vec<usize> = (0..tallies.len()).collect();
    *cursor = step.take_turns(&everyone, *cursor);
    step.runs
}

/// Explores first, then confirms the promising and discards the doubtful (figure 3).
///
/// `promising` is the paper's c: [`PROMISING`]. As long as a live candidate has no runs at all, the step is
/// round-robin from there: an observed rate needs a run.
pub(super) fn heuristic(setting: &Setting, tallies: &[(u32, u32)], promising: f64) -> Vec<u32> {
    let mut step = Step::new(setting, tallies);
    let everyone: Vec<usize> = (0..tallies.len()).collect();
    if let Some(unknown) = tallies.iter().position(|&tally| tally == (0, 0)) {
        step.take_turns(&everyone, unknown);
        return step.runs;
    }
    let mut live: Vec<usize> =
        everyone.iter().copied().filter(|&one| setting.is_live(tallies[one])).collect();
    live.sort_by(|&one, &other| best_first(tallies[one], tallies[other]));
    let rate = |(s, f): (u32, u32)| f64::from(s) / (f64::from(s) + f64::from(f));
    let (confirm, discard): (Vec<usize>, Vec<usize>) =
        live.into_iter().partition(|&candidate| rate(tallies[candidate]) >= promising);
    let mut deferred = Vec::new();
    for candidate in confirm {
        let wanted = runs_to_pass(setting, tallies[candidate]);
        if wanted > step.left && wanted <= setting.m() {
            deferred.push(candidate);
        } else {
            step.give(candidate, wanted);
        }
    }
    step.take_turns(&deferred, 0);
    for candidate in discard {
        step.give(candidate, runs_to_die(setting, tallies[candidate]));
    }
    step.take_turns(&everyone, 0);
    step.runs
}

/// Falling by observed rate, then by successes.
fn best_first(one: (u32, u32), other: (u32, u32)) -> Ordering {
    // s/(s+f) compared without division.
    let cross = |(s, _): (u32, u32), (s2, f2): (u32, u32)| u64::from(s) * (u64::from(s2) + u64::from(f2));
    cross(other, one).cmp(&cross(one, other)).then(other.0.cmp(&one.0))
}

/// Runs after which a candidate is expected to pass: (st - s) / p, rounded up, if it has as many left.
fn runs_to_pass(setting: &Setting, (s, f): (u32, u32)) -> u32 {
    let missing = u64::from(setting.st() - s);
    let expected = if s == 0 { u64::MAX } else { (missing * u64::from(s + f)).div_ceil(u64::from(s)) };
    at_most(expected, setting.left((s, f)))
}

/// Runs after which a candidate is expected to be dead: (nr - st + 1 - f) / (1 - p), rounded up, if it has as many
/// left.
fn runs_to_die(setting: &Setting, (s, f): (u32, u32)) -> u32 {
    let missing = u64::from(setting.fatal() - f);
    let expected = if f == 0 { u64::MAX } else { (missing * u64::from(s + f)).div_ceil(u64::from(f)) };
    at_most(expected, setting.left((s, f)))
}

fn at_most(expected: u64, left: u32) -> u32 {
    u32::try_from(expected).map_or(left, |expected| expected.min(left))
}

/// A step being filled.
struct Step {
    /// Runs that each candidate may still get.
    open: Vec<u32>,
    /// Runs that each candidate gets in this step.
    runs: Vec<u32>,
    /// Devices still free.
    left: u32,
}

impl Step {
    fn new(setting: &Setting, tallies: &[(u32, u32)]) -> Self {
        let over = tallies.iter().any(|&tally| setting.has_passed(tally));
        Self {
            open: tallies.iter().map(|&tally| setting.left(tally)).collect(),
            runs: vec![0; tallies.len()],
            left: if over { 0 } else { setting.m() },
        }
    }

    /// Gives a candidate so many runs, or as many as it and the step have left.
    fn give(&mut self, candidate: usize, wanted: u32) {
        let given = wanted.min(self.open[candidate]).min(self.left);
        self.open[candidate] -= given;
        self.runs[candidate] += given;
        self.left -= given;
    }

    /// Gives one run each in turn, from this place of the list on, until the step or all of them are full. Returns
    /// the place whose turn is next.
    fn take_turns(&mut self, candidates: &[usize], from: usize) -> usize {
        let mut place = if from < candidates.len() { from } else { 0 };
        let mut skipped = 0;
        while self.left > 0 && skipped < candidates.len() {
            let candidate = candidates[place];
            if self.open[candidate] > 0 {
                self.give(candidate, 1);
                skipped = 0;
            } else {
                skipped += 1;
            }
            place = (place + 1) % candidates.len();
        }
        place
    }
}
