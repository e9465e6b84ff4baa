//! One candidate after the other, in rounds (ND3MIN, section 4: the plainest schedule).

use std::fmt;

use super::{Board, Schedule};
use crate::CandidateId;

/// Finishes the first candidate before the next one, and fills each round with the ones that follow.
/// A round is over when all its runs are.
#[derive(Debug, Clone, Default)]
pub struct Sequential {
    filling: bool,
}

impl Schedule for Sequential {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        if board.running == 0 {
            self.filling = true;
        }
        let pick = self.filling.then(|| board.open.iter().find(|(_, lot)| lot.spare() > 0)).flatten();
        if pick.is_none() || board.running + 1 >= board.devices {
            self.filling = false;
        }
        pick.map(|(id, _)| *id)
    }
}

impl fmt::Display for Sequential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sequential")
    }
}
