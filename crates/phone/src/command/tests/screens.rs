use crate::android::Android;
use crate::phone::Phone;
use crate::testing::{out, phone, phone_of, phone_with, run};

fn started() -> Phone {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    phone
}

fn front(phone: &Phone) -> String {
    phone.with(|state| state.machine().activity().to_string())
}

#[test]
fn the_screen_is_written_to_a_file() {
    let phone = started();
    assert_eq!(out(&phone, "uiautomator dump"), "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    let xml = out(&phone, "cat /sdcard/window_dump.xml");
    assert!(xml.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\""), "{xml}");
    assert!(xml.ends_with("</node></hierarchy>"));
    assert_eq!(
        out(&phone, "uiautomator dump --compressed /sdcard/x.xml; cat /sdcard/x.xml"),
        format!("UI hierchary dumped to: /sdcard/x.xml\n{xml}")
    );
    assert_eq!(out(&phone, "uiautomator dump /dev/tty"), format!("{xml}UI hierchary dumped to: /dev/tty\n"));
}

#[test]
fn a_dump_that_fails_ends_well_and_leaves_the_old_file() {
    let phone = phone_of("sim:notes?blind=1", Android::default());
    let ran = run(&phone, "echo old > /sdcard/d.xml; uiautomator dump /sdcard/d.xml; cat /sdcard/d.xml");
    assert_eq!(
        (ran.status, &*ran.out, &*ran.err),
        (0, "old\n", "ERROR: null root node returned by UiTestAutomationBridge.\n")
    );
}

#[test]
fn fingers_and_keys_do_what_they_do() {
    let phone = started();
    out(&phone, "input tap 900 136");
    assert_eq!(front(&phone), "org.retap.notes.EditorActivity");
    out(&phone, "input keyevent KEYCODE_HOME");
    assert_eq!(front(&phone), "com.android.launcher3.Launcher");
    out(&phone, "am start org.retap.notes; input keyevent 4 3");
    assert_eq!(front(&phone), "com.android.launcher3.Launcher");
    out(&phone, "am force-stop org.retap.notes; am start org.retap.notes; input swipe 900 136 905 136 100");
    assert_eq!(front(&phone), "org.retap.notes.EditorActivity", "a short way is a tap");
    assert!(run(&phone, "input tap 1").err.contains("Argument expected after \"tap\""));
    assert!(run(&phone, "input tap a b").err.contains("Invalid arguments for command: tap"));
    assert_eq!(run(&phone, "input").status, 255);
    assert_eq!(run(&phone, "input touchscreen -d 0 tap 1 1").status, 0);
}

#[test]
fn text_is_typed_at_the_end() {
    let phone = started();
    // The field of the search screen.
    out(&phone, "input tap 411 282");
    assert_eq!(front(&phone), "org.retap.notes.SearchActivity");
    let field = phone.with(|state| {
        let tree = state.machine().tree();
        tree.nodes().iter().find(|node| node.class.ends_with("EditText")).map(|node| node.bounds.center())
    });
    let at = field.expect("there is a field to search in");
    out(&phone, &format!("input tap {} {}; input text milk%sand; input text ' honey'", at.x, at.y));
    let typed = |phone: &Phone| phone.with(|state| state.machine().focused_text());
    assert_eq!(typed(&phone).as_deref(), Some("milk and honey"));
    assert!(out(&phone, "dumpsys input_method").contains("mInputShown=true"));
    let keys = "67 ".repeat(20);
    out(&phone, &format!("input keyevent {keys}"));
    assert_eq!(typed(&phone).as_deref(), Some(""));
    out(&phone, "input keyevent 4");
    assert!(out(&phone, "dumpsys input_method").contains("mInputShown=false"));
}

