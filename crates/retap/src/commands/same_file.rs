//! Which file a path leads to, be it there already or not.

use std::path::{Path, PathBuf};

/// No system follows more links one after the other.
const MOST_LINKS: usize = 40;

/// Whether two paths lead to one file.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    whole(one) == whole(other)
}

/// The path with all links followed, also one to what is not there yet.
pub(super) fn whole(path: &Path) -> PathBuf {
    let mut absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for _ in 0..MOST_LINKS {
        let Ok(to) = absolute.read_link() else { break };
        // A link from the root on takes the place of the whole.
        absolute = absolute.parent().unwrap_or(Path::new("")).join(to);
    }
    let folder = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    absolute.canonicalize().ok().or_else(folder).unwrap_or(absolute)
}
