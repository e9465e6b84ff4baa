//! The append-only log: all that happened, in order.
//!
//! Invariants: entries are numbered 1, 2, 3 without gaps; an entry never changes; an entry is kept once the call
//! that appended it has returned. Times are the lab's, so that equal runs make equal logs.

use std::fmt;
use std::vec;

use retap_trace::Micros;
use rusqlite::{Row, params_from_iter, types};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Session, SessionView, StoreError};

/// Entries fetched at once: enough to be quick, few enough to hold in memory.
const PAGE: usize = 128;

/// The number of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    pub seq: Seq,
    /// What kind of thing; the callers' word.
    pub kind: String,
    /// When, on the lab's clock.
    pub at: Micros,
    /// What exactly; the callers' business.
    pub data: Value,
}

/// The entries of a log in order, read as they are asked for. Ends after the last entry that there is by then.
#[derive(Debug)]
pub struct Entries<'a> {
    view: &'a SessionView,
    query: String,
    kinds: Vec<String>,
    after: Seq,
    page: vec::IntoIter<LogEntry>,
    ended: bool,
}

impl Seq {
    /// Before the first entry.
    pub const START: Self = Self(0);
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Session {
    /// Appends an entry. It is kept once this returns.
    pub fn append(&mut self, kind: &str, at: Micros, data: &impl Serialize) -> Result<Seq, StoreError> {
        self.append_all([(kind, at, data)])
    }

    /// Appends all the entries or, on failure, none. Returns the number of the last entry in the log.
    pub fn append_all<K: AsRef<str>, D: Serialize>(
        &mut self,
        entries: impl IntoIterator<Item = (K, Micros, D)>,
    ) -> Result<Seq, StoreError> {
        let rows = entries
            .into_iter()
            .map(|(kind, at, data)| {
                let text = self.encode(kind.as_ref(), &data)?;
                Ok((kind, at, text))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let insert = |connection: &mut rusqlite::Connection| {
            let transaction = connection.transaction()?;
            for (kind, at, text) in &rows {
                transaction
                    .prepare_cached("INSERT INTO log (kind, at, data) VALUES (?1, ?2, ?3)")?
                    .execute((kind.as_ref(), at.0.cast_signed(), text))?;
            }
            transaction.commit()
        };
        insert(&mut self.view.connection).map_err(|error| StoreError::database(&self.view.db, &error))?;
        self.last_seq()
    }

    /// The JSON of the data, checked to be readable: better refused now than missed when the log is read.
    fn encode(&self, kind: &str, data: &impl Serialize) -> Result<String, StoreError> {
        serde_json::to_string(data)
            .and_then(|text| serde_json::from_str::<Value>(&text).map(|_| text))
            .map_err(|error| StoreError::Unstorable {
                kind: kind.to_owned(),
                path: self.view.db.clone(),
                why: error.to_string(),
            })
    }
}

impl SessionView {
    /// The entries of these kinds (of all kinds when none is given) that come after `after`, in order.
    pub fn read(&self, kinds: &[&str], after: Seq) -> Entries<'_> {
        Entries {
            view: self,
            query: query(kinds.len()),
            kinds: kinds.iter().map(|&kind| kind.to_owned()).collect(),
            after,
            page: Vec::new().into_iter(),
            ended: false,
        }
    }

    /// The number of the last entry; [`Seq::START`] when there is none.
    pub fn last_seq(&self) -> Result<Seq, StoreError> {
        self.connection
            .prepare_cached("SELECT coalesce(max(seq), 0) FROM log")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map(|seq: i64| Seq(seq.cast_unsigned()))
            .map_err(|error| StoreError::database(&self.db, &error))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<LogEntry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.len() == 0 && !self.ended {
            match self.turn() {
                Ok(page) => {
                    self.ended = page.is_empty();
                    self.page = page.into_iter();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        let entry = self.page.next()?;
        self.after = entry.seq;
        Some(Ok(entry))
    }
}

impl Entries<'_> {
    /// Fetches the next page. Pages, rather than one long query, let a writer tidy its files meanwhile.
    fn turn(&self) -> Result<Vec<LogEntry>, StoreError> {
        let failed = |error: rusqlite::Error| match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, why) => {
                StoreError::Damaged { path: self.view.db.clone(), why: format!("an entry of its log: {why}") }
            }
            other => StoreError::database(&self.view.db, &other),
        };
        let after = types::Value::from(self.after.0.cast_signed());
        let parameters = std::iter::once(after).chain(self.kinds.iter().cloned().map(types::Value::from));
        let mut statement = self.view.connection.prepare_cached(&self.query).map_err(failed)?;
        let rows = statement.query_map(params_from_iter(parameters), entry).map_err(failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)
    }
}

fn query(kinds: usize) -> String {
    let filter = match kinds {
        0 => String::new(),
        1 => "AND kind = ?2".to_owned(),
        // The plus keeps SQLite from the index, which would sort the rest of the log for every page.
        _ => format!("AND +kind IN (?{})", vec![""; kinds].join(", ?")),
    };
    format!("SELECT seq, kind, at, data FROM log WHERE seq > ?1 {filter} ORDER BY seq LIMIT {PAGE}")
}

fn entry(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    let (seq, at): (i64, i64) = (row.get(0)?, row.get(2)?);
    let data = serde_json::from_str(row.get_ref(3)?.as_str()?)
        .map_err(|why| rusqlite::Error::FromSqlConversionFailure(3, types::Type::Text, why.into()))?;
    Ok(LogEntry { seq: Seq(seq.cast_unsigned()), kind: row.get(1)?, at: Micros(at.cast_unsigned()), data })
}
