//! Files are short: one is about one thing.

use crate::tree::Tree;
use crate::{Plant, Rule};

/// The most lines a file of the product may have.
const MOST: usize = 600;
/// The most lines the file in the middle may have, tests included.
const MOST_IN_THE_MIDDLE: usize = 250;

pub(crate) const RULE: Rule = Rule {
    name: "files are short",
    check,
    plants: &[
        Plant {
            what: "a long file",
            put: |tree| tree.append("crates/lab/src/lib.rs", &"\n".repeat(MOST)),
            says: "crates/lab/src/lib.rs has 61",
        },
        Plant {
            what: "one among the benchmarks",
            put: |tree| tree.append("bench/src/lib.rs", &"\n".repeat(MOST)),
            says: "bench/src/lib.rs has 61",
        },
    ],
};

pub(crate) const MEDIAN: Rule = Rule {
    name: "the file in the middle is short",
    check: check_median,
    plants: &[Plant {
        what: "many files that are as long as they may be",
        put: |tree| {
            for number in 0..100 {
                tree.write(&format!("crates/sim/src/long_{number}.rs"), &"//! Long.\n".repeat(MOST));
            }
        },
        says: "the median file has 600 lines",
    }],
};

fn check(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in tree.sources("crates").into_iter().chain(tree.sources("bench")) {
        let lines = source.text.lines().count();
        if !source.test && lines > MOST {
            complaints.push(format!("{} has {lines} lines: it is about more than one thing", source.path));
        }
    }
    complaints
}

fn check_median(tree: &Tree) -> Vec<String> {
    let sources = tree.sources("crates").into_iter().chain(tree.sources("bench"));
    let mut lengths: Vec<usize> = sources.map(|source| source.text.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    let long = (median > MOST_IN_THE_MIDDLE).then(|| format!("the median file has {median} lines"));
    long.into_iter().collect()
}

#[test]
fn holds() {
    RULE.holds();
    MEDIAN.holds();
}
