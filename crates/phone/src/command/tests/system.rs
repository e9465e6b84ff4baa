use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::android::Android;
use crate::testing::{out, phone, phone_of, run, run_until};

#[test]
fn properties_are_read_and_set() {
    let phone = phone();
    assert_eq!(
        out(&phone, "getprop ro.build.version.sdk; getprop sys.boot_completed; getprop none; getprop none x"),
        "34\n1\n\nx\n"
    );
    assert!(out(&phone, "getprop").contains("[ro.product.model]: [sdk_gphone64_x86_64]\n"));
    out(&phone, "setprop debug.x 5");
    assert_eq!(out(&phone, "getprop debug.x"), "5\n");
    assert!(run(&phone, "setprop ro.build.version.sdk 1").err.starts_with("Failed to set property"));
    assert_eq!(out(&phone_of("sim:notes", Android::NINE), "getprop ro.build.version.release"), "9\n");
}

#[test]
fn settings_are_kept_and_some_do_something() {
    let phone = phone();
    out(&phone, "settings put global animator_duration_scale 0; settings put system mine 'a b'");
    assert_eq!(
        out(
            &phone,
            "settings get global animator_duration_scale; settings get system mine; settings get secure none"
        ),
        "0\na b\nnull\n"
    );
    assert_eq!(
        out(&phone, "settings delete system mine; settings delete system mine"),
        "Deleted 1 rows\nDeleted 0 rows\n"
    );
    out(&phone, "settings put system user_rotation 1");
    assert!(out(&phone, "dumpsys display").contains("orientation=1"));
    out(&phone, "settings put system user_rotation 0");
    assert!(out(&phone, "dumpsys display").contains("orientation=0"));
    assert_eq!(run(&phone, "settings get nowhere x").status, 255);
}

#[test]
fn settings_are_a_provider_of_content() {
    let phone = phone();
    let content = |words: &str| run(&phone, &format!("content {words}"));
    let insert = "insert --uri content://settings/system --bind name:s:user_rotation --bind value:i:1";
    assert_eq!((content(insert).status, content(insert).out), (0, String::new()));
    assert!(out(&phone, "dumpsys display").contains("orientation=1"), "it does what `settings put` does");
    let row = "Row: 0 _id=2, name=user_rotation, value=1\n";
    assert_eq!(content("query --uri content://settings/system --where \"name='user_rotation'\"").out, row);
    assert_eq!(content("query --uri content://settings/system/user_rotation").out, row);
    let all =
        "Row: 0 _id=1, name=accelerometer_rotation, value=0\nRow: 1 _id=2, name=user_rotation, value=1\n";
    assert_eq!(content("query --uri content://settings/system").out, all);
    content("insert --uri content://settings/secure --bind name:s:mine --bind value:s:a:b");
    content("update --uri content://settings/secure --bind value:s:c:d --where \"name='mine'\"");
    assert_eq!(out(&phone, "settings get secure mine"), "c:d\n");
    content("delete --uri content://settings/secure --where \"name='mine'\"");
    assert_eq!(content("query --uri content://settings/secure/mine").out, "No result found.\n");
    for (wrong, why) in [
        ("query --uri content://sms/inbox", "Could not find provider: sms/inbox"),
        ("query --uri content://settings/nowhere", "Could not find provider: settings/nowhere"),
        ("insert --uri content://settings/system --bind name:s:x", "Unsupported operation: insert"),
        ("", "Unsupported operation: null"),
    ] {
        let ran = content(wrong);
        assert_eq!((ran.status, ran.err), (1, format!("[ERROR] {why}\n")), "{wrong}");
    }
}

#[test]
fn the_input_devices_tell_what_they_have() {
    let phone = phone();
    let begins = "add device 1: /dev/input/event1\n  name:     \"virtio_input_multi_touch_1\"\n";
    let keys = "add device 2: /dev/input/event0\n  name:     \"qwerty2\"\n";
    for (flags, key, axis, back) in [
        (
            "-p",
            "    KEY (0001): 014a \n    ABS (0003): 002f  : value 0, min 0, max 10,",
            "  0035  : ",
            "  009e  ",
        ),
        ("-lp", "    KEY (0001): BTN_TOUCH            \n", "  ABS_MT_POSITION_X     : ", "  KEY_BACK  "),
    ] {
        let said = out(&phone, &format!("getevent {flags}"));
        let (touch, rest) = said.split_once(keys).unwrap();
        assert!(
            touch.starts_with(begins) && touch.ends_with("  input props:\n    INPUT_PROP_DIRECT\n"),
            "{said}"
        );
        assert!(touch.contains(key) && rest.contains(back), "{said}");
        assert!(touch.contains(&format!("{axis}value 0, min 0, max 32767, fuzz 0,")), "{said}");
    }
    for flags in ["-l", "-t", "-lt", ""] {
        let both = format!("{begins}{keys}");
        assert_eq!(run_until(&phone, &format!("getevent {flags}"), &both), both, "it waits for events");
    }
    assert_eq!(out(&phone, "getevent -S"), format!("{begins}{keys}"));
}

