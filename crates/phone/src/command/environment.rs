//! Small programs that scripts lean on: `env`, `pwd`, `basename`, `dirname`, `seq`, `xargs`.

use crate::files::{name, parent};
use crate::shell::{Outcome, Process};

/// Numbers that `seq` counts up to.
const MOST: i64 = 100_000;

pub(super) fn env(process: &mut Process<'_>) -> Outcome {
    let names = process.args().to_vec();
    if let Some(name) = names.first() {
        return match process.shell.var(name) {
            Some(value) => {
                process.say(value)?;
                Ok(0)
            }
            None => Ok(1),
        };
    }
    let lines = process.shell.environment();
    process.put(lines)?;
    Ok(0)
}

pub(super) fn pwd(process: &mut Process<'_>) -> Outcome {
    process.say(&process.shell.folder)?;
    Ok(0)
}

pub(super) fn basename(process: &mut Process<'_>) -> Outcome {
    let Some(path) = process.args().first() else { return process.fail(1, "basename: Needs 1 argument") };
    let mut last = name(path);
    if let Some(suffix) = process.args().get(1) {
        last = last.strip_suffix(&**suffix).filter(|rest| !rest.is_empty()).unwrap_or(last);
    }
    process.say(last)?;
    Ok(0)
}

pub(super) fn dirname(process: &mut Process<'_>) -> Outcome {
    let Some(path) = process.args().first() else { return process.fail(1, "dirname: Needs 1 argument") };
    let folder = if path.contains('/') { parent(path) } else { ".".to_owned() };
    process.say(folder)?;
    Ok(0)
}

pub(super) fn seq(process: &mut Process<'_>) -> Outcome {
    let numbers: Vec<i64> = process.args().iter().filter_map(|number| number.parse().ok()).collect();
    let (from, step, to) = match numbers[..] {
        [to] => (1, 1, to),
        [from, to] => (from, 1, to),
        [from, step, to] if step != 0 => (from, step, to),
        _ => return process.fail(1, "seq: Needs 1 argument"),
    };
    let mut text = String::new();
    let (mut here, mut left) = (from, MOST);
    while left > 0 && (if step > 0 { here <= to } else { here >= to }) {
        text.push_str(&format!("{here}\n"));
        here = here.saturating_add(step);
        left -= 1;
    }
    process.put(text)?;
    Ok(0)
}

pub(super) fn xargs(process: &mut Process<'_>) -> Outcome {
    let mut words: Vec<String> = process.args().to_vec();
    while words.first().is_some_and(|flag| flag.starts_with('-')) {
        let flag = words.remove(0);
        if ["-n", "-I", "-P"].contains(&&*flag) && !words.is_empty() {
            words.remove(0);
        }
    }
    if words.is_empty() {
        words.push("echo".into());
    }
    let input = String::from_utf8_lossy(&process.streams.input.read_all()).into_owned();
    words.extend(input.split_whitespace().map(str::to_owned));
    process.instead(&words)
}
