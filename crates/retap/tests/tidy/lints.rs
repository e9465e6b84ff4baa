//! Every crate obeys the common lints.

use crate::tree::Tree;
use crate::{Plant, Rule};

pub(crate) const RULE: Rule = Rule {
    name: "every crate takes the common lints",
    check,
    plants: &[Plant {
        what: "a crate without them",
        put: |tree| {
            tree.write("crates/adb/Cargo.toml", "[package]\nname = \"retap-adb\"\nedition = \"2024\"\n");
        },
        says: "crates/adb does not take the common lints",
    }],
};

fn check(tree: &Tree) -> Vec<String> {
    let crates = tree.crates().into_iter();
    crates
        .filter(|name| !tree.read(&format!("{name}/Cargo.toml")).contains("[lints]\nworkspace = true"))
        .map(|name| format!("{name} does not take the common lints"))
        .collect()
}

#[test]
fn holds() {
    RULE.holds();
}
