//! Where the tools are had from: Python environments and a build of retap 0.1, made once in a folder and kept there.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::process::output;
use super::tool::Tool;

/// The last commit before version 0.2 was begun.
const OLD: &str = "1ef580c";
/// Shrink Ray's oldest release here, and the oldest Python that runs it.
const SHRINKRAY: &str = "shrinkray>=26";
const PYTHON: (u32, u32) = (3, 12);
/// Picire takes its version from a module that newer ones of this package lack.
const PKG_RESOURCES: &str = "setuptools<81";

/// A tool that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) version: String,
}

/// The folder for tools, and what was said about them.
#[derive(Debug)]
pub(super) struct Workshop {
    pub(super) folder: PathBuf,
    /// retap, when it need not be built.
    pub(super) retap: Option<PathBuf>,
}

/// The tools that there are, and why the others are not.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub(super) ready: BTreeMap<Tool, Program>,
    pub(super) skipped: BTreeMap<Tool, String>,
}

impl Workshop {
    /// Makes the tools ready. One that cannot be had is skipped, and said to be.
    pub(super) fn prepare(&self, tools: &[Tool]) -> Tools {
        let mut prepared = Tools::default();
        let mut retap: Option<Result<Program, String>> = None;
        for &tool in tools {
            say(&format!("preparing {}", tool.name()));
            let program = match tool {
                Tool::Picire => self.python(&["picire", PKG_RESOURCES], "picire", "python", None),
                Tool::Lithium => self.python(&["lithium-reducer"], "lithium", "python", None),
                Tool::Shrinkray => self.python(&[SHRINKRAY], "shrinkray", "python-shrinkray", Some(PYTHON)),
                Tool::Cvise => cvise(),
                Tool::Old => self.old(),
                _ => retap
                    .get_or_insert_with(|| self.retap().map_err(|error| format!("{error:#}")))
                    .clone()
                    .map_err(anyhow::Error::msg),
            };
            match program {
                Ok(program) => drop(prepared.ready.insert(tool, program)),
                Err(error) => drop(prepared.skipped.insert(tool, format!("{error:#}"))),
            }
        }
        prepared
    }

    /// A program of a package, in an environment of Python that is made when it is missing. Further packages are what
    /// the first one needs and does not ask for.
    fn python(
        &self,
        packages: &[&str],
        program: &str,
        name: &str,
        at_least: Option<(u32, u32)>,
    ) -> anyhow::Result<Program> {
        let home = self.folder.join(name);
        let path = home.join("bin").join(program);
        let inside = || Command::new(home.join("bin").join("python"));
        if !path.exists() {
            if !home.join("bin").join("python").exists() {
                let python = python(at_least)?;
                self.done(Command::new(python).args(["-m", "venv"]).arg(&home))?;
            }
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            self.done(inside().args(install).args(packages))?;
        }
        output(Command::new(&path).arg("--help"))
            .with_context(|| format!("{} cannot be run", path.display()))?;
        let package = packages[0].split(['>', '=']).next().unwrap_or_default();
        let shown = output(inside().args(["-m", "pip", "show", package])).unwrap_or_default();
        let version = shown.lines().find_map(|line| line.strip_prefix("Version: "));
        Ok(Program { path, version: version.unwrap_or("?").to_owned() })
    }

    /// Our own: the one that was named, else the one that is built of this source.
    fn retap(&self) -> anyhow::Result<Program> {
        let path = if let Some(path) = &self.retap {
            path.canonicalize().with_context(|| path.display().to_string())?
        } else {
            let target = self.folder.parent().context("the folder for tools has one above it")?;
            self.build(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), target)?
        };
        version(path)
    }

    /// Version 0.1, built of its commit.
    fn old(&self) -> anyhow::Result<Program> {
        let built = self.folder.join("retap-0.1-target").join("release").join("retap");
        if !built.exists() {
            let source = self.folder.join("retap-0.1");
            if !source.join("Cargo.toml").exists() {
                let mut git = Command::new("git");
                git.current_dir(env!("CARGO_MANIFEST_DIR"));
                git.args(["worktree", "add", "--force", "--detach"]).arg(&source).arg(OLD);
                self.done(&mut git).with_context(|| format!("commit {OLD} cannot be had"))?;
            }
            self.build(&source, &self.folder.join("retap-0.1-target"))?;
            // It is not needed any more, and nobody wants it in their list of work trees.
            let mut git = Command::new("git");
            git.current_dir(env!("CARGO_MANIFEST_DIR")).args(["worktree", "remove", "--force"]);
            let _ = self.done(git.arg(&source));
        }
        version(built)
    }

    fn build(&self, source: &Path, target: &Path) -> anyhow::Result<PathBuf> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.current_dir(source).args(["build", "--release", "--quiet", "-p", "retap", "--target-dir"]);
        self.done(build.arg(target))?;
        Ok(target.join("release").join("retap"))
    }

    /// Runs a command that must end well; what it says goes to a file.
    fn done(&self, command: &mut Command) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let log = self.folder.join("setup.log");
        let file = File::options().create(true).append(true).open(&log)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let name = command.get_program().to_string_lossy().into_owned();
        let status = command.status().with_context(|| format!("{name} cannot be started"))?;
        ensure!(status.success(), "{name} failed, see {}", log.display());
        Ok(())
    }
}

fn cvise() -> anyhow::Result<Program> {
    let version = output(Command::new("cvise").arg("--version")).context("cvise is not installed")?;
    let version = version.split_whitespace().nth(1).unwrap_or("?").to_owned();
    Ok(Program { path: PathBuf::from("cvise"), version })
}

fn version(path: PathBuf) -> anyhow::Result<Program> {
    let said = output(Command::new(&path).arg("--version"))
        .with_context(|| format!("{} cannot be run", path.display()))?;
    Ok(Program { path, version: said.split_whitespace().nth(1).unwrap_or("?").to_owned() })
}

/// A Python of at least this version. One that is there by name may still be none, so it is asked.
fn python(at_least: Option<(u32, u32)>) -> anyhow::Result<String> {
    let least = at_least.unwrap_or((3, 8));
    let newer = (PYTHON.1..PYTHON.1 + 4).map(|minor| format!("python3.{minor}"));
    for name in ["python3".to_owned()].into_iter().chain(newer) {
        let said = output(Command::new(&name).arg("--version")).unwrap_or_default();
        let number = said.split_whitespace().nth(1).unwrap_or_default();
        let mut parts = number.split('.').map_while(|part| part.parse::<u32>().ok());
        if parts.next().zip(parts.next()).is_some_and(|found| found >= least) {
            return Ok(name);
        }
    }
    bail!("no Python of version {}.{} or later was found", least.0, least.1)
}

/// A line about progress, on stderr.
#[expect(clippy::print_stderr, reason = "stdout is for the tables")]
pub(super) fn say(line: &str) {
    eprintln!("{line}");
}
