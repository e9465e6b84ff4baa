//! An outside oracle: a command that says whether a candidate reproduces.
//!
//! The command gets the candidate as a file, by its name as the last argument and on standard input, one event a
//! line. It runs in a temporary folder of its own, where the file is, and is judged by how it ends: 0 is reached, 1
//! is missed, anything else says nothing. What it prints goes nowhere. One that does not end in time is killed, with
//! everything it has started, and counts as missed: a candidate that hangs is no answer either.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use retap_reduce::{Goal, Order, Outcome};
use retap_trace::Micros;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::{Report, Worker};

/// Everything that runs of one command share.
#[derive(Debug, Clone)]
pub struct CommandOracle {
    /// The command, as a shell takes it.
    pub command: String,
    /// The name of the file that it is given; tools go by endings.
    pub file: String,
    /// What stands before the lines of every candidate: the header of a trace.
    pub head: Arc<[u8]>,
    /// The lines, each with its end.
    pub lines: Arc<[Box<[u8]>]>,
    /// How long a run may take.
    pub timeout: Duration,
    /// The folder that words like `./check.sh` are meant in.
    pub folder: PathBuf,
}

/// One process at a time that judges candidates.
#[derive(Debug)]
pub struct Judge {
    oracle: Arc<CommandOracle>,
    name: String,
}

/// How a command ended.
enum End {
    Exit(ExitStatus),
    TooLate,
    Stopped,
}

impl CommandOracle {
    /// What is wrong with the command, if it is certain that it cannot be run.
    pub fn fault(&self) -> Option<String> {
        let word = self.command.split_whitespace().next()?;
        let plain = |char: char| char.is_alphanumeric() || "-_./+".contains(char);
        if !word.chars().all(plain) {
            return None;
        }
        if word.contains('/') {
            let path = self.folder.join(word);
            return match std::fs::metadata(&path) {
                Err(error) => Some(format!("the command {word} cannot be run: {error}")),
                Ok(found) if !found.is_file() => Some(format!("the command {word} is not a file")),
                Ok(_) if rustix::fs::access(&path, rustix::fs::Access::EXEC_OK).is_err() => {
                    Some(format!("the command {word} is not executable; try: chmod +x {word}"))
                }
                Ok(_) => None,
            };
        }
        let known = Command::new("sh")
            .args(["-c", "command -v -- \"$1\"", "sh", word])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let found = known.is_ok_and(|status| status.success());
        (!found).then(|| format!("there is no command '{word}'"))
    }

    pub fn judges(self, count: u32) -> Vec<Judge> {
        let oracle = Arc::new(self);
        let judge = |number| Judge { oracle: oracle.clone(), name: format!("process {number}") };
        (1..=count).map(judge).collect()
    }

    /// The command with its first word made absolute, because it does not run in the folder it was typed in.
    fn script(&self) -> String {
        let command = self.command.trim_start();
        let relative = ["./", "../"].iter().any(|start| command.starts_with(start));
        let command = if relative { format!("\"$RETAP_DIR\"/{command}") } else { command.to_owned() };
        if command.contains("$1") { command } else { format!("{command} \"$1\"") }
    }

    fn start(&self, order: &Order, folder: &Path) -> io::Result<Child> {
        let path = folder.join(&self.file);
        let mut file = io::BufWriter::new(File::create(&path)?);
        file.write_all(&self.head)?;
        for position in order.subset.positions() {
            file.write_all(&self.lines[position as usize])?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let goal = match order.goal {
            Goal::Target => "target".to_owned(),
            Goal::Arrive(step) => format!("arrive:{}", step + 1),
        };
        Command::new("sh")
            .args(["-c", &self.script(), "sh"])
            .arg(&path)
            .current_dir(folder)
            .env("RETAP_DIR", &self.folder)
            .env("RETAP_GOAL", goal)
            .env("TMPDIR", folder)
            .stdin(File::open(&path)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
    }

    fn judge(&self, order: &Order, stop: &dyn Fn() -> bool, report: &mut Report) -> io::Result<Outcome> {
        let folder = tempfile::Builder::new().prefix("retap-").tempdir()?;
        let mut child = self.start(order, folder.path())?;
        let end = wait(&mut child, Instant::now() + self.timeout, stop)?;
        report.ended.events = order.subset.len();
        Ok(match end {
            End::Stopped => Outcome::Inconclusive,
            End::TooLate => {
                report.why = Some(format!("the command was stopped after {:?}", self.timeout));
                Outcome::Missed
            }
            End::Exit(status) => match status.code() {
                Some(0) => Outcome::Reached,
                Some(1) => Outcome::Missed,
                code => {
                    report.why = Some(self.strange(code, status.signal()));
                    Outcome::Inconclusive
                }
            },
        })
    }

    fn strange(&self, code: Option<i32>, signal: Option<i32>) -> String {
        match (code, signal) {
            (Some(code @ (126 | 127)), _) => format!(
                "'{}' ended with {code}, so something in it cannot be run; it runs in a folder of its own, and \
                 $RETAP_DIR is the folder in which it was typed",
                self.command
            ),
            (Some(code), _) => format!(
                "'{}' ended with {code}, which is neither 0 (it reproduces) nor 1 (it does not)",
                self.command
            ),
            (None, signal) => {
                format!("'{}' was ended by signal {}", self.command, signal.unwrap_or_default())
            }
        }
    }
}

impl Worker for Judge {
    type Order = Order;
    type Report = Report;

    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, order: &Order, stop: &dyn Fn() -> bool) -> Report {
        let began = Instant::now();
        let mut report = Report::begun(&self.name);
        match self.oracle.judge(order, stop, &mut report) {
            Ok(outcome) => report.ended.outcome = outcome,
            Err(error) => report.why = Some(format!("the command cannot be started: {error}")),
        }
        report.took = Micros(u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX));
        report
    }
}

/// Waits for a process, but not for ever. Whatever it has started ends with it: nothing may outlive its folder.
fn wait(child: &mut Child, until: Instant, stop: &dyn Fn() -> bool) -> io::Result<End> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process has a number");
    // Most oracles take milliseconds; those that take minutes need not be asked a thousand times a second.
    let mut pause = Duration::from_micros(200);
    let early = loop {
        // It is left a zombie until its group is gone: until then its number cannot become another's.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(pid), options)?.is_some() {
            break None;
        }
        if stop() {
            break Some(End::Stopped);
        }
        if Instant::now() >= until {
            break Some(End::TooLate);
        }
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(50));
    };
    // An error means that nothing is left to kill.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    Ok(early.unwrap_or(End::Exit(status)))
}
