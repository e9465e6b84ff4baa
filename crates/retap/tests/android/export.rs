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
    script_of(bench, folder, TRACE, expect)
}

fn script_of(bench: &Bench, folder: &Path, text: &str, expect: &str) -> String {
    let trace = folder.join("names.trace.jsonl");
    std::fs::write(&trace, text).expect("a file");
    let trace = trace.to_str().expect("a plain path");
    let said = finish(&mut bench.retap(&["export", trace, "--as", "adb", "--expect", expect]), LONGEST);
    assert!(said.status.success(), "{said:?}");
    String::from_utf8(said.stdout).expect("text")
}

/// How the script ends on this device, and what it says.
fn outcome(bench: &Bench, folder: &Path, script: &str) -> (Option<i32>, String) {
    outcome_on(bench, &bench.serial, folder, script)
}

fn outcome_on(bench: &Bench, serial: &str, folder: &Path, script: &str) -> (Option<i32>, String) {
    let file = folder.join("test.sh");
    std::fs::write(&file, script).expect("a file");
    let mut shell = Command::new("sh");
    shell.arg(&file).arg(serial).env("ANDROID_ADB_SERVER_PORT", bench.server_port.to_string());
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
        (Bench::kill_device as fn(&mut Bench), "LOST: "),
        (Bench::freeze_device, " has not ended within 3 seconds"),
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
        assert_eq!(said.status.code(), Some(2), "{words}");
        assert!(words.contains(says) && words.contains("LOST: ") && !words.contains("FAILED: "), "{words}");
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

/// The app does what it was told a little later, as on a phone: a test that does not wait touches what was there before.
#[test]
fn a_script_for_adb_waits_for_what_it_touches() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    let Some(bench) = Bench::new("notes") else { return };
    for (name, knobs, app, trace) in [
        ("slow", "?latency=300", SLOW, SLOW_TRACE),
        ("keys", "?latency=300", KEYS, KEYS_TRACE),
        ("splash", "", SPLASH, SPLASH_TRACE),
        ("typed", "", TYPED, TYPED_TRACE),
    ] {
        for (expects, effect) in [(1, CRASH), (0, "nothing")] {
            let file = folder.join(format!("{name}-{expects}.app"));
            std::fs::write(&file, app.replace("EFFECT", effect)).expect("a file");
            let device = bench.another(&format!("{}{knobs}", file.display()));
            let script = script_of(&bench, folder, trace, "no-crash");
            let (code, said) = outcome_on(&bench, &device.serial, folder, &script);
            let says = if expects == 1 { "FAILED: the app crashed: " } else { "passed: " };
            assert!(code == Some(expects) && said.contains(says), "{name}: {code:?} {said}\n{script}");
        }
    }
}

/// adb is content with a console that refuses what it is told.
#[test]
fn a_script_for_adb_fails_when_the_console_refuses() {
    const HEADER: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.notes"},"start":"launched","screen":[1080,1920]}"#;
    let folder = tempfile::tempdir().expect("a scratch folder");
    let Some(bench) = Bench::new("notes") else { return };
    for (action, ends, says) in [
        ("sms:send", 0, "passed: the app did not crash"),
        ("emulator:network delay gsm", 1, "FAILED: the emulator's console: network delay gsm: KO: "),
    ] {
        let extras = r#""extras":{"from":"5550100","text":"hello"}"#;
        let step = format!(r#"{{"event":{{"do":"system","action":"{action}",{extras}}}}}"#);
        let script = script_of(&bench, folder.path(), &format!("{HEADER}\n{step}\n"), "no-crash");
        let (code, said) = outcome(&bench, folder.path(), &script);
        assert!(code == Some(ends) && said.contains(says), "{action}: {code:?} {said}");
    }
}

#[test]
fn a_script_for_adb_asks_whether_the_app_is_installed() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let Some(bench) = Bench::new("notes") else { return };
    let (code, said) = outcome(&bench, folder.path(), &script(&bench, folder.path(), "no-crash"));
    let says = "FAILED: the data of org.retap.names cannot be cleared; is the app installed?";
    assert!(code == Some(1) && said.contains(says), "{said}");
}

const SLOW: &str = r#"
app slow "Slow"
package org.example.slow
activity MainActivity
  screen main "Main"
    button "Open" id=open
      on tap
        open SecondActivity
activity SecondActivity
  screen second "Second"
    image "" class=android.widget.ImageButton height=300
      on tap
        EFFECT
"#;
const SLOW_TRACE: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.example.slow"},"start":"launched","screen":[1080,1920],"claim":{"reached":20,"runs":20,"before":2}}
{"event":{"do":"tap","at":[540,282],"widget":{"id":"org.example.slow:id/open"},"by":"widget"},"before":{"activity":"org.example.slow.MainActivity"}}
{"event":{"do":"tap","at":[540,360]},"before":{"activity":"org.example.slow.SecondActivity"}}
"#;
const KEYS: &str = r#"
app keys "Keys"
package org.example.keys
activity MainActivity
  screen main "Main"
    button "Next" id=next
      on tap
        open SecondActivity
activity SecondActivity
  on back
    EFFECT
  screen second "Second"
    label "hi"
"#;
// Nothing says which activity was in front.
const KEYS_TRACE: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.example.keys"},"start":"launched","screen":[1080,1920],"claim":{"reached":20,"runs":20,"before":2}}
{"event":{"do":"tap","at":[540,282],"widget":{"id":"org.example.keys:id/next"},"by":"widget"}}
{"event":{"do":"key","key":"back"}}
"#;
const SPLASH: &str = r#"
app splash "Splash"
package org.example.splash
activity MainActivity
  on create
    after 400ms
      show main
  screen wait "Loading"
    label "..."
  screen main "Main"
    image "" class=android.widget.ImageButton height=300
      on tap
        EFFECT
"#;
const SPLASH_TRACE: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.example.splash"},"start":"launched","screen":[1080,1920],"claim":{"reached":20,"runs":20,"before":1}}
{"event":{"do":"tap","at":[540,360]},"before":{"activity":"org.example.splash.MainActivity"}}
"#;
// The keyboard that comes up by the script's touch of the field would cover the button. On the simulator none does.
const TYPED: &str = r#"
app typed "Typed"
package org.example.typed
activity MainActivity
  var draft text
  screen main "Main"
    field draft id=name at=40,220,1040,360
    button "Save" id=save at=40,1600,1040,1800
      on tap
        if draft == "k"
          EFFECT
"#;
const TYPED_TRACE: &str = r#"{"retap":"trace","version":1,"app":{"package":"org.example.typed"},"start":"launched","device":"sim:typed.app","screen":[1080,1920],"claim":{"reached":20,"runs":20,"before":2}}
{"event":{"do":"text","text":"k","widget":{"id":"org.example.typed:id/name"}}}
{"event":{"do":"tap","at":[540,1700],"widget":{"id":"org.example.typed:id/save"},"by":"widget"}}
"#;
