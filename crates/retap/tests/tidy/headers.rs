//! Files begin by saying what they are about.

use crate::tree::Tree;
use crate::{Plant, Rule};

pub(crate) const RULE: Rule = Rule {
    name: "files say what they are about",
    check,
    plants: &[Plant {
        what: "a file that begins with code",
        put: |tree| tree.write("crates/store/src/silent.rs", "fn quiet() {}\n"),
        says: "crates/store/src/silent.rs does not begin by saying",
    }],
};

fn check(tree: &Tree) -> Vec<String> {
    let sources = tree.sources("crates").into_iter().chain(tree.sources("bench"));
    sources
        .filter(|source| !source.test && !source.text.starts_with("//!"))
        .map(|source| format!("{} does not begin by saying what it is about", source.path))
        .collect()
}

#[test]
fn holds() {
    RULE.holds();
}
