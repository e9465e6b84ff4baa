//! `printf`.

use super::echo::unescaped;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let Some((form, values)) = process.args().split_first() else {
        return process.fail(1, "printf: Needs 1 argument");
    };
    let form = unescaped(form);
    let mut values = values.iter();
    let mut text = String::new();
    loop {
        let before = values.len();
        text.push_str(&once(&form, &mut values));
        // The form is used again as long as it takes values and there are any.
        if values.len() == 0 || values.len() == before {
            break;
        }
    }
    process.put(text)?;
    Ok(0)
}

fn once<'a>(form: &str, values: &mut impl Iterator<Item = &'a String>) -> String {
    let mut text = String::new();
    let mut letters = form.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let mut width = String::new();
        let kind = loop {
            match letters.next() {
                Some(digit) if digit.is_ascii_digit() || digit == '-' || digit == '.' => width.push(digit),
                other => break other,
            }
        };
        let size: usize = width.trim_start_matches(['-', '0']).parse().unwrap_or(0).min(1000);
        let value = match kind {
            Some('s' | 'b') => values.next().cloned().unwrap_or_default(),
            Some('d' | 'i' | 'u') => {
                values.next().and_then(|value| value.parse::<i64>().ok()).unwrap_or(0).to_string()
            }
            Some('x') => {
                format!("{:x}", values.next().and_then(|value| value.parse::<i64>().ok()).unwrap_or(0))
            }
            Some('c') => {
                values.next().and_then(|value| value.chars().next()).map(String::from).unwrap_or_default()
            }
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        text.push_str(&match (width.starts_with('-'), width.starts_with('0')) {
            (true, _) => format!("{value:<size$}"),
            (_, true) => format!("{value:0>size$}"),
            _ => format!("{value:>size$}"),
        });
    }
    text
}
