//! One meaning per type name in the whole workspace: what is exported, or known in its whole crate, has a name of its
//! own.

use std::collections::BTreeMap;

use crate::source::is_word;
use crate::tree::Tree;
use crate::{Plant, Rule};

/// Names that may have several meanings, and why.
const SHARED: &[(&str, &str)] = &[];

/// Names that still have several meanings, with the crate of each definition. The list must be exact: a name that has
/// one meaning leaves it, and none is added.
pub(crate) const TO_RENAME: &[(&str, &[&str])] = &[];

pub(crate) const RULE: Rule = Rule {
    name: "a type name has one meaning",
    check,
    plants: &[
        Plant {
            what: "a name in two crates",
            put: |tree| {
                tree.append("crates/lab/src/lib.rs", "pub struct Plan;\n");
                tree.append("crates/store/src/lib.rs", "pub(crate) enum Plan {}\n");
            },
            says: "Plan has 2 meanings: crates/lab/src/lib.rs, crates/store/src/lib.rs",
        },
        Plant {
            what: "a name twice in one crate, once after tests",
            put: |tree| {
                tree.append("crates/lab/src/lib.rs", "#[cfg(test)]\nmod more {}\npub trait Order {}\n");
                tree.write("crates/lab/src/order.rs", "//! Orders.\npub type Order = u8;\n");
            },
            says: "Order has 2 meanings",
        },
        Plant {
            what: "a name that an import gives",
            put: |tree| {
                tree.append("crates/lab/src/lib.rs", "pub use std::fmt::{Debug as Talk};\n");
                tree.append("crates/sim/src/lib.rs", "pub struct Talk;\n");
            },
            says: "Talk has 2 meanings",
        },
        Plant {
            what: "a third meaning of a name on the list",
            put: |tree| {
                for room in ["lab", "sim", "store"] {
                    tree.append(&format!("crates/{room}/src/lib.rs"), "pub struct Plan;\n");
                }
                tree.to_rename.push(("Plan", &["lab", "store"]));
            },
            says: "Plan has 3 meanings",
        },
        Plant {
            what: "a name on the list that has one meaning",
            put: |tree| {
                tree.append("crates/lab/src/lib.rs", "pub struct Plan;\n");
                tree.to_rename.push(("Plan", &["lab", "store"]));
            },
            says: "Plan has one meaning: take it off TO_RENAME",
        },
    ],
};

fn check(tree: &Tree) -> Vec<String> {
    let mut known: BTreeMap<&str, &[&str]> = tree.to_rename.iter().copied().collect();
    let mut complaints = Vec::new();
    for (name, files) in definitions(tree) {
        if files.len() < 2 || SHARED.iter().any(|(shared, _)| *shared == name) {
            continue;
        }
        let mut crates: Vec<&str> = files.iter().map(|file| crate_of(file)).collect();
        crates.sort_unstable();
        if known.remove(&*name).is_none_or(|listed| *listed != crates) {
            let places = files.join(", ");
            complaints.push(format!("{name} has {} meanings: {places} (TO_RENAME: {crates:?})", files.len()));
        }
    }
    complaints.extend(known.keys().map(|name| format!("{name} has one meaning: take it off TO_RENAME")));
    complaints
}

fn crate_of(file: &str) -> &str {
    file.strip_prefix("crates/").unwrap_or(file).split('/').next().unwrap_or_default()
}

/// Where each type name is defined, in the product.
fn definitions(tree: &Tree) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in tree.crates() {
        for source in tree.sources(&format!("{folder}/src")) {
            for name in defined(&source.product()) {
                found.entry(name).or_default().push(source.path.clone());
            }
        }
    }
    found
}

/// The type names that these tokens define for the crate or for everybody.
fn defined(tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| *token == "pub") {
        let rest: Vec<&str> = tokens[at + 1..].iter().map(String::as_str).collect();
        let rest = rest.strip_prefix(["(", "crate", ")"].as_slice()).unwrap_or(&rest);
        match rest {
            ["struct" | "enum" | "union" | "trait" | "type", name, ..] | ["unsafe", "trait", name, ..] => {
                found.push((*name).to_owned());
            }
            ["use", import @ ..] => {
                let import = import.split(|token| *token == ";").next().unwrap_or_default();
                let renamed = import.windows(2).filter(|pair| pair[0] == "as" && is_type(pair[1]));
                found.extend(renamed.map(|pair| pair[1].to_owned()));
            }
            _ => {}
        }
    }
    found
}

/// Whether a word is written as types are: `Word`, not `word` or `WORD`.
fn is_type(word: &str) -> bool {
    is_word(word) && word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase)
}

#[test]
fn holds() {
    RULE.holds();
}
