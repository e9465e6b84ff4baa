//! The log: the last lines that logcat would print, in its `threadtime` form with uptime for the time of day.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use retap_trace::{Crash, Micros};

use super::crash;
use super::program::Program;
use super::state::State;
use crate::app::{ActivityId, LogLevel};

/// How many lines are kept.
const LINES: usize = 200;
/// The process number of the system server.
const SYSTEM: u32 = 497;

/// The log. Clones share their past until one of them writes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Log(Arc<VecDeque<Entry>>);

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    at: Micros,
    process: u32,
    what: What,
}

/// What was logged; it becomes text only when somebody reads it.
#[derive(Debug, Clone, PartialEq)]
enum What {
    Line(LogLevel, Arc<str>, Arc<str>),
    Process,
    Start(ActivityId),
    Crash(Arc<Crash>, Option<ActivityId>),
}

/// Writes lines of one moment and process.
pub(super) struct Lines<'a> {
    at: Micros,
    process: u32,
    text: &'a mut String,
}

impl Log {
    fn add(&mut self, at: Micros, process: u32, what: What) {
        let entries = Arc::make_mut(&mut self.0);
        if entries.len() >= LINES {
            entries.pop_front();
        }
        entries.push_back(Entry { at, process, what });
    }

    /// The last lines, oldest first.
    pub(super) fn text(&self, program: &Program) -> String {
        let mut text = String::new();
        for entry in self.0.iter() {
            entry.write(program, &mut Lines { at: entry.at, process: entry.process, text: &mut text });
        }
        let surplus = text.lines().count().saturating_sub(LINES);
        match text.match_indices('\n').nth(surplus.wrapping_sub(1)) {
            Some((end, _)) if surplus > 0 => text.split_off(end + 1),
            _ => text,
        }
    }
}

impl Entry {
    fn write(&self, program: &Program, lines: &mut Lines<'_>) {
        let (package, process) = (&program.app.package, self.process);
        match &self.what {
            What::Line(level, tag, text) => {
                for line in text.lines() {
                    lines.write(letter(*level), tag, line);
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

    /// A line of the system's.
    pub(super) fn write_system(&mut self, level: char, tag: &str, text: &str) {
        self.write_from(SYSTEM, level, tag, text);
    }

    fn write_from(&mut self, process: u32, level: char, tag: &str, text: &str) {
        let millis = self.at.as_millis();
        let (secs, millis) = (millis / 1_000, millis % 1_000);
        let (day, hour, minute, second) =
            (secs / 86_400 % 28 + 1, secs / 3_600 % 24, secs / 60 % 60, secs % 60);
        writeln!(
            self.text,
            "01-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03} {process:5} {process:5} {level} {tag:<8}: {text}"
        )
        .expect("a string takes all text");
    }
}

impl State {
    /// The app writes a line.
    pub(super) fn write(&mut self, level: LogLevel, tag: Arc<str>, text: Arc<str>) {
        self.log_as(What::Line(level, tag, text));
    }

    /// The process has started.
    pub(super) fn log_process(&mut self) {
        self.log_as(What::Process);
    }

    /// An activity is started.
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

const fn letter(level: LogLevel) -> char {
    match level {
        LogLevel::Debug => 'D',
        LogLevel::Info => 'I',
        LogLevel::Warn => 'W',
        LogLevel::Error => 'E',
    }
}

/// `com.example/.Main` for `com.example.Main`.
fn short_name(program: &Program, activity: ActivityId) -> String {
    let (package, name) = (&*program.app.package, &*program.app.activity(activity).name);
    let short = name.strip_prefix(package).filter(|rest| rest.starts_with('.')).unwrap_or(name);
    format!("{package}/{short}")
}
