//! A room is called after what it is about.

use crate::tree::Tree;
use crate::{Plant, Rule};

const NOTHING: &[&str] = &["util", "common", "core", "helper", "misc"];

pub(crate) const RULE: Rule = Rule {
    name: "no room is called after nothing",
    check,
    plants: &[Plant {
        what: "a room for everything",
        put: |tree| tree.room("retap-utils"),
        says: "retap-utils: name it after what it is about",
    }],
};

fn check(tree: &Tree) -> Vec<String> {
    let rooms = tree.packages().into_keys();
    rooms
        .filter(|room| NOTHING.iter().any(|nothing| room.contains(nothing)))
        .map(|room| format!("{room}: name it after what it is about"))
        .collect()
}

#[test]
fn holds() {
    RULE.holds();
}
