//! Which widgets a client means: what it knows of them, and where they stand to each other.

use regex_lite::Regex;
use retap_trace::{Flag, GuiTree, Node, NodeId};
use serde_json::Value;

/// Selectors inside selectors.
const MOST_STEPS: usize = 32;

/// Flags of widgets, by the names that clients have for them.
pub(super) const FLAGS: [(&str, Flag); 9] = [
    ("checkable", Flag::Checkable),
    ("checked", Flag::Checked),
    ("clickable", Flag::Clickable),
    ("enabled", Flag::Enabled),
    ("focusable", Flag::Focusable),
    ("focused", Flag::Focused),
    ("longClickable", Flag::LongClickable),
    ("scrollable", Flag::Scrollable),
    ("selected", Flag::Selected),
];

/// The widgets on a screen that a selector means, in order.
pub(super) fn find(tree: &GuiTree, package: &str, selector: &Value) -> Vec<NodeId> {
    let all: Vec<NodeId> = tree.ids().collect();
    let mut found = narrowed(tree, package, selector, &all);
    let steps = list(selector, "childOrSibling").iter().zip(list(selector, "childOrSiblingSelector"));
    for (step, inner) in steps.take(MOST_STEPS) {
        let near: Vec<NodeId> = match step.as_str() {
            Some("sibling") => found.iter().flat_map(|id| siblings(tree, *id)).collect(),
            _ => found.iter().flat_map(|id| below(tree, *id)).collect(),
        };
        found = narrowed(tree, package, inner, &near);
    }
    found
}

fn list<'a>(selector: &'a Value, name: &str) -> &'a [Value] {
    selector.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Those that fit, or the one of them that is meant.
fn narrowed(tree: &GuiTree, package: &str, selector: &Value, among: &[NodeId]) -> Vec<NodeId> {
    let fitting: Vec<NodeId> =
        among.iter().copied().filter(|id| fits(tree, package, *id, selector)).collect();
    match selector.get("instance").and_then(Value::as_u64) {
        Some(number) => {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            fitting.get(number).copied().into_iter().collect()
        }
        None => fitting,
    }
}

fn below(tree: &GuiTree, id: NodeId) -> Vec<NodeId> {
    let depth = tree.node(id).depth;
    let after = tree.ids().skip(id.0 as usize + 1);
    after.take_while(|below| tree.node(*below).depth > depth).collect()
}

fn siblings(tree: &GuiTree, id: NodeId) -> Vec<NodeId> {
    tree.parent(id).map_or_else(Vec::new, |parent| tree.children(parent).collect())
}

fn fits(tree: &GuiTree, package: &str, id: NodeId, selector: &Value) -> bool {
    let node = tree.node(id);
    let Some(fields) = selector.as_object() else { return false };
    fields.iter().all(|(name, value)| match (&**name, value) {
        ("mask" | "childOrSibling" | "childOrSiblingSelector" | "instance", _) => true,
        ("index", value) => {
            let place =
                tree.parent(id).and_then(|parent| tree.children(parent).position(|child| child == id));
            value.as_u64() == Some(place.unwrap_or(0) as u64)
        }
        (name, Value::Bool(wanted)) => {
            FLAGS.iter().all(|(known, flag)| *known != name || node.flags.has(*flag) == *wanted)
        }
        (name, Value::String(wanted)) => words_fit(node, package, name, wanted),
        _ => true,
    })
}

fn words_fit(node: &Node, package: &str, name: &str, wanted: &str) -> bool {
    let parts = [
        ("text", &*node.text),
        ("className", &node.class),
        ("description", &node.desc),
        ("packageName", package),
        ("resourceId", &node.id),
    ];
    let Some((part, value)) = parts.into_iter().find(|(part, _)| name.starts_with(part)) else { return true };
    match &name[part.len()..] {
        "" => value == wanted,
        "Contains" => value.to_lowercase().contains(&wanted.to_lowercase()),
        "StartsWith" => value.to_lowercase().starts_with(&wanted.to_lowercase()),
        // A pattern must fit the whole text.
        "Matches" => Regex::new(&format!("^(?:{wanted})$")).is_ok_and(|pattern| pattern.is_match(value)),
        _ => true,
    }
}
