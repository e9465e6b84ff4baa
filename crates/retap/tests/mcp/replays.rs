//! What an agent is told of a fix: only runs that performed the steps without a crash prove one.

use serde_json::{Value, json};

use crate::command::{run, sample, scratch, words};
use crate::server::{Server, texts};

/// The bug of the notes app, as it stands in its source.
const BUG: &str = "if unnamed and is_new";

/// A server next to a reduced trace and three builds of its app: the old one, one with a fix, and one whose button has
/// another name besides.
fn builds() -> (tempfile::TempDir, Server) {
    let folder = scratch();
    let reduced = run(folder.path(), &["reduce", &sample("notes-unnamed-tag"), "--out", "red", "-q"]);
    assert_eq!(reduced.status.code(), Some(0), "{}", words(&reduced));
    let app = include_str!("../../../sim/apps/notes.app");
    assert!(app.contains(BUG), "the bug has another form");
    let fixed = app.replace(BUG, "if false");
    let renamed = fixed.replace("button \"Tags\" id=tags", "button \"Labels\" id=labels");
    for (name, app) in [("fixed.app", &fixed), ("renamed.app", &renamed)] {
        std::fs::write(folder.path().join(name), app).expect("room for an app");
    }
    let server = Server::start(folder.path(), &[]);
    (folder, server)
}

/// The status of replays on a device, and what is said of them.
fn replayed(server: &mut Server, device: &str, more: &Value) -> (String, String) {
    let mut given = json!({"trace": "red/reduced.trace.jsonl", "times": 6, "device": device});
    given.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
    let told = server.call("replay", &given);
    let status = told["structuredContent"]["status"].as_str().unwrap_or_else(|| panic!("a status: {told}"));
    (status.to_owned(), texts(&told))
}

#[test]
fn only_runs_that_performed_the_steps_prove_a_fix() {
    let (_folder, mut server) = builds();
    let strict = json!({"expect_no_crash": true});
    let (status, said) = replayed(&mut server, "sim:notes", &strict);
    assert_eq!(status, "crashed", "{said}");
    assert!(said.starts_with("6 of 6 runs of 4 events crashed ("), "{said}");
    assert!(said.contains("6 runs ended in the recorded crash: IllegalStateException@"), "{said}");
    // The folder of the reduction means its answer.
    let strict_in = json!({"expect_no_crash": true, "trace": "red"});
    assert_eq!(replayed(&mut server, "sim:notes", &strict_in), (status, said));
    let (status, said) = replayed(&mut server, "sim:./fixed.app", &strict);
    assert_eq!(status, "done", "{said}");
    assert!(!said.contains("not known"), "{said}");
    let (status, said) = replayed(&mut server, "sim:./renamed.app", &strict);
    assert_eq!(status, "astray", "{said}");
    assert!(said.contains("not known: not all runs were seen to perform the steps"), "{said}");
    assert!(
        said.contains("6 runs stopped before step 2, tap 'Tags': its widget is not on the screen"),
        "{said}"
    );
    // Who does not ask for it is told what the figure does not say.
    let (status, said) = replayed(&mut server, "sim:./renamed.app", &json!({}));
    assert_eq!(status, "not_reproducible", "{said}");
    assert!(said.contains("that does not say that a crash is gone"), "{said}");
    assert!(said.contains("6 runs came to the end of all 4 steps without the target"), "{said}");
}

#[test]
fn devices_that_failed_are_told() {
    let (_folder, mut server) = builds();
    let (status, said) =
        replayed(&mut server, "sim:./fixed.app?offline=0.03", &json!({"expect_no_crash": true}));
    assert_eq!(status, "unknown", "{said}");
    assert!(said.contains("not known: the device failed in some runs"), "{said}");
    assert!(said.contains("inconclusive: the device failed"), "{said}");
}

#[test]
fn a_target_besides_is_refused() {
    let (_folder, mut server) = builds();
    let given = json!({"trace": "red/reduced.trace.jsonl", "expect_no_crash": true, "to": "crash"});
    assert_eq!(server.refusal("replay", &given), "expect_no_crash looks for any crash; leave to out");
}