#[test]
fn raw_events_of_the_touch_screen_are_fingers() {
    let phone = started();
    let send = |events: &[(u16, i64)]| {
        let lines =
            events.iter().map(|(code, value)| format!("sendevent /dev/input/event1 3 {code} {value}; "));
        out(&phone, &format!("{}sendevent /dev/input/event1 0 0 0", lines.collect::<String>()));
    };
    // 900, 136 of 1080 x 1920: the button for a new note.
    let (x, y) = (900 * 32_767 / 1079, 136 * 32_767 / 1919);
    send(&[(0x2f, 0), (0x39, 0), (0x35, x), (0x36, y)]);
    assert_eq!(front(&phone), "org.retap.notes.MainActivity", "the finger is still down");
    send(&[(0x2f, 0), (0x39, -1)]);
    assert_eq!(front(&phone), "org.retap.notes.EditorActivity");
    assert_eq!(run(&phone, "sendevent /dev/input/event9 0 0 0").status, 1);
    assert_eq!(run(&phone, "sendevent /dev/input/event1 x 0 0").status, 1);
    assert_eq!(run(&phone, "sendevent").status, 1);
}

#[test]
fn a_key_does_what_it_does_when_it_is_released() {
    let phone = started();
    let send = |value| {
        out(&phone, &format!("sendevent /dev/input/event0 1 172 {value}; sendevent /dev/input/event0 0 0 0"))
    };
    send(1);
    assert_eq!(front(&phone), "org.retap.notes.MainActivity");
    send(0);
    assert_ne!(front(&phone), "org.retap.notes.MainActivity", "home");
}

#[test]
fn two_quick_taps_are_a_double_tap() {
    let text = "app t \"T\"\npackage t.t\nvar taps int\nvar doubles int\nactivity Main\n  screen s \"S\"\n    button \"B\" id=b at=0,200,1080,400\n      on tap\n        set taps = taps + 1\n      on double tap\n        set doubles = doubles + 1\n";
    let phone = phone_with(text);
    let counts = |phone: &Phone| {
        phone.with(|state| ["taps", "doubles"].map(|name| state.machine().var(name).map(ToString::to_string)))
    };
    out(&phone, "am start -W t.t; input tap 500 300; input tap 502 301");
    assert_eq!(counts(&phone), [Some("0".into()), Some("1".into())]);
    out(&phone, "input tap 500 300; dumpsys activity top > /dev/null");
    assert_eq!(counts(&phone), [Some("1".into()), Some("1".into())]);
    out(&phone, "input tap 500 300; sleep 1; input tap 500 300; uiautomator dump");
    assert_eq!(counts(&phone), [Some("3".into()), Some("1".into())]);
}

#[test]
fn pictures_have_the_size_of_the_screen() {
    let phone = started();
    out(&phone, "screencap -p /sdcard/a.png");
    let png = phone.with(|state| state.world.files.read("/sdcard/a.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png[16..24] == [0, 0, 4, 56, 0, 0, 7, 128]);
    assert_eq!(run(&phone, "screencap /sdcard/a.raw").status, 1);
}

#[test]
fn the_activity_in_front_is_named_as_each_version_does() {
    let record = "ActivityRecord{653ceb9 u0 org.retap.notes/.MainActivity t12}";
    for (android, wanted) in [
        (Android::NINE, format!("    mResumedActivity: {record}\n")),
        (Android::ELEVEN, format!("    mResumedActivity: {record}\n")),
        (Android::FOURTEEN, format!("    topResumedActivity={record}\n")),
    ] {
        let phone = phone_of("sim:notes", android);
        out(&phone, "am start -W org.retap.notes");
        let said = out(&phone, "dumpsys activity activities");
        assert!(said.contains(&wanted), "{said}");
        let windows = out(&phone, "dumpsys window windows");
        let focus = "mCurrentFocus=Window{e7b4f4f u0 org.retap.notes/org.retap.notes.MainActivity}";
        assert_eq!(windows.contains("mCurrentFocus"), android < Android::ELEVEN, "{windows}");
        assert!(
            out(&phone, "dumpsys window").contains("u0 org.retap.notes/org.retap.notes.MainActivity}"),
            "{focus}"
        );
        let top = out(&phone, "dumpsys activity top | grep ACTIVITY");
        assert!(
            top.contains("ACTIVITY org.retap.notes/.MainActivity ") && top.contains(" pid=4037"),
            "{top}"
        );
    }
}

#[test]
fn the_stack_is_shown_from_the_top() {
    let phone = started();
    out(&phone, "input tap 900 136");
    let said = out(&phone, "dumpsys activity activities | grep Hist");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("#1: ") && lines[0].contains("/.EditorActivity"), "{said}");
    assert!(lines[1].contains("#0: ") && lines[1].contains("/.MainActivity"), "{said}");
}
