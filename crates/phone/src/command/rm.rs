//! `rm`.

use super::options::flags;
use crate::files::FileError;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, paths) = flags(process.args());
    let (force, deep) = (letters.contains('f'), letters.contains(['r', 'R']));
    process.each(&paths, |_, place| {
        let removed = process.phone().with(|state| {
            let files = &mut state.world.files;
            if files.lstat(place)?.is_folder() && !deep {
                Err(FileError::IsFolder)
            } else {
                files.remove(place, deep)
            }
        });
        match removed {
            Err(FileError::NotFound) if force => Ok(Vec::new()),
            other => other.map(|()| Vec::new()),
        }
    })
}
