//! What the environment says of Java, Maven and folders.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variables that matter, read once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JvmEnvironment {
    /// `PATH`.
    pub path: OsString,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// `XDG_CACHE_HOME`, else `~/.cache`.
    pub cache: Option<PathBuf>,
}

impl JvmEnvironment {
    /// As it is now.
    pub fn read() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = || set("HOME").or_else(|| set("USERPROFILE"));
        Self {
            path: set("PATH").unwrap_or_default(),
            java_home: set("JAVA_HOME").map(PathBuf::from),
            cache: set("XDG_CACHE_HOME")
                .map(PathBuf::from)
                // A relative one is to be ignored, says its specification.
                .filter(|path| path.is_absolute())
                .or_else(|| home().map(|home| Path::new(&home).join(".cache"))),
        }
    }

    /// A program of `PATH`.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
        std::env::split_paths(&self.path)
            .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))))
            .find(|path| path.is_absolute() && is_program(path))
    }

    /// The folder for what is kept.
    pub(crate) fn kept(&self) -> Option<PathBuf> {
        self.cache.as_ref().map(|cache| cache.join("retap").join("jvm"))
    }
}

/// The file of a program in a folder.
pub(crate) fn in_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join(if cfg!(windows) {
        OsString::from(format!("{name}.exe"))
    } else {
        OsStr::new(name).to_owned()
    })
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}
