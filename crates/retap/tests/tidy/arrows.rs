//! Which room may use which. Arrows point downward only.

use std::collections::BTreeMap;

use crate::tree::Tree;
use crate::{Plant, Rule};

/// What each room may use, of the project.
pub(crate) const ROOMS: &[(&str, &[&str])] = &[
    ("retap-trace", &[]),
    ("retap-model", &["retap-trace"]),
    ("retap-mdp", &[]),
    ("retap-reduce", &["retap-trace", "retap-model", "retap-mdp"]),
    ("retap-explore", &["retap-trace", "retap-model"]),
    ("retap-suite", &["retap-trace", "retap-model", "retap-reduce"]),
    ("retap-device", &["retap-trace"]),
    ("retap-sim", &["retap-trace", "retap-device"]),
    ("retap-generate", &["retap-trace", "retap-sim"]),
    ("retap-adb", &["retap-trace", "retap-device"]),
    ("retap-jvm", &["retap-trace", "retap-device"]),
    ("retap-formats", &["retap-trace", "retap-adb"]),
    ("retap-phone", &["retap-trace", "retap-device", "retap-sim"]),
    ("retap-store", &["retap-trace"]),
    ("retap-testing", &[]),
    (
        "retap-lab",
        &[
            "retap-trace",
            "retap-model",
            "retap-reduce",
            "retap-explore",
            "retap-suite",
            "retap-device",
            "retap-store",
        ],
    ),
    (
        "retap-job",
        &[
            "retap-trace",
            "retap-model",
            "retap-mdp",
            "retap-reduce",
            "retap-explore",
            "retap-suite",
            "retap-device",
            "retap-store",
            "retap-lab",
        ],
    ),
    ("retap-show", &["retap-trace", "retap-reduce", "retap-lab", "retap-job"]),
    ("retap-view", &["retap-trace", "retap-job"]),
    (
        "retap-mcp",
        &["retap-trace", "retap-reduce", "retap-explore", "retap-formats", "retap-job", "retap-show"],
    ),
];

/// No room may use it but for its tests.
const TESTING: &str = "retap-testing";

pub(crate) const RULE: Rule = Rule {
    name: "arrows point downward",
    check,
    plants: &[
        Plant {
            what: "a dependency that points upward",
            put: |tree| {
                tree.append(
                    "crates/trace/Cargo.toml",
                    "\n[dependencies]\nretap-lab = { path = \"../lab\" }\n",
                );
            },
            says: "retap-trace must not use retap-lab",
        },
        Plant {
            what: "one under another name, on one system alone",
            put: |tree| {
                tree.append(
                    "crates/model/Cargo.toml",
                    "\n[target.'cfg(unix)'.dependencies]\nphone = { package = \"retap-phone\", path = \"../phone\" }\n",
                );
            },
            says: "retap-model must not use retap-phone",
        },
        Plant {
            what: "what tests share, in the product",
            put: |tree| {
                tree.append(
                    "crates/retap/Cargo.toml",
                    "\n[dependencies]\nretap-testing = { path = \"../testing\" }\n",
                );
            },
            says: "retap must not use retap-testing",
        },
        Plant {
            what: "a room that nobody has placed",
            put: |tree| tree.room("retap-attic"),
            says: "retap-attic is a new room",
        },
        Plant {
            what: "a room that is gone",
            put: |tree| {
                let manifest = tree.read("crates/device/Cargo.toml");
                tree.write("crates/device/Cargo.toml", &manifest.replace("retap-device", "retap-gadget"));
            },
            says: "retap-device is not there",
        },
    ],
};

fn check(tree: &Tree) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let packages = tree.packages();
    let mut complaints = Vec::new();
    for (room, uses) in &packages {
        if uses.contains(TESTING) {
            complaints.push(format!("{room} must not use {TESTING}: it is for tests alone"));
        }
        if room == "retap" || room == "retap-bench" {
            continue;
        }
        let Some(may) = allowed.get(&**room) else {
            complaints.push(format!("{room} is a new room: say in ROOMS what it may use"));
            continue;
        };
        let wrong = uses.iter().filter(|used| used.starts_with("retap") && !may.contains(&&***used));
        complaints
            .extend(wrong.map(|used| format!("{room} must not use {used}: the arrow points the wrong way")));
    }
    let gone = allowed.keys().filter(|room| !packages.contains_key(**room));
    complaints.extend(gone.map(|room| format!("{room} is not there: take it out of ROOMS")));
    complaints
}

#[test]
fn holds() {
    RULE.holds();
}
