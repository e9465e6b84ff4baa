//! Where a recording is kept. The file is made before anything is recorded, so that two recordings that start at once never
//! share one, and so that a folder that cannot be written is known at the start.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::FILE;
use crate::error::{Doing as _, JobError, Result, refuse};

/// The file of a recording. It is removed again when nothing is written into it.
#[derive(Debug)]
pub struct RecordPlace {
    file: PathBuf,
    /// The folder, if it was made for this recording.
    made: Option<PathBuf>,
    kept: bool,
}

impl RecordPlace {
    /// Takes a folder in which nothing was recorded.
    pub fn take(folder: &Path) -> Result<Self> {
        let made = (!folder.exists()).then(|| folder.to_owned());
        fs::create_dir_all(folder).doing(|| format!("the folder {} cannot be made", folder.display()))?;
        Self::in_folder(folder, made)
    }

    /// Makes the first folder `record-1`, `record-2` and so on below this one that is not there yet.
    pub fn take_next(below: &Path) -> Result<Self> {
        fs::create_dir_all(below).doing(|| format!("the folder {} cannot be made", below.display()))?;
        for number in 1..=u32::MAX {
            let folder = below.join(format!("record-{number}"));
            match fs::create_dir(&folder) {
                Ok(()) => return Self::in_folder(&folder, Some(folder.clone())),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => refuse!("the folder {} cannot be made: {error}", folder.display()),
            }
        }
        refuse!("{} has no number left for a recording; name a folder with --out", below.display())
    }

    fn in_folder(folder: &Path, made: Option<PathBuf>) -> Result<Self> {
        let file = folder.join(FILE);
        match File::create_new(&file) {
            Ok(_) => Ok(Self { file, made, kept: false }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                refuse!("{} is there already; choose another folder with --out", file.display())
            }
            Err(error) => Err(JobError::Refused(format!("{} cannot be written: {error}", file.display()))),
        }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Something was written into it.
    pub(super) const fn keep(&mut self) {
        self.kept = true;
    }
}

impl Drop for RecordPlace {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.file);
            // Only an empty folder can be removed.
            let _ = self.made.as_ref().map(fs::remove_dir);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_recordings_have_the_same_place() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let below = scratch.path().join("retap-out");
        let first = RecordPlace::take_next(&below).expect("a place");
        let second = RecordPlace::take_next(&below).expect("a place");
        assert_eq!(
            (first.file(), second.file()),
            (&*below.join("record-1").join(FILE), &*below.join("record-2").join(FILE))
        );
        let wrong = RecordPlace::take(&below.join("record-1")).expect_err("it is taken").to_string();
        assert!(wrong.contains("is there already; choose another folder with --out"), "{wrong}");
        drop(second);
        assert!(!below.join("record-2").exists(), "nothing was recorded");
        let mut again = RecordPlace::take(&below.join("record-2")).expect("a place");
        again.keep();
        let file = again.file().to_owned();
        drop(again);
        assert!(file.exists());
    }
}
