//! A session as its one writer sees it.

use std::fs;
use std::io;
use std::ops::Deref;
use std::path::Path;

use rusqlite::Connection;

use crate::database::{self, DatabaseState};
use crate::lock::Lock;
use crate::view::refuse;
use crate::{Plan, SessionView, StoreError, atomic, blobs};

/// A session, to be written: all that a [`SessionView`] can, and appending. There is one writer at a time.
///
/// What is appended survives `kill -9` at any moment. It survives power loss too when [`Session::set_fsync`] is
/// on. Dropping a session closes it; [`Session::close`] also says when that fails.
#[derive(Debug)]
pub struct Session {
    // Dropped in this order: nobody may come in before the database is closed.
    pub(crate) view: SessionView,
    pub(crate) fsync: bool,
    _lock: Lock,
}

impl Session {
    /// Creates a session in this folder, and the folder where it is missing.
    pub fn create(dir: impl AsRef<Path>, plan: &Plan) -> Result<Self, StoreError> {
        let dir = dir.as_ref();
        make_folder(dir)?;
        match Entrance::enter(dir)? {
            entrance if entrance.found == DatabaseState::Blank => entrance.begin(dir, plan),
            _ => Err(StoreError::Exists { dir: dir.to_owned() }),
        }
    }

    /// Opens the session in this folder to go on with it.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, StoreError> {
        let dir = dir.as_ref();
        if dir.exists() && !dir.is_dir() {
            return Err(StoreError::NotAFolder { path: dir.to_owned() });
        }
        if !database::path_in(dir).exists() {
            return Err(StoreError::NoSession { dir: dir.to_owned() });
        }
        match Entrance::enter(dir)? {
            entrance if entrance.found == DatabaseState::Blank => {
                Err(StoreError::NoSession { dir: dir.to_owned() })
            }
            entrance => entrance.resume(dir),
        }
    }

    /// Opens the session in this folder, or creates it. Its plan is then either the given one or the one that it
    /// was created with: compare [`SessionView::plan`].
    pub fn create_or_open(dir: impl AsRef<Path>, plan: &Plan) -> Result<Self, StoreError> {
        let dir = dir.as_ref();
        make_folder(dir)?;
        match Entrance::enter(dir)? {
            entrance if entrance.found == DatabaseState::Blank => entrance.begin(dir, plan),
            entrance => entrance.resume(dir),
        }
    }

    /// Whether everything stored from now on survives power loss as well, at the price of waiting for the disk.
    pub fn set_fsync(&mut self, on: bool) -> Result<(), StoreError> {
        let level = if on { "FULL" } else { "NORMAL" };
        self.view
            .connection
            .pragma_update(None, "synchronous", level)
            .map_err(|error| StoreError::database(&self.view.db, &error))?;
        self.fsync = on;
        Ok(())
    }

    /// Closes the session so that `session.db` alone holds the log. Where a reader hinders that nothing is lost:
    /// the rest stays in the write-ahead log beside it.
    pub fn close(self) -> Result<(), StoreError> {
        self.view
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .map_err(|error| StoreError::database(&self.view.db, &error))
    }
}

impl Deref for Session {
    type Target = SessionView;

    fn deref(&self) -> &SessionView {
        &self.view
    }
}

/// A locked folder with an open database: blank or a session.
struct Entrance {
    connection: Connection,
    found: DatabaseState,
    lock: Lock,
}

impl Entrance {
    fn enter(dir: &Path) -> Result<Self, StoreError> {
        let lock = Lock::take(dir)?;
        let db = database::path_in(dir);
        // Looking first, for opening to write would change the files of others.
        let peeked = database::peek(&db);
        if peeked == DatabaseState::Foreign {
            lock.undo();
        }
        refuse(peeked, dir)?;
        let (connection, found) = database::open_to_write(&db)?;
        let found = refuse(found, dir)?;
        blobs::sweep(dir)?;
        atomic::sweep(dir);
        Ok(Self { connection, found, lock })
    }

    fn begin(mut self, dir: &Path, plan: &Plan) -> Result<Session, StoreError> {
        let plan = serde_json::to_string(plan).expect("a plan has text keys only");
        database::lay_out(&mut self.connection, &database::path_in(dir), &plan)?;
        self.resume(dir)
    }

    fn resume(self, dir: &Path) -> Result<Session, StoreError> {
        let view = SessionView::new(dir, self.connection)?;
        Ok(Session { view, fsync: false, _lock: self.lock })
    }
}

fn make_folder(dir: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(dir).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            StoreError::NotAFolder { path: dir.to_owned() }
        }
        _ => StoreError::writing(dir, &error),
    })
}
