//! Coverage: every handler is a method, every arm of a branch is a branch, and `cover` adds more code.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::Effect;

use super::cursor::Name;
use super::error::{Checked, Place, quote};
use super::limit;

/// The pieces of code that were named so far.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    pub(super) names: Vec<Arc<str>>,
    /// How often each name was given out.
    taken: BTreeMap<String, u32>,
    /// What `cover` named: the first id, how many, and where.
    extra: BTreeMap<String, (u32, u32, Place)>,
}

impl Coverage {
    /// Names a handler or an arm. Two of one name are told apart by a number.
    pub(super) fn automatic(&mut self, name: String, place: Place) -> Checked<Effect> {
        let from = self.room(1, place)?;
        self.push(name);
        Ok(Effect::Cover(from, from + 1))
    }

    /// Code that several handlers may share: the same name is the same code.
    pub(super) fn shared(&mut self, name: Name<'_>, count: u32) -> Checked<Effect> {
        if let Some((from, before, first)) = self.extra.get(name.text) {
            if *before == count {
                return Ok(Effect::Cover(*from, from + count));
            }
            let (shown, text) = (quote(name.text), name.text);
            let message =
                format!("{shown} is {before} pieces of code elsewhere; write `cover {text} * {before}`");
            return Err(name.place.fault(message).after_first(*first));
        }
        let from = self.room(count, name.place)?;
        self.extra.insert(name.text.to_owned(), (from, count, name.place));
        match count {
            1 => self.push(name.text.to_owned()),
            _ => (1..=count).for_each(|number| self.push(format!("{}#{number}", name.text))),
        }
        Ok(Effect::Cover(from, from + count))
    }

    /// The first of so many new ids.
    fn room(&self, count: u32, place: Place) -> Checked<u32> {
        let from = self.names.len();
        if from + count as usize > limit::COVERAGE {
            let limit = limit::COVERAGE;
            return Err(place.fault(format!("an app has at most {limit} pieces of code to cover")));
        }
        Ok(u32::try_from(from).unwrap_or(u32::MAX))
    }

    fn push(&mut self, name: String) {
        let taken = self.taken.entry(name.clone()).or_default();
        *taken += 1;
        let unique = if *taken == 1 { name } else { format!("{name}#{taken}") };
        self.names.push(unique.into());
    }
}
