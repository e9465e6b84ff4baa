//! The schedule with the fewest expected rounds (ND3MIN, section 4.3), read from a solved table.
//!
//! A table holds for so many devices, a rule `k/n` and up to so many candidates. A board that it does not cover gets
//! the heuristic: more candidates, another rule, or evidence from before that full rounds do not lead to.

use std::fmt;
use std::sync::Arc;

use retap_mdp::Policy;

use super::round::Round;
use super::{Board, OpenCandidate, Schedule, ScheduleKind, heuristic};
use crate::CandidateId;

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "optimal",
    about: "ND3MIN's: by an exact policy, for rules K/N",
    make: |policy| Ok(Box::new(Optimal::new(policy()?))),
};

/// Follows a policy, in rounds.
#[derive(Debug, Clone)]
pub struct Optimal {
    round: Round,
    policy: Arc<Policy>,
}

impl Optimal {
    pub fn new(policy: Arc<Policy>) -> Self {
        Self { round: Round::default(), policy }
    }
}

impl Schedule for Optimal {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        self.round.pick(board, |plan| match best(&self.policy, board) {
            Some(runs) => {
                for (&id, runs) in board.open.keys().zip(runs) {
                    plan.give(id, runs);
                }
            }
            None => heuristic::fill(plan, board),
        })
    }
}

impl fmt::Display for Optimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("optimal")
    }
}

/// The best runs of each candidate, if the policy covers the board.
fn best(policy: &Policy, board: &Board<'_>) -> Option<Vec<u32>> {
    let setting = policy.setting();
    if board.devices != setting.m() || board.open.len() > setting.n() as usize {
        return None;
    }
    let tally = |candidate: &OpenCandidate| {
        let same_rule = candidate.tally.reached + candidate.to_pass == setting.st()
            && candidate.tally.runs() + candidate.wanted == setting.nr();
        same_rule.then_some((candidate.tally.reached, candidate.tally.missed))
    };
    let tallies: Vec<(u32, u32)> = board.open.values().map(tally).collect::<Option<_>>()?;
    if policy.covers(&tallies) { policy.schedule(&tallies) } else { None }
}
