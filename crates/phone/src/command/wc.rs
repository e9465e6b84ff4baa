//! `wc`: lines, words and bytes.

use super::options::flags;
use super::read_file;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    if paths.is_empty() {
        let line = count(&process.streams.input.read_all(), &letters);
        process.say(line)?;
        return Ok(0);
    }
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        match process.phone().with(|state| read_file(state, &place)) {
            Ok(content) => process.say(format!("{} {path}", count(&content, &letters)))?,
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("wc: {path}: {error}"))?;
            }
        }
    }
    Ok(status)
}

fn count(bytes: &[u8], letters: &str) -> String {
    let lines = bytes.split(|byte| *byte == b'\n').count() - 1;
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let all = [('l', lines), ('w', words), ('c', bytes.len())];
    let wanted: Vec<usize> = all
        .iter()
        .filter(|(letter, _)| letters.is_empty() || letters.contains(*letter))
        .map(|(_, count)| *count)
        .collect();
    match wanted[..] {
        [one] => one.to_string(),
        _ => wanted
            .iter()
            .map(|count| format!("{count:8}"))
            .collect::<String>()
            .trim_start_matches(' ')
            .to_owned(),
    }
}
