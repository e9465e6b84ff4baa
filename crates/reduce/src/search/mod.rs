//! Which subsequences are worth trying next?

mod cdd;
mod chain;
mod ddmin;
mod echo;
mod frontier;
mod hdd;
mod level;
mod lhdd;
mod material;
mod one_by_one;
mod proposals;
mod tree;

use std::fmt;

pub use cdd::Cdd;
pub use chain::Chain;
pub use ddmin::Ddmin;
pub use echo::{echo, shortest_ways};
use frontier::Frontier;
pub use hdd::Hdd;
pub use lhdd::Lhdd;
pub use material::Material;
pub use one_by_one::OneByOne;
pub use proposals::Proposals;

use crate::{Candidate, CandidateId, Subset, Verdict};

/// A search: told verdicts, says what it wants to know next.
///
/// Any candidate on the frontier may be settled in any order. A pass moves the search on and makes a new
/// frontier; when all have failed the search takes its next turn; an empty frontier means that it is over.
pub trait Reducer: fmt::Display {
    /// What is worth trying now, best first. It stays as it is until [`Settled::Moved`].
    fn frontier(&self) -> &[Candidate];

    /// Takes the verdict on a candidate of the frontier.
    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled;

    /// The best so far.
    fn best(&self) -> &Subset;
}

/// What a verdict did to the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It is noted; the frontier stands.
    Noted,
    /// There is a new frontier.
    Moved,
}
