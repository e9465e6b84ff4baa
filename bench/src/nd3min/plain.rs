//! Table 4 of the paper: what becomes of an answer when plain delta debugging, which believes every single run, goes on
//! with it.

use retap_lab::{Flow, drive};
use retap_reduce::search::{Ddmin, Reducer as _, Settled};
use retap_reduce::{Measurement, Subset, Tally, Verdict};
use retap_trace::Seed;
use serde::Serialize;

use super::case::Case;
use super::trial::{RUNS, Trial, lab};

/// An answer before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    /// Events of ND3MIN's answer, and what its confirming runs showed.
    before: (u32, Tally),
    /// The same of what plain delta debugging left of it, by fresh runs.
    after: (u32, Tally),
}

/// Means over the answers that plain delta debugging made shorter, as in the paper's table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Table4 {
    /// Answers.
    pub(super) answers: usize,
    /// Those that became shorter.
    pub(super) shorter: usize,
    pub(super) events: f64,
    /// Successes in twenty runs.
    pub(super) check: f64,
    pub(super) plain_events: f64,
    pub(super) plain_check: f64,
}

/// The paper's table 4: eight of its 28 cases of Google Play apps.
pub(super) const PAPER: Table4 =
    Table4 { answers: 28, shorter: 8, events: 8.75, check: 17.25, plain_events: 6.25, plain_check: 9.38 };

/// Goes on with an answer: every candidate gets one run.
pub(super) fn reduce(case: &Case, trial: &Trial, seed: Seed) -> anyhow::Result<Plain> {
    let seed = seed.branch("plain", 0);
    let found = &trial.answer.subset;
    let mut search = Ddmin::new(found.clone(), 2);
    let mut question = 0;
    while !search.frontier().is_empty() {
        for candidate in search.frontier().to_vec() {
            let tally = runs(case, &candidate.subset, 1, seed.branch("question", question))?;
            question += 1;
            let verdict = if tally.reached == 1 { Verdict::Pass } else { Verdict::Fail };
            if search.settle(candidate.id, verdict) == Settled::Moved {
                break;
            }
        }
    }
    let left = search.best();
    let before = trial.answer.claim.unwrap_or_default();
    let after = if left == found { before } else { runs(case, left, RUNS, seed.branch("check", 0))? };
    Ok(Plain { before: (found.len(), before), after: (left.len(), after) })
}

/// What so many fresh runs of these events show.
fn runs(case: &Case, events: &Subset, count: u32, seed: Seed) -> anyhow::Result<Tally> {
    let mut measurement = Measurement::new(events.clone(), count);
    drive(&mut measurement, &mut lab(case, seed), &mut (), &mut |_, _| Flow::Continue)?;
    Ok(measurement.tally())
}

impl Table4 {
    pub(super) fn of<'a>(all: impl Iterator<Item = &'a Plain>) -> Self {
        let mut table = Self::default();
        let mut sums = [0.0; 4];
        for Plain { before, after } in all {
            table.answers += 1;
            if after.0 == before.0 {
                continue;
            }
            table.shorter += 1;
            let figures = [before.0, before.1.reached, after.0, after.1.reached];
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += f64::from(figure);
            }
        }
        let count = u32::try_from(table.shorter.max(1)).map_or(f64::INFINITY, f64::from);
        [table.events, table.check, table.plain_events, table.plain_check] = sums.map(|sum| sum / count);
        table
    }

    /// A line of the table.
    pub(super) fn row(&self, name: &str) -> Vec<String> {
        vec![
            name.to_owned(),
            format!("{} of {}", self.shorter, self.answers),
            format!("{:.2}", self.events),
            format!("{:.2}", self.check),
            format!("{:.2}", self.plain_events),
            format!("{:.2}", self.plain_check),
        ]
    }
}

/// The columns of [`Table4::row`].
pub(super) const HEAD: [&str; 6] =
    ["table 4", "shorter by plain ddmin", "events", "check /20", "+ ddmin: events", "check /20"];
