//! The lines of one crash, gathered from among those of others.

use retap_trace::Crash;

use super::LogcatLine;

/// A stack overflow prints a thousand frames, a tombstone a few hundred lines; more is not kept.
const MOST_LINES: usize = 3_000;
const MOST_BYTES: usize = 512 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Java,
    Anr,
    Native,
}

/// A crash that is being written.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    process: u32,
    thread: u32,
    time: String,
    text: String,
    lines: usize,
}

impl Block {
    /// What a line begins, if it begins something.
    pub(super) fn begun_by(line: &LogcatLine<'_>) -> Option<BlockKind> {
        let text = line.text.trim_start();
        match line.tag {
            "AndroidRuntime" if text.starts_with("FATAL EXCEPTION") => Some(BlockKind::Java),
            "ActivityManager" if text.starts_with("ANR in ") => Some(BlockKind::Anr),
            "DEBUG" | "crash_dump" | "crash_dump32" | "crash_dump64" if text.starts_with("*** *** ***") => {
                Some(BlockKind::Native)
            }
            _ => None,
        }
    }

    pub(super) fn begin(kind: BlockKind, line: &LogcatLine<'_>) -> Self {
        let mut block = Self {
            kind,
            process: line.process,
            thread: line.thread,
            time: line.time.to_owned(),
            text: String::new(),
            lines: 0,
        };
        block.add(line);
        block
    }

    /// Whether the line goes on with the block.
    pub(super) fn takes(&self, line: &LogcatLine<'_>) -> bool {
        if line.process != self.process || Self::begun_by(line).is_some() {
            return false;
        }
        match self.kind {
            BlockKind::Java => line.tag == "AndroidRuntime",
            BlockKind::Native => matches!(line.tag, "DEBUG" | "crash_dump" | "crash_dump32" | "crash_dump64"),
            // The activity manager says many things; those of one breath have one time.
            BlockKind::Anr => {
                line.tag == "ActivityManager" && line.thread == self.thread && line.time == self.time
            }
        }
    }

    /// Whether the line shows that the block is whole.
    pub(super) fn ended_by(&self, line: &LogcatLine<'_>) -> bool {
        let same_process = line.process == self.process;
        match self.kind {
            BlockKind::Java => same_process,
            BlockKind::Native => {
                same_process || line.text.contains("Tombstone written to") || line.text.contains(" has died")
            }
            BlockKind::Anr => same_process && line.thread == self.thread,
        }
    }

    pub(super) fn add(&mut self, line: &LogcatLine<'_>) {
        self.lines += 1;
        if self.lines <= MOST_LINES && self.text.len() + line.text.len() < MOST_BYTES {
            self.text.push_str(line.text);
            self.text.push('\n');
        }
    }

    /// How many lines were given to it, kept or not.
    pub(super) const fn lines(&self) -> usize {
        self.lines
    }

    /// The process that it tells of. For a signal and for an ANR another one writes the lines.
    pub(super) fn victim(&self) -> u32 {
        let told = match self.kind {
            BlockKind::Java => None,
            BlockKind::Anr => self.text.lines().find_map(|line| line.trim().strip_prefix("PID: ")),
            BlockKind::Native => self.text.lines().find_map(|line| line.trim().strip_prefix("pid: ")),
        };
        let number =
            told.and_then(|rest| rest.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok());
        number.unwrap_or(self.process)
    }

    /// The crash, if it is of this app. `ours` says whether a process is known to be of the app.
    pub(super) fn crash(&self, package: &str, ours: &dyn Fn(u32) -> bool) -> Option<Crash> {
        match self.kind {
            BlockKind::Java => {
                // The system's own crash names no process, nor do versions before 4.4.
                let named = self.text.lines().take(3).any(|line| line.trim_start().starts_with("Process: "));
                let system = self.text.starts_with("FATAL EXCEPTION IN SYSTEM PROCESS");
                if system || (!named && !ours(self.process)) {
                    return None;
                }
                Crash::from_java(&self.text, package).ok()
            }
            BlockKind::Anr => Crash::from_anr(&self.text, package).ok(),
            BlockKind::Native => {
                self.text.contains(">>> ").then(|| Crash::from_native(&self.text, package).ok()).flatten()
            }
        }
    }
}
