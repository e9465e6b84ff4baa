//! What a screen offers: the names of its actions, and which of them belong to the items of a long list.

use std::collections::BTreeMap;

use retap_trace::{GuiTree, Node, NodeId, Observation};

use super::name::{Name, names};
use crate::actions::Action;

/// A list is long when it has more items than this.
pub(super) const FIRST_ITEMS: u16 = 3;

const LISTS: [&str; 3] = ["ListView", "GridView", "RecyclerView"];

/// One action that a screen offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) name: Name,
    /// Its place in a long list; none when it is in no list or in a short one.
    pub(super) item: Option<Item>,
}

/// The place of an action in a long list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    /// Actions that do the same to the same part of each item share a column.
    pub(super) column: u16,
    /// Which item it is of those that are in sight, from 0.
    pub(super) nth: u16,
}

/// What the screen offers, one for each of its actions, in order of the names.
pub(super) fn offers(seen: &Observation, actions: &[Action]) -> Vec<Offer> {
    let items = seen.tree.as_ref().map_or_else(Vec::new, |tree| items(tree, actions));
    let item = |index: usize| items.get(index).copied().flatten();
    let named = names(seen, actions).into_iter().enumerate();
    named.map(|(index, name)| Offer { name, item: item(index) }).collect()
}

/// Where the offer of this name stands.
pub(super) fn find(offers: &[Offer], name: Name) -> Option<usize> {
    offers.binary_search_by_key(&name, |offer| offer.name).ok()
}

fn items(tree: &GuiTree, actions: &[Action]) -> Vec<Option<Item>> {
    let lists = innermost_lists(tree);
    let mut columns = BTreeMap::new();
    let place = |action: &Action| {
        let Action::On(id, deed) = *action else { return None };
        let list = lists[id.0 as usize]?;
        let fresh = u16::try_from(columns.len()).unwrap_or(u16::MAX);
        let below = below_item(tree, list, id);
        let (column, length) = columns.entry((list, below, deed)).or_insert((fresh, 0_u16));
        let nth = *length;
        *length = length.saturating_add(1);
        Some(Item { column: *column, nth })
    };
    let mut items: Vec<_> = actions.iter().map(place).collect();
    let mut long = vec![false; columns.len()];
    for &(column, length) in columns.values() {
        long[usize::from(column)] = length > FIRST_ITEMS;
    }
    for item in &mut items {
        *item = item.filter(|item| long[usize::from(item.column)]);
    }
    items
}

/// For each node, the nearest list above it.
fn innermost_lists(tree: &GuiTree) -> Vec<Option<NodeId>> {
    // For each level down to the last node: the nearest list, that node included.
    let mut above: Vec<Option<NodeId>> = Vec::new();
    let list_over = |(id, node): (NodeId, &Node)| {
        above.truncate(node.depth as usize);
        let list = above.last().copied().flatten();
        above.push(if is_list(&node.class) { Some(id) } else { list });
        list
    };
    tree.ids().zip(tree.nodes()).map(list_over).collect()
}

fn is_list(class: &str) -> bool {
    LISTS.iter().any(|list| class.ends_with(list))
}

/// The way from the list's item to the widget in it.
fn below_item(tree: &GuiTree, list: NodeId, id: NodeId) -> Vec<u32> {
    let mut way = tree.path(id).0;
    way.drain(..=tree.node(list).depth as usize);
    way
}

#[cfg(test)]
mod tests;
