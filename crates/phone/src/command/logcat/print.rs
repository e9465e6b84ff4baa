//! Lines in the forms that clients ask for: `threadtime` and `raw`.

use std::fmt::Write as _;
use std::sync::Arc;

use super::options::Wanted;
use crate::command::Date;
use crate::phone::LogRecord;

/// Prints lines, and says where each buffer begins.
pub(super) struct Printer<'a> {
    wanted: &'a Wanted,
    begun: Vec<&'static str>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(wanted: &'a Wanted) -> Self {
        Self { wanted, begun: Vec::new() }
    }

    pub(super) fn print(&mut self, lines: &[Arc<LogRecord>]) -> String {
        let mut text = String::new();
        for entry in lines {
            let buffer = entry.buffer();
            if self.wanted.buffers.len() > 1 && !self.begun.contains(&buffer) {
                self.begun.push(buffer);
                writeln!(text, "--------- beginning of {buffer}").expect("a string takes all text");
            }
            self.line(entry, &mut text);
        }
        text
    }

    fn line(&self, entry: &LogRecord, out: &mut String) {
        let LogRecord { process, thread, level, tag, text, .. } = entry;
        if !self.wanted.raw {
            let Date { month, day, hour, minute, second, millis, .. } = Date::of(entry.at);
            let head = format!(
                "{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03} {process:5} {thread:5} {level} {tag:<8}: "
            );
            out.push_str(&head);
        }
        out.push_str(text);
        out.push('\n');
    }
}
