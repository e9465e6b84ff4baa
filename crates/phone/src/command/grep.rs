//! `grep`: lines that fit.

use regex_lite::RegexBuilder;

use super::options::flags;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, words) = flags(process.args());
    if let Some(unknown) = letters.chars().find(|letter| !"EFcioqv".contains(*letter)) {
        return process.fail(2, format!("grep: Unknown option '{unknown}'"));
    }
    let Some((pattern, paths)) = words.split_first() else {
        return process.fail(2, "grep: Needs 1 argument");
    };
    let expression = match (letters.contains('F'), letters.contains('E')) {
        (true, _) => regex_lite::escape(pattern),
        (_, true) => pattern.clone(),
        _ => basic(pattern),
    };
    let Ok(regex) = RegexBuilder::new(&expression).case_insensitive(letters.contains('i')).build() else {
        return process.fail(2, format!("grep: bad REGEX '{pattern}'"));
    };
    let take = |line: &str| {
        let fits = regex.is_match(line) != letters.contains('v');
        match fits && !letters.contains(['c', 'q']) {
            true if letters.contains('o') => {
                regex.find_iter(line).try_for_each(|part| process.say(part.as_str()))
            }
            true => process.say(line),
            false => Ok(()),
        }
        .map(|()| usize::from(fits))
    };
    let mut found = 0;
    if paths.is_empty() {
        // Line by line, so that a stream that never ends can be watched.
        while let Some(line) = process.streams.input.read_line() {
            found += take(&String::from_utf8_lossy(&line))?;
            if found > 0 && letters.contains('q') {
                break;
            }
        }
    } else {
        for line in process.text_of(paths)?.lines() {
            found += take(line)?;
        }
    }
    if letters.contains('c') {
        process.say(found.to_string())?;
    }
    Ok(u8::from(found == 0))
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
