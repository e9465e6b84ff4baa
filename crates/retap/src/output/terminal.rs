//! A job on the terminal: progress while it goes on, and words.

use std::cell::Cell;
use std::time::{Duration, Instant};

use retap_job::{JobEvent, JobProgress, Stop, Watch};
use retap_reduce::Phase;
use retap_suite::{SuitePhase, SuiteProgress};

use super::Output;
use super::progress::Progress;
use crate::words;

/// How often the figures of an exploration are shown.
const SHOWN_EVERY: Duration = Duration::from_millis(100);

/// Tells people how a job goes.
pub(crate) struct Terminal {
    output: Output,
    stop: Stop,
    /// The bars of what goes on: an exploration has one, and a reduction within it another.
    bars: Vec<Bar>,
}

struct Bar {
    name: &'static str,
    progress: Progress,
    began: Instant,
    /// When it is next worth showing something.
    next: Cell<Instant>,
}

impl Terminal {
    pub(crate) const fn new(output: Output, stop: Stop) -> Self {
        Self { output, stop, bars: Vec::new() }
    }

    /// The bar of this name, as new; of a total of 0 nothing is known yet.
    fn bar(&mut self, name: &'static str, total: u64) -> &Bar {
        if let Some(at) = self.bars.iter().position(|bar| bar.name == name) {
            return &self.bars[at];
        }
        self.close_all_but(&["explore"]);
        let progress = Progress::new(self.output, name, total);
        let now = Instant::now();
        self.bars.push(Bar { name, progress, began: now, next: Cell::new(now) });
        self.bars.last().expect("it was just pushed")
    }

    fn close_all_but(&mut self, names: &[&str]) {
        self.bars.retain(|bar| names.contains(&bar.name));
    }

    fn progress(&mut self, progress: &JobProgress) {
        match progress {
            JobProgress::Reduce { phase, runs, to_come, best } => {
                let phase = match phase {
                    Phase::Check => "checking",
                    Phase::Search => "searching",
                    Phase::Confirm => "confirming",
                    Phase::Over => "done",
                };
                let words = || format!("runs, {phase}, best {best} events");
                self.bar("reduce", 0).progress.known(*runs, to_come.map(|more| runs + more), words);
            }
            JobProgress::Values { runs, trying } => {
                self.bar("values", 0).progress.set(*runs, || format!("runs, {trying}"));
            }
            JobProgress::Explore { .. } => self.exploration(progress),
            JobProgress::Suite(at) => {
                let (done, to_come) = (u64::from(at.runs), at.outlook as u64);
                self.bar("suite", 0).progress.known(done, Some(done + to_come), || suite(at));
            }
            JobProgress::Replay { runs: (done, total), reached } => {
                self.bar("replay", *total).progress.set(*done, || format!("runs, {reached} reached"));
            }
            JobProgress::ReplaySuite { traces: (done, total) } => {
                self.bar("replay", *total).progress.set(*done, || "traces".to_owned());
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
            JobProgress::Solve { done } => {
                self.bar("solve", 1000).progress.set((done * 1000.0) as u64, || "thousandths".to_owned());
            }
            _ => {}
        }
    }

    fn exploration(&mut self, progress: &JobProgress) {
        let JobProgress::Explore { events, elapsed, states, covered, crashes, restores } = progress else {
            return;
        };
        let seconds = |time: retap_trace::Micros| time.0 / 1_000_000;
        let (unit, done, total) = match events.1 {
            Some(total) => ("events", events.0, total),
            None => ("s of device time", seconds(elapsed.0), elapsed.1.map_or(0, seconds)),
        };
        // It may happen too often to be put into words each time.
        let now = Instant::now();
        let bar = self.bar("explore", total);
        if now < bar.next.get() {
            return;
        }
        bar.next.set(now + SHOWN_EVERY);
        bar.progress.set(done, || {
            let seconds = bar.began.elapsed().as_secs_f64().max(0.001);
            #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
            let speed = events.0 as f64 / seconds;
            format!(
                "{unit}, {speed:.0} events/s, {states} states, {covered} covered, {crashes} crashes, {restores} restores"
            )
        });
    }
}

impl Watch for Terminal {
    fn event(&mut self, event: &JobEvent<'_>) {
        match event {
            JobEvent::Progress(progress) => return self.progress(progress),
            JobEvent::Finished(_) => self.bars.clear(),
            JobEvent::Reduced(_) => self.close_all_but(&["explore"]),
            _ => {}
        }
        words::event(self.output, event);
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

fn suite(at: &SuiteProgress) -> String {
    let phase = match at.phase {
        SuitePhase::Replayable => "what replays",
        SuitePhase::Loops => "leaving loops out",
        SuitePhase::Splice => "splicing",
        SuitePhase::Search => "trying plans",
        SuitePhase::Confirm => "confirming",
        SuitePhase::Over => "done",
    };
    format!("replays, {phase}, {} traces with {} transitions", at.traces, at.transitions)
}
