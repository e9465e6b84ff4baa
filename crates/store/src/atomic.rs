//! Files written whole or not at all: beside, then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;

/// Writes a file so that it is either wholly new or just as it was, also after a crash or power loss.
///
/// Missing folders are created, permissions are kept, links are followed. A device or a pipe, such as
/// `/dev/stdout`, is written directly.
pub fn write_beside(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    let path = path.as_ref();
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(StoreError::IsAFolder { path: path.to_owned() }),
        // Renaming would put a file in the place of the device.
        Ok(old) if !old.is_file() => {
            let device = OpenOptions::new().write(true).open(path);
            return device.and_then(|file| fill(file, write).map(drop)).map_err(failed(path));
        }
        // Renaming would not ask.
        Ok(old) if old.permissions().readonly() => {
            return Err(StoreError::ReadOnly { path: path.to_owned() });
        }
        _ => {}
    }
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(failed(path))?;
    replace(&temporary_in(folder), &real, Flush::ToDisk, write)
}

/// How far written bytes must have gone before they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flush {
    /// To the system: they survive the end of the process.
    ToSystem,
    /// To the disk: they survive power loss.
    ToDisk,
}

/// Writes a temporary file on the same disk and puts it in the place of `path`. On failure nothing is left of it.
pub(crate) fn replace(
    temporary: &Path,
    path: &Path,
    flush: Flush,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    let leftover = Leftover(temporary);
    let swap = || {
        let file = fill(File::create(temporary)?, write)?;
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        if flush == Flush::ToDisk {
            file.sync_all()?;
        }
        fs::rename(temporary, path)?;
        if flush == Flush::ToDisk {
            sync_folders(path);
        }
        Ok(())
    };
    swap().map_err(failed(path))?;
    std::mem::forget(leftover);
    Ok(())
}

/// Removes the temporary file when writing it ends early, be it with an error or with a panic.
struct Leftover<'a>(&'a Path);

impl Drop for Leftover<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.0);
    }
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let mut buffer = BufWriter::new(file);
    write(&mut buffer)?;
    buffer.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Short, for a long name may leave no room for more; and its own for every call and process.
fn temporary_in(folder: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".retap-{}-{count}.tmp", std::process::id()))
}

/// Removes temporary files that a killed writer has left in the folder of a session and the folders in it. There is one
/// writer at a time, so none of them is in use. What cannot be removed takes space and does no other harm.
pub(crate) fn sweep(dir: &Path) {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let left = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(".retap-") && name.ends_with(".tmp")
    };
    let here = inside(dir);
    let below = here.iter().filter(|path| path.is_dir()).flat_map(|folder| inside(folder));
    for path in here.iter().cloned().chain(below).filter(|path| left(path)) {
        let _ = fs::remove_file(path);
    }
}

/// Makes the new name last: it is kept in its folder, whose own name may be new as well. Not every system and
/// every folder allows it, and the file is in place already: no reason to fail.
fn sync_folders(path: &Path) {
    for folder in path.ancestors().skip(1).take(2) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::writing(path, &error)
}
