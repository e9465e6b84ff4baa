//! A scratch folder with the sample in a JVM, and the processes that were started for it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use retap_testing::{Requirement, skipped, until};

use crate::command::{retap, scratch, words};

/// The app that is part of retap.
pub(crate) const SAMPLE: &str = "jvm:sample";
/// What Maven gets is kept between runs, in the folder of the build.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");

pub(crate) struct Bench {
    pub(crate) scratch: tempfile::TempDir,
    /// What is kept for this test. It is in the command line of every process that belongs to it.
    pub(crate) folder: PathBuf,
}

impl Bench {
    /// None where something is missing, which is said.
    pub(crate) fn new(test: &str) -> Option<Self> {
        for name in ["java", "javac", "mvn"] {
            program(name)?;
        }
        let scratch = scratch();
        // The Java side is built once for all tests, and each has JVMs of its own.
        let folder = scratch.path().join(format!("cache-{test}"));
        let bench = Self { scratch, folder };
        let first = ["device", "screenshot", SAMPLE, "first.png"];
        let made = bench.with_cache(CACHE.as_ref(), &first).output().expect("retap runs");
        if words(&made).contains("Maven could not build") {
            skipped(Requirement::Java, words(&made));
            return None;
        }
        assert!(made.status.success(), "{}", words(&made));
        link(&Path::new(CACHE).join("retap/jvm"), &bench.folder.join("retap/jvm"));
        Some(bench)
    }

    pub(crate) fn with_cache(&self, cache: &Path, args: &[&str]) -> Command {
        let mut command = retap(self.scratch.path(), args);
        command.env("XDG_CACHE_HOME", cache);
        command
    }

    pub(crate) fn retap(&self, args: &[&str]) -> Command {
        self.with_cache(&self.folder, args)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.retap(args).output().expect("retap runs")
    }

    /// The processes that were started for this test, without retap itself.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let mark = self.folder.to_str().expect("a plain path");
        let entries = std::fs::read_dir("/proc").expect("Linux").flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let ours = |number: &i32| {
            let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(mark)
        };
        numbers.filter(ours).collect()
    }

    pub(crate) fn assert_nothing_runs(&self) {
        until("no JVM is left", || self.processes().is_empty());
    }
}

/// A program of `PATH`. None where there is none, which is said.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        skipped(Requirement::Java, format_args!("there is no {name}"));
    }
    found
}

/// The same folder again, made of links to its files.
fn link(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        // What another test makes just now is not complete.
        let passing =
            entry.file_name() == "run" || entry.file_name().to_string_lossy().starts_with("making-");
        if passing {
        } else if path.is_dir() {
            link(&path, &copy);
        } else if std::fs::hard_link(&path, &copy).is_err() {
            std::fs::copy(&path, &copy).expect("a copy");
        }
    }
}

pub(crate) fn kill(number: i32) {
    // One that has ended meanwhile is no failure.
    let _ = Command::new("kill").args(["-9", &number.to_string()]).stderr(Stdio::null()).status();
}

pub(crate) fn quiet(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap runs")
}
