//! How much of a solution is done, estimated.

use std::ops::ControlFlow;

use crate::Setting;
use crate::ranks::Ranks;

/// Tells the watcher.
pub(super) struct Progress<'a> {
    watch: &'a mut dyn FnMut(f64) -> ControlFlow<()>,
    /// The share of the work that each table is, by candidates minus 1.
    shares: Vec<f64>,
    /// What is done of the tables before this one.
    before: f64,
    /// The share of this table.
    share: f64,
    roots: usize,
    roots_before: usize,
    told: f64,
}

impl<'a> Progress<'a> {
    /// The work on a table grows about as its roots times the ways to split a step times the cells of a tensor.
    pub(super) fn new(setting: &Setting, watch: &'a mut dyn FnMut(f64) -> ControlFlow<()>) -> Self {
        let (n, m, nr) = (setting.n() as usize, setting.m() as usize, setting.nr() as usize);
        let splits = Ranks::new(n, m + 1);
        let lists = Ranks::new(n, nr + 1);
        let mut cells = 1.0;
        let work = (1..=n).map(|k| {
            cells *= f64::from(setting.fatal() + 1);
            let kept = if k == n { 1.0 / f64::from(setting.m()) } else { 1.0 };
            float(lists.count(k, nr + 1)) * float(splits.count(k - 1, m + 1)) * cells * kept
        });
        let work: Vec<f64> = work.collect();
        let all: f64 = work.iter().sum();
        let shares = work.iter().map(|work| work / all).collect();
        Self { watch, shares, before: 0.0, share: 0.0, roots: 0, roots_before: 0, told: -1.0 }
    }

    /// The table of so many candidates begins, with so many roots.
    pub(super) fn start_table(&mut self, candidates: usize, roots: usize) {
        self.before = self.shares[..candidates - 1].iter().sum();
        self.share = self.shares[candidates - 1];
        (self.roots, self.roots_before) = (roots, 0);
    }

    /// So many more roots of the table are done.
    pub(super) fn finish_roots(&mut self, roots: usize) {
        self.roots_before += roots;
    }

    /// So many roots of the batch are done. Asks the watcher at every thousandth of the work.
    pub(super) fn report(&mut self, of_batch: usize) -> ControlFlow<()> {
        let roots = float((self.roots_before + of_batch) as u64) / float(self.roots.max(1) as u64);
        let done = (self.before + self.share * roots).min(1.0);
        if done < self.told + 0.001 {
            return ControlFlow::Continue(());
        }
        self.told = done;
        (self.watch)(done)
    }

    /// All is done; it is too late to stop.
    pub(super) fn finish(self) {
        let _ = (self.watch)(1.0);
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn float(count: u64) -> f64 {
    count as f64
}
