//! A new search, rule, schedule, strategy or backend is one file and one line in its table: in a copy of the source one
//! of each is added, and the copy still compiles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_explore::STRATEGIES;
use retap_reduce::{rule, schedule, search};

/// What is added: a file, and lines of the file with the table.
struct Added {
    kind: &'static str,
    file: &'static str,
    text: &'static str,
    table: &'static str,
    /// Each of these gets the other behind it.
    lines: &'static [(&'static str, &'static str)],
}

const ADDED: &[Added] = &[
    Added {
        kind: "search",
        file: "crates/reduce/src/search/dummy.rs",
        text: r#"//! A search for a test.

use super::{Ddmin, SearchKind};

pub(super) const KIND: SearchKind = SearchKind {
    name: "dummy-search",
    about: "a search for a test",
    states: false,
    minimal: true,
    make: |base, _, options| Ok(Box::new(Ddmin::new(base, options.parts))),
};
"#,
        table: "crates/reduce/src/search/mod.rs",
        lines: &[("mod ddmin;\n", "mod dummy;\n"), ("    ddmin::KIND,\n", "    dummy::KIND,\n")],
    },
    Added {
        kind: "rule",
        file: "crates/reduce/src/rule/dummy.rs",
        text: r#"//! A rule for a test.

use super::{Fixed, RuleKind};

pub(super) const KIND: RuleKind = RuleKind {
    form: "dummy-rule",
    about: "a rule for a test",
    fits: |text| text == "dummy-rule",
    parse: |_| Ok(Box::new(Fixed::new(1, 1)?)),
};
"#,
        table: "crates/reduce/src/rule/mod.rs",
        lines: &[("mod doubt;\n", "mod dummy;\n"), ("&[fixed::KIND, ", "dummy::KIND, ")],
    },
    Added {
        kind: "schedule",
        file: "crates/reduce/src/schedule/dummy.rs",
        text: r#"//! A schedule for a test.

use super::{Async, ScheduleKind};

pub(super) const KIND: ScheduleKind = ScheduleKind {
    name: "dummy-schedule",
    about: "a schedule for a test",
    make: |_| Ok(Box::<Async>::default()),
};
"#,
        table: "crates/reduce/src/schedule/mod.rs",
        lines: &[("mod asynchronous;\n", "mod dummy;\n"), ("&[sequential::KIND, ", "dummy::KIND, ")],
    },
    Added {
        kind: "strategy",
        file: "crates/explore/src/dummy.rs",
        text: r#"//! A strategy for a test.

use crate::strategy::StrategyKind;

pub(crate) const STRATEGY: StrategyKind =
    StrategyKind { name: "dummy-strategy", about: "a strategy for a test", ..crate::monkey::AWARE };
"#,
        table: "crates/explore/src/lib.rs",
        lines: &[("mod corpus;\n", "mod dummy;\n"), ("    monkey::STRATEGY,\n", "    dummy::STRATEGY,\n")],
    },
    Added {
        kind: "backend",
        file: "crates/retap/src/devices/dummy.rs",
        text: r#"//! A backend for a test.

use super::Backend;

pub(super) const BACKEND: Backend = Backend {
    scheme: "dummy",
    form: "dummy:X",
    open: |_, _, _| anyhow::bail!("the dummy backend was asked"),
    leaves_nothing: true,
    package: |_| Ok(None),
    #[cfg(feature = "mcp")]
    needs: |_| Default::default(),
};
"#,
        table: "crates/retap/src/devices/mod.rs",
        lines: &[("mod choice;\n", "mod dummy;\n"), ("&[simulated::BACKEND, ", "dummy::BACKEND, ")],
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project")
}

/// Every source file, without what was built.
fn sources(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.join("crates"), folder.join("bench")];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.file_name().and_then(|name| name.to_str()) {
                Some("target" | "corpus") => {}
                _ if path.is_dir() => folders.push(path),
                _ => {
                    let name = path.strip_prefix(folder).expect("below it").to_owned();
                    found.insert(name, std::fs::read(&path).expect("readable"));
                }
            }
        }
    }
    for name in ["Cargo.toml", "Cargo.lock"] {
        found.insert(name.into(), std::fs::read(folder.join(name)).expect("readable"));
    }
    found
}

fn write(folder: &Path, name: &Path, text: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a scratch folder");
    std::fs::write(path, text).expect("a scratch file");
}

fn add(folder: &Path, added: &Added) {
    write(folder, Path::new(added.file), added.text.as_bytes());
    let mut table = std::fs::read_to_string(folder.join(added.table)).expect("a table");
    for (before, line) in added.lines {
        assert!(table.contains(before), "{} has {before:?}", added.table);
        table = table.replacen(before, &format!("{before}{line}"), 1);
    }
    write(folder, Path::new(added.table), table.as_bytes());
}

#[test]
fn one_of_each_kind_is_two_files() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in sources(&root()) {
        write(scratch.path(), &name, &text);
    }
    for added in ADDED {
        let before = sources(scratch.path());
        add(scratch.path(), added);
        let after = sources(scratch.path());
        let touched = after.iter().filter(|(name, text)| before.get(*name) != Some(text)).count();
        assert!(touched <= 2, "a {} is {touched} files", added.kind);
        println!("a {}: {touched} files", added.kind);
    }
    // Only checked, in the folder of this build: what others have built is there, and nothing is put in its place.
    let target =
        Path::new(env!("CARGO_BIN_EXE_retap")).parent().and_then(Path::parent).expect("target/debug");
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "-p", "retap"])
        .current_dir(scratch.path())
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("cargo runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

fn retap(args: &[&str]) -> String {
    let said = Command::new(env!("CARGO_BIN_EXE_retap")).args(args).output().expect("retap runs");
    String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned()
}

/// Help, completions and what is said of a mistyped name all come from the tables.
#[test]
fn the_tables_are_what_people_see() {
    let (reduce, explore, bash) =
        (retap(&["reduce", "--help"]), retap(&["explore", "--help"]), retap(&["completions", "bash"]));
    let searches = search::SEARCHES.iter().map(|kind| (kind.name, kind.about));
    let schedules = schedule::SCHEDULES.iter().map(|kind| (kind.name, kind.about));
    let strategies = STRATEGIES.iter().map(|kind| (kind.name, kind.about));
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (help, (name, about)) in
        searches.chain(schedules).map(|kind| (&reduce, kind)).chain(strategies.map(|kind| (&explore, kind)))
    {
        assert!(flat(help).contains(&format!("- {name}: {about}")), "{name}: {help}");
        assert!(bash.contains(name), "{name} is completed");
        // One letter less is still known.
        let typed = &name[..name.len() - 1];
        let said = match help {
            help if *help == explore => retap(&["explore", "-d", "sim:notes", "--strategy", typed]),
            _ if search::names().contains(&name) => retap(&["reduce", "x", "--search", typed]),
            _ => continue,
        };
        let known = search::names().contains(&typed) || STRATEGIES.iter().any(|kind| kind.name == typed);
        assert!(known || name.len() < 4 || said.contains("did you mean"), "{typed}: {said}");
    }
    for kind in rule::RULES {
        assert!(
            flat(&reduce).contains(&format!("{} ({})", kind.form, kind.about)),
            "{}: {reduce}",
            kind.form
        );
    }
}
