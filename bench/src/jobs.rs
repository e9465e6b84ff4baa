//! Independent jobs on all cores.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does so many jobs, on as many threads as there are cores. The results are in the order of the jobs.
pub(crate) fn on_all_cores<T: Send>(jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        mine.take_while(|&number| number < jobs).map(|number| (number, job(number))).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("a job that panics ends it all"));
        joined.flatten().collect()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let slow_first = |job: usize| (0..(200 - job) * 50).fold(job, |sum, _| std::hint::black_box(sum));
        assert_eq!(on_all_cores(200, slow_first), (0..200).collect::<Vec<_>>());
        assert!(on_all_cores(0, |job| job).is_empty());
    }
}
