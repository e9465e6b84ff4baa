//! `echo`.

use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (words, end) = match process.args() {
        [flag, rest @ ..] if flag == "-n" => (rest, ""),
        words => (words, "\n"),
    };
    process.done(words.join(" ") + end)
}
