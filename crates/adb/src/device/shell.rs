//! One shell on the device that stays open.
//!
//! Starting a shell for each command costs tens of milliseconds. So commands are written to one that stays, each with
//! a mark behind it that carries the status; the mark on the error stream says that all errors have come too.
//! Where a device does not play along, each command gets a shell of its own.

use std::time::Duration;

use crate::client::{AdbError, Deadline, ProcessOutput, ShellOutput, ShellProcess, Transport};

#[derive(Debug)]
pub(super) struct Shell {
    transport: Transport,
    process: Option<ShellProcess>,
    kind: Kind,
    commands: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Not tried yet.
    Unknown,
    /// A shell stays open. `errors`: it also marks its error stream.
    Kept { errors: bool },
    /// Every command has a shell of its own.
    Single,
}

/// How long a new shell may take to answer before we do without.
const PROBE: Duration = Duration::from_secs(5);
/// More than this no command prints that we want to hear.
const LONGEST: usize = 64 << 20;

impl Shell {
    pub(super) const fn new(transport: Transport) -> Self {
        Self { transport, process: None, kind: Kind::Unknown, commands: 0 }
    }

    /// Runs a command of one line.
    pub(super) fn run(&mut self, command: &str, deadline: &Deadline) -> Result<ShellOutput, AdbError> {
        let ran = self.run_kept(command, deadline);
        if ran.is_err() {
            // Whatever it still says belongs to a command that nobody waits for.
            self.process = None;
        }
        ran
    }

    /// The device may have changed under us: start over at the next command.
    pub(super) fn forget(&mut self) {
        self.process = None;
    }

    fn run_kept(&mut self, command: &str, deadline: &Deadline) -> Result<ShellOutput, AdbError> {
        if self.kind == Kind::Unknown {
            self.kind = self.probe(deadline)?;
        }
        let Kind::Kept { errors } = self.kind else { return self.transport.shell(command, deadline) };
        if self.process.as_ref().is_none_or(ShellProcess::is_gone) {
            self.process = Some(self.transport.spawn("sh", deadline)?);
        }
        self.ask(command, errors, deadline)
    }

    /// Finds out whether a shell can stay open.
    fn probe(&mut self, deadline: &Deadline) -> Result<Kind, AdbError> {
        let part = deadline.part(deadline.what(), PROBE);
        let mut process = self.transport.spawn("sh", &part)?;
        let apart = process.tells_apart();
        for errors in [true, false] {
            if errors && !apart {
                continue;
            }
            self.process = Some(process);
            let wait =
                if apart && errors { part.part(part.what(), Duration::from_secs(2)) } else { part.clone() };
            match self.ask("echo hello", errors, &wait) {
                Ok(output) if output.status == 0 && output.text().trim() == "hello" => {
                    return Ok(Kind::Kept { errors });
                }
                Err(error) if error.is_drop() && !matches!(error, AdbError::Dropped { .. }) => {
                    return Err(error);
                }
                _ => {}
            }
            self.process = None;
            deadline.left()?;
            process = self.transport.spawn("sh", &part)?;
        }
        Ok(Kind::Single)
    }

    fn ask(&mut self, command: &str, errors: bool, deadline: &Deadline) -> Result<ShellOutput, AdbError> {
        self.commands += 1;
        let mark = format!("retap-{}-done", self.commands);
        let process = self.process.as_mut().expect("it was opened before");
        let behind = if errors { format!("; echo \"{mark}\" >&2") } else { String::new() };
        process.write(format!("{command}; echo \"{mark} $?\"{behind}\n").as_bytes(), deadline)?;
        let (mut output, mut problems) = (Collected::new(&mark), Collected::new(&mark));
        loop {
            match process.read(deadline)? {
                ProcessOutput::Stdout(bytes) => output.add(&bytes),
                ProcessOutput::Stderr(bytes) => problems.add(&bytes),
                ProcessOutput::Ended(_) => {
                    return Err(AdbError::Dropped {
                        what: deadline.what(),
                        why: "the shell ended".to_owned(),
                    });
                }
            }
            if output.bytes.len() + problems.bytes.len() > LONGEST {
                return Err(AdbError::TooMuch { what: deadline.what(), limit: LONGEST });
            }
            let Some((at, rest)) = output.mark() else { continue };
            if errors && problems.mark().is_none() {
                continue;
            }
            let status = rest.trim().parse().unwrap_or(0);
            output.bytes.truncate(at);
            let end = problems.mark().map_or(problems.bytes.len(), |(at, _)| at);
            problems.bytes.truncate(end);
            return Ok(ShellOutput { stdout: output.bytes, stderr: problems.bytes, status });
        }
    }
}

/// What came so far, and where the mark is in it.
struct Collected {
    bytes: Vec<u8>,
    mark: Vec<u8>,
    /// Up to here there is no mark.
    searched: usize,
}

impl Collected {
    fn new(mark: &str) -> Self {
        Self { bytes: Vec::new(), mark: mark.as_bytes().to_vec(), searched: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Where the mark begins, and the rest of its line once the line is whole.
    fn mark(&mut self) -> Option<(usize, String)> {
        let found =
            self.bytes[self.searched..].windows(self.mark.len()).position(|window| window == self.mark);
        let Some(found) = found else {
            self.searched = self.bytes.len().saturating_sub(self.mark.len());
            return None;
        };
        let at = self.searched + found;
        let behind = &self.bytes[at + self.mark.len()..];
        let end = behind.iter().position(|byte| *byte == b'\n')?;
        Some((at, String::from_utf8_lossy(&behind[..end]).into_owned()))
    }
}
