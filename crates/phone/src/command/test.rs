//! `test` and `[`.

use crate::files::Kind;
use crate::shell::{Outcome, Process};

pub(super) fn bracket(process: &mut Process<'_>) -> Outcome {
    let args = process.args().to_vec();
    match args.split_last() {
        Some((last, rest)) if last == "]" => judge(process, rest),
        _ => process.fail(2, "/system/bin/sh: [: missing ]"),
    }
}

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let args = process.args().to_vec();
    judge(process, &args)
}

fn judge(process: &Process<'_>, words: &[String]) -> Outcome {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match holds(process, &words) {
        Some(holds) => Ok(u8::from(!holds)),
        None => {
            process.fail(2, format!("/system/bin/sh: test: {}: unexpected operator/operand", words.join(" ")))
        }
    }
}

/// Whether a condition holds. `-o` binds less than `-a`.
fn holds(process: &Process<'_>, words: &[&str]) -> Option<bool> {
    if let Some(place) = words.iter().position(|word| *word == "-o").filter(|place| *place > 0) {
        return Some(holds(process, &words[..place])? | holds(process, &words[place + 1..])?);
    }
    if let Some(place) = words.iter().position(|word| *word == "-a").filter(|place| *place > 0) {
        return Some(holds(process, &words[..place])? & holds(process, &words[place + 1..])?);
    }
    let number = |text: &str| text.trim().parse::<i64>().ok();
    Some(match words {
        [] => false,
        ["!", rest @ ..] => !holds(process, rest)?,
        [text] => !text.is_empty(),
        ["-n", text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        ["-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h", _] => {
            file(process, words[0], words[1])
        }
        ["-t", _] => false,
        [one, "=" | "==", other] => one == other,
        [one, "!=", other] => one != other,
        [one, "-eq", other] => number(one)? == number(other)?,
        [one, "-ne", other] => number(one)? != number(other)?,
        [one, "-lt", other] => number(one)? < number(other)?,
        [one, "-le", other] => number(one)? <= number(other)?,
        [one, "-gt", other] => number(one)? > number(other)?,
        [one, "-ge", other] => number(one)? >= number(other)?,
        _ => return None,
    })
}

fn file(process: &Process<'_>, question: &str, path: &str) -> bool {
    let place = process.path(path);
    process.phone().with(|state| {
        let files = &state.world.files;
        if matches!(question, "-L" | "-h") {
            return files.lstat(&place).is_ok_and(|node| matches!(node.kind, Kind::Link(_)));
        }
        files.stat(&place).is_ok_and(|node| match question {
            "-f" => matches!(node.kind, Kind::File(_)),
            "-d" => node.is_folder(),
            "-s" => node.size() > 0,
            "-x" => node.mode & 0o111 != 0,
            "-w" => place.starts_with("/data/local/tmp") || place.starts_with("/sdcard"),
            _ => true,
        })
    })
}
