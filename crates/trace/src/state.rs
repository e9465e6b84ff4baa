//! State keys: what two looks at a device have in common, at four levels from coarse to fine.
//!
//! The keys are made in `retap-model`; traces carry them, so the nouns live here.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

/// An abstraction of an observation, as a number. Equal keys of one level mean: the same state at that level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct StateKey(pub u64);

/// How finely states are told apart. Each level refines the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The activity in front (SimplyDroid).
    Activity,
    /// What can be acted on: components with their paths and visible attributes, not their text (DetReduce).
    Actionable,
    /// The whole structure without text values (TimeMachine).
    Layout,
    /// Everything that is seen, text and places included (ECHO).
    Full,
}

/// The state keys of one look; a trace stores these around each step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Seen {
    /// The activity in front.
    pub activity: Arc<str>,
    /// Key at the level `actionable`; absent when the tree was not looked at, like the two below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actionable: Option<StateKey>,
    /// Key at the level `layout`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<StateKey>,
    /// Key at the level `full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<StateKey>,
}

impl StateKey {
    /// The key of an activity.
    pub fn of_activity(activity: &str) -> Self {
        Self(xxh3_64(activity.as_bytes()))
    }
}

impl Level {
    /// From coarse to fine.
    pub const ALL: [Self; 4] = [Self::Activity, Self::Actionable, Self::Layout, Self::Full];
}

impl Seen {
    /// A look that told no more than the activity.
    pub fn activity(activity: impl Into<Arc<str>>) -> Self {
        Self { activity: activity.into(), actionable: None, layout: None, full: None }
    }

    /// The key at a level, if this look was fine enough.
    pub fn key(&self, level: Level) -> Option<StateKey> {
        match level {
            Level::Activity => Some(StateKey::of_activity(&self.activity)),
            Level::Actionable => self.actionable,
            Level::Layout => self.layout,
            Level::Full => self.full,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Activity => "activity",
            Self::Actionable => "actionable",
            Self::Layout => "layout",
            Self::Full => "full",
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.to_string() == name).ok_or_else(|| {
            format!("there is no state level '{name}'; the levels are activity, actionable, layout and full")
        })
    }
}

impl fmt::Display for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateKey({self})")
    }
}

impl FromStr for StateKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let key = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        key.map(Self).ok_or_else(|| format!("'{text}' is not a state key (16 hexadecimal digits)"))
    }
}

impl Serialize for StateKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_keys_survive_their_own_words() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_string(&level).unwrap(), format!("\"{level}\""));
        }
        assert!("text".parse::<Level>().unwrap_err().contains("there is no state level 'text'"));
        for key in [StateKey(0), StateKey(u64::MAX), StateKey::of_activity("a")] {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for wrong in ["", "12", "+123456789abcdef", "0123456789abcdefg", "0123456789abcdeé"] {
            assert!(wrong.parse::<StateKey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_look_knows_the_levels_it_was_fine_enough_for() {
        let seen = Seen { layout: Some(StateKey(7)), ..Seen::activity("com.example.Main") };
        let keys = Level::ALL.map(|level| seen.key(level));
        assert_eq!(keys, [Some(StateKey::of_activity("com.example.Main")), None, Some(StateKey(7)), None]);
    }
}
