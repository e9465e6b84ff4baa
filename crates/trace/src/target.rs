//! What a run must reach.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::crash::Signature;
use crate::state::StateKey;
use crate::step::CoverageId;

/// What a run must reach. Written `crash`, `crash:SIGNATURE`, `activity:NAME`, `state:KEY`, `coverage:ID`,
/// `cmd:COMMAND`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// Any crash of the app.
    AnyCrash,
    /// A crash with this signature.
    Crash(Signature),
    /// This activity in front; the last part of its name is enough.
    Activity(Arc<str>),
    /// This state, at whatever level the key is of.
    State(StateKey),
    /// This piece of code executed.
    Coverage(CoverageId),
    /// Whatever the command says: exit code 0 is reached.
    Command(String),
}

impl Target {
    /// Whether an activity's full name is the one meant: `LoginActivity` means `com.diner.LoginActivity`.
    pub fn names_activity(wanted: &str, activity: &str) -> bool {
        activity.strip_suffix(wanted).is_some_and(|front| front.is_empty() || front.ends_with(['.', '/']))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyCrash => f.write_str("crash"),
            Self::Crash(signature) => write!(f, "crash:{signature}"),
            Self::Activity(name) => write!(f, "activity:{name}"),
            Self::State(key) => write!(f, "state:{key}"),
            Self::Coverage(id) => write!(f, "coverage:{}", id.0),
            Self::Command(command) => write!(f, "cmd:{command}"),
        }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("crash", None) => Ok(Self::AnyCrash),
            ("crash", Some(signature)) if !signature.is_empty() => {
                Ok(Self::Crash(Signature(signature.into())))
            }
            ("activity", Some(name)) if !name.is_empty() => Ok(Self::Activity(name.into())),
            ("state", Some(key)) => key.parse().map(Self::State),
            ("coverage", Some(id)) => {
                let id =
                    id.parse().map_err(|_| format!("'{id}' is not the number of a covered piece of code"))?;
                Ok(Self::Coverage(CoverageId(id)))
            }
            ("cmd", Some(command)) if !command.trim().is_empty() => Ok(Self::Command(command.to_owned())),
            _ => Err(format!(
                "'{text}' is not a target; write crash, crash:SIGNATURE, activity:NAME, state:KEY, \
                 coverage:ID or cmd:COMMAND"
            )),
        }
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_survives_its_own_words() {
        for text in [
            "crash",
            "crash:Npe@Main#1",
            "activity:Login",
            "state:00000000000000ff",
            "coverage:7",
            "cmd:./a.sh",
        ] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
        for wrong in ["", "crash:", "activity:", "state:7", "coverage:x", "cmd: ", "tap"] {
            assert!(wrong.parse::<Target>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_last_part_of_an_activity_is_enough() {
        assert!(Target::names_activity("LoginActivity", "com.diner.LoginActivity"));
        assert!(Target::names_activity("com.diner.LoginActivity", "com.diner.LoginActivity"));
        assert!(!Target::names_activity("Activity", "com.diner.LoginActivity"));
    }
}
