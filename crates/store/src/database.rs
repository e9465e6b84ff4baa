//! The file `session.db`: opening it, telling whose it is, laying it out.
//!
//! Two rules keep it whole. The file is only ever touched through SQLite, because closing any other handle to it
//! would drop SQLite's locks. And it is laid out in one transaction, so that it is either blank or a session.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::StoreError;

/// The format that this version writes.
pub(crate) const FORMAT: i32 = 1;

/// Marks the databases of retap: `rtap` in ASCII.
const APPLICATION: i32 = i32::from_be_bytes(*b"rtap");

const LAYOUT: &str = "
    CREATE TABLE plan (data TEXT NOT NULL);
    CREATE TABLE log (
        seq  INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        at   INTEGER NOT NULL, -- microseconds on the lab's clock
        data TEXT NOT NULL     -- JSON
    );
    CREATE INDEX log_by_kind ON log (kind);
";

/// What a database turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseState {
    /// Nothing yet: no file, or the leftover of a process that was killed while it created a session.
    Blank,
    Session,
    /// A session of a later format.
    Newer(i32),
    /// Something else.
    Foreign,
}

/// Where the database of a session is.
pub(crate) fn path_in(dir: &Path) -> PathBuf {
    dir.join("session.db")
}

/// Looks at the file without locking, changing or creating anything, so that it is safe on files of others.
///
/// Only what is found foreign or newer is sure. The file may make sense only together with its write-ahead log,
/// above all when its writer was killed while it moved the one into the other: then it passes for blank.
pub(crate) fn peek(path: &Path) -> DatabaseState {
    match fs::metadata(path) {
        Err(_) => DatabaseState::Blank,
        Ok(meta) if !meta.is_file() => DatabaseState::Foreign,
        Ok(_) => open_frozen(path).and_then(|connection| look(&connection)).unwrap_or(DatabaseState::Blank),
    }
}

/// Opens the file for writing, creating it where it is missing.
pub(crate) fn open_to_write(path: &Path) -> Result<(Connection, DatabaseState), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let open = || {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let found = look(&connection)?;
        Ok((connection, found))
    };
    open().map_err(|error| StoreError::opening(path, &error))
}

/// Opens the file for reading, while another process may write it.
pub(crate) fn open_to_read(path: &Path) -> Result<(Connection, DatabaseState), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let live = Connection::open_with_flags(path, flags);
    let seen = live.and_then(|connection| look(&connection).map(|found| (connection, found)));
    // On a read-only disk SQLite cannot make the files that readers and writers share. Where no write-ahead log is
    // left there is no writer, and the file alone holds everything.
    let seen = match seen {
        Err(error) if is_locked_out(&error) && wal_is_empty(path) => {
            open_frozen(path).and_then(|connection| look(&connection).map(|found| (connection, found)))
        }
        other => other,
    };
    seen.map_err(|error| StoreError::database(path, &error))
}

/// Makes a session of a blank database.
pub(crate) fn lay_out(connection: &mut Connection, path: &Path, plan: &str) -> Result<(), StoreError> {
    let mode = prepare(connection).map_err(|error| StoreError::opening(path, &error))?;
    if mode != "wal" {
        let why = format!("this disk knows only the journal mode '{mode}'");
        return Err(StoreError::Failed { doing: "keep a write-ahead log for", path: path.to_owned(), why });
    }
    let mut fill = || {
        let transaction = connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.execute_batch(LAYOUT)?;
        transaction.execute("INSERT INTO plan (data) VALUES (?1)", [plan])?;
        transaction.commit()
    };
    fill().map_err(|error| StoreError::opening(path, &error))
}

fn prepare(connection: &Connection) -> rusqlite::Result<String> {
    // Said, not left to the machine: equal sessions are equal files everywhere.
    connection.pragma_update(None, "page_size", 4096)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
}

fn look(connection: &Connection) -> rusqlite::Result<DatabaseState> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let application = match number("application_id") {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return Ok(DatabaseState::Foreign);
        }
        other => other?,
    };
    let version = number("user_version")?;
    if application == APPLICATION {
        return Ok(if version > FORMAT { DatabaseState::Newer(version) } else { DatabaseState::Session });
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(if (application, version, tables) == (0, 0, 0) {
        DatabaseState::Blank
    } else {
        DatabaseState::Foreign
    })
}

/// Opens a file that nobody is changing: no locks, no files beside it.
fn open_frozen(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(frozen_uri(path), flags | OpenFlags::SQLITE_OPEN_URI)
}

fn frozen_uri(path: &Path) -> String {
    use std::fmt::Write as _;
    let bytes = path.as_os_str().as_encoded_bytes();
    // An absolute path gets an empty host, lest `//a/b` be read as host a.
    let mut uri = String::from(if bytes.starts_with(b"/") { "file://" } else { "file:" });
    for &byte in bytes {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => uri.push(char::from(byte)),
            _ => write!(uri, "%{byte:02X}").expect("a string takes everything"),
        }
    }
    uri + "?immutable=1"
}

fn is_locked_out(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn wal_is_empty(path: &Path) -> bool {
    let mut wal = OsString::from(path);
    wal.push("-wal");
    fs::metadata(wal).map_or(true, |meta| meta.len() == 0)
}
