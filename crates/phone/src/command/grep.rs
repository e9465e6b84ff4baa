//! `grep WORD`: lines that hold a word. Clients look for plain words only; expressions are refused.

use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let [word] = process.args() else { return process.fail(2, "grep: Needs 1 argument") };
    if word.starts_with('-') || word.contains(['\\', '[', '*', '^', '$']) {
        return process.fail(2, format!("grep: bad REGEX '{word}'"));
    }
    let mut status = 1;
    // Line by line, so that a stream that never ends can be watched.
    while let Some(line) = process.streams.input.read_line() {
        let line = String::from_utf8_lossy(&line);
        if line.contains(&**word) {
            status = 0;
            process.say(line)?;
        }
    }
    Ok(status)
}
