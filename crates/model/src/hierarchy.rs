//! The hierarchy tree of a trace [SimplyDroid, "The tree"].
//!
//! Nodes are events, by their position in the trace: event 1 of the paper is position 0. It is the root (the
//! launch), and its state is never compared. For every other event, walk from the event before it up through
//! its parents, the root excepted: the first one with the same state makes the event its next sibling; when
//! there is none, the event is a child of the event before it.
//!
//! Laws: a parent stands before its children. States are distinct on every way up, the root excepted. Each
//! event hangs on the way up from the event before it, so positions are in depth-first order: a subtree is a
//! range of positions, and the ancestors of the last event are each the last node of their level.

use std::collections::BTreeMap;
use std::ops::Range;

use retap_trace::StateKey;

#[cfg(test)]
mod tests;

/// The tree of a trace's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    /// The root is its own parent.
    parent: usize,
    level: usize,
    /// Behind the last node of the subtree.
    end: usize,
}

impl Hierarchy {
    /// The tree of a trace, from the state before each event.
    pub fn new(states: &[StateKey]) -> Self {
        let mut nodes: Vec<Node> = Vec::with_capacity(states.len());
        // The way from the root to the event before, and the level at which each state stands on it. Walking up
        // is then a look-up: long ways of distinct states would make it quadratic.
        let mut way: Vec<usize> = Vec::new();
        let mut levels: BTreeMap<StateKey, usize> = BTreeMap::new();
        for (position, &state) in states.iter().enumerate() {
            let level = levels.get(&state).copied().unwrap_or(way.len());
            for ended in way.drain(level..) {
                nodes[ended].end = position;
                levels.remove(&states[ended]);
            }
            if level > 0 {
                levels.insert(state, level);
            }
            let parent = way.last().copied().unwrap_or(position);
            nodes.push(Node { parent, level, end: states.len() });
            way.push(position);
        }
        Self { nodes }
    }

    /// How many events the trace has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no event, not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The parent of a node, none for the root.
    ///
    /// # Panics
    /// When the position is behind the end, as in all that follow.
    pub fn parent(&self, node: usize) -> Option<usize> {
        Some(self.nodes[node].parent).filter(|&parent| parent != node)
    }

    /// The children of a node, in order.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let Range { start, end } = self.subtree(node);
        let below = move |child: usize| (child < end).then_some(child);
        std::iter::successors(below(start + 1), move |&child| below(self.nodes[child].end))
    }

    /// The level of a node; the root is on level 0.
    pub fn level(&self, node: usize) -> usize {
        self.nodes[node].level
    }

    /// A node and all below it.
    pub fn subtree(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end
    }

    /// How many nodes a subtree has, its top included.
    pub fn size(&self, node: usize) -> usize {
        self.subtree(node).len()
    }

    /// The level of the last event. It need not be the deepest one.
    pub fn level_of_last(&self) -> usize {
        self.nodes.last().map_or(0, |node| node.level)
    }

    pub fn deepest_level(&self) -> usize {
        self.nodes.iter().map(|node| node.level).max().unwrap_or(0)
    }
}
