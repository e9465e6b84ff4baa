//! Small commands against a device of real adb, and what every command does to it.

use crate::bench::{Bench, LONGEST, finish, result};

#[test]
fn devices_are_listed_and_examined() {
    let Some(bench) = Bench::new("notes") else { return };
    let listed = finish(&mut bench.retap(&["device", "list"]), LONGEST);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains(&format!("adb:{}", bench.serial)), "{listed}");

    let (checks, status, words) = result(&mut bench.retap(&["device", "doctor", "--json", &bench.spec()]));
    assert_eq!(status, 0, "{checks} {words}");
    let found = |name: &str| {
        let check = checks["checks"].as_array().expect("a list").iter().find(|check| check["name"] == name);
        check.unwrap_or_else(|| panic!("{name} is not checked: {checks}"))["found"].to_string()
    };
    assert!(found("Android version").contains("Android 14 (API 34)"));
    assert!(found("snapshots").contains("supported"));
    assert!(found("app").contains("starts with org.retap.notes.MainActivity"));

    let none = finish(&mut bench.retap(&["device", "doctor", "adb:elsewhere"]), LONGEST);
    assert_eq!(none.status.code(), Some(1));
    let said = String::from_utf8_lossy(&none.stdout).into_owned();
    assert!(said.contains("elsewhere") && said.contains("->"), "{said}");
}

/// A crash behind every tap on its half of the screen.
const TWO: &str = r#"
app two "Two"
package org.retap.two

activity MainActivity
  screen main "Two"
    button "One" height=800
      on tap
        crash IllegalStateException "one"
          at org.retap.two.Main.one(Main.java:1)
    button "Two" height=800
      on tap
        crash IllegalStateException "two"
          at org.retap.two.Main.two(Main.java:2)
"#;

/// A phone cannot be had a second time: whatever a command does with it, it opens it once.
#[test]
fn a_phone_is_opened_once() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let app = folder.path().join("two.app");
    std::fs::write(&app, TWO).expect("a file");
    let Some(bench) = Bench::new(&app.display().to_string()) else { return };
    let device = format!("adb:{}?app=org.retap.two&quiet=0", bench.serial);
    let opened = |args: &[&str], code: i32| {
        let (result, status, words) = result(bench.retap(args).args(["-v", "--json", "--device", &device]));
        assert_eq!(status, code, "{args:?}: {words}");
        let opened: Vec<&str> = words.lines().filter(|line| line.starts_with("opened ")).collect();
        assert_eq!(opened, [format!("opened adb:{}", bench.serial)], "{args:?}: {words}");
        result
    };
    let explore = ["explore", "--strategy", "aware", "--events", "20", "--reduce", "--out", "night"];
    let explored = opened(&explore, 1);
    assert_eq!(explored["reduced"].as_array().map(Vec::len), Some(2), "{explored}");
    let reduced = opened(&["reduce", "night", "--all", "--confirm", "3", "--out", "short"], 0);
    let reductions = reduced["reductions"].as_array().expect("a list");
    assert_eq!(reductions.len(), 2, "{reduced}");
    opened(&["replay", reductions[0]["trace"].as_str().expect("a path"), "--times", "3"], 0);
    opened(&["suite", "night", "--out", "small"], 0);
    opened(&["replay", "--suite", "small/suite"], 0);
}
