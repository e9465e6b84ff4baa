//! Lines in all the forms that `logcat` knows.

use std::fmt::Write as _;
use std::sync::Arc;

use super::options::{Format, Wanted};
use crate::command::Date;
use crate::phone::{Buffer, Entry};

/// Prints lines, and says where each buffer begins.
pub(super) struct Printer<'a> {
    wanted: &'a Wanted,
    begun: Vec<Buffer>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(wanted: &'a Wanted) -> Self {
        Self { wanted, begun: Vec::new() }
    }

    pub(super) fn print(&mut self, lines: &[Arc<Entry>]) -> String {
        let mut text = String::new();
        for entry in lines {
            let buffer = entry.buffer();
            if self.wanted.buffers.len() > 1 && !self.begun.contains(&buffer) {
                self.begun.push(buffer);
                let name =
                    Buffer::ALL.iter().find(|(_, known)| *known == buffer).map_or("main", |(name, _)| name);
                writeln!(text, "--------- beginning of {name}").expect("a string takes all text");
            }
            self.line(entry, &mut text);
        }
        text
    }

    fn line(&self, entry: &Entry, out: &mut String) {
        let Entry { process, thread, level, tag, text, .. } = entry;
        let time = self.time(entry.at);
        let written = match self.wanted.format {
            Format::Threadtime => writeln!(out, "{time} {process:5} {thread:5} {level} {tag:<8}: {text}"),
            Format::Time => writeln!(out, "{time} {level}/{tag:<8}({process:5}): {text}"),
            Format::Brief => writeln!(out, "{level}/{tag:<8}({process:5}): {text}"),
            Format::Tag => writeln!(out, "{level}/{tag:<8}: {text}"),
            Format::Process => writeln!(out, "{level}({process:5}) {text}  ({tag})"),
            Format::Raw => writeln!(out, "{text}"),
            Format::Long => writeln!(out, "[ {time} {process:5}:{thread:5} {level}/{tag:<8} ]\n{text}\n"),
        };
        written.expect("a string takes all text");
    }

    fn time(&self, at: u64) -> String {
        if self.wanted.epoch {
            return format!("{:17}.{:03}", at / 1_000_000, at / 1000 % 1000);
        }
        let Date { year, month, day, hour, minute, second, millis, .. } = Date::of(at);
        let clock = format!("{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03}");
        if self.wanted.year { format!("{year:04}-{clock}") } else { clock }
    }
}
