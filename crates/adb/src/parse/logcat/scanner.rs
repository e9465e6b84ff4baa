//! Reads a log as it comes and tells the news of one app.

use std::collections::VecDeque;

use retap_trace::Crash;

use super::LogcatLine;
use super::block::Block;

/// News of the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogNews {
    /// It crashed, or did not respond.
    Crash(Crash),
    /// It was ended without a crash.
    Killed { process: u32, cause: KillCause },
    /// A mark that we wrote into the log ourselves: all that was logged before it has been read.
    Mark(u64),
}

/// Who ended a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KillCause {
    /// The system was short of memory. It says nothing about the app.
    LowMemory,
    /// The system, for the reason that it gives.
    System(String),
    /// It died, and the log does not say why.
    Unknown,
}

/// Reads bytes, keeps what may still matter, tells news.
#[derive(Debug)]
pub struct LogScanner {
    package: String,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    blocks: Vec<Block>,
    /// Processes that are known to be of the app.
    processes: VecDeque<u32>,
    /// Processes whose end was told already.
    ended: VecDeque<u32>,
    news: VecDeque<LogNews>,
}

/// The tag of our own lines.
pub(crate) const MARK_TAG: &str = "retap";
const MARK_WORD: &str = "mark ";

/// Logcat cuts lines at 4 KiB; a longer one is noise and is cut too.
const LONGEST_LINE: usize = 64 << 10;
const MOST_BLOCKS: usize = 16;
const MOST_NEWS: usize = 1_024;
const MOST_PROCESSES: usize = 64;

impl LogScanner {
    /// News of this app.
    pub fn new(package: impl Into<String>) -> Self {
        Self {
            package: package.into(),
            partial: Vec::new(),
            blocks: Vec::new(),
            processes: VecDeque::new(),
            ended: VecDeque::new(),
            news: VecDeque::new(),
        }
    }

    /// Reads what came next, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST_LINE.saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.partial);
                self.line(&String::from_utf8_lossy(&line));
            }
        }
    }

    /// Nothing more has come for a while: blocks that are open are whole.
    pub fn pause(&mut self) {
        for block in std::mem::take(&mut self.blocks) {
            self.tell(&block);
        }
    }

    /// How many lines the crashes have that are being written; zero when there are none.
    pub fn amid(&self) -> usize {
        self.blocks.iter().map(Block::lines).sum()
    }

    /// The news since the last time, oldest first.
    pub fn take(&mut self) -> Vec<LogNews> {
        self.news.drain(..).collect()
    }

    fn line(&mut self, text: &str) {
        let Some(line) = LogcatLine::parse(text) else { return };
        self.gather(&line);
        if line.tag == MARK_TAG {
            let mark = line.text.trim().strip_prefix(MARK_WORD).and_then(|mark| mark.parse().ok());
            if let Some(mark) = mark {
                self.add(LogNews::Mark(mark));
            }
        } else if let Some(process) = started(&line, &self.package) {
            remember(&mut self.processes, process);
            self.ended.retain(|ended| *ended != process);
        } else if let Some((process, cause)) = killed(&line, &self.package) {
            self.end(process, cause);
        }
    }

    /// A process of the app has ended. If it crashed, the crash is the news.
    fn end(&mut self, process: u32, cause: KillCause) {
        while let Some(whole) = self.blocks.iter().position(|block| block.victim() == process) {
            let block = self.blocks.remove(whole);
            self.tell(&block);
        }
        if !self.ended.contains(&process) {
            remember(&mut self.ended, process);
            self.add(LogNews::Killed { process, cause });
        }
    }

    /// Sorts the line into the blocks.
    fn gather(&mut self, line: &LogcatLine<'_>) {
        if let Some(block) = self.blocks.iter_mut().find(|block| block.takes(line)) {
            block.add(line);
            return;
        }
        while let Some(whole) = self.blocks.iter().position(|block| block.ended_by(line)) {
            let block = self.blocks.remove(whole);
            self.tell(&block);
        }
        if let Some(kind) = Block::begun_by(line) {
            if self.blocks.len() >= MOST_BLOCKS {
                let oldest = self.blocks.remove(0);
                self.tell(&oldest);
            }
            self.blocks.push(Block::begin(kind, line));
        }
    }

    fn tell(&mut self, block: &Block) {
        let ours = |process| self.processes.contains(&process);
        if let Some(crash) = block.crash(&self.package, &ours) {
            // The end of a process that crashed is no news of its own.
            remember(&mut self.ended, block.victim());
            self.add(LogNews::Crash(crash));
        }
    }

    fn add(&mut self, news: LogNews) {
        if self.news.len() >= MOST_NEWS {
            self.news.pop_front();
        }
        self.news.push_back(news);
    }
}

fn remember(list: &mut VecDeque<u32>, process: u32) {
    if !list.contains(&process) {
        if list.len() >= MOST_PROCESSES {
            list.pop_front();
        }
        list.push_back(process);
    }
}

/// `Start proc 1234:com.example/u0a101 for activity ..`, in old versions `Start proc com.example for activity ..: pid=1234`.
fn started(line: &LogcatLine<'_>, package: &str) -> Option<u32> {
    let rest = line.text.trim_start().strip_prefix("Start proc ")?;
    match rest.split_once(':') {
        Some((process, name)) if process.bytes().all(|byte| byte.is_ascii_digit()) => {
            is_of(name.split(['/', ' ']).next()?, package).then(|| process.parse().ok())?
        }
        _ => {
            let name = rest.split_whitespace().next()?;
            let process = rest.split_once("pid=")?.1.split_whitespace().next()?;
            is_of(name, package).then(|| process.parse().ok())?
        }
    }
}

/// A process of the app that was ended, and why.
fn killed(line: &LogcatLine<'_>, package: &str) -> Option<(u32, KillCause)> {
    let text = line.text.trim_start();
    if matches!(line.tag, "lowmemorykiller" | "lmkd") {
        // `Kill 'com.example' (1234), uid 10101, oom_adj 0 to free 100 kB`
        let rest = text.strip_prefix("Killing '").or_else(|| text.strip_prefix("Kill '"))?;
        let (name, rest) = rest.split_once("' (")?;
        let process = rest.split(')').next()?.parse().ok()?;
        return is_of(name, package).then_some((process, KillCause::LowMemory));
    }
    if line.tag != "ActivityManager" {
        return None;
    }
    if let Some(rest) = text.strip_prefix("Killing ") {
        // `Killing 1234:com.example/u0a101 (adj 900): empty #17`
        let (process, rest) = rest.split_once(':')?;
        let (name, rest) = rest.split_once(['/', ' '])?;
        let reason = rest.split_once("): ").map_or("", |(_, reason)| reason).trim();
        let short = ["empty", "cached", "low mem", "lmk", "too many"];
        let cause = if short.iter().any(|word| reason.to_ascii_lowercase().starts_with(word)) {
            KillCause::LowMemory
        } else {
            KillCause::System(reason.chars().take(200).collect())
        };
        return is_of(name, package).then(|| Some((process.parse().ok()?, cause)))?;
    }
    // `Process com.example (pid 1234) has died: fg  TOP`
    let (name, rest) = text.strip_prefix("Process ")?.split_once(" (pid ")?;
    let (process, rest) = rest.split_once(')')?;
    let died = rest.trim_start().starts_with("has died") && is_of(name, package);
    died.then(|| Some((process.parse().ok()?, KillCause::Unknown)))?
}

/// Whether a process is of the app: `com.example` or `com.example:remote`.
fn is_of(process: &str, package: &str) -> bool {
    process.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}
