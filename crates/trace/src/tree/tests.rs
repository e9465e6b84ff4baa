//! The laws of paths, parents, children and hits.

use proptest::prelude::*;

use crate::any;

use super::*;

proptest! {
    #[test]
    fn a_path_leads_to_its_node(tree in any::tree()) {
        for id in tree.ids() {
            let path = tree.path(id);
            prop_assert_eq!(path.0.len(), tree.node(id).depth as usize);
            prop_assert_eq!(tree.at(&path), Some(id));
        }
    }

    #[test]
    fn where_a_path_leads_it_is_the_path(tree in any::tree(), path in prop::collection::vec(0_u32..3, 0..4)) {
        let path = WidgetPath(path);
        if let Some(id) = tree.at(&path) {
            prop_assert_eq!(tree.path(id), path);
        }
    }

    #[test]
    fn parents_and_children_agree(tree in any::tree()) {
        let mut children = 0;
        for id in tree.ids() {
            for child in tree.children(id) {
                prop_assert_eq!(tree.parent(child), Some(id));
                prop_assert!(child > id);
                children += 1;
            }
        }
        prop_assert_eq!(children, tree.nodes().len().saturating_sub(1));
        prop_assert!(tree.ids().all(|id| tree.parent(id).is_none() == (id == NodeId(0))));
    }

    #[test]
    fn a_hit_is_the_last_node_there_that_fits(tree in any::tree(), x in 0..10, y in 0..10) {
        let at = Point::new(x, y);
        let fits = |node: &Node| node.flags.has(Flag::Enabled);
        let all: Vec<NodeId> = tree
            .ids()
            .filter(|&id| tree.node(id).bounds.contains(at) && fits(tree.node(id)))
            .collect();
        prop_assert_eq!(tree.hit(at, fits), all.last().copied());
    }

    #[test]
    fn flags_are_a_set(some in prop::sample::subsequence(Flag::ALL.to_vec(), 0..=10)) {
        let flags: Flags = some.iter().copied().collect();
        prop_assert_eq!(flags.iter().collect::<Vec<_>>(), some.clone());
        prop_assert_eq!(some.iter().fold(flags, |left, &flag| left.with(flag, false)), Flags::default());
    }
}

#[test]
fn a_finger_needs_an_enabled_widget() {
    let flags = |flags: &[Flag]| flags.iter().copied().collect::<Flags>();
    assert!(flags(&[Flag::Enabled, Flag::Scrollable]).actionable());
    assert!(!flags(&[Flag::Clickable]).actionable());
    assert!(!flags(&[Flag::Enabled, Flag::Focused]).actionable());
}

#[test]
#[should_panic(expected = "a node of depth 2 cannot stand here")]
fn no_level_is_left_out() {
    let mut tree = GuiTree::new();
    tree.push(Node::default());
    tree.push(Node { depth: 2, ..Node::default() });
}

#[test]
#[should_panic(expected = "a node of depth 0 cannot stand here")]
fn there_is_one_root() {
    let mut tree = GuiTree::new();
    tree.push(Node::default());
    tree.push(Node::default());
}
