//! `mkdir`.

use super::options::flags;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        let made = process.phone().with(|state| {
            let now = state.now_secs();
            state.world.files.make_folder(&place, letters.contains('p'), now)
        });
        if let Err(error) = made {
            status = 1;
            process.streams.err.line(format!("mkdir: '{path}': {error}"))?;
        }
    }
    Ok(status)
}
