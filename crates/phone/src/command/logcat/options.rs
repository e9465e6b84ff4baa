//! What `logcat` is asked for.

use crate::command::Date;
use crate::command::options::Options;
use crate::phone::{BUFFERS, LogRecord};

/// Levels from least to most important.
const LEVELS: &str = "VDIWEFS";

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
pub(super) struct Wanted {
    pub(super) buffers: Vec<&'static str>,
    pub(super) raw: bool,
    pub(super) since: Since,
    pub(super) follows: bool,
    pub(super) clear: bool,
    /// The least level of tags, and of all others.
    tags: Vec<(String, usize)>,
    others: usize,
}

impl Wanted {
    /// Reads the arguments, or says what is wrong with them.
    pub(super) fn read(args: &[String], now: u64) -> Result<Self, String> {
        let mut wanted = Self {
            buffers: Vec::new(),
            raw: false,
            since: Since::Start,
            follows: true,
            clear: false,
            tags: Vec::new(),
            others: 0,
        };
        let mut silent = false;
        let mut specs = Vec::new();
        let mut args = Options::new(args);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_default();
            match &*arg {
                "-d" => wanted.follows = false,
                "-c" => wanted.clear = true,
                "-b" => wanted.add_buffers(&value())?,
                "-v" => wanted.raw = raw(&value())?,
                "-t" => {
                    wanted.follows = false;
                    wanted.since = since(&value(), now)?;
                }
                "-T" => wanted.since = since(&value(), now)?,
                "-s" => silent = true,
                other if other.starts_with('-') => return Err(format!("Unknown option '{other}'")),
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
            wanted.add_buffers("default")?;
        }
        Ok(wanted)
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
                "all" => self.buffers.extend(BUFFERS),
                "default" => self.buffers.extend(&BUFFERS[..3]),
                _ => match BUFFERS.into_iter().find(|known| *known == name) {
                    Some(buffer) => self.buffers.push(buffer),
                    None => return Err(format!("Unknown -b buffer '{name}'")),
                },
            }
        }
        Ok(())
    }

    /// Whether a line is wanted.
    pub(super) fn fits(&self, entry: &LogRecord) -> bool {
        let own = self.tags.iter().rev().find(|(tag, _)| *tag == entry.tag).map(|(_, level)| *level);
        let level = LEVELS.find(entry.level).unwrap_or(0);
        self.buffers.contains(&entry.buffer())
            && level >= own.unwrap_or(self.others)
            && !matches!(self.since, Since::Time(time) if entry.at < time)
    }
}

fn raw(format: &str) -> Result<bool, String> {
    match format {
        "threadtime" => Ok(false),
        "raw" => Ok(true),
        _ => Err(format!("Invalid parameter \"{format}\" to -v")),
    }
}

/// A count, or a time: `01-31 12:00:00.123`.
fn since(text: &str, now: u64) -> Result<Since, String> {
    if let Ok(count) = text.parse::<usize>() {
        return Ok(Since::Last(count));
    }
    parse_time(text, now).map(Since::Time).ok_or_else(|| format!("-t \"{text}\" not in time format"))
}

fn parse_time(text: &str, now: u64) -> Option<u64> {
    let (date, time) = text.split_once(' ')?;
    let (month, day) = date.split_once('-')?;
    let (year, month, day) = (Date::of(now).year, month.parse().ok()?, day.parse().ok()?);
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let clock: Vec<u64> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock.try_into().ok()?;
    let millis = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
    let date = Date { year, month, day, hour, minute, second, millis };
    (fits && hour < 24 && minute < 60 && second < 60).then(|| date.micros())
}
