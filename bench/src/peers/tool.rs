//! Who reduces: other people's tools, the papers' algorithms in ours, and ours.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::workshop::Program;

/// A reducer with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Tool {
    /// Picire, with its defaults
    Picire,
    /// Lithium, with its defaults
    Lithium,
    /// C-Vise, with the passes of its group `delta`, which only remove lines
    Cvise,
    /// Shrink Ray, without language models
    Shrinkray,
    /// ddmin with ND3MIN's rule
    #[value(name = "ddmin-18/20")]
    Ddmin18,
    /// ddmin that believes one run
    #[value(name = "ddmin-1/1")]
    Ddmin1,
    /// HDD on the recorded activities
    Hdd,
    /// BHDD on the recorded activities
    Bhdd,
    /// LHDD on the recorded activities
    Lhdd,
    /// ECHO on the recorded activities
    Echo,
    /// CDD
    Cdd,
    /// What version 0.1 of retap does when nothing is asked of it
    #[value(name = "retap-0.1")]
    Old,
    /// What retap does when nothing is asked of it, on the plain list
    Auto,
    /// The same on the trace that has recorded its activities
    #[value(name = "auto-states")]
    AutoStates,
}

/// Who made a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Other people.
    Peer,
    /// The papers; retap carries it out.
    Paper,
    Ours,
}

/// The files of one reduction, all in a folder of its own.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
    /// What is reduced; tools that work in place leave their answer here.
    pub(super) input: PathBuf,
    /// The oracle as a script: `check.sh [CANDIDATE]`.
    pub(super) check: PathBuf,
    /// The oracle as a module of Python, for Lithium.
    pub(super) module: PathBuf,
    /// The oracle itself, and the model for it.
    pub(super) oracle: PathBuf,
    pub(super) model: PathBuf,
}

/// Where peers are told how to judge, in their own words.
pub(super) const MODULE: &str = "import subprocess\n\n\ndef interesting(args, prefix):\n    \
                                 return subprocess.call(args) == 0\n";

impl Tool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Picire => "picire",
            Self::Lithium => "lithium",
            Self::Cvise => "cvise",
            Self::Shrinkray => "shrinkray",
            Self::Ddmin18 => "ddmin-18/20",
            Self::Ddmin1 => "ddmin-1/1",
            Self::Hdd => "hdd",
            Self::Bhdd => "bhdd",
            Self::Lhdd => "lhdd",
            Self::Echo => "echo",
            Self::Cdd => "cdd",
            Self::Old => "retap-0.1",
            Self::Auto => "auto",
            Self::AutoStates => "auto-states",
        }
    }

    pub(super) const fn family(self) -> Family {
        match self {
            Self::Picire | Self::Lithium | Self::Cvise | Self::Shrinkray => Family::Peer,
            Self::Old | Self::Auto | Self::AutoStates => Family::Ours,
            _ => Family::Paper,
        }
    }

    /// Whether its best so far stands in its input at any time, so that it is the answer when time is over. (Lithium
    /// writes every candidate there.)
    pub(super) const fn keeps_its_best(self) -> bool {
        matches!(self, Self::Cvise | Self::Shrinkray)
    }

    /// Whether it is given a trace with states, and so has nothing to do with lists.
    pub(super) const fn wants_states(self) -> bool {
        matches!(self, Self::Hdd | Self::Bhdd | Self::Lhdd | Self::Echo | Self::AutoStates)
    }

    /// The settings with which retap is what is asked for.
    fn retap(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::Picire | Self::Lithium | Self::Cvise | Self::Shrinkray => return None,
            Self::Ddmin18 => &["--search", "ddmin", "--rule", "18/20"],
            Self::Ddmin1 => &["--search", "ddmin", "--rule", "1/1"],
            Self::Hdd => &["--search", "hdd", "--rule", "1/1"],
            Self::Bhdd => &["--search", "bhdd", "--rule", "1/1"],
            Self::Lhdd => &["--search", "lhdd", "--rule", "1/1"],
            Self::Echo => &["--search", "echo", "--rule", "1/1"],
            Self::Cdd => &["--search", "cdd", "--rule", "1/1"],
            Self::Old | Self::Auto | Self::AutoStates => &[],
        })
    }

    /// The command that reduces, and the file that will hold its answer.
    pub(super) fn command(self, program: &Program, files: &Files, seed: u64) -> (Command, PathBuf) {
        let mut command = Command::new(&program.path);
        command.current_dir(&files.folder);
        let answer = match self.retap() {
            Some(settings) => retap(&mut command, settings, files, seed),
            None => self.peer(&mut command, files, seed),
        };
        (command, answer)
    }

    fn peer(self, command: &mut Command, files: &Files, seed: u64) -> PathBuf {
        let name = Path::new(files.input.file_name().expect("a file has a name"));
        match self {
            Self::Picire => {
                command.args(["--quiet", "--encoding", "utf-8", "--out", "out", "--input"]);
                command.arg(name).arg("--test").arg(&files.check);
                return files.folder.join("out").join(name);
            }
            Self::Lithium => {
                command.args(["--tempdir", "."]).arg(&files.module);
                command.arg(&files.oracle).arg("oracle").arg(&files.model).arg(name);
            }
            Self::Cvise => {
                command.args(["--n", "1", "--pass-group", "delta", "--tidy", "--skip-key-off"]);
                command.arg(&files.check).arg(name);
            }
            _ => {
                // It works without a language model: it would have to fetch one first.
                command.env("SHRINKRAY_LLM", "0").arg("--no-llm");
                // When it is done it would start over, and look for minutes for what it had not tried, without a run.
                command.arg("--no-restart");
                command.args(["--ui", "basic", "--volume", "quiet", "--no-history", "--formatter", "none"]);
                command.args(["--parallelism", "1", "--input-type", "arg", "--trivial-is-not-error"]);
                command.arg("--seed").arg(seed.to_string()).arg(&files.check).arg(name);
            }
        }
        files.input.clone()
    }
}

fn retap(command: &mut Command, settings: &[&str], files: &Files, seed: u64) -> PathBuf {
    let name = files.input.file_name().expect("a file has a name").to_string_lossy();
    let answer = files.folder.join(format!("answer-{name}"));
    let oracle = format!("cmd:exec {} oracle {} \"$1\"", quoted(&files.oracle), quoted(&files.model));
    command.arg("reduce").arg(&files.input).args([
        "--to",
        &oracle,
        "--no-values",
        "--json",
        "--out",
        "session",
    ]);
    command.arg("--seed").arg(seed.to_string()).arg("--write").arg(&answer).args(settings);
    answer
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
