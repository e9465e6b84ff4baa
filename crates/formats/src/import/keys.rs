//! The keys that are down while a recording is read. A key is pressed when it goes down; that it is lifted adds nothing.

use retap_trace::Key;

use super::tally::Made;

/// What is said of keys that stay down.
pub(super) const NEVER_LIFTED: &str =
    "a key that goes down and is never lifted is imported as one that is pressed";

/// The keys that are down.
#[derive(Debug, Default)]
pub(super) struct HeldKeys(Vec<Key>);

impl HeldKeys {
    /// A key goes down.
    pub(super) fn down(&mut self, key: Key, made: &mut Made) {
        if self.0.contains(&key) {
            return made.skip_deed("repeats of a key that is held", None);
        }
        made.key(key);
        self.0.push(key);
    }

    /// A key is lifted.
    pub(super) fn up(&mut self, key: Key, made: &mut Made) {
        match self.0.iter().position(|held| *held == key) {
            Some(at) => drop(self.0.remove(at)),
            None => made.skip("keys that are lifted and were not down", None),
        }
    }

    /// Nothing tells any more that a key is lifted. A crash comes before its key is.
    pub(super) fn end(&self, made: &mut Made) {
        if !self.0.is_empty() && !made.crashed() {
            made.note(NEVER_LIFTED);
        }
    }
}
