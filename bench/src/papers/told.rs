//! Words in the course of a long job: nobody waits an hour for a cell without a sign of it.

use std::time::{Duration, Instant};

use retap_job::{JobEvent, JobProgress, Watch};

use crate::table;

/// Tells now and then how far a job is.
#[derive(Debug)]
pub(super) struct Told {
    what: String,
    last: Instant,
}

const EVERY: Duration = Duration::from_mins(1);

impl Told {
    pub(super) fn new(what: String) -> Self {
        Self { what, last: Instant::now() }
    }
}

impl Watch for Told {
    fn event(&mut self, event: &JobEvent<'_>) {
        let JobEvent::Progress(progress) = event else { return };
        if self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        let words = match progress {
            JobProgress::Reduce { runs, best, .. } => format!("{runs} runs, {best} events left"),
            JobProgress::Explore { events, states, .. } => format!("{} events, {states} states", events.0),
            JobProgress::Suite(progress) => format!("{progress:?}"),
            JobProgress::Replay { runs, .. } => format!("{} of {} replays", runs.0, runs.1),
            other => format!("{other:?}"),
        };
        table::progress(&format!("  {}: {words}", self.what));
    }
}
