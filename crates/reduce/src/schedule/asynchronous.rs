//! No rounds: a free device at once takes the most useful run.
//!
//! The most promising candidate, if it will probably pass, gets the runs that it needs and two more against bad
//! luck; the other devices are spread over the five most promising ones, to have the next favourite at hand. In
//! rounds this needs hardly more of them than the optimal schedule, however many candidates there are. Without
//! rounds no device waits for the slowest run; results that come too late to matter are withdrawn by the reduction.
//!
//! With one device there is nothing to run ahead of: it takes the candidates in the order of the search, best first,
//! exactly as [`Sequential`](super::Sequential) does.

use std::fmt;

use super::promise::Promise;
use super::{Board, OpenCandidate, Schedule, ScheduleKind};
use crate::CandidateId;

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "async",
    about: "the first candidate that can use one more run",
    make: |_| Ok(Box::<Async>::default()),
};

/// Assigns runs as devices become free.
#[derive(Debug, Clone, Default)]
pub struct Async {
    promise: Promise,
}

/// The chance to pass from which a candidate is worth most devices.
const PROBABLE: f64 = 0.6;

/// Runs beyond those that must all succeed.
const RESERVE: u32 = 2;

/// The number of candidates over which the other devices are spread.
const FAVOURITES: usize = 5;

/// How far ahead in the order of the search candidates are looked at. More than ever matters, and a search over a
/// hundred thousand lines has as many candidates.
const HORIZON: usize = 1_000;

impl Schedule for Async {
    fn pick(&mut self, board: &Board<'_>) -> Option<CandidateId> {
        if board.running >= board.devices {
            return None;
        }
        let mut spare = board.open.iter().filter(|(_, candidate)| candidate.spare() > 0);
        if board.devices == 1 {
            return spare.next().map(|(id, _)| *id);
        }
        let mut favourites = Favourites::default();
        for (&id, candidate) in spare.take(HORIZON) {
            favourites.consider(Favourite { promise: self.promise.of(candidate), id, candidate });
        }
        favourites.most_useful()
    }
}

impl fmt::Display for Async {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("async")
    }
}

/// The most promising candidates, the best one first; equals in the order of the search.
#[derive(Default)]
struct Favourites<'a>([Option<Favourite<'a>>; FAVOURITES]);

#[derive(Clone, Copy)]
struct Favourite<'a> {
    promise: f64,
    id: CandidateId,
    candidate: &'a OpenCandidate,
}

impl<'a> Favourites<'a> {
    fn consider(&mut self, candidate: Favourite<'a>) {
        let better =
            |place: &Option<Favourite<'_>>| place.is_some_and(|other| other.promise >= candidate.promise);
        let rank = self.0.partition_point(better);
        if rank < FAVOURITES {
            self.0[rank..].rotate_right(1);
            self.0[rank] = Some(candidate);
        }
    }

    fn most_useful(&self) -> Option<CandidateId> {
        let best = self.0[0]?;
        if best.promise >= PROBABLE && best.candidate.running < best.candidate.to_pass + RESERVE {
            return Some(best.id);
        }
        self.0
            .iter()
            .flatten()
            .min_by_key(|favourite| favourite.candidate.running)
            .map(|favourite| favourite.id)
    }
}
