//! Small commands against a device of real adb.

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
