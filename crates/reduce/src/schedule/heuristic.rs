//! ND3MIN's heuristic (section 4.2, figure 3): explore first, then confirm the promising and discard the doubtful.
//!
//! As long as a candidate has no runs, a round is round-robin from there. After that, candidates are ordered by
//! their observed rate and split at c = 0.8:
//!
//! - The promising, best first, get the runs that are expected to make them pass. One that needs more than what is
//!   left of the round, but no more than a whole round, is deferred: it takes turns with its like after the others.
//! - The doubtful, best first, get the runs that are expected to make them fail.
//! - What is left is round-robin over all.
//!
//! The paper states this for `k/n`. Here the missing successes and failures come from the rule, whichever it is.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use super::round::{Plan, Round};
use super::{Board, OpenCandidate, Schedule, ScheduleKind};
use crate::CandidateId;

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "heuristic",
    about: "ND3MIN's: the candidate that promises most",
    make: |_| Ok(Box::<Heuristic>::default()),
};

/// Explores, confirms, discards; in rounds.
#[derive(Debug, Clone, Default)]
pub struct Heuristic {
    round: Round,
}

impl Schedule for Heuristic {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        self.round.pick(board, |plan| fill(plan, board))
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("heuristic")
    }
}

/// Plans a round.
pub(super) fn fill(plan: &mut Plan, board: &Board<'_>) {
    if let Some((&unknown, _)) = board.open.iter().find(|(_, candidate)| candidate.tally.runs() == 0) {
        plan.take_turns(board.open, unknown);
        return;
    }
    let mut shares: Vec<Share> =
        board.open.iter().map(|(&id, candidate)| Share { id, candidate: *candidate, given: 0 }).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&one, &other| best_first(&shares[one].candidate, &shares[other].candidate));
    let promising = order.partition_point(|&place| is_promising(&shares[place].candidate));
    let (confirm, discard) = order.split_at(promising);
    let mut deferred = Vec::new();
    for &place in confirm {
        let wanted = runs_to_pass(&shares[place].candidate);
        if wanted > plan.left() && wanted <= board.devices {
            deferred.push(place);
        } else {
            shares[place].give(plan, wanted);
        }
    }
    take_turns(plan, &mut shares, &deferred);
    for &place in discard {
        let wanted = runs_to_fail(&shares[place].candidate);
        shares[place].give(plan, wanted);
    }
    let everyone: Vec<usize> = (0..shares.len()).collect();
    take_turns(plan, &mut shares, &everyone);
}

/// What a candidate gets of a round.
struct Share {
    id: CandidateId,
    candidate: OpenCandidate,
    given: u32,
}

impl Share {
    fn give(&mut self, plan: &mut Plan, wanted: u32) {
        self.given += plan.give(self.id, wanted.min(self.candidate.spare() - self.given));
    }
}

/// One run each in turn, until the round or all of them are full.
fn take_turns(plan: &mut Plan, shares: &mut [Share], places: &[usize]) {
    loop {
        let before = plan.left();
        for &place in places {
            shares[place].give(plan, 1);
        }
        if plan.left() == before {
            break;
        }
    }
}

/// Falling by observed rate, then by successes; equals in the order of the search.
fn best_first(one: &OpenCandidate, other: &OpenCandidate) -> Ordering {
    // Rates compared without division.
    let cross = |one: &OpenCandidate, other: &OpenCandidate| {
        u64::from(one.tally.reached) * u64::from(other.tally.runs())
    };
    cross(other, one)
        .cmp(&cross(one, other))
        .then(Reverse(one.tally.reached).cmp(&Reverse(other.tally.reached)))
}

/// Whether the observed rate is 0.8 or more: the paper's c.
fn is_promising(candidate: &OpenCandidate) -> bool {
    u64::from(candidate.tally.reached) * 5 >= u64::from(candidate.tally.runs()) * 4
}

/// Runs after which a candidate is expected to pass: the missing successes by the observed rate, rounded up.
fn runs_to_pass(candidate: &OpenCandidate) -> u32 {
    expected(candidate, candidate.to_pass, candidate.tally.reached)
}

/// Runs after which it is expected to fail.
fn runs_to_fail(candidate: &OpenCandidate) -> u32 {
    expected(candidate, candidate.to_fail, candidate.tally.missed)
}

/// Where none of the missing kind was seen, nothing can be expected: it gets what it may.
fn expected(candidate: &OpenCandidate, missing: u32, seen: u32) -> u32 {
    let runs = match u64::from(seen) {
        0 => u64::MAX,
        seen => (u64::from(missing) * u64::from(candidate.tally.runs())).div_ceil(seen),
    };
    u32::try_from(runs).map_or(candidate.spare(), |runs| runs.min(candidate.spare()))
}
