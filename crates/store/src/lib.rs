//! Where retap keeps things: sessions, and files written whole or not at all.
//!
//! A session is a folder: `session.db` (SQLite: the plan and the append-only log), `blobs/` (screenshots and
//! other large things, named by their content) and `session.lock`. What [`Session::append`] has returned for is
//! kept, whatever happens to the process; display, report and resume all read the log.
//!
//! Absent here: any meaning of the entries (the callers own it), any clock and any randomness. Equal appends
//! make equal files. No other crate uses SQLite.

mod atomic;
mod blobs;
mod database;
mod error;
mod integrity;
mod lock;
mod log;
mod plan;
mod session;
mod view;

pub use atomic::{open_directly, write_beside};
pub use blobs::{BlobId, BlobIdError};
pub use error::StoreError;
pub use lock::SessionWriter;
pub use log::{Entries, LogEntry, Seq};
pub use plan::Plan;
pub use session::Session;
pub use view::SessionView;
