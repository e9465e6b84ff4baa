//! What the devices of a session are, where that matters for what was found. Runs of two kinds are no evidence of one.

use retap_store::{Seq, Session};
use retap_trace::Micros;
use serde_json::json;

use crate::error::{Result, require};

/// The kind of the entry that says it.
const KIND: &str = "platform";

/// Writes it down when the session is new. One of another platform is not gone on with.
pub(crate) fn same(session: &mut Session, platform: Option<&str>) -> Result<()> {
    let Some(platform) = platform else { return Ok(()) };
    let now = json!({ "platform": platform });
    let known = session.read(&[KIND], Seq::START).next().transpose()?;
    let Some(then) = known.map(|entry| entry.data) else {
        session.append(KIND, Micros::ZERO, &now)?;
        return Ok(());
    };
    require!(
        then == now,
        "{} was begun on {}, and this is {platform}; choose another folder with --out",
        session.dir().display(),
        then["platform"].as_str().unwrap_or("another platform"),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use retap_store::Plan;

    use super::*;

    #[test]
    fn a_session_is_of_one_platform() {
        let scratch = tempfile::tempdir().unwrap();
        let plan = Plan::new("1", "reduce", json!({}));
        let mut session = Session::create_or_open(scratch.path().join("s"), &plan).unwrap();
        let entries = |session: &Session| session.read(&[KIND], Seq::START).count();
        same(&mut session, None).unwrap();
        assert_eq!(entries(&session), 0);
        for _ in 0..2 {
            same(&mut session, Some("Robolectric, API 29")).unwrap();
        }
        assert_eq!(entries(&session), 1);
        let why = same(&mut session, Some("Robolectric, API 34")).unwrap_err().to_string();
        assert!(why.contains("was begun on Robolectric, API 29, and this is Robolectric, API 34"), "{why}");
    }
}
