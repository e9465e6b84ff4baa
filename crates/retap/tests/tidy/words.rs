//! Words that have plainer ones: they are not written in code, comments, messages, and pages.

use crate::tree::Tree;
use crate::{Plant, Rule};

const BANNED: &[&str] = &["anew", "whoever", "on foot", "in vain", "see_off", "farewell"];

/// The pages outside `docs`.
pub(crate) const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// A file or folder, the words it may use, and why.
pub(crate) type Exemption = (&'static str, &'static [&'static str], &'static str);

/// One that no longer needs its words leaves the list.
pub(crate) const EXEMPT: &[Exemption] =
    &[("crates/sim/apps/filebrowser.app", &["whoever"], "its hash stands in the samples")];

pub(crate) const RULE: Rule = Rule {
    name: "plain words",
    check,
    plants: &[
        Plant {
            what: "a word in a comment, with a capital",
            put: |tree| tree.append("crates/adb/src/lib.rs", "// Whoever calls.\n"),
            says: "crates/adb/src/lib.rs:15 says \"whoever\"",
        },
        Plant {
            what: "a word in a message",
            put: |tree| tree.append("bench/src/lib.rs", "const M: &str = \"0 of them in vain\";\n"),
            says: "bench/src/lib.rs:15 says \"in vain\"",
        },
        Plant {
            what: "a word in a test",
            put: |tree| tree.write("crates/lab/tests/story.rs", "//! It begins anew.\n"),
            says: "crates/lab/tests/story.rs:1 says \"anew\"",
        },
        Plant {
            what: "a name in code",
            put: |tree| tree.append("crates/lab/src/lib.rs", "fn see_off() {}\n"),
            says: "crates/lab/src/lib.rs:15 says \"see_off\"",
        },
        Plant {
            what: "a word that is broken by the end of a line of a comment",
            put: |tree| tree.append("crates/lab/src/lib.rs", "/// It goes on\n/// foot.\nfn go() {}\n"),
            says: "crates/lab/src/lib.rs:15 says \"on foot\"",
        },
        Plant {
            what: "a word on a page",
            put: |tree| tree.append("docs/page.md", "No farewell.\n"),
            says: "docs/page.md:2 says \"farewell\"",
        },
        Plant {
            what: "a word on the first page",
            put: |tree| tree.append("README.md", "Started anew.\n"),
            says: "README.md:2 says \"anew\"",
        },
        Plant {
            what: "a word in an app",
            put: |tree| tree.write("crates/sim/apps/a.app", "# whoever\n"),
            says: "crates/sim/apps/a.app:1 says \"whoever\"",
        },
        Plant {
            what: "a word that an exemption does not name",
            put: |tree| {
                tree.append("README.md", "Started anew, in vain.\n");
                tree.unworded.push(("README.md", &["in vain"], "it shows an output"));
            },
            says: "README.md:2 says \"anew\"",
        },
        Plant {
            what: "an exemption that nobody needs",
            put: |tree| tree.unworded.push(("crates/lab", BANNED, "being rewritten")),
            says: "crates/lab says none of its words: take it off EXEMPT",
        },
    ],
};

fn check(tree: &Tree) -> Vec<String> {
    let mut files: Vec<String> = PAGES.iter().map(|page| (*page).to_owned()).collect();
    files.extend(tree.files("docs", "md"));
    for folder in ["crates", "bench"] {
        for ending in ["rs", "app", "toml", "py"] {
            files.extend(tree.files(folder, ending));
        }
    }
    // The rule itself has to name them.
    files.retain(|file| !file.starts_with("crates/retap/tests/tidy/"));
    let mut complaints = Vec::new();
    let mut needed = vec![false; tree.unworded.len()];
    for file in files {
        for (line, word) in said(&tree.read(&file)) {
            let exempt = |(place, words, _): &Exemption| within(&file, place) && words.contains(&word);
            let exempt = tree.unworded.iter().position(exempt);
            match exempt {
                Some(exemption) => needed[exemption] = true,
                None => complaints.push(format!("{file}:{line} says {word:?}")),
            }
        }
    }
    let idle = tree.unworded.iter().zip(needed).filter(|(_, needed)| !needed);
    complaints
        .extend(idle.map(|((place, ..), _)| format!("{place} says none of its words: take it off EXEMPT")));
    complaints
}

fn within(file: &str, place: &str) -> bool {
    file.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The banned words in a text, each with the line on which it begins. Words are compared as one long line, in which
/// the marks of comments do not count.
fn said(text: &str) -> Vec<(usize, &'static str)> {
    let mut joined = String::new();
    let mut starts = Vec::new();
    for line in text.lines() {
        starts.push(joined.len());
        let line = line.trim_start().trim_start_matches(['/', '!', '#', '>']).trim();
        joined.push_str(&line.to_lowercase());
        joined.push(' ');
    }
    let mut found = Vec::new();
    for word in BANNED {
        for (at, _) in joined.match_indices(word) {
            let part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let before = joined[..at].chars().next_back().is_some_and(part);
            let after = joined[at + word.len()..].chars().next().is_some_and(part);
            if !before && !after {
                found.push((starts.partition_point(|start| *start <= at), *word));
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn holds() {
    RULE.holds();
}
