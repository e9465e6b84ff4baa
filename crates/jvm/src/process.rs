//! A process that is told what to do and answers, one JSON object a line.
//!
//! The app runs in the same process and may print whatever it likes, also what looks like an answer. Each request
//! carries a random number, and a line that does not repeat it under the seal of the Java side is no answer. Every call
//! has a deadline, and a process that does not keep it is killed.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::run_folder::{ERROR_FILE, SCRATCH};
use crate::seal::{SEAL_DIGITS, Seal, Side};
use crate::warden::{MOST, Warden};
use crate::{run, spawn};

/// A running process. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct JvmProcess {
    child: Child,
    /// The child is waited for only after this was stopped.
    warden: Warden,
    seal: Seal,
    /// What it may write to.
    folder: PathBuf,
    /// Closing this closes its standard input.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Heard>,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// How many requests there were. None is done twice.
    asked: u64,
    /// Lines that were no answers.
    ignored: u64,
    /// The clock of the last answer, in microseconds. It starts from zero at every reset.
    clock: u64,
    /// What has passed on it, all resets together.
    passed: u64,
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    /// The process is gone.
    #[error("the JVM {0}")]
    Ended(String),
    /// It did not answer in time, and was killed.
    #[error("the JVM did not answer '{what}' within {:.1} s", within.as_secs_f64())]
    Deadline { what: &'static str, within: Duration },
    /// It answered something that is no answer.
    #[error("the JVM answered '{what}' with {why}")]
    Garbled { what: &'static str, why: String },
    /// It answered that it cannot.
    #[error("{text}")]
    Refused { kind: Refusal, text: String },
}

/// Whose fault it is that something cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    App,
    Device,
    Unsupported,
}

#[derive(Debug)]
enum Heard {
    Line(Vec<u8>),
    TooLong,
}

/// A picture of a large screen fits easily.
const LONGEST_LINE: u64 = 64 << 20;
/// So many lines wait to be looked at; after that, the one who prints waits.
const LINES_WAITING: usize = 4;
const ERROR_LINES: usize = 200;
const LONGEST_ERROR: u64 = 2_000;
/// How long a process that has closed its output may take to be gone.
const LAST_BREATH: Duration = Duration::from_secs(2);

impl JvmProcess {
    /// Starts one, which may write to this folder.
    pub(crate) fn start(mut command: Command, folder: &Path) -> std::io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let seal = Seal::new().map_err(std::io::Error::other)?;
        let mut child = spawn::spawn(command)?;
        let warden = Warden::start(child.id(), Some(folder.to_owned()), MOST).inspect_err(|_| {
            spawn::end(&mut child);
        })?;
        let errors = Arc::default();
        let (input, requests) = channel();
        // It is there before anything of the app is.
        let _ = input.send(format!("{{\"key\":\"{}\"}}\n", seal.key()).into_bytes());
        let (heard, lines) = sync_channel(LINES_WAITING);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self {
            child,
            warden,
            seal,
            folder: folder.to_owned(),
            input: Some(input),
            lines,
            errors,
            asked: 0,
            ignored: 0,
            clock: 0,
            passed: 0,
        };
        let kept = process.errors.clone();
        thread("writes to a JVM", move || stdin.into_iter().for_each(|stdin| write(stdin, &requests)))?;
        thread("reads a JVM", move || stdout.into_iter().for_each(|out| read(BufReader::new(out), &heard)))?;
        thread("reads a JVM's errors", move || stderr.into_iter().for_each(|errors| keep(errors, &kept)))?;
        Ok(process)
    }

    /// The device's time that has passed since it was started, in microseconds.
    pub(crate) const fn passed(&self) -> u64 {
        self.passed
    }

    /// How many lines were read that were no answers.
    #[cfg(test)]
    pub(crate) const fn ignored(&self) -> u64 {
        self.ignored
    }

    /// The number of the process.
    #[cfg(test)]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks, and waits for the answer. After any error but a refusal the process is of no more use.
    pub(crate) fn call(
        &mut self,
        what: &'static str,
        fields: Map<String, Value>,
        within: Duration,
    ) -> Result<Value, CallError> {
        let until = Instant::now() + within;
        let id = random_id().map_err(|why| CallError::Garbled { what, why })?;
        let mut request = Map::new();
        request.insert("id".to_owned(), id.as_str().into());
        request.insert("do".to_owned(), what.into());
        self.asked += 1;
        request.insert("number".to_owned(), self.asked.into());
        request.extend(fields);
        let request = Value::Object(request).to_string();
        let line = format!("{} {request}\n", self.seal.of(Side::Asks, request.as_bytes()));
        if self.input.as_ref().is_none_or(|input| input.send(line.into_bytes()).is_err()) {
            return Err(CallError::Ended(self.last_words()));
        }
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(Heard::Line(line)) => match answer(&line, &id, &self.seal) {
                    Some(answer) => return self.take(what, answer),
                    None => self.ignored += 1,
                },
                Ok(Heard::TooLong) => {
                    self.end();
                    let why = format!("a line of more than {} MB", LONGEST_LINE >> 20);
                    return Err(CallError::Garbled { what, why });
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.end();
                    return Err(CallError::Deadline { what, within });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(CallError::Ended(self.last_words())),
            }
            // Lines that come faster than they are read must not put the deadline off.
            if Instant::now() >= until {
                self.end();
                return Err(CallError::Deadline { what, within });
            }
        }
    }

    fn take(&mut self, what: &'static str, mut answer: Map<String, Value>) -> Result<Value, CallError> {
        if let Some(clock) = answer.get("clock").and_then(Value::as_u64) {
            let before = if what == "reset" { 0 } else { self.clock };
            self.passed = self.passed.saturating_add(clock.saturating_sub(before));
            self.clock = clock;
        }
        if let Some(done) = answer.remove("ok") {
            return Ok(done);
        }
        let error = answer.get("error");
        let part = |name: &str| error.and_then(|error| error.get(name)).and_then(Value::as_str);
        let kind = match part("kind") {
            Some("app") => Refusal::App,
            Some("device") => Refusal::Device,
            Some("unsupported") => Refusal::Unsupported,
            _ => {
                self.end();
                let why = "neither a result nor an error".to_owned();
                return Err(CallError::Garbled { what, why });
            }
        };
        let text = one_line(part("text").unwrap_or("it does not say why"));
        Err(CallError::Refused { kind, text })
    }

    /// Kills it. What it was started by ends first; the JVM itself has ended when nobody holds its output any more.
    pub(crate) fn end(&mut self) {
        self.input = None;
        self.warden.stop();
        spawn::end(&mut self.child);
        let until = Instant::now() + LAST_BREATH;
        while self.lines.recv_timeout(until.saturating_duration_since(Instant::now())).is_ok() {}
    }

    /// How it ended, and the last that it said of it. It is gone afterwards.
    fn last_words(&mut self) -> String {
        let seen_to = self.warden.stop();
        let ended = match run::wait(&mut self.child, LAST_BREATH) {
            Ok(Some(status)) => run::ended(status),
            _ => "closed its output".to_owned(),
        };
        self.end();
        if let Some(why) = seen_to {
            return format!("was ended: {why}");
        }
        // What was printed last may still be on its way.
        let began = Instant::now();
        while Arc::strong_count(&self.errors) > 1 && began.elapsed() < LAST_BREATH {
            std::thread::sleep(Duration::from_millis(2));
        }
        if let Some(how) = self.fatal_error() {
            return format!("{ended}; it crashed: {how}");
        }
        match self.last_error() {
            Some(line) => format!("{ended}; the last that it said: {line}"),
            None => ended,
        }
    }

    /// What the JVM says of its own end, where that was none of Java's.
    fn fatal_error(&self) -> Option<String> {
        const HEAD: u64 = 4_096;
        let mut head = Vec::new();
        let file = std::fs::File::open(self.folder.join(SCRATCH).join(ERROR_FILE)).ok()?;
        file.take(HEAD).read_to_end(&mut head).ok()?;
        let head = String::from_utf8_lossy(&head);
        let mut report = head.lines().skip_while(|line| !line.starts_with("# A fatal error")).skip(1);
        let how = report.find_map(|line| line.strip_prefix("#  "))?;
        Some(one_line(how.split(" at pc=").next().unwrap_or(how)))
    }

    /// The line on its standard error that says most of why it ended: the last one, or the last that names an
    /// exception, behind which there are only lines of its stack.
    fn last_error(&self) -> Option<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let told = errors.iter().rev().filter(|line| !line.trim().is_empty());
        let stack = |line: &str| line.starts_with("at ") || line.starts_with("... ");
        told.map(|line| line.trim()).find(|line| !stack(line)).map(str::to_owned)
    }
}

