//! Learns a model from the prefix tree by blue-fringe merging.
//!
//! Red places are states of the model; blue ones are where actions lead from red ones, and wait for a decision.
//! The red and the blue place that match best are merged; a blue one that matches no red one becomes red. It
//! begins with the roots, all red, and ends when nothing is blue.
//!
//! One deviation, for speed: a pair is scored when it comes up, and again when it is its turn. If it lost since
//! then, it goes back in line; if it won, it may have had its turn a little late. Scoring all pairs again after
//! each merge costs the square of that.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::compare::Comparison;
use super::model::{Model, State, StateId};
use super::name::Name;
use super::prefix_tree::{PrefixTree, TreeId, TreeNode};

/// The model of a tree, and for each of the tree's nodes its state. At most `budget` pairs of places are
/// compared; after that, whatever looks alike is merged.
pub(super) fn learn(tree: &PrefixTree, budget: u64) -> (Model, Vec<StateId>) {
    let mut fringe = BlueFringe::new(tree, budget);
    fringe.paint_red(TreeId::FAILURE);
    for root in tree.roots() {
        fringe.paint_red(root);
    }
    while fringe.step() {}
    fringe.model()
}

/// A pair that may be merged. The best comes first: the highest score, then the oldest places.
type Pair = (u32, Reverse<TreeId>, Reverse<TreeId>);

#[derive(Debug)]
struct BlueFringe {
    /// A copy of the tree, which merging turns into a graph.
    nodes: Vec<TreeNode>,
    paint: Vec<Paint>,
    /// The red places, in the order of their painting.
    reds: Vec<TreeId>,
    /// For each look, the red places, and the places that are or were blue.
    red_of: Vec<Vec<TreeId>>,
    blue_of: Vec<Vec<TreeId>>,
    pairs: BinaryHeap<Pair>,
    /// Blue places that matched nothing.
    lonely: VecDeque<TreeId>,
    comparison: Comparison,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    /// Further away than blue.
    White,
    /// Reached from a red place by an action, and so many red places match.
    Blue {
        from: TreeId,
        name: Name,
        matches: u32,
    },
    Red(StateId),
    /// Merged into that place.
    Gone(TreeId),
}

impl BlueFringe {
    fn new(tree: &PrefixTree, budget: u64) -> Self {
        let nodes = tree.nodes().to_vec();
        let looks = nodes.iter().map(|node| node.look.index() + 1).max().unwrap_or(0);
        Self {
            paint: vec![Paint::White; nodes.len()],
            nodes,
            reds: Vec::new(),
            red_of: vec![Vec::new(); looks],
            blue_of: vec![Vec::new(); looks],
            pairs: BinaryHeap::new(),
            lonely: VecDeque::new(),
            comparison: Comparison::new(budget),
        }
    }

    /// Decides on one blue place, or looks at one pair. False when nothing is blue.
    fn step(&mut self) -> bool {
        if let Some(blue) = self.lonely.pop_front() {
            // One that was painted red since then may match.
            if matches!(self.paint[blue.index()], Paint::Blue { matches: 0, .. }) {
                self.paint_red(blue);
            }
            return true;
        }
        let Some((score, Reverse(red), Reverse(blue))) = self.pairs.pop() else { return false };
        if matches!(self.paint[blue.index()], Paint::Blue { .. }) {
            match self.comparison.score(&self.nodes, red, blue) {
                Some(now) if now < score => self.pairs.push((now, Reverse(red), Reverse(blue))),
                Some(_) => self.merge(red, blue),
                None => self.unmatch(blue),
            }
        }
        true
    }

    fn paint_red(&mut self, id: TreeId) {
        let state = StateId(u32::try_from(self.reds.len()).expect("no more states than places"));
        self.paint[id.index()] = Paint::Red(state);
        self.reds.push(id);
        let look = self.nodes[id.index()].look.index();
        self.red_of[look].push(id);
        let mut waiting = std::mem::take(&mut self.blue_of[look]);
        waiting.retain(|blue| matches!(self.paint[blue.index()], Paint::Blue { .. }));
        for &blue in &waiting {
            self.pair(id, blue);
        }
        self.blue_of[look] = waiting;
        let next: Vec<_> = self.nodes[id.index()].edges.iter().map(|edge| (edge.to, edge.name)).collect();
        for (to, name) in next {
            self.paint_blue(to, id, name);
        }
    }

    fn paint_blue(&mut self, id: TreeId, from: TreeId, name: Name) {
        if self.paint[id.index()] != Paint::White {
            return;
        }
        self.paint[id.index()] = Paint::Blue { from, name, matches: 0 };
        let look = self.nodes[id.index()].look.index();
        self.blue_of[look].push(id);
        for index in 0..self.red_of[look].len() {
            self.pair(self.red_of[look][index], id);
        }
        if matches!(self.paint[id.index()], Paint::Blue { matches: 0, .. }) {
            self.lonely.push_back(id);
        }
    }

    /// Lines a pair up, if it matches. One that does not is never looked at again.
    fn pair(&mut self, red: TreeId, blue: TreeId) {
        if let Some(score) = self.comparison.score(&self.nodes, red, blue) {
            self.pairs.push((score, Reverse(red), Reverse(blue)));
            if let Paint::Blue { matches, .. } = &mut self.paint[blue.index()] {
                *matches += 1;
            }
        }
    }

    fn unmatch(&mut self, blue: TreeId) {
        if let Paint::Blue { matches, .. } = &mut self.paint[blue.index()] {
            *matches -= 1;
            if *matches == 0 {
                self.lonely.push_back(blue);
            }
        }
    }

    /// Merges a blue place into a red one, and what follows it into what follows there.
    fn merge(&mut self, red: TreeId, blue: TreeId) {
        if let Paint::Blue { from, name, .. } = self.paint[blue.index()] {
            let look = self.nodes[blue.index()].look;
            self.nodes[from.index()].edges.set(name, look, red);
        }
        let mut fresh = Vec::new();
        let mut folds = vec![(red, blue)];
        while let Some((into, gone)) = folds.pop() {
            if into == gone {
                continue;
            }
            self.paint[gone.index()] = Paint::Gone(into);
            let edges = std::mem::take(&mut self.nodes[gone.index()].edges);
            for edge in edges.iter() {
                let own = &mut self.nodes[into.index()].edges;
                if let Some(known) = own.get(edge.name, edge.look) {
                    folds.push((known, edge.to));
                } else {
                    own.set(edge.name, edge.look, edge.to);
                    fresh.push((edge.to, into, edge.name));
                }
            }
        }
        for (to, from, name) in fresh {
            if matches!(self.paint[from.index()], Paint::Red(_)) {
                self.paint_blue(to, from, name);
            }
        }
    }

    fn model(self) -> (Model, Vec<StateId>) {
        let state_of: Vec<_> = (0..self.nodes.len()).map(|index| self.state_of(index)).collect();
        let state = |red: &TreeId| {
            let node = &self.nodes[red.index()];
            State { look: node.look, edges: node.edges.map(|to| state_of[to.index()]) }
        };
        (Model::of(self.reds.iter().map(state).collect()), state_of)
    }

    fn state_of(&self, mut index: usize) -> StateId {
        loop {
            match self.paint[index] {
                Paint::Red(state) => return state,
                Paint::Gone(into) => index = into.index(),
                Paint::White | Paint::Blue { .. } => unreachable!("every place is decided on in the end"),
            }
        }
    }
}

#[cfg(test)]
mod tests;
