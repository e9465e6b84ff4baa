//! The hierarchy of a search's events: nodes of the tree, and the events they stand for.

use retap_model::Hierarchy;
use retap_trace::StateKey;

use crate::Subset;

/// The hierarchy tree of some events of a trace [SimplyDroid, "The tree"]. Node 0 is the launch, which is in every
/// candidate and so stands for no event here.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    hierarchy: Hierarchy,
    positions: Vec<u32>,
}

impl Tree {
    /// The tree of these events, by the state before each event of the whole trace.
    pub(super) fn new(base: &Subset, states: &[StateKey]) -> Self {
        let positions: Vec<u32> = base.positions().collect();
        // The root's state is never compared, so any will do.
        let keys =
            std::iter::once(StateKey(0)).chain(positions.iter().map(|&position| states[position as usize]));
        Self { hierarchy: Hierarchy::new(&keys.collect::<Vec<_>>()), positions }
    }

    /// The children of these nodes, in order.
    pub(super) fn children(&self, nodes: &[usize]) -> Vec<usize> {
        nodes.iter().flat_map(|&node| self.hierarchy.children(node)).collect()
    }

    /// How many events a node stands for.
    pub(super) fn size(&self, node: usize) -> usize {
        self.hierarchy.size(node)
    }

    /// The level of the last event.
    pub(super) fn level_of_last(&self) -> usize {
        self.hierarchy.level_of_last()
    }

    /// The position in the trace of the event behind a node in depth-first order.
    pub(super) fn position_after(&self, node: usize) -> Option<u32> {
        self.positions.get(node).copied()
    }

    /// The events of these single nodes and of these whole subtrees.
    pub(super) fn subset(&self, single: &[usize], subtrees: &[usize]) -> Subset {
        let singles = single.iter().map(|&node| node..node + 1);
        let mut nodes: Vec<_> =
            singles.chain(subtrees.iter().map(|&node| self.hierarchy.subtree(node))).collect();
        nodes.sort_unstable_by_key(|range| range.start);
        let events = nodes.into_iter().flatten().filter_map(|node| node.checked_sub(1));
        Subset::from_positions(events.map(|rank| self.positions[rank]))
    }
}
