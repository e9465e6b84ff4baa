//! What the doctor says of a phone that is well and of one that is not.

use std::time::Duration;

use retap_adb::client::Environment;
use retap_adb::doctor::{Check, DeviceHealth, Questions, checkup};

use crate::fake::{APP, FakeServer, Fault};

fn look(server: &FakeServer, questions: &Questions) -> Vec<Check> {
    let environment = Environment { server_port: Some(server.port.to_string()), ..Environment::default() };
    checkup(&environment, questions, Duration::from_secs(20))
}

fn health(checks: &[Check], name: &str) -> (DeviceHealth, String) {
    let check =
        checks.iter().find(|check| check.name == name).unwrap_or_else(|| panic!("no check of {name}"));
    assert_eq!(check.fix.is_some(), check.health != DeviceHealth::Good, "{check:?}");
    (check.health, check.found.clone())
}

#[test]
fn a_phone_that_is_well() {
    let server = FakeServer::start("S1");
    let checks = look(&server, &Questions { app: Some(APP.to_owned()), ..Questions::default() });
    assert_eq!(health(&checks, "adb program").0, DeviceHealth::Fair);
    assert!(health(&checks, "adb server").1.ends_with("speaks version 41"));
    assert_eq!(health(&checks, "device"), (DeviceHealth::Good, "Fake_Phone".to_owned()));
    assert_eq!(health(&checks, "Android version"), (DeviceHealth::Good, "Android 11 (API 30)".to_owned()));
    assert_eq!(
        health(&checks, "screen dump"),
        (DeviceHealth::Good, "5 widgets of com.android.launcher3".to_owned())
    );
    assert_eq!(health(&checks, "screenshot").0, DeviceHealth::Good);
    assert_eq!(health(&checks, "screen lock").0, DeviceHealth::Good);
    assert_eq!(health(&checks, "free space"), (DeviceHealth::Good, "8192 MiB".to_owned()));
    assert_eq!(health(&checks, "animations").0, DeviceHealth::Fair);
    assert_eq!(health(&checks, "Unicode text").0, DeviceHealth::Fair);
    assert_eq!(health(&checks, "snapshots").0, DeviceHealth::Fair);
    assert_eq!(health(&checks, "app"), (DeviceHealth::Good, format!("{APP} 1.0, starts with {APP}.Main")));
}

#[test]
fn a_phone_that_is_not() {
    let server = FakeServer::start("S1");
    server.set(Fault::Unauthorized);
    let checks = look(&server, &Questions::default());
    assert_eq!(health(&checks, "device").0, DeviceHealth::Bad);
    let fix = checks.iter().find(|check| check.name == "device").unwrap().fix.clone().unwrap();
    assert!(fix.contains("accept the dialog"), "{fix}");
    assert_eq!(checks.len(), 3, "nothing more is asked of it");
    server.set(Fault::Absent);
    assert_eq!(health(&look(&server, &Questions::default()), "device").1, "none is connected");
    server.set(Fault::None);
    let windows = "  mCurrentFocus=Window{a1 u0 NotificationShade}\n";
    for (command, says) in [
        ("uiautomator dump", "Killed\n"),
        ("dumpsys window", windows),
        ("getprop", "[ro.build.version.sdk]: [19]\n"),
    ] {
        server.phone().fault(u32::MAX, command, says);
    }
    let questions = Questions { app: Some("com.nowhere".to_owned()), ..Questions::default() };
    let checks = look(&server, &questions);
    let (bad, said) = health(&checks, "screen dump");
    assert!(bad == DeviceHealth::Bad && said.ends_with("uiautomator said: Killed"), "{said}");
    let locked = (DeviceHealth::Fair, "NotificationShade covers the screen".to_owned());
    assert_eq!(health(&checks, "screen lock"), locked);
    assert_eq!(health(&checks, "Android version").0, DeviceHealth::Bad);
    assert_eq!(health(&checks, "app").0, DeviceHealth::Bad);
}

#[test]
fn a_dump_that_works_only_by_file_is_a_dump() {
    let server = FakeServer::start("S1");
    let no_terminal = "java.io.FileNotFoundException: /dev/tty: open failed: ENXIO\n";
    server.phone().fault(u32::MAX, "uiautomator dump /dev/tty", no_terminal);
    let checks = look(&server, &Questions::default());
    assert_eq!(
        health(&checks, "screen dump"),
        (DeviceHealth::Good, "5 widgets of com.android.launcher3".to_owned())
    );
}

#[test]
fn no_server_ends_the_visit() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let environment = Environment { server_port: Some(port.to_string()), ..Environment::default() };
    let checks = checkup(&environment, &Questions::default(), Duration::from_secs(5));
    assert_eq!(health(&checks, "adb server").0, DeviceHealth::Bad);
    let wrong = Environment { server_port: Some("x".to_owned()), ..Environment::default() };
    assert_eq!(
        health(&checkup(&wrong, &Questions::default(), Duration::from_secs(5)), "adb server").0,
        DeviceHealth::Bad
    );
}
