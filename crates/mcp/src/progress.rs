//! How far a job is, as clients are told: a number that only rises, what it rises to where that is known, and words.

use std::collections::BTreeMap;

use retap_job::JobProgress;
use retap_reduce::Phase;
use retap_show::count;
use retap_trace::Micros;

/// How far a call is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CallProgress {
    pub(crate) done: u64,
    pub(crate) total: Option<u64>,
    pub(crate) words: String,
}

/// Makes one number of those of the parts of a job, which count from 0 each.
#[derive(Debug, Default)]
pub(crate) struct ProgressMeter {
    /// Where each part began, and where it was last.
    parts: BTreeMap<&'static str, (u64, u64)>,
    last: u64,
}

/// How far a part of a job is.
struct PartProgress {
    part: &'static str,
    done: u64,
    total: Option<u64>,
    words: String,
}

impl ProgressMeter {
    /// What to tell; nothing where no more was done than was told before.
    pub(crate) fn at(&mut self, progress: &JobProgress) -> Option<CallProgress> {
        let PartProgress { part, done, total, words } = part_of(progress)?;
        let first = self.parts.is_empty();
        let begins = self.last;
        let (base, before) = self.parts.entry(part).or_insert((if first { 0 } else { begins }, 0));
        // The next one of the same kind: it counts from 0 again.
        if done < *before {
            *base = begins;
        }
        *before = done;
        let (done, total) = (*base + done, total.map(|total| *base + total));
        (done > self.last).then(|| {
            self.last = done;
            CallProgress { done, total, words }
        })
    }
}

fn part_of(progress: &JobProgress) -> Option<PartProgress> {
    Some(match progress {
        JobProgress::Reduce { phase, runs, to_come, best } => {
            let phase = match phase {
                Phase::Check => "checking the trace",
                Phase::Search => "searching",
                Phase::Confirm => "confirming",
                Phase::Over => "done",
            };
            let words = format!("reducing: {}, {phase}, best {}", count(*runs, "run"), count(*best, "event"));
            PartProgress { part: "reduce", done: *runs, total: to_come.map(|more| runs + more), words }
        }
        JobProgress::Values { runs, trying } => {
            let words = format!("making values simpler: {runs} runs, {trying}");
            PartProgress { part: "values", done: *runs, total: None, words }
        }
        JobProgress::Explore { events, elapsed, states, covered, crashes, .. } => {
            let seconds = |time: Micros| time.0 / 1_000_000;
            let (done, total) = match events.1 {
                Some(total) => (events.0, Some(total)),
                None => (seconds(elapsed.0), elapsed.1.map(seconds)),
            };
            let words = format!(
                "exploring: {} in {} of device time, {}, {} covered, {}",
                count(events.0, "event"),
                elapsed.0,
                count(*states, "state"),
                count(*covered, "branch"),
                count(*crashes, "crash")
            );
            PartProgress { part: "explore", done, total, words }
        }
        JobProgress::Replay { runs: (done, total), reached } => {
            let words = format!("replaying: {reached} of {done} runs reached the target");
            PartProgress { part: "replay", done: *done, total: Some(*total), words }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        JobProgress::Solve { done } => {
            let words = "solving for the optimal schedule".to_owned();
            PartProgress { part: "solve", done: (done * 1000.0) as u64, total: Some(1000), words }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(runs: u64, to_come: Option<u64>) -> JobProgress {
        JobProgress::Reduce { phase: Phase::Search, runs, to_come, best: 4 }
    }

    fn values(runs: u64) -> JobProgress {
        JobProgress::Values { runs, trying: "a shorter text".to_owned() }
    }

    #[test]
    fn the_number_only_rises() {
        let mut meter = ProgressMeter::default();
        let mut told = |progress: &JobProgress| meter.at(progress).map(|at| (at.done, at.total));
        assert_eq!(told(&runs(0, None)), None);
        assert_eq!(told(&runs(3, Some(20))), Some((3, Some(23))));
        assert_eq!(told(&runs(3, Some(10))), None);
        assert_eq!(told(&values(1)), Some((4, None)));
        assert_eq!(told(&values(5)), Some((8, None)));
        // A reduction of the next crash.
        assert_eq!(told(&runs(1, Some(5))), Some((9, Some(14))));
        assert_eq!(told(&runs(2, None)), Some((10, None)));
        // Its values.
        assert_eq!(told(&values(2)), Some((12, None)));
        assert_eq!(told(&values(2)), None);
    }

    #[test]
    fn words_say_what_is_done() {
        let at = ProgressMeter::default().at(&runs(3, None)).unwrap();
        assert_eq!(at.words, "reducing: 3 runs, searching, best 4 events");
        let one = JobProgress::Reduce { phase: Phase::Search, runs: 1, to_come: None, best: 1 };
        let at = ProgressMeter::default().at(&one).unwrap();
        assert_eq!(at.words, "reducing: 1 run, searching, best 1 event");
        let replay = JobProgress::Replay { runs: (3, 20), reached: 2 };
        let at = ProgressMeter::default().at(&replay).unwrap();
        assert_eq!(at.words, "replaying: 2 of 3 runs reached the target");
    }
}
