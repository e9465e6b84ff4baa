//! `md5sum`.

use super::options::flags;
use super::read_file;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let brief = letters.contains('b');
    if paths.is_empty() {
        let sum = md5::compute(process.streams.input.read_all());
        process.say(if brief { format!("{sum:x}") } else { format!("{sum:x}  -") })?;
        return Ok(0);
    }
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        match process.phone().with(|state| read_file(state, &place)) {
            Ok(content) => {
                let sum = md5::compute(&**content);
                process.say(if brief { format!("{sum:x}") } else { format!("{sum:x}  {path}") })?;
            }
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("{}: {path}: {error}", process.name()))?;
            }
        }
    }
    Ok(status)
}
