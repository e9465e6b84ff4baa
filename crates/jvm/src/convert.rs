//! The app's code as class files, made once for each app and kept.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::JvmError;
use crate::made::{NotMade, is_whole, make};
use crate::sandbox::Sandbox;
use crate::setup::JavaSide;
use crate::sidecar;
use crate::toolchain::Jdk;

/// Large apps take a quarter of a minute.
const LONGEST: Duration = Duration::from_mins(2);
/// Larger files are no apps.
const LARGEST: u64 = 2 << 30;

/// The class files of an app.
pub(crate) fn classes(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    apk: &Path,
    begins: &mut dyn FnMut(),
) -> Result<PathBuf, JvmError> {
    let kept = side.root.join("apps").join(format!("{}.jar", hash(apk)?));
    if is_whole(&kept) {
        return Ok(kept);
    }
    begins();
    let made = make(&kept, LONGEST, |out, making| sidecar::convert(jdk, side, sandbox, apk, out, making));
    let refused = |why: String| JvmError::App { apk: apk.to_owned(), why };
    made.map(|()| kept).map_err(|error| match error {
        NotMade::Folder(error) => error,
        NotMade::Refused(why) => refused(why),
        NotMade::Failed(why) => refused(format!("converting its code {why}")),
    })
}

/// A hash of the whole file.
pub(crate) fn hash(apk: &Path) -> Result<blake3::Hash, JvmError> {
    let unreadable = |why: String| JvmError::Unreadable { path: apk.to_owned(), why };
    let read = || -> io::Result<blake3::Hash> {
        let file = std::fs::File::open(apk)?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        if about.len() > LARGEST {
            return Err(io::Error::other(format!("it is larger than {} GiB; that is no app", LARGEST >> 30)));
        }
        let mut hash = blake3::Hasher::new();
        hash.update_reader(file)?;
        Ok(hash.finalize())
    };
    read().map_err(|error| unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_app_is_refused() {
        let nowhere = hash(Path::new("/nowhere/a.apk")).unwrap_err().to_string();
        assert!(nowhere.starts_with("/nowhere/a.apk cannot be read: "), "{nowhere}");
        let folder = hash(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(folder.ends_with("cannot be read: it is no file"), "{folder}");
    }
}
