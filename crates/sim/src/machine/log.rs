//! The log: the last lines that logcat would print, in its `threadtime` form with uptime for the time of day.

use std::collections::VecDeque;
use std::sync::Arc;

use retap_trace::{Crash, Micros};

use super::crash;
use super::program::Program;
use super::state::State;
use crate::app::ActivityId;

/// How many lines are kept.
const LINES: usize = 200;
/// The process number of the system server.
const SYSTEM: u32 = 497;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// When, in time since the phone was started.
    pub at: Micros,
    pub process: u32,
    /// Its level: `V`, `D`, `I`, `W`, `E` or `F`.
    pub level: char,
    pub tag: String,
    /// Its text, without the end of the line.
    pub text: String,
}

/// The log. Clones share their past until one of them writes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Log {
    entries: Arc<VecDeque<Entry>>,
    /// How many entries are no longer kept.
    gone: u64,
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    at: Micros,
    process: u32,
    what: What,
}

/// What was logged; it becomes text only when somebody reads it.
#[derive(Debug, Clone, PartialEq)]
enum What {
    Line(char, Arc<str>, Arc<str>),
    Process,
    Start(ActivityId),
    Crash(Arc<Crash>, Option<ActivityId>),
}

/// Collects lines of one moment and process.
pub(super) struct Lines<'a> {
    at: Micros,
    process: u32,
    all: &'a mut Vec<LogLine>,
}

impl Log {
    fn add(&mut self, at: Micros, process: u32, what: What) {
        let entries = Arc::make_mut(&mut self.entries);
        if entries.len() >= LINES {
            entries.pop_front();
            self.gone += 1;
        }
        entries.push_back(Entry { at, process, what });
    }

    /// The lines of entries from this number on, and the number of the next entry.
    pub(super) fn lines_from(&self, program: &Program, number: u64) -> (Vec<LogLine>, u64) {
        let mut lines = Vec::new();
        let skipped = usize::try_from(number.saturating_sub(self.gone)).unwrap_or(usize::MAX);
        for entry in self.entries.iter().skip(skipped) {
            entry.write(program, &mut Lines { at: entry.at, process: entry.process, all: &mut lines });
        }
        (lines, self.gone + self.entries.len() as u64)
    }
}

impl Entry {
    fn write(&self, program: &Program, lines: &mut Lines<'_>) {
        let (package, process) = (&program.app.package, self.process);
        match &self.what {
            What::Line(level, tag, text) => {
                for line in text.lines() {
                    lines.write(*level, tag, line);
                }
            }
            What::Process => {
                let first = short_name(program, ActivityId(0));
                let text = format!("Start proc {process}:{package}/u0a101 for top-activity {{{first}}}");
                lines.write_from(SYSTEM, 'I', "ActivityManager", &text);
            }
            What::Start(activity) => {
                let name = short_name(program, *activity);
                let text = format!("START u0 {{cmp={name}}} from uid 10101");
                lines.write_from(SYSTEM, 'I', "ActivityTaskManager", &text);
            }
            What::Crash(crash, activity) => {
                let activity = activity.map(|activity| short_name(program, activity));
                crash::write(crash, package, activity.as_deref(), process, lines);
            }
        }
    }
}

impl Lines<'_> {
    /// A line of the app's own process.
    pub(super) fn write(&mut self, level: char, tag: &str, text: &str) {
        self.write_from(self.process, level, tag, text);
    }

    pub(super) fn write_system(&mut self, level: char, tag: &str, text: &str) {
        self.write_from(SYSTEM, level, tag, text);
    }

    fn write_from(&mut self, process: u32, level: char, tag: &str, text: &str) {
        let (tag, text) = (tag.to_owned(), text.to_owned());
        self.all.push(LogLine { at: self.at, process, level, tag, text });
    }
}

impl State {
    /// The app writes a line.
    pub(super) fn write(&mut self, level: char, tag: Arc<str>, text: Arc<str>) {
        self.log_as(What::Line(level, tag, text));
    }

    pub(super) fn log_process(&mut self) {
        self.log_as(What::Process);
    }

    pub(super) fn log_start(&mut self, activity: ActivityId) {
        self.log_as(What::Start(activity));
    }

    /// The process has crashed, with this activity on top.
    pub(super) fn log_crash(&mut self, crash: &Crash) {
        let activity = self.task.stack.last().map(|top| top.activity);
        self.log_as(What::Crash(Arc::new(crash.clone()), activity));
    }

    fn log_as(&mut self, what: What) {
        self.log.add(self.now, self.process.unwrap_or(0), what);
    }
}

/// `com.example/.Main` for `com.example.Main`.
fn short_name(program: &Program, activity: ActivityId) -> String {
    let (package, name) = (&*program.app.package, &*program.app.activity(activity).name);
    let short = name.strip_prefix(package).filter(|rest| rest.starts_with('.')).unwrap_or(name);
    format!("{package}/{short}")
}
