//! What the next run of the default reducer is for.

use super::descent::Descent;
use super::pass::Pass;
use super::repair::Repair;
use super::together::Together;
use crate::{ReductionEnding, Subset};

/// What the next run is for.
#[derive(Debug, Clone)]
pub(super) enum Stage {
    /// Does the whole list reach often enough?
    Check,
    /// Guesses, the next one last; and those for a second time.
    Guess {
        left: Vec<Subset>,
        again: Vec<Subset>,
    },
    Descend(Box<Descent>),
    /// Does the whole list ever reach? Then this goes on.
    Whole {
        misses: u32,
        then: Box<Self>,
    },
    Pass {
        pass: Pass,
        hits: u32,
        was_flaky: bool,
        then: Then,
    },
    Together {
        together: Together,
        was_flaky: bool,
        /// Whether a batch goes on when nothing can go.
        in_batch: bool,
    },
    Batch {
        was_flaky: bool,
    },
    /// The list that is run, to see what helps.
    Repair {
        repair: Repair,
        run: Subset,
    },
    Claim,
    Over(ReductionEnding),
}

/// What follows a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Batch,
    /// The end, if nothing changed: only now it was known that single misses may be bad luck.
    Decide,
    Claim,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WantedRun {
    pub list: Subset,
    /// How likely it is to reach the target.
    pub chance: f64,
    pub purpose: String,
    /// Whether it measures a rate.
    pub measures: bool,
}

impl Stage {
    /// The run that is wanted next, where the present list is `list`; `None` when it is over. How likely it is to reach
    /// the target was measured, stage by stage.
    pub(super) fn wanted(&self, whole: &Subset, list: &Subset) -> Option<WantedRun> {
        let wanted = |list: &Subset, chance: f64, purpose: String| WantedRun {
            list: list.clone(),
            chance,
            purpose,
            measures: matches!(self, Self::Check | Self::Whole { .. } | Self::Batch { .. } | Self::Claim),
        };
        Some(match self {
            Self::Check | Self::Whole { .. } => {
                wanted(whole, 0.9, format!("check of all {} events", whole.len()))
            }
            Self::Guess { left, .. } => wanted(left.last()?, 0.85, "guess by states".to_owned()),
            Self::Descend(descent) => wanted(descent.wanted()?, descent.chance(), descent.purpose()),
            Self::Pass { pass, .. } => {
                let event = pass.event()? + 1;
                let shorter = Subset::from_positions(pass.shorter()?);
                wanted(&shorter, 0.15, format!("pass without event {event}"))
            }
            Self::Together { together, .. } => {
                let shorter = together.shorter()?;
                let gone = together.list().len() - shorter.len();
                wanted(&shorter, 0.3, format!("pass without {gone} events together"))
            }
            Self::Batch { .. } => wanted(list, 0.93, format!("batch of {} events", list.len())),
            Self::Repair { run, .. } => {
                let more = run.len().saturating_sub(list.len());
                wanted(run, 0.85, format!("repair with {more} more events"))
            }
            Self::Claim => wanted(list, 0.93, format!("confirmation of {} events", list.len())),
            Self::Over(_) => return None,
        })
    }
}
