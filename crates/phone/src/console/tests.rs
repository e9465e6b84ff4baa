use std::fs;

use super::converse;
use crate::phone::Phone;
use crate::settings::{PhoneSettings, Speed};
use crate::testing::{out, phone};

fn say(phone: &Phone, lines: &str) -> String {
    let mut said = Vec::new();
    converse(phone, lines.as_bytes(), &mut said).unwrap();
    String::from_utf8(said).unwrap()
}

const GREETING: &str = "Android Console: type 'help' for a list of commands\r\nOK\r\n";

#[test]
fn the_console_answers_with_ok_or_ko() {
    let phone = phone();
    let said = say(&phone, "ping\navd name\ngeo fix 1 2\nnonsense\nquit\nping\n");
    let wanted = "I am alive!\r\nOK\r\nretap\r\nOK\r\nKO: unknown command, try 'help'\r\nKO: unknown command, try 'help'\r\n";
    assert_eq!(said, format!("{GREETING}{wanted}"));
    assert!(say(&phone, "help\n").contains("avd              Manages virtual device"));
}

#[test]
fn snapshots_hold_the_whole_phone() {
    let phone = phone();
    out(
        &phone,
        "am start -W -n org.retap.notes/.MainActivity; echo kept > /sdcard/a; settings put system mine 1",
    );
    assert!(say(&phone, "avd snapshot list\n").contains("There is no snapshot available.\r\nOK"));
    assert_eq!(say(&phone, "avd snapshot save one\n"), format!("{GREETING}OK\r\n"));
    out(
        &phone,
        "input keyevent HOME; rm /sdcard/a; settings delete system mine; logcat -c; pm clear org.retap.notes",
    );
    let list = say(&phone, "avd snapshot list\n");
    assert!(
        list.contains("ID        TAG                 VM SIZE                DATE       VM CLOCK\r\n"),
        "{list}"
    );
    assert!(list.contains("\r\n--        one                     75M 2024-01-01 00:00:0"), "{list}");
    assert_eq!(say(&phone, "avd snapshot load one\n"), format!("{GREETING}OK\r\n"));
    assert_eq!(out(&phone, "cat /sdcard/a; settings get system mine"), "kept\n1\n");
    assert!(out(&phone, "dumpsys window displays").contains("org.retap.notes/org.retap.notes.MainActivity}"));
    assert!(out(&phone, "logcat -d").contains("5 notes, 1 archived"));
    let missing = "KO: Device 'cache' does not have the requested snapshot 'two'\r\n";
    assert!(say(&phone, "avd snapshot load two\n").ends_with(missing));
    assert!(say(&phone, "avd snapshot del one\navd snapshot delete one\n").contains("OK\r\nKO: Device"));
}

#[test]
fn a_phone_without_snapshots_says_so() {
    let phone = crate::testing::phone_of("sim:notes?profile=phone", crate::android::Android::default());
    assert!(
        say(&phone, "avd snapshot save one\n")
            .contains("KO: Error: sim:notes?profile=phone does not support")
    );
}

#[test]
fn a_token_is_asked_for() {
    let folder = std::env::temp_dir().join(format!("retap-console-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("token");
    fs::write(&path, "secret\n").unwrap();
    let settings =
        PhoneSettings { console_token: Some(path.clone()), speed: Speed::Fast, ..PhoneSettings::default() };
    let device = retap_sim::SimDevice::open("sim:notes", &|_| Err(String::new())).unwrap();
    let phone = Phone::new(settings, device);
    let said = say(&phone, "ping\nauth secret\nping\n");
    assert!(said.starts_with("Android Console: Authentication required\r\n"), "{said}");
    assert!(said.ends_with("KO: unknown command, try 'help'\r\nAndroid Console: type 'help' for a list of commands\r\nOK\r\nI am alive!\r\nOK\r\n"), "{said}");
    assert!(say(&phone, "auth wrong\nping\n").ends_with("does not match ~/.emulator_console_auth_token\r\n"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_happens_outside_reaches_the_app() {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    let said = say(&phone, "sms send 123 hello there\ngsm call 123\ngsm cancel 123\nsms send 1\n");
    assert_eq!(said.matches("OK\r\n").count(), 4, "{said}");
    assert_eq!(said.matches("KO: ").count(), 1, "{said}");
}

/// The simulator knows messages and calls by the names that they have in a trace, and a phone that runs its apps as well.
#[test]
fn messages_and_calls_are_what_they_are_on_the_simulator() {
    const APP: &str = "app hears \"Hears\"\npackage org.retap.hears\n\nvar said text = \"\"\n\nHANDLERS\nactivity Main\n  \
                       screen first \"Main\"\n    label \"{said}\"\n";
    let handler = |event: &str| format!("on system \"{event}\"\n  log info Hears \"heard {event}\"\n\n");
    let names = [
        "sms:send",
        "gsm:call",
        "gsm:cancel",
        "android.provider.Telephony.SMS_RECEIVED",
        "android.intent.action.PHONE_STATE",
    ];
    let app = APP.replace("HANDLERS\n", &names.map(handler).concat());
    let device = retap_sim::SimDevice::open("sim:./hears.app", &|_| Ok(app.clone())).unwrap();
    let phone = Phone::new(PhoneSettings { speed: Speed::Fast, ..PhoneSettings::default() }, device);
    out(&phone, "am start -W org.retap.hears");
    for (told, heard) in [("sms send 1 hi", names[0]), ("gsm call 1", names[1]), ("gsm cancel 1", names[2])] {
        out(&phone, "logcat -c");
        assert!(say(&phone, &format!("{told}\n")).ends_with("OK\r\n"));
        let log = out(&phone, "logcat -d");
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("heard ")).collect();
        assert!(lines.len() == 1 && lines[0].ends_with(&format!("heard {heard}")), "{told}: {log}");
    }
}

#[test]
fn kill_ends_the_phone() {
    let phone = phone();
    assert!(say(&phone, "kill\nping\n").ends_with("OK: killing emulator, bye bye\r\n"));
    assert!(phone.is_stopped());
}

#[test]
fn faults_come_to_order() {
    let phone = phone();
    let order =
        "fault 2 uiautomator dump = ERROR: could not get idle state.\\n\nfault 1 avd name = gone\\n\n";
    let said = say(&phone, &format!("{order}avd name\navd name\n"));
    assert_eq!(said, format!("{GREETING}OK\r\nOK\r\ngone\r\nOK\r\nretap\r\nOK\r\n"));
    for _ in 0..2 {
        assert_eq!(out(&phone, "uiautomator dump /dev/tty"), "ERROR: could not get idle state.\n");
    }
    assert!(out(&phone, "uiautomator dump /dev/tty").starts_with("<?xml"), "twice is not three times");
    say(&phone, "fault 9 getprop = a\nfault 9 getprop ro = b\n");
    assert_eq!(
        out(&phone, "getprop; getprop ro.serialno; echo getprop"),
        "abgetprop\n",
        "more words count more"
    );
    say(&phone, "fault 0 getprop =\n");
    assert!(out(&phone, "getprop").contains("ro.serialno"), "it is taken back");
    for wrong in ["fault", "fault 1", "fault 1 ls", "fault x ls = y", "fault = y"] {
        assert!(
            say(&phone, &format!("{wrong}\n")).contains("KO: missing argument, try 'fault <times>"),
            "{wrong}"
        );
    }
}
