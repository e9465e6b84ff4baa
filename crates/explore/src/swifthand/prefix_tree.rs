//! Everything that was seen, as a tree: each way from a start, step by step.
//!
//! One node stands for one way of actions and looks. So an action that led to different looks from the same
//! node has several children: that is non-determinism which no model can explain away. The failure state is
//! one node, whatever leads there; nothing goes on from it. The tree stops growing at a limit.

use std::collections::BTreeMap;

use super::edges::Edges;
use super::looks::LookId;
use super::name::Name;

/// Number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TreeId(pub(super) u32);

impl TreeId {
    /// The node of the failure state.
    pub(super) const FAILURE: Self = Self(0);

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place on a way.
#[derive(Debug, Clone)]
pub(super) struct TreeNode {
    pub(super) look: LookId,
    pub(super) edges: Edges<TreeId>,
}

/// All ways that were gone.
#[derive(Debug)]
pub(super) struct PrefixTree {
    nodes: Vec<TreeNode>,
    roots: BTreeMap<LookId, TreeId>,
    most: usize,
}

impl PrefixTree {
    /// A tree that grows to so many nodes.
    pub(super) fn new(most: usize) -> Self {
        let failure = TreeNode { look: LookId::FAILURE, edges: Edges::default() };
        Self { nodes: vec![failure], roots: BTreeMap::new(), most }
    }

    /// The beginning of the ways that start with this look; none when the tree is full.
    pub(super) fn root(&mut self, look: LookId) -> Option<TreeId> {
        if let Some(&known) = self.roots.get(&look) {
            return Some(known);
        }
        let fresh = self.grow(look)?;
        self.roots.insert(look, fresh);
        Some(fresh)
    }

    /// Where an action led; none when the tree is full.
    pub(super) fn child(&mut self, from: TreeId, name: Name, look: LookId) -> Option<TreeId> {
        let known = self.nodes[from.index()].edges.get(name, look);
        if known.is_some() {
            return known;
        }
        let to = if look == LookId::FAILURE { TreeId::FAILURE } else { self.grow(look)? };
        self.nodes[from.index()].edges.set(name, look, to);
        Some(to)
    }

    /// Whether an action has led to one look only from here.
    pub(super) fn deterministic(&self, from: TreeId, name: Name) -> bool {
        self.nodes[from.index()].edges.of(name).len() == 1
    }

    /// How many nodes there are, the failure state included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, by number. Children have higher numbers than their parents, but for the failure state.
    pub(super) fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// Where ways begin.
    pub(super) fn roots(&self) -> impl Iterator<Item = TreeId> {
        self.roots.values().copied()
    }

    fn grow(&mut self, look: LookId) -> Option<TreeId> {
        let id = u32::try_from(self.nodes.len()).ok().filter(|_| self.nodes.len() < self.most)?;
        self.nodes.push(TreeNode { look, edges: Edges::default() });
        Some(TreeId(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_is_one_node() {
        let mut tree = PrefixTree::new(100);
        let root = tree.root(LookId(1)).unwrap();
        let child = tree.child(root, Name::Menu, LookId(2)).unwrap();
        assert_eq!(tree.root(LookId(1)), Some(root));
        assert_eq!(tree.child(root, Name::Menu, LookId(2)), Some(child));
        assert!(tree.deterministic(root, Name::Menu) && !tree.deterministic(root, Name::Back));
        let other = tree.child(root, Name::Menu, LookId(3)).unwrap();
        assert_ne!(other, child);
        assert!(!tree.deterministic(root, Name::Menu), "it led to two looks");
        assert_eq!(tree.len(), 4);
        assert_eq!(tree.roots().collect::<Vec<_>>(), [root]);
    }

    #[test]
    fn failure_is_one_node() {
        let mut tree = PrefixTree::new(100);
        let root = tree.root(LookId(1)).unwrap();
        let child = tree.child(root, Name::Menu, LookId(2)).unwrap();
        for from in [root, child] {
            assert_eq!(tree.child(from, Name::Back, LookId::FAILURE), Some(TreeId::FAILURE));
        }
        assert_eq!(tree.len(), 3);
    }

    #[test]
    fn a_full_tree_keeps_what_it_has() {
        let mut tree = PrefixTree::new(3);
        let root = tree.root(LookId(1)).unwrap();
        let child = tree.child(root, Name::Menu, LookId(2));
        assert!(child.is_some());
        assert_eq!(tree.child(root, Name::Menu, LookId(3)), None);
        assert_eq!(tree.root(LookId(4)), None);
        assert_eq!(tree.child(root, Name::Menu, LookId(2)), child);
        assert_eq!(tree.child(root, Name::Back, LookId::FAILURE), Some(TreeId::FAILURE));
        assert_eq!(tree.len(), 3);
    }
}
