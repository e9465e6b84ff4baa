//! Libraries that belong to one room.

use crate::tree::Tree;
use crate::{Plant, Rule};

const KEPT_IN: &[(&str, &[&str])] = &[
    ("rusqlite", &["retap-store"]),
    ("tokio", &["retap-farm", "retap-mcp", "retap-view"]),
    ("rmcp", &["retap-mcp"]),
    ("schemars", &["retap-job", "retap-mcp"]),
    ("axum", &["retap-view"]),
    ("anyhow", &["retap", "retap-bench"]),
    ("clap", &["retap", "retap-bench"]),
    ("indicatif", &["retap"]),
    ("png", &["retap-sim", "retap-phone"]),
    ("quick-xml", &["retap-adb"]),
];

pub(crate) const RULE: Rule = Rule {
    name: "libraries stay in their rooms",
    check,
    plants: &[
        Plant {
            what: "a database in a pure room",
            put: |tree| tree.append("crates/reduce/Cargo.toml", "\n[dependencies]\nrusqlite = \"0.41\"\n"),
            says: "retap-reduce uses rusqlite",
        },
        Plant {
            what: "one that a build script uses",
            put: |tree| tree.append("crates/sim/Cargo.toml", "\n[build-dependencies]\nclap = \"4\"\n"),
            says: "retap-sim uses clap",
        },
    ],
};

fn check(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for (room, uses) in tree.packages() {
        let misplaced =
            |(library, rooms): &&(&str, &[&str])| uses.contains(*library) && !rooms.contains(&&*room);
        let found = KEPT_IN.iter().filter(misplaced);
        complaints.extend(
            found.map(|(library, rooms)| format!("{room} uses {library}, which belongs in {rooms:?}")),
        );
    }
    complaints
}

#[test]
fn holds() {
    RULE.holds();
}
