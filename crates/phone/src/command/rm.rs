//! `rm`.

use super::options::flags;
use crate::files::FileError;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let (force, deep) = (letters.contains('f'), letters.contains(['r', 'R']));
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        let removed = process.phone().with(|state| {
            let files = &mut state.world.files;
            if files.lstat(&place)?.is_folder() && !deep {
                Err(FileError::IsFolder)
            } else {
                files.remove(&place, deep)
            }
        });
        match removed {
            Ok(()) => {}
            Err(FileError::NotFound) if force => {}
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("rm: {path}: {error}"))?;
            }
        }
    }
    Ok(status)
}
