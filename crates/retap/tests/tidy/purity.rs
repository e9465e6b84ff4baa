//! Rooms that know no clock, no thread, no file, no device, and no order of a hash.

use crate::source::paths;
use crate::tree::Tree;
use crate::{Plant, Rule};

const PURE: &[&str] = &["trace", "model", "reduce", "explore", "suite"];

/// What would break purity: modules and functions by the beginnings of their paths.
const IMPURE_PATHS: &[&str] = &[
    "std::fs",
    "std::net",
    "std::os",
    "std::thread",
    "std::time",
    "std::process",
    "std::env",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::*", // imports what cannot be seen here
];

/// Types by their names, wherever they come from.
const IMPURE_NAMES: &[&str] = &["HashMap", "HashSet", "RandomState", "Instant", "SystemTime"];

pub(crate) const RULE: Rule = Rule {
    name: "pure rooms are pure",
    check,
    plants: &[
        Plant {
            what: "a file",
            put: |tree| tree.append("crates/trace/src/lib.rs", "use std::fs;\n"),
            says: "crates/trace/src/lib.rs uses std::fs",
        },
        Plant {
            what: "a grouped import",
            put: |tree| tree.append("crates/model/src/lib.rs", "use std::{fmt, net::{self, TcpStream}};\n"),
            says: "crates/model/src/lib.rs uses std::net::TcpStream",
        },
        Plant {
            what: "a hash map in a group in a group",
            put: |tree| {
                tree.append("crates/suite/src/lib.rs", "use std::{collections::{BTreeMap, HashMap}};\n");
            },
            says: "crates/suite/src/lib.rs uses std::collections::HashMap",
        },
        Plant {
            what: "a clock by its whole path, after the tests of the file",
            put: |tree| {
                tree.append(
                    "crates/reduce/src/lib.rs",
                    "#[cfg(test)]\nmod more {}\nfn f() { let _ = std::time::Instant::now(); }\n",
                );
            },
            says: "crates/reduce/src/lib.rs uses std::time::Instant::now",
        },
        Plant {
            what: "the library under another name",
            put: |tree| tree.append("crates/explore/src/lib.rs", "use std as library;\n"),
            says: "crates/explore/src/lib.rs uses std",
        },
        Plant {
            what: "a thread in a macro, in a folder",
            put: |tree| {
                let text = "//! Deep.\nmacro_rules! go { () => { ::std::thread::yield_now() } }\n";
                tree.write("crates/explore/src/deep/down.rs", text);
            },
            says: "crates/explore/src/deep/down.rs uses std::thread::yield_now",
        },
    ],
};

fn check(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for room in PURE {
        for source in tree.sources(&format!("crates/{room}/src")) {
            let found = paths(&source.product());
            complaints.extend(
                found
                    .iter()
                    .filter(|path| impure(path))
                    .map(|path| format!("{} uses {path}; {room} is pure", source.path)),
            );
        }
    }
    complaints
}

fn impure(path: &str) -> bool {
    let path = path.strip_prefix("core::").map_or_else(|| path.to_owned(), |rest| format!("std::{rest}"));
    let begins =
        |start: &str| path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    path == "std"
        || IMPURE_PATHS.iter().any(|start| begins(start))
        || path.split("::").any(|word| IMPURE_NAMES.contains(&word))
}

#[test]
fn holds() {
    RULE.holds();
}
