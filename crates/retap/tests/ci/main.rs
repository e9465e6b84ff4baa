//! What build servers get: `JUnit` XML, SARIF, annotations and summaries on GitHub, the action, exit codes.

mod action;
#[path = "../command/mod.rs"]
mod command;
mod github;
mod junit;
mod no_crash;
mod progress;
mod sarif;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use command::{retap, sample};

/// A folder with some samples, in a git checkout that tracks some of the source of their app.
pub(crate) struct Checkout(tempfile::TempDir);

impl Checkout {
    pub(crate) fn new() -> Self {
        let checkout = Self(command::scratch());
        for name in ["notes-unnamed-tag", "notes-sync-conflict", "notes-empty-history"] {
            checkout.write(
                &format!("{name}.trace.jsonl"),
                &std::fs::read_to_string(sample(name)).expect("a sample"),
            );
        }
        // Two keys that crash nothing.
        let keys: Vec<String> =
            checkout.read("notes-unnamed-tag.trace.jsonl").lines().take(3).map(str::to_owned).collect();
        checkout.write("keys.trace.jsonl", &format!("{}\n", keys.join("\n")));
        checkout.write("app/src/org/retap/notes/EditorActivity.java", "class EditorActivity {}\n");
        checkout.write("app/src/org/retap/notes/sync/Merger.java", "class Merger {}\n");
        for args in [&["init", "-q"][..], &["add", "app"]] {
            let done =
                Command::new("git").args(args).current_dir(checkout.path()).status().expect("git runs");
            assert!(done.success());
        }
        checkout
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a scratch folder");
        std::fs::write(path, text).expect("room for a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command, on no build server, whatever these tests run on.
    pub(crate) fn retap(&self, args: &[&str]) -> Command {
        let mut command = retap(self.path(), args);
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.retap(args).output().expect("retap runs")
    }
}
