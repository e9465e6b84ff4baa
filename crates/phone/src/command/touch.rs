//! `touch` and `chmod`.

use super::options::flags;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        let touched = process.phone().with(|state| {
            let now = state.now_secs();
            let files = &mut state.world.files;
            match files.stat(&place).is_ok() {
                true => files.change(&place, None, Some(now)),
                false if letters.contains('c') => Ok(()),
                false => files.write(&place, Vec::new(), 0o644, now),
            }
        });
        if let Err(error) = touched {
            status = 1;
            process.streams.err.line(format!("touch: '{path}': {error}"))?;
        }
    }
    Ok(status)
}

pub(super) fn chmod(process: &mut Process<'_>) -> Outcome {
    let words: Vec<String> =
        process.args().iter().filter(|arg| *arg != "-R" && *arg != "-f").cloned().collect();
    let Some((mode, paths)) = words.split_first() else { return process.fail(1, "chmod: Needs 2 arguments") };
    let mut status = 0;
    for path in paths {
        let place = process.path(path);
        let changed = process.phone().with(|state| {
            let old = state.world.files.stat(&place)?.mode;
            state.world.files.change(&place, Some(new_mode(mode, old)), None)
        });
        if let Err(error) = changed {
            status = 1;
            process.streams.err.line(format!("chmod: {path}: {error}"))?;
        }
    }
    Ok(status)
}

/// `755`, `+x`, `u+w,g-w`.
fn new_mode(text: &str, old: u32) -> u32 {
    if let Ok(mode) = u32::from_str_radix(text, 8) {
        return mode & 0o7777;
    }
    text.split(',').fold(old, |mode, change| {
        let Some(at) = change.find(['+', '-', '=']) else { return mode };
        let (who, what) = change.split_at(at);
        let mask = if who.is_empty() || who.contains('a') {
            0o777
        } else {
            [('u', 0o700), ('g', 0o070), ('o', 0o007)]
                .iter()
                .filter(|(c, _)| who.contains(*c))
                .map(|(_, m)| m)
                .sum()
        };
        let bits: u32 = [('r', 0o444), ('w', 0o222), ('x', 0o111)]
            .iter()
            .filter(|(c, _)| what.contains(*c))
            .map(|(_, b)| b)
            .sum();
        match what.chars().next() {
            Some('+') => mode | (bits & mask),
            Some('-') => mode & !(bits & mask),
            _ => (mode & !mask) | (bits & mask),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_set_and_changed() {
        assert_eq!(new_mode("755", 0), 0o755);
        assert_eq!(new_mode("+x", 0o644), 0o755);
        assert_eq!(new_mode("u-w,o=", 0o666), 0o460);
    }
}
