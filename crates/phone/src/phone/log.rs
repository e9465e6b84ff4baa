//! The lines that logcat shows: those of the simulated machine, with the time of day, and the system's own.

use std::collections::VecDeque;
use std::sync::Arc;

/// How many lines are kept.
const MOST: usize = 20_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    entries: VecDeque<Arc<LogRecord>>,
    /// The number of the line that comes next; the first has 0.
    next: u64,
    /// How far the machine's own log was read.
    pub(super) read: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogRecord {
    /// Microseconds since 1970.
    pub(crate) at: u64,
    pub(crate) process: u32,
    pub(crate) thread: u32,
    pub(crate) level: char,
    pub(crate) tag: String,
    pub(crate) text: String,
}

/// The buffers that lines are in. The first three are shown where none is named.
pub(crate) const BUFFERS: [&str; 5] = ["main", "system", "crash", "events", "radio"];

impl LogRecord {
    /// Where the system keeps such a line.
    pub(crate) fn buffer(&self) -> &'static str {
        match (&*self.tag, self.level) {
            ("AndroidRuntime", 'E') | ("DEBUG", 'F') => "crash",
            (tag, _) if tag.starts_with("am_") || tag.starts_with("wm_") => "events",
            ("ActivityManager" | "ActivityTaskManager" | "PackageManager" | "SystemServer", _) => "system",
            _ => "main",
        }
    }
}

impl Log {
    pub(super) fn add(&mut self, entry: LogRecord) {
        if self.entries.len() >= MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(Arc::new(entry));
        self.next += 1;
    }

    /// Lines from this number on, with their numbers.
    pub(crate) fn from(&self, number: u64) -> impl Iterator<Item = (u64, &Arc<LogRecord>)> {
        let first = self.next - self.entries.len() as u64;
        let skipped = usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX);
        (first.max(number)..).zip(self.entries.iter().skip(skipped))
    }

    /// The number of the line that comes next.
    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    /// Forgets the lines of these buffers. Numbers are counted back from the next one, so that nobody who follows
    /// sees a line twice.
    pub(crate) fn clear(&mut self, buffers: &[&str]) {
        self.entries.retain(|entry| !buffers.contains(&entry.buffer()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tag: &str, level: char) -> LogRecord {
        LogRecord { at: 0, process: 1, thread: 1, level, tag: tag.into(), text: "x".into() }
    }

    #[test]
    fn lines_go_to_their_buffers() {
        assert_eq!(line("AndroidRuntime", 'E').buffer(), "crash");
        assert_eq!(line("AndroidRuntime", 'D').buffer(), "main");
        assert_eq!(line("ActivityManager", 'I').buffer(), "system");
        assert_eq!(line("Notes", 'I').buffer(), "main");
    }

    #[test]
    fn a_follower_sees_each_line_once() {
        let mut log = Log::default();
        log.add(line("Notes", 'I'));
        assert_eq!(log.from(0).map(|(number, _)| number).collect::<Vec<_>>(), [0]);
        log.clear(&["main"]);
        log.add(line("Notes", 'I'));
        assert_eq!(log.from(1).map(|(number, _)| number).collect::<Vec<_>>(), [1]);
        assert_eq!(log.from(log.next()).count(), 0);
    }

    #[test]
    fn old_lines_go() {
        let mut log = Log::default();
        for _ in 0..MOST + 5 {
            log.add(line("Notes", 'I'));
        }
        assert_eq!(log.from(0).next().map(|(number, _)| number), Some(5));
    }
}
