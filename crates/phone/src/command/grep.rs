//! `grep`: lines that fit.

use regex_lite::{Regex, RegexBuilder};

use super::options::Options;
use crate::shell::{End, Outcome, Process};

/// What is looked for, and what is printed of it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
struct Wanted {
    patterns: Vec<String>,
    paths: Vec<String>,
    ignore_case: bool,
    invert: bool,
    fixed: bool,
    extended: bool,
    count: bool,
    quiet: bool,
    only: bool,
    numbers: bool,
    words: bool,
    whole_lines: bool,
    names_only: bool,
    most: Option<usize>,
    after: usize,
    before: usize,
}

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let Some(wanted) = Wanted::read(process.args()) else {
        return process.fail(2, "grep: Needs 1 argument");
    };
    let Ok(pattern) = wanted.regex() else {
        return process.fail(2, format!("grep: bad REGEX '{}'", wanted.patterns.join("|")));
    };
    let mut found = false;
    if wanted.paths.is_empty() {
        found = lines(process, &wanted, &pattern)?;
    }
    let many = wanted.paths.len() > 1;
    for path in &wanted.paths {
        let place = process.path(path);
        match process.phone().with(|state| super::read_file(state, &place)) {
            Ok(content) => {
                let text = String::from_utf8_lossy(&content);
                let (out, fits) =
                    select(&wanted, &pattern, text.lines(), if many { Some(path) } else { None });
                found |= fits;
                process.put(out)?;
            }
            Err(error) => process.streams.err.line(format!("grep: {path}: {error}"))?,
        }
    }
    Ok(u8::from(!found))
}

/// Goes through what comes in, line by line, so that a stream that never ends can be watched.
fn lines(process: &Process<'_>, wanted: &Wanted, pattern: &Regex) -> Result<bool, End> {
    let streams =
        wanted.after == 0 && wanted.before == 0 && !wanted.count && !wanted.numbers && wanted.most.is_none();
    if !streams {
        let text = String::from_utf8_lossy(&process.streams.input.read_all()).into_owned();
        let (out, found) = select(wanted, pattern, text.lines(), None);
        process.put(out)?;
        return Ok(found);
    }
    let mut found = false;
    while let Some(line) = process.streams.input.read_line() {
        let line = String::from_utf8_lossy(&line);
        let (out, fits) = select(wanted, pattern, std::iter::once(&*line), None);
        found |= fits;
        process.put(out)?;
        if found && wanted.quiet {
            break;
        }
    }
    Ok(found)
}

fn select<'a>(
    wanted: &Wanted,
    pattern: &Regex,
    lines: impl Iterator<Item = &'a str>,
    name: Option<&String>,
) -> (String, bool) {
    let lines: Vec<&str> = lines.collect();
    let fits: Vec<usize> = (0..lines.len())
        .filter(|place| pattern.is_match(lines[*place]) != wanted.invert)
        .take(wanted.most.unwrap_or(usize::MAX))
        .collect();
    let mut out = String::new();
    if wanted.quiet {
        return (out, !fits.is_empty());
    }
    if wanted.count {
        return (format!("{}\n", fits.len()), !fits.is_empty());
    }
    if wanted.names_only {
        let name = name.map_or("(standard input)", String::as_str);
        return (if fits.is_empty() { out } else { format!("{name}\n") }, !fits.is_empty());
    }
    let mut last = None;
    for place in &fits {
        let from = place.saturating_sub(wanted.before);
        for (number, line) in lines.iter().enumerate().take(place + wanted.after + 1).skip(from) {
            if last.is_some_and(|last| number <= last) {
                continue;
            }
            last = Some(number);
            let mut put = |part: &str| {
                let mark = if fits.contains(&number) { ':' } else { '-' };
                if let Some(name) = name {
                    out.push_str(&format!("{name}{mark}"));
                }
                if wanted.numbers {
                    out.push_str(&format!("{}{mark}", number + 1));
                }
                out.push_str(part);
                out.push('\n');
            };
            if wanted.only {
                pattern.find_iter(line).for_each(|found| put(found.as_str()));
            } else {
                put(line);
            }
        }
    }
    (out, !fits.is_empty())
}

impl Wanted {
    fn read(args: &[String]) -> Option<Self> {
        let mut wanted = Self::default();
        let mut args = Options::new(args);
        while let Some(arg) = args.next() {
            match arg.strip_prefix('-').filter(|flag| !flag.is_empty()) {
                Some("-color=auto" | "-color=never" | "-line-buffered") => {}
                Some(flags) => wanted.take(flags, &mut args),
                None if wanted.patterns.is_empty() => wanted.patterns.push(arg),
                None => wanted.paths.push(arg),
            }
        }
        (!wanted.patterns.is_empty()).then_some(wanted)
    }

    fn take(&mut self, flags: &str, args: &mut Options) {
        for (place, flag) in flags.char_indices() {
            let mut number = || {
                let joined = &flags[place + 1..];
                let text =
                    if joined.is_empty() { args.next().unwrap_or_default() } else { joined.to_owned() };
                text.parse::<usize>().unwrap_or(0)
            };
            match flag {
                'i' => self.ignore_case = true,
                'v' => self.invert = true,
                'F' => self.fixed = true,
                'E' => self.extended = true,
                'c' => self.count = true,
                'q' => self.quiet = true,
                'o' => self.only = true,
                'n' => self.numbers = true,
                'w' => self.words = true,
                'x' => self.whole_lines = true,
                'l' => self.names_only = true,
                'e' => {
                    self.patterns.extend(args.next());
                    return;
                }
                'm' => return self.most = Some(number()),
                'A' => return self.after = number(),
                'B' => return self.before = number(),
                'C' => {
                    self.after = number();
                    self.before = self.after;
                    return;
                }
                _ => {}
            }
        }
    }

    fn regex(&self) -> Result<Regex, regex_lite::Error> {
        let one = |pattern: &String| {
            if self.fixed {
                regex_lite::escape(pattern)
            } else if self.extended {
                pattern.clone()
            } else {
                basic(pattern)
            }
        };
        let lines = self.patterns.iter().flat_map(|pattern| pattern.split('\n')).map(str::to_owned);
        let all = lines.map(|pattern| format!("(?:{})", one(&pattern))).collect::<Vec<_>>().join("|");
        let all = match (self.whole_lines, self.words) {
            (true, _) => format!("^(?:{all})$"),
            (_, true) => format!(r"\b(?:{all})\b"),
            _ => all,
        };
        RegexBuilder::new(&all).case_insensitive(self.ignore_case).build()
    }
}

/// A basic expression as an extended one: there, what groups has no backslash.
fn basic(pattern: &str) -> String {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(group @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => out.push(group),
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                }
                None => out.push_str("\\\\"),
            },
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => {
                out.push('\\');
                out.push(letter);
            }
            '*' if out.is_empty() => out.push_str("\\*"),
            '[' => {
                // Inside brackets nothing has a meaning of its own.
                out.push('[');
                while let Some(inside) = letters.next() {
                    if inside == '[' && letters.peek() != Some(&':') {
                        out.push('\\');
                    }
                    out.push(inside);
                    if inside == ']' {
                        break;
                    }
                }
            }
            other => out.push(other),
        }
    }
    out
}
