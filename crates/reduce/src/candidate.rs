//! Candidates: subsequences worth trying, and what a trial must reach.

use std::fmt;

use crate::Subset;

/// Number of a candidate; a search never uses a number twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidateId(pub u64);

/// What a trial of a candidate must reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Goal {
    /// The target of the whole reduction.
    #[default]
    Target,
    /// The state that was recorded before this step: a way station (LHDD's local trials).
    Arrive(u32),
}

/// A subsequence worth trying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub id: CandidateId,
    /// The steps that are kept.
    pub subset: Subset,
    /// What a trial must reach.
    pub goal: Goal,
    /// Its place in the search.
    pub label: Label,
}

/// The place of a candidate in its search, stable from run to run: logs, resumes and bug reports speak of the
/// same thing. Written `ddmin/12 complement 3 of 8`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The search, and the round in it.
    pub round: (&'static str, u32),
    /// What it is in that round.
    pub role: &'static str,
    /// Its number among its like, from 1.
    pub nth: u32,
    /// How many of its like there are.
    pub of: u32,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (search, round) = self.round;
        write!(f, "{search}/{round} {}", self.role)?;
        if self.of > 1 {
            write!(f, " {} of {}", self.nth, self.of)?;
        }
        Ok(())
    }
}
