//! The folder of a session: where it is, and whether it is of the same plan.

use std::path::{Path, PathBuf};

use anyhow::bail;
use retap_store::{Plan, Session};
use serde::Serialize;

/// Opens the session of a plan, new or to go on with.
///
/// Without `--out` the folder is named after the plan, so that the same command finds its own session again and
/// another command does not.
pub(crate) fn open(out: Option<&Path>, command: &str, settings: &impl Serialize) -> anyhow::Result<Session> {
    let plan = plan(command, settings)?;
    let dir = out.map_or_else(|| usual(&plan), Path::to_owned);
    let session = Session::create_or_open(&dir, &plan)?;
    if let Some(difference) = difference(session.plan(), &plan) {
        bail!("{} holds another session: {difference}; choose another folder with --out", dir.display());
    }
    Ok(session)
}

/// Where the session of a plan is, or would be.
pub(crate) fn place(out: Option<&Path>, command: &str, settings: &impl Serialize) -> anyhow::Result<PathBuf> {
    Ok(match out {
        Some(out) => out.to_owned(),
        None => usual(&plan(command, settings)?),
    })
}

fn plan(command: &str, settings: &impl Serialize) -> anyhow::Result<Plan> {
    Ok(Plan::new(env!("CARGO_PKG_VERSION"), command, serde_json::to_value(settings)?))
}

/// The folder of all sessions that are not given one.
pub(crate) const USUAL: &str = "retap-out";

/// The command that was typed, to type it again.
pub(crate) fn this_command() -> String {
    let typed = std::env::args().skip(1).map(|arg| quoted(&arg)).collect::<Vec<_>>();
    format!("retap {}", typed.join(" "))
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_alphanumeric() || "-_./:=,@%+".contains(char);
    // A hash begins a comment only at the beginning of a word.
    let rest = word.strip_prefix(plain).unwrap_or("#'");
    if rest.chars().all(|char| plain(char) || char == '#') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn usual(plan: &Plan) -> PathBuf {
    named(&plan.command, &format!("{} {}", plan.command, plan.settings))
}

/// The folder of what is called this, when no other was typed; another text gives another folder.
pub(crate) fn named(what: &str, text: &str) -> PathBuf {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    Path::new(USUAL).join(format!("{what}-{}", &hash[..8]))
}

/// The first thing in which two plans differ, in words.
fn difference(found: &Plan, wanted: &Plan) -> Option<String> {
    if found.command != wanted.command {
        return Some(format!("it is of 'retap {}'", found.command));
    }
    if found.version != wanted.version {
        return Some(format!("it was begun by retap {}, this is {}", found.version, wanted.version));
    }
    let (found, wanted) = (found.settings.as_object()?, wanted.settings.as_object()?);
    let name = wanted.keys().find(|name| found.get(*name) != wanted.get(*name))?;
    let value = |of: &serde_json::Map<String, serde_json::Value>| {
        of.get(name).map_or_else(|| "nothing".to_owned(), ToString::to_string)
    };
    Some(format!("there {name} is {}, here it is {}", value(found), value(wanted)))
}
