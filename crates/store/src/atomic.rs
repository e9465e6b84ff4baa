//! Files written whole or not at all: beside, then renamed.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

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
            return fill(device(path)?, write).map(drop).map_err(failed(path));
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
    sweep_once(folder);
    replace(&temporary_in(folder), &real, Flush::ToDisk, write)
}

/// Opens what [`write_beside`] writes directly, a device or a pipe; nothing where a file or nothing is. As long as it is
/// open, who reads a pipe waits for more.
pub fn open_directly(path: impl AsRef<Path>) -> Result<Option<File>, StoreError> {
    let path = path.as_ref();
    match fs::metadata(path) {
        Ok(old) if !old.is_file() && !old.is_dir() => device(path).map(Some),
        _ => Ok(None),
    }
}

/// Opens a device or a pipe for writing. To wait for a reader of a pipe could take for ever, and no signal ends that.
#[cfg(unix)]
fn device(path: &Path) -> Result<File, StoreError> {
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let is_pipe = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    let opened = OpenOptions::new().write(true).custom_flags(nonblocking).open(path);
    let file = opened.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) if is_pipe => StoreError::NobodyReads { path: path.to_owned() },
        _ => StoreError::writing(path, &error),
    })?;
    // A reader may be slow.
    let flags = fcntl_getfl(&file).and_then(|flags| fcntl_setfl(&file, flags - OFlags::NONBLOCK));
    flags.map_err(|error| StoreError::writing(path, &error.into()))?;
    Ok(file)
}

#[cfg(not(unix))]
fn device(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new().write(true).open(path).map_err(failed(path))
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
        let file = fill(held(temporary)?, write)?;
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

/// A new file that counts as in use while it is open. Where the system has no locks, it counts as in use for ever.
fn held(temporary: &Path) -> io::Result<File> {
    loop {
        let file = File::create(temporary)?;
        let _ = file.lock();
        // Between these two somebody may have taken it for left over.
        if temporary.exists() {
            return Ok(file);
        }
    }
}

/// Removes temporary files that killed processes have left in a folder, when this process first writes there. The lock of
/// each says whether its process is still there. What cannot be removed takes space and does no other harm.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    for path in inside(folder).into_iter().filter(|path| is_temporary(path) && path.is_file()) {
        let left = OpenOptions::new().write(true).open(&path);
        if left.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
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
    let here = inside(dir);
    let below = here.iter().filter(|path| path.is_dir()).flat_map(|folder| inside(folder));
    for path in here.iter().cloned().chain(below).filter(|path| is_temporary(path)) {
        let _ = fs::remove_file(path);
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Whether a file is called as [`temporary_in`] calls them.
fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let numbers = name.strip_prefix(".retap-").and_then(|rest| rest.strip_suffix(".tmp"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(pid, count)| is_number(pid) && is_number(count))
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
