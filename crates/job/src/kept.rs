//! The result of a job that came to its end, kept in its session's log for those who look at it later.

use std::path::Path;

use retap_store::{Seq, Session, SessionView};
use retap_trace::Micros;
use serde::Serialize;
use serde_json::Value;

use crate::error::Result;

/// The kind of the entry.
const KIND: &str = "result";

/// Writes a result down, unless it stands there. Files in the folder of the session are named from there, so that the
/// folder can be moved, and equal jobs leave equal logs.
pub(crate) fn keep(session: &mut Session, result: &impl Serialize) -> Result<()> {
    let mut result = serde_json::to_value(result)?;
    if let Some(fields) = result.as_object_mut() {
        fields.retain(|name, _| !matches!(&**name, "command" | "session"));
    }
    shorten(&mut result, session.dir());
    if last(session)?.as_ref() != Some(&result) {
        session.append(KIND, Micros::ZERO, &result)?;
    }
    Ok(())
}

/// The result that a session has come to, if it has.
pub(crate) fn last(session: &SessionView) -> Result<Option<Value>> {
    let last = session.read(&[KIND], Seq::START).last().transpose()?;
    Ok(last.map(|entry| entry.data))
}

/// Names files from a folder on, where they are in it.
fn shorten(value: &mut Value, folder: &Path) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(path) if matches!(&**name, "trace" | "suite") => {
                        if let Ok(inside) = Path::new(path).strip_prefix(folder) {
                            *path = inside.display().to_string();
                        }
                    }
                    other => shorten(other, folder),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, folder)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use retap_store::Plan;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_is_kept_once_and_names_files_from_its_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("s");
        let mut session = Session::create(&folder, &Plan::new("1", "reduce", json!({}))).unwrap();
        let result = |runs: u32| {
            let inside = folder.join("reduced.trace.jsonl").display().to_string();
            json!({ "command": "reduce", "runs": runs, "trace": inside, "session": folder,
                    "crashes": [{ "trace": "elsewhere.trace.jsonl" }] })
        };
        for runs in [1, 1, 2] {
            keep(&mut session, &result(runs)).unwrap();
        }
        assert_eq!(session.read(&[KIND], Seq::START).count(), 2);
        let kept = json!({ "runs": 2, "trace": "reduced.trace.jsonl",
                           "crashes": [{ "trace": "elsewhere.trace.jsonl" }] });
        assert_eq!(last(&session).unwrap(), Some(kept));
    }
}
