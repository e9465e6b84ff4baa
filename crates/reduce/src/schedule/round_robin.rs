//! One run each in turn, in rounds (ND3MIN, section 4.1).

use std::fmt;

use super::round::Round;
use super::{Board, Schedule, ScheduleKind};
use crate::CandidateId;

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "round-robin",
    about: "one run of each candidate in turn",
    make: |_| Ok(Box::<RoundRobin>::default()),
};

/// Takes all candidates in turn; a round continues where the last one left off.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    round: Round,
    /// Whose turn is next, or the first one after it.
    next: CandidateId,
}

impl Default for RoundRobin {
    fn default() -> Self {
        Self { round: Round::default(), next: CandidateId(0) }
    }
}

impl Schedule for RoundRobin {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        self.round.pick(board, |plan| self.next = plan.take_turns(board.open, self.next))
    }
}

impl fmt::Display for RoundRobin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round-robin")
    }
}
