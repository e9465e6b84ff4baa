//! How well two places agree: the recursive comparison behind the merging of states.
//!
//! The comparison plays the merge through without making it: what one place would take over from the other is
//! kept aside, and counts for the rest of the comparison. So a merge that was found free of conflicts is.

use std::collections::BTreeMap;

use super::looks::LookId;
use super::name::Name;
use super::prefix_tree::{TreeId, TreeNode};

/// Compares places. It owns its memory and counts its work.
#[derive(Debug)]
pub(super) struct Comparison {
    /// Pairs that may still be looked at.
    budget: u64,
    pairs: Vec<(TreeId, TreeId)>,
    taken_over: BTreeMap<(TreeId, Name, LookId), TreeId>,
}

impl Comparison {
    /// A comparison that looks at so many pairs at most. When they are spent, whatever looks alike is taken for
    /// the same.
    pub(super) const fn new(budget: u64) -> Self {
        Self { budget, pairs: Vec::new(), taken_over: BTreeMap::new() }
    }

    /// The number of places that match when `blue`, which only one way leads to, is merged into `red`. None when
    /// an action that is deterministic in two matched places leads to different looks.
    pub(super) fn score(&mut self, nodes: &[TreeNode], red: TreeId, blue: TreeId) -> Option<u32> {
        if nodes[red.index()].look != nodes[blue.index()].look {
            return None;
        }
        self.taken_over.clear();
        self.pairs.clear();
        self.pairs.push((red, blue));
        let mut score = 0;
        while let Some((one, other)) = self.pairs.pop() {
            score += 1;
            if self.budget == 0 {
                return Some(score);
            }
            self.budget -= 1;
            for outcomes in nodes[other.index()].edges.by_action() {
                let name = outcomes[0].name;
                let mut known = self.outcomes(nodes, one, name);
                for (_, to) in &mut known {
                    // The way that led to the blue place leads to the red one after the merge.
                    *to = if *to == blue { red } else { *to };
                }
                let sure = known.len() == 1 && outcomes.len() == 1;
                for edge in outcomes {
                    match known.iter().find(|(look, _)| *look == edge.look) {
                        Some(&(_, to)) => self.pairs.push((to, edge.to)),
                        None if sure => return None,
                        None => {
                            self.taken_over.insert((one, name, edge.look), edge.to);
                        }
                    }
                }
            }
        }
        Some(score)
    }

    /// What is known of an action there, with what was taken over.
    fn outcomes(&self, nodes: &[TreeNode], at: TreeId, name: Name) -> Vec<(LookId, TreeId)> {
        let own = nodes[at.index()].edges.of(name).iter().map(|edge| (edge.look, edge.to));
        let range = (at, name, LookId(0))..=(at, name, LookId(u32::MAX));
        own.chain(self.taken_over.range(range).map(|(&(_, _, look), &to)| (look, to))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swifthand::prefix_tree::PrefixTree;

    const PLENTY: u64 = 1_000;

    fn score(tree: &PrefixTree, red: TreeId, blue: TreeId) -> Option<u32> {
        Comparison::new(PLENTY).score(tree.nodes(), red, blue)
    }

    /// A tree in which Menu leads from look 1 to look 1.
    fn pair() -> (PrefixTree, TreeId, TreeId) {
        let mut tree = PrefixTree::new(100);
        let red = tree.root(LookId(1)).unwrap();
        let blue = tree.child(red, Name::Menu, LookId(1)).unwrap();
        (tree, red, blue)
    }

    #[test]
    fn every_place_that_matches_counts() {
        let (mut tree, red, blue) = pair();
        assert_eq!(score(&tree, red, blue), Some(1));
        for from in [red, blue] {
            let next = tree.child(from, Name::Back, LookId(2)).unwrap();
            tree.child(next, Name::Back, LookId::FAILURE);
        }
        assert_eq!(score(&tree, red, blue), Some(3));
    }

    #[test]
    fn a_sure_action_that_leads_elsewhere_is_a_conflict() {
        let (mut tree, red, blue) = pair();
        tree.child(red, Name::Back, LookId(2));
        tree.child(blue, Name::Back, LookId::FAILURE);
        assert_eq!(score(&tree, red, blue), None);
        // From the same place it has led to both by now: it varies.
        tree.child(red, Name::Back, LookId(3));
        assert_eq!(score(&tree, red, blue), Some(1));
    }

    #[test]
    fn a_conflict_further_on_counts_too() {
        let (mut tree, red, blue) = pair();
        for (from, last) in [(red, LookId(3)), (blue, LookId(4))] {
            let next = tree.child(from, Name::Back, LookId(2)).unwrap();
            tree.child(next, Name::Back, last);
        }
        assert_eq!(score(&tree, red, blue), None);
    }

    #[test]
    fn what_is_taken_over_must_agree_with_itself() {
        // Merging both places of look 1 makes Menu a loop, so the two outcomes of Back meet in one place.
        let (mut tree, red, blue) = pair();
        let third = tree.child(blue, Name::Menu, LookId(1)).unwrap();
        tree.child(blue, Name::Back, LookId(2));
        tree.child(third, Name::Back, LookId(3));
        assert_eq!(score(&tree, red, blue), None);
    }

    #[test]
    fn without_budget_looks_decide() {
        let (mut tree, red, blue) = pair();
        tree.child(red, Name::Back, LookId(2));
        tree.child(blue, Name::Back, LookId::FAILURE);
        assert_eq!(Comparison::new(0).score(tree.nodes(), red, blue), Some(1));
        let other = tree.child(red, Name::Back, LookId(3)).unwrap();
        assert_eq!(Comparison::new(0).score(tree.nodes(), red, other), None);
    }
}
