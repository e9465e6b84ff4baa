//! One table, batch by batch, each batch divided over threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::cells::Cells;
use super::chances::Chances;
use super::expand::Expander;
use super::kernel::padded;
use super::progress::Progress;
use super::settle::Settler;
use super::walk::{Best, Walk};
use crate::Setting;
use crate::layout::Layout;
use crate::levels::Levels;
use crate::policy::Table;
use crate::ranks::advance;
use crate::splits::Splits;

/// What all tables of a setting share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) setting: Setting,
    pub(super) levels: Levels,
    pub(super) splits: &'a Splits,
    pub(super) chances: &'a Chances,
    pub(super) cells: &'a Cells,
}

/// The blocks whose runs divided by m are the same, and the totals that a step from them can lead to.
#[derive(Debug, Clone, Default)]
struct Batch {
    blocks: Vec<Vec<usize>>,
    roots: Vec<Vec<usize>>,
    cells: usize,
}

/// The batches of a table, and where each block's cells start within its batch.
#[derive(Debug)]
struct Plan {
    batches: Vec<Batch>,
    slots: Vec<usize>,
}

impl Problem<'_> {
    /// Solves the table of one candidate more than the given ones; `None` when it was told to stop.
    pub(super) fn solve(
        &self,
        tables: &[Table],
        layout: Layout,
        threads: NonZeroUsize,
        progress: &mut Progress<'_>,
    ) -> Option<Table> {
        let plan = self.plan(&layout, tables.len() + 1);
        progress.start_table(tables.len() + 1, plan.batches.iter().map(|batch| batch.roots.len()).sum());
        // Where a step can take all runs that are left, it takes them and is the last.
        let mut table = Table { values: vec![1.0; layout.length()], picks: vec![0; layout.length()], layout };
        for batch in plan.batches.iter().rev() {
            let found = self.search(batch, &plan.slots, tables, &table, threads, progress)?;
            let mut settler = Settler::new(self.levels, self.cells, self.splits);
            for totals in &batch.blocks {
                let slot = plan.slots[table.layout.rank(totals)];
                settler.settle(&mut table, totals, &found, slot);
            }
        }
        Some(table)
    }

    fn plan(&self, layout: &Layout, candidates: usize) -> Plan {
        let (m, runs) = (self.setting.m() as usize, self.levels.runs());
        let open = candidates * runs;
        let mut batches = vec![Batch::default(); open / m + 1];
        let mut slots = vec![0; layout.lists()];
        for totals in layout.blocks() {
            let sum: usize = totals.iter().sum();
            if sum + m < open {
                let batch = &mut batches[sum / m];
                slots[layout.rank(&totals)] = batch.cells;
                batch.cells += padded(totals.iter().map(|&total| self.levels.live(total)).product());
                batch.blocks.push(totals);
            }
        }
        let mut root = vec![0; candidates];
        loop {
            let sum: usize = root.iter().sum();
            if sum >= m && sum < open && layout.keeps(sum) {
                batches[sum / m - 1].roots.push(root.clone());
            }
            if !advance(&mut root, runs + 1) {
                return Plan { batches, slots };
            }
        }
    }

    /// The best split of every cell of the batch, as each thread found it.
    fn search(
        &self,
        batch: &Batch,
        slots: &[usize],
        tables: &[Table],
        table: &Table,
        threads: NonZeroUsize,
        progress: &mut Progress<'_>,
    ) -> Option<Vec<Best>> {
        /// Batches of fewer cells are done before a thread has started.
        const WORTH_A_THREAD: usize = 2_000;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |report: &mut dyn FnMut(usize) -> ControlFlow<()>| {
            let mut worker = Worker::new(self, tables, table, slots, batch.cells);
            loop {
                let nth = next.fetch_add(1, Ordering::Relaxed);
                let Some(root) = batch.roots.get(nth) else { break };
                worker.take(root);
                if stop.load(Ordering::Relaxed) || report(nth).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
            worker.best
        };
        let helpers = if batch.cells < WORTH_A_THREAD { 0 } else { threads.get() - 1 };
        let found = thread::scope(|scope| {
            let helpers: Vec<_> =
                (0..helpers).map(|_| scope.spawn(|| work(&mut |_| ControlFlow::Continue(())))).collect();
            let mut found = vec![work(&mut |nth| progress.report(nth))];
            found.extend(helpers.into_iter().map(|helper| helper.join().expect("a worker does not panic")));
            found
        });
        progress.finish_roots(batch.roots.len());
        (!stop.into_inner()).then_some(found)
    }
}

/// One thread's part of a batch.
struct Worker<'a> {
    expander: Expander<'a>,
    walk: Walk<'a>,
    runs: usize,
    buffers: Vec<Vec<f64>>,
    best: Best,
}

impl<'a> Worker<'a> {
    fn new(
        problem: &'a Problem<'_>,
        tables: &'a [Table],
        table: &'a Table,
        slots: &'a [usize],
        cells: usize,
    ) -> Self {
        let Problem { levels, splits, chances, .. } = *problem;
        let candidates = tables.len() + 1;
        let size: usize = (0..candidates).map(|_| levels.most()).product();
        Self {
            expander: Expander::new(levels, problem.cells, tables, table),
            walk: Walk { levels, chances, splits, ranks: table.layout.ranks(), slots },
            runs: problem.setting.m() as usize,
            buffers: vec![vec![0.0; padded(size)]; candidates + 1],
            best: Best::new(cells),
        }
    }

    fn take(&mut self, root: &[usize]) {
        self.expander.fill(root, &mut self.buffers[0]);
        self.walk.from(root, self.runs, &mut self.buffers, &mut self.best);
    }
}
