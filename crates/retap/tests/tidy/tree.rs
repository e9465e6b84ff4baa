//! The project's folder, or a scratch one of the same shape.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::arrows::ROOMS;
use crate::source::Source;
use crate::{type_names, words};

/// A tree, and the exceptions that its rules grant.
pub(crate) struct Tree {
    root: PathBuf,
    /// Type names with more than one meaning, and the crate of each definition.
    pub(crate) to_rename: Vec<(&'static str, &'static [&'static str])>,
    /// Files and folders that may use a banned word.
    pub(crate) unworded: Vec<words::Exemption>,
    _scratch: Option<tempfile::TempDir>,
}

impl Tree {
    pub(crate) fn project() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().expect("the project is there");
        let (to_rename, unworded) = (type_names::TO_RENAME.to_vec(), words::EXEMPT.to_vec());
        Self { root, to_rename, unworded, _scratch: None }
    }

    /// A tree with every room in it, and nothing wrong.
    pub(crate) fn scratch() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let root = folder.path().to_owned();
        let tree = Self { root, to_rename: Vec::new(), unworded: Vec::new(), _scratch: Some(folder) };
        tree.write(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"bench\"]\n\n\
             [workspace.lints.rust]\nunsafe_code = \"deny\"\n",
        );
        for file in words::PAGES {
            tree.write(file, "# A page\n");
        }
        tree.write("docs/page.md", "# A page\n");
        let rooms = ROOMS.iter().map(|(room, _)| *room);
        for room in rooms.chain(["retap", "retap-bench"]) {
            tree.room(room);
        }
        tree
    }

    /// Adds a room with a test, and with words in the test, comments and texts that would not do in its code.
    pub(crate) fn room(&self, name: &str) {
        let folder = match name {
            "retap-bench" => "bench".to_owned(),
            name => format!("crates/{}", name.strip_prefix("retap-").unwrap_or(name)),
        };
        let manifest =
            format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[lints]\nworkspace = true\n");
        self.write(&format!("{folder}/Cargo.toml"), &manifest);
        let source = "//! A room, which could use `std::fs` and a `HashMap`.\n\n\
                      #[cfg(test)]\nuse std::{fs, thread};\n\
                      // std::time::Instant::now\nconst TEXT: &str = \"std::net\";\n\n\
                      #[cfg(test)]\nmod tests {\n    use std::fs;\n    pub struct Twice;\n}\n\
                      #[cfg(test)]\nmod sample;\n";
        self.write(&format!("{folder}/src/lib.rs"), source);
        self.write(&format!("{folder}/src/sample.rs"), "//! A sample.\npub struct Sample;\nuse std::env;\n");
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a scratch folder");
        fs::write(path, text).expect("room for a file");
    }

    pub(crate) fn append(&self, path: &str, text: &str) {
        let before = self.read(path);
        self.write(path, &(before + text));
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The folders of all crates, bench included.
    pub(crate) fn crates(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join("crates")).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
            .map(|name| format!("crates/{name}"))
            .collect();
        names.push("bench".to_owned());
        names.sort();
        names
    }

    /// The direct dependencies of every package of the project, development ones apart.
    pub(crate) fn packages(&self) -> BTreeMap<String, BTreeSet<String>> {
        let said = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
            .current_dir(&self.root)
            .output()
            .expect("cargo runs");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        let metadata: Value = serde_json::from_slice(&said.stdout).expect("cargo metadata prints JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let uses = |package: &Value| {
            let list = package["dependencies"].as_array().expect("a list").iter();
            list.filter(|used| used["kind"].as_str() != Some("dev")).map(|used| text(&used["name"])).collect()
        };
        let list = metadata["packages"].as_array().expect("a list").iter();
        list.map(|package| (text(&package["name"]), uses(package))).collect()
    }

    /// All files with this ending under a folder, by their paths in the tree.
    pub(crate) fn files(&self, under: &str, ending: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.join(under)];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{under}: {error}"));
            for entry in entries.map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() && !entry.ends_with("target") {
                    folders.push(entry);
                } else if entry.extension().is_some_and(|found| found == ending) {
                    let inside = entry.strip_prefix(&self.root).expect("it is in the tree");
                    found.push(inside.to_str().expect("a plain path").to_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// The Rust source under a folder.
    pub(crate) fn sources(&self, under: &str) -> Vec<Source> {
        let texts = self.files(under, "rs").into_iter().map(|path| {
            let text = self.read(&path);
            (path, text)
        });
        Source::all(texts.collect())
    }
}
