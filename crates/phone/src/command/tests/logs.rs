use retap_trace::Crash;

use crate::phone::Phone;
use crate::testing::{out, phone, run, run_until};

/// Taps the widget with these words.
fn tap(phone: &Phone, words: &str) {
    let at = phone.with(|state| {
        let tree = state.machine().tree();
        tree.nodes().iter().find(|node| *node.text == *words).map(|node| node.bounds.center())
    });
    let at = at.unwrap_or_else(|| panic!("'{words}' is not on the screen"));
    out(phone, &format!("input tap {} {}", at.x, at.y));
}

/// A phone whose app has crashed in native code.
fn crashed() -> Phone {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    for words in ["Shopping list", "Attach photo", "Allow", "Done"] {
        tap(&phone, words);
    }
    out(&phone, "am broadcast -a android.intent.action.BATTERY_LOW");
    phone
}

#[test]
fn a_crash_is_in_the_log_as_on_a_real_phone() {
    let phone = crashed();
    assert_eq!(run(&phone, "pidof org.retap.notes").status, 1);
    let log = out(&phone, "logcat -d");
    for part in [
        "--------- beginning of crash\n",
        " F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n",
        " F DEBUG   : pid: 4037, tid: 4037, name: org.retap.notes  >>> org.retap.notes <<<\n",
        " I ActivityManager: Process org.retap.notes (pid 4037) has died: fg  TOP\n",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let crash = Crash::from_native(&log, "org.retap.notes").expect("the log tells of it");
    let seen = phone.call(crate::phone::State::glance).unwrap().crashes;
    assert_eq!(seen.first().map(|seen| &seen.signature), Some(&crash.signature), "{log}");
    let only = out(&phone, "logcat -d -b crash");
    assert!(!only.contains("beginning of") && only.lines().all(|line| line.contains(" F DEBUG ")), "{only}");
}

#[test]
fn lines_have_two_forms() {
    let phone = phone();
    out(&phone, "logcat -c; log -p w -t Tag hello");
    for (form, wanted) in
        [("threadtime", "01-01 00:00:00.000   497   509 W Tag     : hello\n"), ("raw", "hello\n")]
    {
        assert_eq!(out(&phone, &format!("logcat -d -b main -v {form}")), wanted, "{form}");
    }
    assert!(run(&phone, "logcat -d -v odd").err.contains("Invalid parameter \"odd\" to -v"));
    assert!(run(&phone, "logcat -d -b odd").err.contains("Unknown -b buffer 'odd'"));
}

#[test]
fn lines_are_chosen_by_tag_level_time_and_count() {
    let phone = phone();
    out(&phone, "logcat -c; log -p d -t A one; sleep 2; log -p e -t B two; log -p i -t A three");
    let said = |options: &str| out(&phone, &format!("logcat -d -b main -v raw {options}"));
    assert_eq!(said(""), "one\ntwo\nthree\n");
    assert_eq!(said("'*:E'"), "two\n");
    assert_eq!(said("-s A"), "one\nthree\n");
    assert_eq!(said("A:I '*:S'"), "three\n");
    assert_eq!(said("-t 1"), "three\n");
    assert_eq!(said("-T 2"), "two\nthree\n");
    assert_eq!(said("-t '01-01 00:00:01.500'"), "two\nthree\n");
    assert_eq!(
        out(&phone, "export ANDROID_LOG_TAGS=\"''\"; exec logcat '-d' '-v' 'raw' -b main"),
        "one\ntwo\nthree\n"
    );
    assert_eq!(run(&phone, "logcat -g").err, "Unknown option '-g'\n");
    assert!(run(&phone, "logcat -t yesterday").err.contains("not in time format"));
}

#[test]
fn the_log_can_be_followed() {
    let phone = phone();
    out(&phone, "logcat -c");
    let writer = phone.clone();
    let written = std::thread::spawn(move || {
        for number in 0..3 {
            out(&writer, &format!("log -t Count {number}"));
        }
    });
    assert_eq!(run_until(&phone, "logcat -b main -v raw -s Count", "2\n"), "0\n1\n2\n");
    written.join().unwrap();
}

#[test]
fn an_exception_is_read_as_it_was_thrown() {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    for words in ["New note", "Tags", "Add tag", "Done"] {
        tap(&phone, words);
    }
    let log = out(&phone, "logcat -d -b crash");
    let crash = Crash::from_java(&log, "org.retap.notes").unwrap_or_else(|error| panic!("{error}: {log}"));
    let seen = phone.call(crate::phone::State::glance).unwrap().crashes;
    assert_eq!(seen.first(), Some(&crash), "{log}");
}
