//! Measuring what is not measured yet: several cells at once, with words about how long the rest will take.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::Value;

use super::cells::Cells;
use crate::table;

/// A cell that is to be measured.
pub(super) struct Job<'a> {
    pub(super) key: String,
    /// Cells of one group are alike, and the time that they take is as their weights. Without one that is measured the
    /// next group counts, then all cells.
    pub(super) groups: Vec<String>,
    pub(super) weight: f64,
    pub(super) measure: Box<dyn Fn() -> anyhow::Result<Value> + Send + Sync + 'a>,
}

/// The cells of one part of the benchmark.
pub(super) struct Work<'a> {
    pub(super) part: &'static str,
    pub(super) cells: &'a Cells,
    pub(super) jobs: Vec<Job<'a>>,
}

impl Work<'_> {
    pub(super) fn keys(&self) -> Vec<String> {
        self.jobs.iter().map(|job| job.key.clone()).collect()
    }

    fn due(&self) -> Vec<&Job<'_>> {
        self.jobs.iter().filter(|job| !self.cells.has(&job.key)).collect()
    }

    /// Measures one cell, so that the time of the others can be told.
    pub(super) fn measure_first(&self) {
        if self.due().len() == self.jobs.len()
            && let Some(job) = self.jobs.first()
        {
            self.measure(job);
        }
    }

    /// Measures what is not measured yet, so many cells at once. Those that could not be measured are told of.
    pub(super) fn carry_out(&self, at_once: usize) {
        let due = self.due();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(0_usize));
        let began = Instant::now();
        let work = || {
            while let Some(job) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
                let words = self.measure(job);
                let mut done = done.lock().expect("nobody panics with it");
                *done += 1;
                table::progress(&format!(
                    "{} {} of {}: {}: {words}; {} min so far, about {} min to come",
                    self.part,
                    *done,
                    due.len(),
                    job.key,
                    minutes(began.elapsed().as_secs_f64()),
                    minutes(self.to_come(at_once)),
                ));
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..at_once.min(due.len()) {
                scope.spawn(work);
            }
        });
    }

    fn measure(&self, job: &Job<'_>) -> String {
        let began = Instant::now();
        let kept = (job.measure)().and_then(|cell| {
            let seconds = began.elapsed().as_secs_f64();
            self.cells.keep(&job.key, seconds, cell)?;
            Ok(format!("{seconds:.1} s"))
        });
        kept.unwrap_or_else(|error| format!("NOT MEASURED: {error:#}"))
    }

    /// Seconds that what is not measured yet takes, by what is.
    pub(super) fn to_come(&self, at_once: usize) -> f64 {
        let seconds: f64 = self.due().into_iter().map(|job| self.guess(job)).sum();
        seconds / u32::try_from(at_once.max(1)).map_or(1.0, f64::from)
    }

    /// Seconds of everything, measured or not, if it were measured with so many at once.
    pub(super) fn whole(&self, at_once: usize) -> f64 {
        let measured: f64 = self.jobs.iter().filter_map(|job| self.cells.seconds(&job.key)).sum();
        measured / u32::try_from(at_once.max(1)).map_or(1.0, f64::from) + self.to_come(at_once)
    }

    fn guess(&self, job: &Job<'_>) -> f64 {
        let rate = |fits: &dyn Fn(&Job<'_>) -> bool| {
            let known = self.jobs.iter().filter(|other| fits(other));
            let known = known.filter_map(|other| Some((self.cells.seconds(&other.key)?, other.weight)));
            let (seconds, weight) = known.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            (weight > 0.0).then(|| seconds / weight)
        };
        let of_groups = job.groups.iter().find_map(|group| rate(&|other| other.groups.contains(group)));
        of_groups.or_else(|| rate(&|_| true)).unwrap_or(0.0) * job.weight
    }
}

/// Minutes in words.
pub(super) fn minutes(seconds: f64) -> String {
    format!("{:.1}", seconds / 60.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn job<'a>(key: &str, group: &str, weight: f64) -> Job<'a> {
        let measure = Box::new(|| Ok(json!(null)));
        Job { key: key.to_owned(), groups: vec![group.to_owned()], weight, measure }
    }

    #[test]
    fn what_is_to_come_is_guessed_from_what_is_alike() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::open(folder.path(), "x", "b").unwrap();
        let jobs =
            vec![job("a1", "a", 10.0), job("a2", "a", 30.0), job("b1", "b", 10.0), job("c1", "c", 20.0)];
        let work = Work { part: "x", cells: &cells, jobs };
        assert!(work.to_come(1) < f64::EPSILON);
        cells.keep("a1", 5.0, json!(1)).unwrap();
        cells.keep("b1", 15.0, json!(1)).unwrap();
        // 30 at half a second each, and 20 at one second each, which is what all take on average.
        assert!((work.to_come(1) - 35.0).abs() < 1e-9, "{}", work.to_come(1));
        assert!((work.to_come(2) - 17.5).abs() < 1e-9);
        assert!((work.whole(1) - 55.0).abs() < 1e-9);
    }

    #[test]
    fn everything_is_measured_once_and_what_fails_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::open(folder.path(), "x", "b").unwrap();
        let count = AtomicUsize::new(0);
        let fails = Job {
            key: "bad".to_owned(),
            groups: Vec::new(),
            weight: 1.0,
            measure: Box::new(|| {
                count.fetch_add(1, Ordering::Relaxed);
                anyhow::bail!("it is broken")
            }),
        };
        let work = Work { part: "x", cells: &cells, jobs: vec![job("good", "a", 1.0), fails] };
        work.measure_first();
        work.carry_out(2);
        assert!(cells.has("good") && !cells.has("bad"));
        work.carry_out(2);
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }
}
