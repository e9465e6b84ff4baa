//! `md5sum`.

use super::options::flags;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, paths) = flags(process.args());
    let shown = |content: &[u8], path: &str| {
        let sum = md5::compute(content);
        let line = if letters.contains('b') { format!("{sum:x}\n") } else { format!("{sum:x}  {path}\n") };
        line.into_bytes()
    };
    if paths.is_empty() {
        return process.done(shown(&process.streams.input.read_all(), "-"));
    }
    process.each(&paths, |path, place| Ok(shown(&process.read_file(place)?, path)))
}
