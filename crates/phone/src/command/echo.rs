//! `echo`.

use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut words = process.args();
    let (mut newline, mut escapes) = (true, false);
    while let Some((first, rest)) = words.split_first() {
        let flag = first
            .strip_prefix('-')
            .filter(|flag| !flag.is_empty() && flag.chars().all(|c| "neE".contains(c)));
        let Some(flag) = flag else { break };
        newline &= !flag.contains('n');
        escapes |= flag.contains('e');
        words = rest;
    }
    let mut text = words.join(" ");
    if escapes {
        text = unescaped(&text);
    }
    if newline {
        text.push('\n');
    }
    process.done(text)
}

/// Text with its backslashes carried out.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\\') | None => out.push('\\'),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    out
}
