//! Rounds: all runs of a round are planned when no run is under way, and the next one waits for the last of them.

use std::collections::BTreeMap;

use super::{Board, OpenCandidate};
use crate::CandidateId;

/// The runs of the current round, handed out one at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    plan: Plan,
    /// How many of them are handed out.
    handed: usize,
}

/// A round being planned: at most one run for every device, in the order in which they will be handed out.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    runs: Vec<CandidateId>,
    devices: usize,
}

impl Round {
    /// The next run of the round. Where nothing is under way, a new round is planned first.
    ///
    /// A candidate that left the board since, or for which a result made further runs useless, loses its part of the
    /// round.
    pub(super) fn pick(&mut self, board: &Board<'_>, fill: impl FnOnce(&mut Plan)) -> Option<CandidateId> {
        if board.running == 0 {
            self.plan.runs.clear();
            self.plan.devices = board.devices as usize;
            self.handed = 0;
            fill(&mut self.plan);
        }
        let useful = |id: &CandidateId| board.open.get(id).is_some_and(|candidate| candidate.spare() > 0);
        let left = &self.plan.runs[self.handed..];
        let skipped = left.iter().position(useful).unwrap_or(left.len());
        let pick = left.get(skipped).copied();
        self.handed += skipped + usize::from(pick.is_some());
        pick
    }
}

impl Plan {
    /// Devices without a run.
    pub(super) fn left(&self) -> u32 {
        u32::try_from(self.devices - self.runs.len()).unwrap_or(u32::MAX)
    }

    /// Gives a candidate so many runs, or as many as there are devices left; says how many.
    pub(super) fn give(&mut self, id: CandidateId, runs: u32) -> u32 {
        let given = runs.min(self.left());
        self.runs.extend(std::iter::repeat_n(id, given as usize));
        given
    }

    /// Gives one run each in turn, from this candidate on, until all devices or all candidates have what they can
    /// get. Nobody may have got a run before. Returns the candidate whose turn is next, by its number at least.
    pub(super) fn take_turns(
        &mut self,
        open: &BTreeMap<CandidateId, OpenCandidate>,
        from: CandidateId,
    ) -> CandidateId {
        for turn in 0.. {
            let before = self.left();
            for (&id, candidate) in open.range(from..).chain(open.range(..from)) {
                if self.left() == 0 {
                    break;
                }
                if candidate.spare() > turn {
                    self.give(id, 1);
                }
            }
            if self.left() == 0 || self.left() == before {
                break;
            }
        }
        self.runs.last().map_or(from, |last| CandidateId(last.0 + 1))
    }
}
