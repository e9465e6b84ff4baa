//! What pieces of code and states are called.
//!
//! Traces have numbers and keys: they are many, and names would be most of their text. An exploration writes each name
//! down once, in a file beside them; a suite takes along the names of its own code. A simulated app has the names of its code
//! in itself.

use std::collections::BTreeMap;

use retap_device::Device;
use retap_trace::{CoverageId, StateKey};

/// The names that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) code: BTreeMap<CoverageId, String>,
    /// By the keys of all levels but that of activities.
    pub(crate) states: BTreeMap<StateKey, String>,
}

impl Names {
    /// Adds what others know; what is known already stays.
    pub(crate) fn add(&mut self, others: Self) {
        for (id, name) in others.code {
            self.code.entry(id).or_insert(name);
        }
        for (key, words) in others.states {
            self.states.entry(key).or_insert(words);
        }
    }

    /// Asks a device for the names of code that are not known.
    pub(crate) fn ask(&mut self, device: &dyn Device, ids: impl IntoIterator<Item = CoverageId>) {
        for id in ids {
            if let (false, Some(name)) = (self.code.contains_key(&id), device.code_name(id)) {
                self.code.insert(id, name.to_string());
            }
        }
    }

    /// A piece of code in words.
    pub(crate) fn code(&self, id: CoverageId) -> String {
        match self.code.get(&id) {
            Some(name) => name.clone(),
            None => format!("a piece of code whose name was not recorded (number {})", id.0),
        }
    }
}
