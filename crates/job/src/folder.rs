//! The folder of a session: where it is, and whether it is of the same plan.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use retap_store::{Plan, Session, SessionView};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{Doing as _, Result, refuse, require};

/// The folder of all sessions that are not given one.
pub const USUAL: &str = "retap-out";

/// What a plan says that does not make it another plan: where the input lies and whether it is a trace (its content is
/// told by a hash), where the answer goes, and what only decides how long it takes.
const ASIDE: [&str; 4] = ["input", "of", "write", "use_snapshots"];

/// Opens the session of a plan, new or to go on with.
///
/// Without a folder it is named after the plan, so that the same plan finds its own session again and another plan does
/// not.
pub(crate) fn open(folder: Option<&Path>, command: &str, settings: &impl Serialize) -> Result<Session> {
    let plan = plan(command, settings)?;
    let dir = folder.map_or_else(|| usual(&plan), Path::to_owned);
    let session = Session::create_or_open(&dir, &plan)?;
    if let Some(difference) = difference(session.plan(), &plan) {
        refuse!("{} holds another session: {difference}; choose another folder with --out", dir.display());
    }
    Ok(session)
}

/// Where the session of a plan is, or would be.
pub(crate) fn place(folder: Option<&Path>, command: &str, settings: &impl Serialize) -> Result<PathBuf> {
    Ok(match folder {
        Some(folder) => folder.to_owned(),
        None => usual(&plan(command, settings)?),
    })
}

/// Whether a folder holds a session of another plan.
pub(crate) fn is_of_another(dir: &Path, command: &str, settings: &impl Serialize) -> Result<bool> {
    let plan = plan(command, settings)?;
    Ok(SessionView::open(dir).is_ok_and(|found| difference(found.plan(), &plan).is_some()))
}

/// The plan of the session in a folder.
pub(crate) fn planned<T: DeserializeOwned>(session: &SessionView, dir: &Path) -> Result<T> {
    let plan = session.plan();
    let version = env!("CARGO_PKG_VERSION");
    require!(
        plan.version == version,
        "{} was begun by retap {}, and this is {version}; go on with that version, or start again in a new folder",
        dir.display(),
        plan.version,
    );
    serde_json::from_value(plan.settings.clone())
        .doing(|| format!("{} was begun by another version of retap", dir.display()))
}

fn plan(command: &str, settings: &impl Serialize) -> Result<Plan> {
    Ok(Plan::new(env!("CARGO_PKG_VERSION"), command, serde_json::to_value(settings)?))
}

fn usual(plan: &Plan) -> PathBuf {
    let settings = Value::Object(compared(&plan.settings));
    named(&plan.command, &format!("{} {settings}", plan.command))
}

/// The folder of what is called this, when no other was given; another text gives another folder.
pub fn named(what: &str, text: &str) -> PathBuf {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    Path::new(USUAL).join(format!("{what}-{}", &hash[..8]))
}

/// The settings that make a plan another one.
fn compared(settings: &Value) -> Map<String, Value> {
    let mut settings = settings.as_object().cloned().unwrap_or_default();
    settings.retain(|name, _| !ASIDE.contains(&&**name));
    settings
}

/// The first thing in which two plans differ, in words.
fn difference(found: &Plan, wanted: &Plan) -> Option<String> {
    if found.command != wanted.command {
        return Some(format!("it is of 'retap {}'", found.command));
    }
    if found.version != wanted.version {
        return Some(format!("it was begun by retap {}, this is {}", found.version, wanted.version));
    }
    let (found, wanted) = (compared(&found.settings), compared(&wanted.settings));
    let names: BTreeSet<&String> = found.keys().chain(wanted.keys()).collect();
    let name = names.into_iter().find(|name| found.get(*name) != wanted.get(*name))?;
    let value =
        |of: &Map<String, Value>| of.get(name).map_or_else(|| "nothing".to_owned(), ToString::to_string);
    Some(format!("there {name} is {}, here it is {}", value(&found), value(&wanted)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_that_says_what_is_reduced_finds_the_session_of_one_that_did_not() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("s");
        open(Some(&dir), "reduce", &json!({ "trace": "x" })).unwrap().close().unwrap();
        assert!(!is_of_another(&dir, "reduce", &json!({ "trace": "x", "of": "trace" })).unwrap());
        assert!(is_of_another(&dir, "reduce", &json!({ "trace": "y", "of": "trace" })).unwrap());
    }
}
