//! Which open candidate gets the next free device?

mod asynchronous;
mod heuristic;
mod optimal;
mod promise;
mod round;
mod round_robin;
mod sequential;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use asynchronous::Async;
pub use heuristic::Heuristic;
pub use optimal::Optimal;
use retap_mdp::Policy;
pub use round_robin::RoundRobin;
pub use sequential::Sequential;

use crate::rule::Rule;
use crate::{CandidateId, Tally, Verdict};

/// An open candidate, as a schedule sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenCandidate {
    pub tally: Tally,
    /// Runs under way.
    pub running: u32,
    /// The most further runs that could matter, those under way included.
    pub wanted: u32,
    /// The fewest further successes that make it pass.
    pub to_pass: u32,
    /// The fewest further failures that make it fail.
    pub to_fail: u32,
}

/// Everything a schedule may look at.
#[derive(Debug)]
pub struct Board<'a> {
    /// The open candidates, in the order the search wants them.
    pub open: &'a BTreeMap<CandidateId, OpenCandidate>,
    /// Devices at work or free.
    pub devices: u32,
    /// Runs under way, of open candidates or not.
    pub running: u32,
}

pub trait Schedule: fmt::Display {
    /// The candidate that gets a free device now; `None` leaves the device free until a run ends.
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId>;
}

impl OpenCandidate {
    /// A candidate with this tally and no run under way.
    pub fn new(rule: &dyn Rule, tally: Tally) -> Self {
        Self {
            tally,
            running: 0,
            wanted: rule.wanted(tally),
            to_pass: rule.to_pass(tally),
            to_fail: rule.to_fail(tally),
        }
    }

    /// Runs that may still be started.
    pub const fn spare(&self) -> u32 {
        self.wanted.saturating_sub(self.running)
    }
}

/// The runs that a schedule gives to candidates with these tallies, `(successes, failures)`, when none is under way
/// and this many devices are free. Nobody gets any once a candidate has passed.
pub fn next_step(
    schedule: &mut dyn Schedule,
    rule: &dyn Rule,
    devices: u32,
    tallies: &[(u32, u32)],
) -> Vec<u32> {
    let mut runs = vec![0; tallies.len()];
    let tallies = tallies.iter().map(|&(reached, missed)| Tally::new(reached, missed));
    if tallies.clone().any(|tally| rule.judge(tally) == Verdict::Pass) {
        return runs;
    }
    let open = (0..).map(CandidateId).zip(tallies).filter(|(_, tally)| rule.judge(*tally) == Verdict::Open);
    let mut open: BTreeMap<_, _> = open.map(|(id, tally)| (id, OpenCandidate::new(rule, tally))).collect();
    for running in 0..devices {
        let picked = schedule.pick(&Board { open: &open, devices, running });
        let Some((id, candidate)) = picked.and_then(|id| Some((id, open.get_mut(&id)?))) else { break };
        candidate.running += 1;
        runs[usize::try_from(id.0).expect("it is the place of a tally")] += 1;
    }
    runs
}

/// A schedule that can be chosen by name.
#[derive(Debug, Clone, Copy)]
pub struct ScheduleKind {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    make: fn(MakePolicy<'_>) -> Result<Box<dyn Schedule>, String>,
}

/// Makes the policy that a schedule goes by, which may take a while.
type MakePolicy<'a> = &'a mut dyn FnMut() -> Result<Arc<Policy>, String>;

/// All schedules. A new one is a file with a [`ScheduleKind`], and a line here.
pub const SCHEDULES: &[ScheduleKind] =
    &[sequential::KIND, round_robin::KIND, heuristic::KIND, optimal::KIND, asynchronous::KIND];

impl ScheduleKind {
    /// The schedule. Only `optimal` asks for a policy.
    pub fn schedule(
        &self,
        mut policy: impl FnMut() -> Result<Arc<Policy>, String>,
    ) -> Result<Box<dyn Schedule>, String> {
        (self.make)(&mut policy)
    }
}

impl std::str::FromStr for ScheduleKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let kind = SCHEDULES.iter().find(|kind| kind.name == name);
        kind.copied().ok_or_else(|| retap_trace::unknown("schedule", name, &names()))
    }
}

impl fmt::Display for ScheduleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

pub fn names() -> Vec<&'static str> {
    SCHEDULES.iter().map(|kind| kind.name).collect()
}

/// The schedule of this name. Only `optimal` asks for a policy.
pub fn parse(
    name: &str,
    policy: impl FnMut() -> Result<Arc<Policy>, String>,
) -> Result<Box<dyn Schedule>, String> {
    name.parse::<ScheduleKind>()?.schedule(policy)
}

#[cfg(test)]
mod tests;
