//! What can go wrong with stored things: one sentence each, with the path and what to do.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

use crate::BlobId;

/// Why something could not be stored or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process writes the session.
    #[error("session {dir} is in use by {}; wait for it or choose another --out", holder(*.pid))]
    InUse { dir: PathBuf, pid: Option<u32> },
    /// A session was to be created where one is.
    #[error("there is a session in {dir} already; go on with it or choose another --out")]
    Exists { dir: PathBuf },
    /// A session was to be opened where none is.
    #[error("there is no session in {dir}; check the path")]
    NoSession { dir: PathBuf },
    /// The path of a session is a file, or leads through one.
    #[error("{path} is not a folder, and a session is one; choose another --out")]
    NotAFolder { path: PathBuf },
    /// The database is of another program, or no database at all.
    #[error("{path} was not written by retap, or is damaged; move it away or choose another --out")]
    Foreign { path: PathBuf },
    /// The session is of a later version of retap.
    #[error(
        "session {dir} has format {found}, and this retap knows formats up to {known}; use a newer retap"
    )]
    Newer { dir: PathBuf, found: i32, known: i32 },
    /// A file was to be written where a folder is.
    #[error("{path} is a folder; give the name of a file")]
    IsAFolder { path: PathBuf },
    /// A pipe was to be written at whose other end nobody is.
    #[error("{path} is a pipe that nobody reads; begin to read it first, or give the name of a file")]
    NobodyReads { path: PathBuf },
    /// The disk, the folder or the file may not be written.
    #[error("{path} is read-only; change its permissions or choose another place")]
    ReadOnly { path: PathBuf },
    /// No room left.
    #[error("the disk of {path} is full; make room and run the same command again")]
    Full { path: PathBuf },
    /// The system refused for another reason.
    #[error("cannot {doing} {path}: {why}; check the path, its permissions and the disk")]
    Failed { doing: &'static str, path: PathBuf, why: String },
    /// The database cannot be read any more.
    #[error("{path} is damaged ({why}); restore it from a copy or start over with another --out")]
    Damaged { path: PathBuf, why: String },
    #[error("blob {id} is missing from {dir}; restore the folder from a copy")]
    BlobMissing { id: BlobId, dir: PathBuf },
    /// A blob has another content than its name says.
    #[error("{path} is damaged: its content is not what its name says; restore it from a copy")]
    BlobDamaged { path: PathBuf },
    /// An entry cannot be kept as JSON such that it can be read again.
    #[error("an entry of kind '{kind}' cannot be stored in {path}: {why}; this is a bug in retap, report it")]
    Unstorable { kind: String, path: PathBuf, why: String },
}

impl StoreError {
    /// What a failed attempt to write means.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Failed { doing: "write", path, why: error.to_string() },
        }
    }

    /// What a failed attempt to read means.
    pub(crate) fn reading(path: &Path, error: &io::Error) -> Self {
        Self::Failed { doing: "read", path: path.to_owned(), why: error.to_string() }
    }

    /// What it means that SQLite could not create its files. It does not say why; trying to create another does.
    pub(crate) fn opening(path: &Path, error: &rusqlite::Error) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) {
            let probe = path.with_extension("tmp");
            if let Err(error) = File::create(&probe).and_then(|_| fs::remove_file(&probe)) {
                return Self::writing(path, &error);
            }
        }
        Self::database(path, error)
    }

    /// What a failure of SQLite means.
    pub(crate) fn database(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        let why = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path },
            // SQLite says this, and not "full", when the index of its write-ahead log does not fit.
            _ if error.sqlite_error().is_some_and(|e| e.extended_code == SQLITE_IOERR_SHMSIZE) => {
                Self::Full { path }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { path, why },
            _ => Self::Failed { doing: "use", path, why },
        }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}
