//! Counts what a schedule does for one turn of the search: the paper's `get_passing`.
//!
//! The steps of a whole reduction also depend on luck: which of several good candidates was found first. Those of a turn
//! do not, so they show a small difference between schedules much sooner.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use retap_reduce::CandidateId;
use retap_reduce::schedule::{Board, Schedule};

/// Turns with few candidates, and the rounds that they took together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Turns {
    pub(super) turns: u32,
    pub(super) rounds: u32,
}

/// A schedule whose rounds are counted.
pub(super) struct Counted {
    schedule: Box<dyn Schedule>,
    few: usize,
    counts: Rc<Cell<Turns>>,
    /// The last candidate of the current turn, and whether it has few candidates.
    turn: Option<(CandidateId, bool)>,
}

impl Counted {
    /// Counts turns with at most `few` candidates. The counts are kept where the caller can see them.
    pub(super) fn new(schedule: Box<dyn Schedule>, few: u32) -> (Self, Rc<Cell<Turns>>) {
        let counts = Rc::<Cell<Turns>>::default();
        (Self { schedule, few: few as usize, counts: counts.clone(), turn: None }, counts)
    }

    /// A round begins. A search never uses a number twice, so a candidate beyond the last one is of a new turn.
    fn round(&mut self, board: &Board<'_>) {
        let Some((first, last)) = board.open.keys().next().zip(board.open.keys().next_back()) else { return };
        let new = self.turn.is_none_or(|(known, _)| *first > known);
        if new {
            self.turn = Some((*last, board.open.len() <= self.few));
        }
        if self.turn.is_some_and(|(_, few)| few) {
            let Turns { turns, rounds } = self.counts.get();
            self.counts.set(Turns { turns: turns + u32::from(new), rounds: rounds + 1 });
        }
    }
}

impl Schedule for Counted {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        if board.running == 0 {
            self.round(board);
        }
        self.schedule.pick(board)
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.schedule.fmt(f)
    }
}
