//! What a device has to say in the course of time, besides its answers.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Where notices go. Clones share what was told: each thing is told once.
#[derive(Clone)]
pub struct JvmNotices {
    to: Arc<dyn Fn(&str) + Send + Sync>,
    told: Arc<Mutex<BTreeSet<String>>>,
}

/// An app could make up new ones without end.
const MOST: usize = 50;

impl JvmNotices {
    /// Notices that go here.
    pub fn new(to: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { to: Arc::new(to), told: Arc::default() }
    }

    pub(super) fn tell(&self, notice: &str) {
        let notice = crate::process::one_line(notice);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST && told.insert(notice.clone()) {
            (self.to)(&notice);
        }
    }
}

impl fmt::Debug for JvmNotices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JvmNotices")
    }
}
