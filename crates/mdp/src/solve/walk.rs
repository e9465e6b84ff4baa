//! From the values after a step back to all states before it.
//!
//! The root is the tensor of the values after a step, with sorted totals. The walk takes one candidate after the
//! other, decides how many of the step's runs it had, and multiplies its axis by the chances of that. So splits
//! that agree on the first candidates share their products. Candidates are taken by falling total before the step,
//! and by falling total after it where those are equal: each split is met once, up to exchange of equal totals, and
//! the result stands in sorted order without any reordering.

use super::chances::Chances;
use super::kernel::{Shape, improve, multiply, padded};
use crate::levels::Levels;
use crate::ranks::Ranks;
use crate::splits::Splits;

/// More candidates than any solvable setting has.
pub(crate) const MOST_CANDIDATES: usize = 16;

/// What all walks of a batch share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) levels: Levels,
    pub(super) chances: &'a Chances,
    pub(super) splits: &'a Splits,
    pub(super) ranks: &'a Ranks,
    /// Where the cells of each block start in [`Best`], by rank of its totals.
    pub(super) slots: &'a [usize],
}

/// The best that is known of each cell of a batch: steps after this one, and the number of the split.
#[derive(Debug)]
pub(super) struct Best {
    pub(super) values: Vec<f64>,
    pub(super) picks: Vec<u64>,
}

/// A point of the walk: some candidates are decided, the others open.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The totals after the step of the open candidates, sorted.
    open: [u16; MOST_CANDIDATES],
    length: usize,
    /// Cells of the decided candidates.
    done: usize,
    /// The totals of the last decided candidate before and after the step.
    last: (usize, usize),
    /// Runs that the open candidates had.
    runs: usize,
    rank: usize,
    pick: u64,
}

impl Best {
    pub(super) fn new(cells: usize) -> Self {
        Self { values: vec![f64::INFINITY; cells], picks: vec![0; cells] }
    }
}

impl Walk<'_> {
    /// Improves all states from which a step of so many runs can lead to these sorted totals. The first buffer
    /// holds the values after the step; there is one more for each candidate.
    pub(super) fn from(&self, totals: &[usize], runs: usize, buffers: &mut [Vec<f64>], best: &mut Best) {
        let mut open = [0; MOST_CANDIDATES];
        for (open, &total) in open.iter_mut().zip(totals) {
            *open = u16::try_from(total).expect("at most the runs of a candidate");
        }
        let last = (self.levels.runs() - 1, self.levels.runs());
        let root = Node { open, length: totals.len(), done: 1, last, runs, rank: 0, pick: 0 };
        self.descend(&root, buffers, best);
    }

    fn descend(&self, node: &Node, buffers: &mut [Vec<f64>], best: &mut Best) {
        let (tensor, deeper) = buffers.split_first_mut().expect("one buffer more than open candidates");
        let open = &node.open[..node.length];
        for axis in 0..open.len() {
            if axis > 0 && open[axis - 1] == open[axis] {
                continue;
            }
            let shape = self.shape(node, axis);
            for given in node.fewest(axis)..=node.runs.min(open[axis].into()) {
                if !node.leaves_enough(axis, given) {
                    break;
                }
                let before = usize::from(open[axis]) - given;
                multiply(tensor, shape, self.chances, self.chances.matrix(before, given), &mut deeper[0]);
                let child = self.child(node, axis, given);
                if child.length > 0 {
                    self.descend(&child, deeper, best);
                } else {
                    let cells = self.slots[child.rank]..self.slots[child.rank] + padded(child.done);
                    let found = &deeper[0][..cells.len()];
                    improve(&mut best.values[cells.clone()], &mut best.picks[cells], found, child.pick);
                }
            }
        }
    }

    /// The tensor of a node, when one of its axes is to be multiplied.
    fn shape(&self, node: &Node, axis: usize) -> Shape {
        let size = |axes: &[u16]| axes.iter().map(|&total| self.levels.all(total.into())).product();
        let open = &node.open[..node.length];
        Shape {
            outer: size(&open[..axis]),
            levels: self.levels.all(open[axis].into()),
            inner: size(&open[axis + 1..]),
            done: node.done,
        }
    }

    /// The node after this decision.
    fn child(&self, node: &Node, axis: usize, given: usize) -> Node {
        let mut child = *node;
        let after = usize::from(node.open[axis]);
        let before = after - given;
        child.open.copy_within(axis + 1..node.length, axis);
        child.length -= 1;
        child.done *= self.levels.live(before);
        child.last = (before, after);
        child.runs -= given;
        child.rank += self.ranks.part(child.length, before);
        child.pick += self.splits.part(child.length, node.runs, given);
        child
    }
}

impl Node {
    /// The open totals except that of one axis.
    fn others(&self, axis: usize) -> impl Iterator<Item = usize> {
        let open = &self.open[..self.length];
        open[..axis].iter().chain(&open[axis + 1..]).map(|&total| usize::from(total))
    }

    /// The fewest runs that this candidate can have had: it comes after the last decided one, and the others cannot
    /// have had more than all of theirs.
    fn fewest(&self, axis: usize) -> usize {
        let fewest = fewest_below(self.open[axis].into(), self.last);
        fewest.max(self.runs.saturating_sub(self.others(axis).sum()))
    }

    /// Whether enough runs are left for the others when this candidate had so many: they come after it. If not,
    /// then not for more runs either.
    fn leaves_enough(&self, axis: usize, given: usize) -> bool {
        let after = usize::from(self.open[axis]);
        let decided = (after - given, after);
        self.others(axis).map(|total| fewest_below(total, decided)).sum::<usize>() <= self.runs - given
    }
}

/// The fewest runs with which a candidate with this total after the step comes after a decided one: its total before
/// the step is smaller, or equal when its total after it is not larger.
const fn fewest_below(after: usize, (decided_before, decided_after): (usize, usize)) -> usize {
    if after > decided_before { after - decided_before + (after > decided_after) as usize } else { 0 }
}
