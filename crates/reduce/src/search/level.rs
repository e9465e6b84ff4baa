//! The reduction of one level of the hierarchy [SimplyDroid, `inlevel`, with its errors corrected].
//!
//! The last node of a level is always kept: it leads to the crash. So the last part is tried alone, and then the
//! complements of the others, from the back.

use super::tree::Tree;

/// How a level is cut into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Parts with equally many nodes, the last one the smaller (HDD).
    Nodes,
    /// Parts with as equally many events as can be (BHDD).
    Events,
}

/// Which of these nodes are needed?
#[derive(Debug, Clone)]
pub(super) struct LevelSearch {
    nodes: Vec<usize>,
    parts: usize,
    cut: Cut,
    turn: Turn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    LastAlone,
    Complements,
    Over,
}

impl LevelSearch {
    pub(super) fn new(nodes: Vec<usize>, cut: Cut) -> Self {
        let turn = if nodes.len() < 2 { Turn::Over } else { Turn::LastAlone };
        Self { nodes, parts: 2, cut, turn }
    }

    /// The nodes that are kept so far.
    pub(super) fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// What to try now, each a list of nodes; nothing when the level is done.
    pub(super) fn questions(&mut self, tree: &Tree) -> Vec<Vec<usize>> {
        loop {
            let runs = self.runs(tree);
            match self.turn {
                Turn::Over => return Vec::new(),
                Turn::LastAlone => return vec![runs[runs.len() - 1].clone()],
                // Of two parts the complement of the first is the last one alone.
                Turn::Complements if runs.len() > 2 => {
                    let without = |hole: usize| {
                        let kept = runs.iter().enumerate().filter(|(nth, _)| *nth != hole);
                        kept.flat_map(|(_, run)| run.iter().copied()).collect()
                    };
                    return (0..runs.len() - 1).rev().map(without).collect();
                }
                Turn::Complements => self.failed(),
            }
        }
    }

    /// One of the questions was answered with yes.
    pub(super) fn passed(&mut self, nodes: Vec<usize>) {
        self.parts = if self.turn == Turn::LastAlone { 2 } else { (self.parts - 1).max(2) };
        self.turn = if nodes.len() < 2 { Turn::Over } else { Turn::LastAlone };
        self.parts = self.parts.min(nodes.len().max(2));
        self.nodes = nodes;
    }

    /// All of them were answered with no.
    pub(super) fn failed(&mut self) {
        match self.turn {
            Turn::LastAlone => self.turn = Turn::Complements,
            _ if self.parts < self.nodes.len() => {
                self.parts = (self.parts * 2).min(self.nodes.len());
                self.turn = Turn::LastAlone;
            }
            _ => self.turn = Turn::Over,
        }
    }

    fn runs(&self, tree: &Tree) -> Vec<Vec<usize>> {
        match self.cut {
            Cut::Nodes => self
                .nodes
                .chunks(self.nodes.len().div_ceil(self.parts).max(1))
                .map(<[usize]>::to_vec)
                .collect(),
            Cut::Events => balanced(&self.nodes, self.parts, |node| tree.size(node)),
        }
    }
}

/// Cuts nodes into so many runs that the largest is as small as can be; of several ways, the one whose first runs
/// are the longest.
fn balanced(nodes: &[usize], parts: usize, size: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let sizes: Vec<usize> = nodes.iter().map(|&node| size(node)).collect();
    let (mut low, mut high) = (sizes.iter().copied().max().unwrap_or(0), sizes.iter().sum());
    while low < high {
        let middle = usize::midpoint(low, high);
        if filled(&sizes, parts, middle).len() <= parts { high = middle } else { low = middle + 1 }
    }
    let mut rest = nodes;
    filled(&sizes, parts, low)
        .into_iter()
        .map(|length| {
            let (run, behind) = rest.split_at(length);
            rest = behind;
            run.to_vec()
        })
        .collect()
}

/// Lengths of runs filled from the front up to a capacity, leaving at least one node for each run to come.
fn filled(sizes: &[usize], parts: usize, capacity: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::new();
    let (mut length, mut sum) = (0, 0);
    for (nth, &size) in sizes.iter().enumerate() {
        let to_come = parts.saturating_sub(lengths.len() + 1);
        let must_close = length > 0 && sizes.len() - nth <= to_come;
        if length > 0 && (sum + size > capacity || must_close) {
            lengths.push(length);
            (length, sum) = (0, 0);
        }
        length += 1;
        sum += size;
    }
    lengths.push(length);
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cut_of_figure_one() {
        let sizes = [5, 10, 1, 3, 1, 15];
        let runs = balanced(&[0, 1, 2, 3, 4, 5], 2, |node| sizes[node]);
        assert_eq!(runs, [vec![0, 1, 2, 3], vec![4, 5]]);
    }

    #[test]
    fn every_part_has_a_node() {
        for nodes in 1..12 {
            for parts in 1..=nodes {
                let list: Vec<usize> = (0..nodes).collect();
                let runs = balanced(&list, parts, |node| 1 + node % 3 * 7);
                assert_eq!(runs.len(), parts, "{nodes} in {parts}: {runs:?}");
                assert_eq!(runs.concat(), list);
            }
        }
    }
}
