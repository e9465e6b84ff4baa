//! `sort`, `uniq` and `tr`.

use super::options::flags;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let text = process.text_of(&paths)?;
    let mut lines: Vec<&str> = text.lines().collect();
    if letters.contains('n') {
        let number = |line: &str| {
            let digits: String =
                line.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
            digits.parse::<i64>().unwrap_or(0)
        };
        lines.sort_by_key(|line| number(line));
    } else {
        lines.sort_unstable();
    }
    if letters.contains('r') {
        lines.reverse();
    }
    if letters.contains('u') {
        lines.dedup();
    }
    process.put(lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    Ok(0)
}

pub(super) fn uniq(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let text = process.text_of(&paths)?;
    let mut groups: Vec<(usize, &str)> = Vec::new();
    for line in text.lines() {
        match groups.last_mut() {
            Some((count, last)) if *last == line => *count += 1,
            _ => groups.push((1, line)),
        }
    }
    let count = letters.contains('c');
    let line = |(times, line): &(usize, &str)| {
        if count { format!("{times:7} {line}\n") } else { format!("{line}\n") }
    };
    process.put(groups.iter().map(line).collect::<String>())?;
    Ok(0)
}

pub(super) fn tr(process: &mut Process<'_>) -> Outcome {
    let (letters, sets) = flags(process.args());
    let text = process.text_of(&[])?;
    let from = letters_of(sets.first().map_or("", String::as_str));
    if letters.contains('d') {
        process.put(text.replace(|letter| from.contains(&letter), ""))?;
        return Ok(0);
    }
    let to = letters_of(sets.get(1).map_or("", String::as_str));
    let change = |letter: char| match from.iter().position(|known| *known == letter) {
        Some(place) => *to.get(place).or(to.last()).unwrap_or(&letter),
        None => letter,
    };
    process.put(text.chars().map(change).collect::<String>())?;
    Ok(0)
}

/// The letters that a set such as `a-z\n` means.
fn letters_of(set: &str) -> Vec<char> {
    let plain: Vec<char> = super::echo::unescaped(set).chars().collect();
    let mut letters = Vec::new();
    let mut at = 0;
    while at < plain.len() {
        match plain[at..] {
            [from, '-', to, ..] if from <= to => {
                letters.extend(from..=to);
                at += 3;
            }
            _ => {
                letters.push(plain[at]);
                at += 1;
            }
        }
    }
    letters
}
