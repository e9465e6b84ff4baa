//! From the values after a step back to all states before it.
//!
//! The root is the tensor of the values after a step, with sorted totals. The walk takes one candidate after the
//! other, decides how many of the step's runs it had, and multiplies its axis by the chances of that. So splits
//! that agree on the first candidates share their products. Candidates are taken by falling total before the step,
//! and by falling total after it where those are equal: each split is met once, up to exchange of equal totals, and
//! the result stands in sorted order without any reordering.

use super::chances::Chances;
use super::kernel::{Shape, improve, multiply};
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
    open: [usize; MOST_CANDIDATES],
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
        open[..totals.len()].copy_from_slice(totals);
        let last = (self.levels.runs() - 1, self.levels.runs());
        let root = Node { open, length: totals.len(), done: 1, last, runs, rank: 0, pick: 0 };
        self.descend(&root, buffers, best);
    }

    fn descend(&self, node: &Node, buffers: &mut [Vec<f64>], best: &mut Best) {
        let (tensor, deeper) = buffers.split_first_mut().expect("one buffer more than open candidates");
        let open = &node.open[..node.length];
        for axis in 0..open.len() {
            let after = open[axis];
            if axis > 0 && open[axis - 1] == after {
                continue;
            }
            let size = |axes: &[usize]| axes.iter().map(|&total| self.levels.all(total)).product();
            let shape = Shape {
                outer: size(&open[..axis]),
                levels: self.levels.all(after),
                inner: size(&open[axis + 1..]),
                done: node.done,
            };
            for given in least(node, after)..=node.runs.min(after) {
                if !node.leaves_a_way(axis, given) {
                    continue;
                }
                let matrix = self.chances.matrix(after - given, given);
                multiply(tensor, shape, self.chances, matrix, &mut deeper[0]);
                let child = self.child(node, axis, given);
                if child.length == 0 {
                    let slot = self.slots[child.rank];
                    let range = slot..slot + child.done;
                    let found = &deeper[0][..child.done];
                    improve(&mut best.values[range.clone()], &mut best.picks[range], found, child.pick);
                } else {
                    self.descend(&child, deeper, best);
                }
            }
        }
    }

    /// The node after this decision.
    fn child(&self, node: &Node, axis: usize, given: usize) -> Node {
        let mut child = *node;
        let after = node.open[axis];
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

/// The fewest runs with which an open candidate comes after the last decided one.
const fn least(node: &Node, after: usize) -> usize {
    let (total, total_after) = node.last;
    if after > total { after - total + (after > total_after) as usize } else { 0 }
}

impl Node {
    /// Whether the other open candidates can share what is left when this one gets so many runs.
    fn leaves_a_way(&self, axis: usize, given: usize) -> bool {
        let after = self.open[axis];
        let before = after - given;
        let (mut fewest, mut most) = (0, 0);
        for (other, &total) in self.open[..self.length].iter().enumerate() {
            if other != axis {
                most += total;
                if total > before {
                    fewest += total - before + usize::from(total > after);
                }
            }
        }
        (fewest..=most).contains(&(self.runs - given))
    }
}
