//! Which build of the app a session is of. Runs of two builds are no evidence of one app.

use crate::error::{Result, require};
use retap_store::{Seq, Session};
use retap_trace::{AppId, Micros};

/// The kind of the entry that says it.
const KIND: &str = "app";

/// Writes down which build the device runs, when the session is new. One of another build is not gone on with.
pub(crate) fn same(session: &mut Session, app: &AppId, device: &str) -> Result<()> {
    let now = serde_json::to_value(app)?;
    let known = session.read(&[KIND], Seq::START).next().transpose()?;
    let Some(then) = known.map(|entry| entry.data) else {
        session.append(KIND, Micros::ZERO, &now)?;
        return Ok(());
    };
    let build = |app: &serde_json::Value| app["build"].as_str().unwrap_or("unknown").to_owned();
    require!(
        then == now,
        "{} was begun on build {} of {}, and {device} runs build {}; choose another folder with --out",
        session.dir().display(),
        build(&then),
        app.package,
        build(&now)
    );
    Ok(())
}
