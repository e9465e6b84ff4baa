//! Faults to order: commands that do nothing, and say something else than they should.

use std::collections::BTreeMap;

use super::Phone;

/// Faults beyond this many are not kept.
const MOST: usize = 1_000;

/// How many more times a command fails and what it says then, by the words that it begins with.
#[derive(Debug, Default)]
pub(super) struct CommandFaults(BTreeMap<String, (u32, Vec<u8>)>);

impl Phone {
    /// Orders a fault: the next so many commands that begin with these words, in a shell or on the console, do nothing,
    /// say this, and end well. Where two faults fit, the one with more words counts; zero times takes a fault back.
    pub fn fault(&self, times: u32, words: &str, says: impl Into<Vec<u8>>) {
        self.with(|state| {
            let faults = &mut state.faults.0;
            if faults.len() < MOST || faults.contains_key(words) {
                faults.insert(words.to_owned(), (times, says.into()));
            }
        });
    }

    /// What a command says instead of doing its work, if it is to fail.
    pub(crate) fn failure(&self, command: &str) -> Option<Vec<u8>> {
        self.with(|state| {
            let mut faults = state.faults.0.iter_mut().rev();
            let (_, (times, says)) =
                faults.find(|(words, (times, _))| *times > 0 && command.starts_with(&***words))?;
            *times -= 1;
            Some(says.clone())
        })
    }
}