impl Drop for JvmProcess {
    fn drop(&mut self) {
        self.end();
    }
}

fn thread(name: &str, body: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).map(|_| ())
}

/// Writes requests. One that hangs does not even read them: nobody else waits for it.
fn write(mut to: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for request in requests {
        if to.write_all(&request).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn read(mut from: impl BufRead, heard: &SyncSender<Heard>) {
    loop {
        let mut line = Vec::new();
        let count = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let heard = match count {
            Ok(0) | Err(_) => return,
            Ok(count) if count as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                let _ = heard.send(Heard::TooLong);
                return;
            }
            Ok(_) => heard.send(Heard::Line(line)),
        };
        if heard.is_err() {
            return;
        }
    }
}

/// Keeps the last lines, and never lets the process wait for anybody to read them.
fn keep(from: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut from = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        match from.by_ref().take(LONGEST_ERROR).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == ERROR_LINES {
                    kept.pop_front();
                }
                kept.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
        }
    }
}

/// The answer to the request of this number, if the line is one.
fn answer(line: &[u8], id: &str, seal: &Seal) -> Option<Map<String, Value>> {
    // Few lines that are no answers are worth reading as JSON.
    let place = find(line, id.as_bytes())?;
    // The app may have printed something without ending the line.
    let (sealed, text) = (0..=place).rev().find_map(|start| sealed(line, start))?;
    if sealed != seal.of(Side::Answers, text).as_bytes() {
        return None;
    }
    let answer: Map<String, Value> = serde_json::from_slice(text).ok()?;
    (answer.get("id").and_then(Value::as_str) == Some(id)).then_some(answer)
}

/// The seal and the object that begins here, if both are there.
fn sealed(line: &[u8], start: usize) -> Option<(&[u8], &[u8])> {
    let text = line.get(start..).filter(|text| text.first() == Some(&b'{'))?;
    let (seal, gap) = line.get(start.checked_sub(SEAL_DIGITS + 1)?..start)?.split_at(SEAL_DIGITS);
    let is_one = gap == b" " && seal.iter().all(u8::is_ascii_hexdigit);
    is_one.then_some((seal, text.trim_ascii_end()))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn random_id() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random number: {error}"))?;
    Ok(u128::from_le_bytes(bytes)).map(|number| format!("{number:032x}"))
}

/// What is said, as one line that is not too long.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