#[test]
fn what_goes_through_an_input_device_is_heard() {
    const SENT: &str = "sendevent /dev/input/event1 3 53 4095; sendevent /dev/input/event1 3 57 -1; \
        sendevent /dev/input/event1 0 0 0; sendevent /dev/input/event0 1 158 1; sendevent /dev/input/event0 1 158 0";
    for (flags, last, wanted) in [
        (
            "-lt",
            "] /dev/input/event0: EV_KEY       KEY_BACK             UP                  \n",
            "] /dev/input/event1: EV_ABS       ABS_MT_POSITION_X    00000fff            \n[",
        ),
        (
            "",
            "/dev/input/event0: 0001 009e 00000000\n",
            "/dev/input/event1: 0003 0039 ffffffff\n/dev/input/event1: 0000 0000 0",
        ),
        (
            "-l",
            "KEY_BACK             UP                  \n",
            "/dev/input/event0: EV_KEY       KEY_BACK             DOWN  ",
        ),
    ] {
        let phone = phone();
        let (sender, heard) = (phone.clone(), Arc::new(AtomicBool::new(false)));
        let over = heard.clone();
        // Who listens late hears nothing of what was before, so it is sent until somebody has heard it.
        let sends = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                out(&sender, SENT);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let said = run_until(&phone, &format!("getevent {flags}"), last);
        heard.store(true, Ordering::Relaxed);
        sends.join().unwrap();
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn the_screen_has_a_size() {
    let phone = phone();
    assert_eq!(out(&phone, "wm size; wm density"), "Physical size: 1080x1920\nPhysical density: 420\n");
    assert_eq!(run(&phone, "wm size 720x1280").status, 255);
}

#[test]
fn services_tell_what_they_know() {
    let phone = phone();
    assert_eq!(run(&phone, "dumpsys nonsense").err, "Can't find service: nonsense\n");
    assert!(out(&phone, "dumpsys power").contains("mWakefulness=Awake\n"));
    assert!(
        out(&phone, "dumpsys battery").starts_with("Current Battery Service state:\n  AC powered: true\n")
    );
    assert!(!out(&phone_of("sim:notes", Android::ELEVEN), "dumpsys battery").contains("Dock"));
    out(&phone, "dumpsys battery set level 42");
    assert!(
        out(&phone, "dumpsys battery").contains("UPDATES STOPPED")
            && out(&phone, "dumpsys battery").contains("level: 42\n")
    );
    assert_eq!(
        out(
            &phone,
            "cmd statusbar collapse; cmd connectivity airplane-mode enable; settings get global airplane_mode_on"
        ),
        "1\n"
    );
    assert_eq!(run(&phone, "cmd nonsense").err, "cmd: Can't find service: nonsense\n");
    assert_eq!(
        out(&phone, "ime list -s; ime set com.android.inputmethod.latin/.LatinIME"),
        "com.android.inputmethod.latin/.LatinIME\nInput method com.android.inputmethod.latin/.LatinIME selected for user #0\n"
    );
}

#[test]
fn time_passes_while_somebody_sleeps() {
    let phone = phone();
    let now = || phone.with(|state| state.now_secs());
    assert_eq!(now(), 1_704_067_200);
    out(&phone, "sleep 90; sleep 0.5");
    assert_eq!(now(), 1_704_067_290);
    assert_eq!(run(&phone, "sleep x").err, "sleep: bad number 'x'\n");
}

#[test]
fn processes_are_listed() {
    let phone = phone();
    assert!(out(&phone, "ps").lines().count() == 3, "the title, the shell and ps itself");
    let all = out(&phone, "ps -A");
    assert!(all.starts_with("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME"), "{all}");
    assert!(all.contains("system_server\n") && all.contains("zygote64\n"));
    assert!(out(&phone, "ps -A | grep zygote64").contains(" 310 "));
    assert_eq!(out(&phone, "pidof zygote64; pidof system_server"), "310\n497\n");
}

#[test]
fn the_automation_server_needs_its_file() {
    let phone = phone();
    let launch = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008";
    assert!(run(&phone, launch).err.contains("Could not find class"));
    assert!(run(&phone, "app_process / some.Other").err.contains("ClassNotFoundException"));
    out(&phone, "echo jar > /data/local/tmp/u2.jar");
    let waiting = phone.clone();
    let server = std::thread::spawn(move || run(&waiting, launch));
    while !phone.with(|state| state.world.automators.contains(&9008)) {
        std::thread::yield_now();
    }
    assert!(run(&phone, launch).err.contains("already registered"));
    assert!(phone.with(|state| state.world.automators.remove(&9008)));
    assert_eq!(server.join().unwrap().status, 137);
}
