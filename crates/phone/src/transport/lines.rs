//! All connections of a phone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::connection::Connection;

/// More connections than this are refused.
const MOST: usize = 32;

/// The connections that are open now.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    lines: BTreeMap<u64, Arc<Connection>>,
    count: u64,
}

impl Lines {
    /// Takes a connection in. None when there are too many.
    pub(super) fn add(&self, connection: &Arc<Connection>) -> Option<u64> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.lines.len() >= MOST {
            return None;
        }
        open.count += 1;
        let number = open.count;
        open.lines.insert(number, connection.clone());
        Some(number)
    }

    pub(super) fn remove(&self, number: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lines.remove(&number);
    }

    /// Whether nobody is connected.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lines.is_empty()
    }

    /// Drops all connections, as a device does that goes offline.
    pub(crate) fn drop_all(&self) {
        for connection in self.all() {
            connection.hang_up();
        }
    }

    /// Ends all streams, as a device does whose processes are gone. Connections stay.
    pub(crate) fn cut_streams(&self) {
        for connection in self.all() {
            connection.cut_streams();
        }
    }

    fn all(&self) -> Vec<Arc<Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lines.values().cloned().collect()
    }
}
