//! A job on the terminal: progress while it goes on, and words.

use std::cell::Cell;
use std::time::{Duration, Instant};

use retap_job::{JobEvent, JobProgress, Stop, Unit, Watch};
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
    /// How much of what goes on an earlier process has recorded. That is told again first.
    resumed: Vec<(Unit, u64)>,
}

struct Bar {
    name: &'static str,
    progress: Progress,
    /// From when on, and from which event on, speed is measured.
    began: Cell<(Instant, u64)>,
    /// When it is next worth showing something.
    next: Cell<Instant>,
}

impl Terminal {
    pub(crate) const fn new(output: Output, stop: Stop) -> Self {
        Self { output, stop, bars: Vec::new(), resumed: Vec::new() }
    }

    /// The bar of this name, as new; of a total of 0 nothing is known yet.
    fn bar(&mut self, name: &'static str, total: u64) -> &Bar {
        if let Some(at) = self.bars.iter().position(|bar| bar.name == name) {
            return &self.bars[at];
        }
        self.close_all_but(&["explore"]);
        let progress = Progress::new(self.output, name, total);
        let now = Instant::now();
        self.bars.push(Bar { name, progress, began: Cell::new((now, 0)), next: Cell::new(now) });
        self.bars.last().expect("it was just pushed")
    }

    fn close_all_but(&mut self, names: &[&str]) {
        self.bars.retain(|bar| names.contains(&bar.name));
    }

    /// Whether an earlier process has recorded as much as this.
    fn retold(&self, unit: Unit, done: u64) -> bool {
        self.resumed.iter().any(|(of, recorded)| *of == unit && done <= *recorded)
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
                let (total, retold) = (to_come.map(|more| runs + more), self.retold(Unit::Runs, *runs));
                self.bar("reduce", 0).progress.known(*runs, total, retold, words);
            }
            JobProgress::Values { runs, trying } => {
                self.bar("values", 0).progress.set(*runs, false, || format!("runs, {trying}"));
            }
            JobProgress::Explore { .. } => self.exploration(progress),
            JobProgress::Suite(at) => {
                let (done, to_come) = (u64::from(at.runs), at.outlook as u64);
                let retold = self.retold(Unit::Replays, done);
                self.bar("suite", 0).progress.known(done, Some(done + to_come), retold, || suite(at));
            }
            JobProgress::Replay { runs: (done, total), reached } => {
                let retold = self.retold(Unit::Runs, *done);
                let words = || format!("runs, {reached} reached");
                self.bar("replay", *total).progress.set(*done, retold, words);
            }
            JobProgress::ReplaySuite { traces: (done, total) } => {
                self.bar("replay", *total).progress.set(*done, false, || "traces".to_owned());
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
            JobProgress::Solve { done } => {
                let words = || "thousandths".to_owned();
                self.bar("solve", 1000).progress.set((done * 1000.0) as u64, false, words);
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
        let (now, retold) = (Instant::now(), self.retold(Unit::Events, events.0));
        let bar = self.bar("explore", total);
        if retold {
            bar.began.set((now, events.0));
        }
        // It may happen too often to be put into words each time; the last that is told again must not be missed.
        if now < bar.next.get() && !retold {
            return;
        }
        bar.next.set(now + SHOWN_EVERY);
        bar.progress.set(done, retold, || {
            let (began, before) = bar.began.get();
            let seconds = began.elapsed().as_secs_f64().max(0.001);
            #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
            let speed = events.0.saturating_sub(before) as f64 / seconds;
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
            JobEvent::Resumed { done, unit } => self.resumed.push((*unit, *done)),
            // Each reduction within an exploration says for itself what was recorded.
            JobEvent::ReductionBegun { .. } => self.resumed.retain(|(of, _)| *of != Unit::Runs),
            JobEvent::Finished(_) => {
                self.bars.clear();
                self.resumed.clear();
            }
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

#[cfg(test)]
mod tests {
    use retap_trace::Micros;

    use super::*;

    fn explored(terminal: &mut Terminal, events: u64) -> u64 {
        terminal.event(&JobEvent::Progress(JobProgress::Explore {
            events: (events, Some(5000)),
            elapsed: (Micros(0), None),
            states: 1,
            covered: 0,
            crashes: 0,
            restores: 0,
        }));
        terminal.bar("explore", 5000).began.get().1
    }

    #[test]
    fn speed_is_that_of_this_process() {
        let output = Output { json: false, quiet: true, verbose: 0 };
        let mut terminal = Terminal::new(output, Stop::default());
        terminal.event(&JobEvent::Resumed { done: 4000, unit: Unit::Events });
        assert_eq!(
            [1, 3999, 4000, 4001, 4100].map(|events| explored(&mut terminal, events)),
            [1, 3999, 4000, 4000, 4000]
        );
        // What was recorded of a reduction says nothing of the exploration.
        let mut fresh = Terminal::new(output, Stop::default());
        fresh.event(&JobEvent::Resumed { done: 4000, unit: Unit::Runs });
        assert_eq!(explored(&mut fresh, 10), 0);
    }
}
