//! What `logcat` is asked for.

use regex_lite::Regex;

use crate::command::Date;
use crate::command::options::Options;
use crate::phone::{Buffer, Entry};

/// Levels from least to most important.
const LEVELS: &str = "VDIWEFS";

/// How lines are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Threadtime,
    Time,
    Brief,
    Tag,
    Process,
    Raw,
    Long,
}

/// Where printing begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    Start,
    Last(usize),
    /// Microseconds since 1970.
    Time(u64),
}

/// Which lines, and how.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(super) struct Wanted {
    pub(super) buffers: Vec<Buffer>,
    pub(super) format: Format,
    pub(super) year: bool,
    pub(super) epoch: bool,
    pub(super) since: Since,
    pub(super) follows: bool,
    pub(super) clear: bool,
    pub(super) sizes: bool,
    pub(super) most: Option<usize>,
    process: Option<u32>,
    pattern: Option<Regex>,
    /// The least level of tags, and of all others.
    tags: Vec<(String, usize)>,
    others: usize,
}

impl Wanted {
    /// Reads the arguments, or says what is wrong with them.
    pub(super) fn read(args: &[String], now: u64) -> Result<Self, String> {
        let mut wanted = Self {
            buffers: Vec::new(),
            format: Format::Threadtime,
            year: false,
            epoch: false,
            since: Since::Start,
            follows: true,
            clear: false,
            sizes: false,
            most: None,
            process: None,
            pattern: None,
            tags: Vec::new(),
            others: 0,
        };
        let mut silent = false;
        let mut specs = Vec::new();
        let mut args = Options::new(args);
        while let Some(arg) = args.next() {
            let (name, joined) = split(&arg);
            let mut value = || joined.clone().or_else(|| args.next()).unwrap_or_default();
            match name {
                "-d" => wanted.follows = false,
                "-c" | "--clear" => wanted.clear = true,
                "-g" | "--buffer-size" => wanted.sizes = true,
                "-b" | "--buffer" => wanted.add_buffers(&value())?,
                "-v" | "--format" => wanted.set_format(&value())?,
                "-t" => {
                    wanted.follows = false;
                    wanted.since = since(&value(), now)?;
                }
                "-T" => wanted.since = since(&value(), now)?,
                "-m" | "--max-count" => wanted.most = value().parse().ok(),
                "--pid" => wanted.process = Some(value().parse().map_err(|_| "--pid needs a number")?),
                "-e" | "--regex" => {
                    let text = value();
                    wanted.pattern =
                        Some(Regex::new(&text).map_err(|_| format!("bad regular expression '{text}'"))?);
                }
                "-s" => silent = true,
                "-f" | "-r" | "-n" | "-G" | "--uid" => drop(value()),
                other if other.starts_with('-') => {}
                spec => specs.push(spec.to_owned()),
            }
        }
        if silent {
            wanted.others = LEVELS.len() - 1;
        }
        for spec in &specs {
            wanted.add_spec(spec, silent);
        }
        if wanted.buffers.is_empty() {
            wanted.buffers = vec![Buffer::Main, Buffer::System, Buffer::Crash];
        }
        Ok(wanted)
    }

    /// Tags that the environment asks for, where the arguments ask for none.
    pub(super) fn add_tags(&mut self, text: &str) {
        if self.tags.is_empty() && self.others == 0 {
            for spec in text.trim_matches('\'').split([' ', ',']).filter(|spec| !spec.is_empty()) {
                self.add_spec(spec, false);
            }
        }
    }

    fn add_spec(&mut self, spec: &str, silent: bool) {
        let (tag, level) = spec.rsplit_once(':').unwrap_or((spec, if silent { "V" } else { "D" }));
        let level = match level.chars().next() {
            Some('*') | None => 0,
            Some(letter) => LEVELS.find(letter.to_ascii_uppercase()).unwrap_or(0),
        };
        if tag == "*" {
            self.others = level;
        } else {
            self.tags.push((tag.to_owned(), level));
        }
    }

    fn add_buffers(&mut self, names: &str) -> Result<(), String> {
        for name in names.split(',') {
            match name {
                "all" => self.buffers.extend(Buffer::ALL.iter().map(|(_, buffer)| *buffer)),
                "default" => self.buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash]),
                "kernel" | "security" | "stats" => {}
                _ => match Buffer::ALL.iter().find(|(known, _)| *known == name) {
                    Some((_, buffer)) => self.buffers.push(*buffer),
                    None => return Err(format!("Unknown -b buffer '{name}'")),
                },
            }
        }
        Ok(())
    }

    fn set_format(&mut self, names: &str) -> Result<(), String> {
        for name in names.split([',', ' ']) {
            match name {
                "threadtime" => self.format = Format::Threadtime,
                "time" => self.format = Format::Time,
                "brief" => self.format = Format::Brief,
                "tag" => self.format = Format::Tag,
                "process" => self.format = Format::Process,
                "raw" => self.format = Format::Raw,
                "long" => self.format = Format::Long,
                "year" => self.year = true,
                "epoch" => self.epoch = true,
                "color" | "colour" | "descriptive" | "printable" | "uid" | "usec" | "nsec" | "UTC"
                | "zone" | "monotonic" | "help" => {}
                _ => return Err(format!("Invalid parameter \"{name}\" to -v")),
            }
        }
        Ok(())
    }

    /// Whether a line is wanted.
    pub(super) fn fits(&self, entry: &Entry) -> bool {
        let own = self.tags.iter().rev().find(|(tag, _)| *tag == entry.tag).map(|(_, level)| *level);
        let level = LEVELS.find(entry.level).unwrap_or(0);
        self.buffers.contains(&entry.buffer())
            && level >= own.unwrap_or(self.others)
            && self.process.is_none_or(|process| process == entry.process)
            && !matches!(self.since, Since::Time(time) if entry.at < time)
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(&entry.text))
    }
}

/// An option and the value that stands in the same word: `--pid=7`, `-bcrash`.
fn split(arg: &str) -> (&str, Option<String>) {
    if let Some((name, value)) = arg.split_once('=').filter(|_| arg.starts_with("--")) {
        return (name, Some(value.to_owned()));
    }
    let takes_value = ["-b", "-v", "-t", "-T", "-m", "-e"];
    match arg.get(..2) {
        Some(name) if arg.len() > 2 && takes_value.contains(&name) => (name, Some(arg[2..].to_owned())),
        _ => (arg, None),
    }
}

/// A count, or a time: `01-31 12:00:00.123`, with a year before it, or seconds since 1970.
fn since(text: &str, now: u64) -> Result<Since, String> {
    if let Ok(count) = text.parse::<usize>() {
        return Ok(Since::Last(count));
    }
    parse_time(text, now).map(Since::Time).ok_or_else(|| format!("-t \"{text}\" not in time format"))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds since 1970 with a fraction, as microseconds"
)]
fn parse_time(text: &str, now: u64) -> Option<u64> {
    if let Ok(secs) = text.parse::<f64>() {
        return (secs >= 0.0).then_some((secs * 1e6) as u64);
    }
    let (date, time) = text.split_once(' ')?;
    let mut numbers: Vec<u64> = date.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    if numbers.len() == 2 {
        numbers.insert(0, Date::of(now).year);
    }
    let [year, month, day] = numbers.try_into().ok()?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let clock: Vec<u64> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock.try_into().ok()?;
    let millis = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let fits = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let date = Date { year, month, day, hour, minute, second, millis };
    (fits && hour < 24 && minute < 60 && second < 60).then(|| date.micros())
}
