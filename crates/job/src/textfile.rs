//! Text files that people go on working on, such as exported tests: one with other content is not written over unasked.

use std::fs;
use std::path::Path;

use crate::error::{Doing as _, Result};

/// Whether there is a file with other content, or one whose content cannot be known.
pub fn is_other(path: &Path, text: &str) -> bool {
    // What is no file, such as a pipe, keeps nothing.
    path.is_file() && fs::read(path).map_or(true, |old| old != text.as_bytes())
}

/// Writes a text beside and renames it. A program may be run by everybody who may read it.
pub fn write(path: &Path, text: &str, program: bool) -> Result<()> {
    retap_store::write_beside(path, |to| to.write_all(text.as_bytes()))?;
    if program {
        make_executable(path).doing(|| format!("cannot make {} executable", path.display()))?;
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut may = fs::metadata(path)?.permissions();
    may.set_mode(may.mode() | (may.mode() & 0o444) >> 2);
    fs::set_permissions(path, may)
}

/// Elsewhere no file says so of itself.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it may fail")]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
