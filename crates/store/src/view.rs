//! A session as readers see it.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::database::{self, DatabaseState, FORMAT};
use crate::lock::{Lock, SessionWriter};
use crate::{Plan, StoreError};

/// A session, to be read. Another process may go on writing it meanwhile; what it has appended is seen.
#[derive(Debug)]
pub struct SessionView {
    pub(crate) dir: PathBuf,
    pub(crate) db: PathBuf,
    pub(crate) connection: Connection,
    plan: Plan,
}

impl SessionView {
    /// Opens the session in this folder for reading. Changes no byte of it, and works on a read-only disk.
    ///
    /// Beside the database SQLite may leave two files (`-shm`, and an empty `-wal`), by which readers and writers
    /// know of each other; the next writer clears them away.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, StoreError> {
        let dir = dir.as_ref();
        let db = database::path_in(dir);
        if dir.exists() && !dir.is_dir() {
            return Err(StoreError::NotAFolder { path: dir.to_owned() });
        }
        if !db.exists() {
            return Err(StoreError::NoSession { dir: dir.to_owned() });
        }
        refuse(database::peek(&db), dir)?;
        let (connection, found) = database::open_to_read(&db)?;
        match refuse(found, dir)? {
            DatabaseState::Blank => Err(StoreError::NoSession { dir: dir.to_owned() }),
            _ => Self::new(dir, connection),
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The process that writes the session at this moment, if one does.
    pub fn writer(&self) -> Option<SessionWriter> {
        Lock::holder(&self.dir)
    }

    pub(crate) fn new(dir: &Path, connection: Connection) -> Result<Self, StoreError> {
        let db = database::path_in(dir);
        let data: String = connection
            .query_row("SELECT data FROM plan", [], |row| row.get(0))
            .map_err(|error| StoreError::database(&db, &error))?;
        let plan = serde_json::from_str(&data)
            .map_err(|error| StoreError::Damaged { path: db.clone(), why: format!("its plan: {error}") })?;
        Ok(Self { dir: dir.to_owned(), db, connection, plan })
    }
}

/// Refuses what is not ours to touch.
pub(crate) fn refuse(found: DatabaseState, dir: &Path) -> Result<DatabaseState, StoreError> {
    match found {
        DatabaseState::Blank | DatabaseState::Session => Ok(found),
        DatabaseState::Foreign => Err(StoreError::Foreign { path: database::path_in(dir) }),
        DatabaseState::Newer(found) => Err(StoreError::Newer { dir: dir.to_owned(), found, known: FORMAT }),
    }
}
