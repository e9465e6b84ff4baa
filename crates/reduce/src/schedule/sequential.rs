//! One candidate after the other, in rounds (ND3MIN, section 4: the plainest schedule).

use std::fmt;

use super::round::Round;
use super::{Board, Schedule, ScheduleKind};
use crate::CandidateId;

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "sequential",
    about: "one candidate after the other",
    make: |_| Ok(Box::<Sequential>::default()),
};

/// Finishes the first candidate before the next one, and fills each round with the ones that follow.
#[derive(Debug, Clone, Default)]
pub struct Sequential {
    round: Round,
}

impl Schedule for Sequential {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        self.round.pick(board, |plan| {
            for (id, candidate) in board.open {
                if plan.left() == 0 {
                    break;
                }
                plan.give(*id, candidate.spare());
            }
        })
    }
}

impl fmt::Display for Sequential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sequential")
    }
}
