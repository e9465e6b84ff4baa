//! `cut -d DELIMITER -f NUMBER`: one field of each line.

use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    let (delimiter, number) = match words[..] {
        ["-d", delimiter, "-f", number] => (delimiter, number.parse::<usize>().unwrap_or(0)),
        _ => ("", 0),
    };
    if delimiter.is_empty() || number == 0 {
        return process.fail(1, "cut: only -d DELIMITER -f NUMBER is known");
    }
    while let Some(line) = process.streams.input.read_line() {
        let line = String::from_utf8_lossy(&line);
        let missing = if line.contains(delimiter) { "" } else { &*line };
        process.say(line.split(delimiter).nth(number - 1).unwrap_or(missing))?;
    }
    Ok(0)
}
