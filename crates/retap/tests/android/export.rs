//! A crash as a script that needs adb alone: it fails while the crash is there, and only then.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use retap_testing::until;

use crate::bench::{Bench, LONGEST, finish, finish_child};

const APP: &str = r#"
app names "Names"
package org.retap.names

activity MainActivity
  var draft text
  screen main "Names"
    field draft id=name hint="Name"
    button "Edit" id=edit
      on tap
        open EditActivity

activity EditActivity
  screen edit "Edit"
    button "It's \"new\" & <odd>" id=add
      on tap
        EFFECT
"#;
const CRASH: &str = "crash java.lang.IllegalStateException \"no name\"";

const TRACE: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.names"},"start":"launched","screen":[1080,1920],"claim":{"reached":20,"runs":20,"before":90}}
{"event":{"do":"text","text":"it's $(reboot) \"x\"","widget":{"id":"org.retap.names:id/name"}}}
{"event":{"do":"key","key":"back"}}
{"event":{"do":"tap","at":[1,1],"by":"widget","widget":{"id":"org.retap.names:id/edit","text":"Edit"}}}
{"event":{"do":"tap","at":[1,1],"by":"widget","widget":{"text":"It's \"new\" & <odd>"}},"crash":{"kind":"java","signature":"IllegalStateException@?#1","exception":"java.lang.IllegalStateException"}}
"#;

/// The script for this trace, with what the test expects.
fn script(bench: &Bench, folder: &Path, expect: &str) -> String {
    let trace = folder.join("names.trace.jsonl");
    std::fs::write(&trace, TRACE).expect("a file");
    let trace = trace.to_str().expect("a plain path");
    let said = finish(&mut bench.retap(&["export", trace, "--as", "adb", "--expect", expect]), LONGEST);
    assert!(said.status.success(), "{said:?}");
    String::from_utf8(said.stdout).expect("text")
}

/// How the script ends on this device, and what it says.
fn outcome(bench: &Bench, folder: &Path, script: &str) -> (Option<i32>, String) {
    let file = folder.join("test.sh");
    std::fs::write(&file, script).expect("a file");
    let mut shell = Command::new("sh");
    shell.arg(&file).arg(&bench.serial).env("ANDROID_ADB_SERVER_PORT", bench.server_port.to_string());
    let said = finish(&mut shell, LONGEST);
    let words = [said.stdout, said.stderr].concat();
    (said.status.code(), String::from_utf8_lossy(&words).into_owned())
}

/// A phone that is gone, and one that is there and no longer answers: adb may wait for either.
#[test]
fn a_script_for_adb_ends_when_the_phone_dies() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let app = folder.path().join("mended.app");
    std::fs::write(&app, APP.replace("EFFECT", "finish")).expect("a file");
    for (dies, says) in [
        (Bench::kill_device as fn(&mut Bench), "FAILED: "),
        (Bench::freeze_device, "adb shell has not ended within 3 seconds"),
    ] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let folder = folder.path();
        let Some(mut bench) = Bench::new(app.to_str().expect("a plain path")) else { return };
        let pause = "\n: >here; until [ -e dead ]; do sleep 0.1; done\n# 3. ";
        let script = script(&bench, folder, "no-crash").replace("\n# 3. ", pause);
        std::fs::write(folder.join("test.sh"), script).expect("a file");
        let mut shell = Command::new("sh");
        shell.args(["test.sh", &bench.serial]).current_dir(folder).env("ADB_SECONDS", "3");
        shell.env("ANDROID_ADB_SERVER_PORT", bench.server_port.to_string());
        let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell");
        until("the script is in the middle", || folder.join("here").exists());
        dies(&mut bench);
        std::fs::write(folder.join("dead"), "").expect("a file");
        let said = finish_child(child, Duration::from_mins(1));
        let words = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(1), "{words}");
        assert!(words.contains(says) && words.contains("FAILED: "), "{words}");
    }
}

#[test]
fn a_script_for_adb_fails_while_the_crash_is_there() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    for (name, effect, no_crash, crash) in
        [("broken", CRASH, Some(1), Some(0)), ("mended", "finish", Some(0), Some(1))]
    {
        let app = folder.join(format!("{name}.app"));
        std::fs::write(&app, APP.replace("EFFECT", effect)).expect("a file");
        let Some(bench) = Bench::new(app.to_str().expect("a plain path")) else { return };
        let regression = script(&bench, folder, "no-crash");
        let (code, said) = outcome(&bench, folder, &regression);
        let expected =
            if name == "broken" { "FAILED: the app crashed: " } else { "passed: the app did not crash" };
        assert!(code == no_crash && said.contains(expected), "{name}: {code:?} {said}");
        let (code, said) = outcome(&bench, folder, &script(&bench, folder, "crash"));
        let expected =
            if name == "broken" { "passed: the app crashed" } else { "FAILED: the app did not crash" };
        assert!(code == crash && said.contains(expected), "{name}: {code:?} {said}");
        // One that looks for something else must not pass because it did nothing.
        let (code, said) = outcome(&bench, folder, &regression.replace("id/edit", "id/other"));
        assert!(code == Some(1) && said.contains("no widget has"), "{name}: {code:?} {said}");
    }
}
