use retap_trace::{Crash, Micros};

use crate::android::Android;
use crate::phone::Phone;
use crate::testing::{out, phone, phone_of, phone_with, run, run_with};

const APP: &str = "org.retap.notes";

fn front(phone: &Phone) -> String {
    phone.with(|state| state.machine().activity().to_string())
}

#[test]
fn apps_are_started_and_stopped() {
    let phone = phone();
    let started = run(&phone, "am start -n org.retap.notes/.MainActivity -a android.intent.action.MAIN");
    assert_eq!(
        started.out,
        "Starting: Intent { act=android.intent.action.MAIN cmp=org.retap.notes/.MainActivity }\n"
    );
    assert_eq!((started.status, &*started.err), (0, ""));
    assert_eq!(front(&phone), "org.retap.notes.MainActivity");
    let again = run(&phone, "am start org.retap.notes/.MainActivity");
    assert_eq!(
        again.err,
        "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
    );
    out(&phone, "input keyevent HOME");
    let behind = run(&phone, "am start -W org.retap.notes/.MainActivity").out;
    assert!(
        behind.contains(
            "brought to the front\nStatus: ok\nActivity: org.retap.notes/.MainActivity\nTotalTime: "
        ),
        "{behind}"
    );
    let number = out(&phone, "pidof org.retap.notes");
    assert!(out(&phone, "ps -A | grep notes").contains(number.trim()));
    out(&phone, "am force-stop org.retap.notes");
    assert_eq!(
        (run(&phone, "pidof org.retap.notes").status, &*front(&phone)),
        (1, "com.android.launcher3.Launcher")
    );
}

#[test]
fn what_cannot_be_started_is_refused_in_androids_words() {
    let phone = phone();
    let ran = run(&phone, "am start -n org.retap.notes/.Nothing");
    assert_eq!(
        (ran.status, &*ran.err),
        (
            1,
            "Error type 3\nError: Activity class {org.retap.notes/org.retap.notes.Nothing} does not exist.\n"
        )
    );
    let ran = run(&phone, "am start -n org.retap.notes/.EditorActivity");
    assert!(ran.err.contains("java.lang.SecurityException: Permission Denial: starting Intent"), "{ran:?}");
    assert_eq!(ran.status, 255);
    let ran = run(&phone, "am start -a android.intent.action.VIEW -d https://example.com/x");
    assert_eq!(
        ran.err,
        "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=https://example.com/x flg=0x10000000 }\n"
    );
    assert_eq!(run(&phone, "am nonsense").status, 255);
    let gone = phone_of("sim:notes?gone=1", Android::default());
    assert!(run(&gone, "am start -n org.retap.notes/.MainActivity").err.contains("does not exist"));
    assert_eq!(run(&gone, "pm path org.retap.notes").status, 1);
}

#[test]
fn other_screens_can_be_opened() {
    let phone = phone();
    out(&phone, "am start -a android.settings.SETTINGS");
    assert_eq!(front(&phone), "com.android.settings.Settings");
    out(&phone, "am start -a android.intent.action.MAIN -c android.intent.category.HOME");
    assert_eq!(front(&phone), "com.android.launcher3.Launcher");
    assert_eq!(run(&phone, "am startservice -n a/.B").status, 255);
    assert_eq!(run(&phone, "am instrument -w a/b").out, "Unknown command: instrument\n");
}

#[test]
fn broadcasts_reach_the_app() {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    let said = out(&phone, "am broadcast -a android.intent.action.BATTERY_LOW --es why test");
    assert_eq!(
        said,
        "Broadcasting: Intent { act=android.intent.action.BATTERY_LOW flg=0x400000 (has extras) }\nBroadcast completed: result=0\n"
    );
    let saver =
        |phone: &Phone| phone.with(|state| state.machine().var("power_saver").map(ToString::to_string));
    assert_eq!(saver(&phone).as_deref(), Some("true"));
    out(&phone, "dumpsys battery unplug; dumpsys battery set level 3; dumpsys battery set level 60");
    assert_eq!(saver(&phone).as_deref(), Some("false"));
    out(&phone, "svc wifi disable; svc data disable");
    let status = |phone: &Phone| phone.with(|state| state.machine().var("status").map(ToString::to_string));
    assert_eq!(status(&phone).as_deref(), Some("Working offline"));
    out(&phone, "svc wifi enable");
    assert_eq!(status(&phone).as_deref(), Some("All changes saved"));
}

#[test]
fn data_is_cleared_and_the_rest_stays() {
    let phone = phone();
    out(
        &phone,
        "am start -W org.retap.notes; pm grant org.retap.notes android.permission.CAMERA; settings put system user_rotation 1",
    );
    assert_eq!(phone.with(|state| state.machine().granted("android.permission.CAMERA")), Some(true));
    out(&phone, "echo x > /sdcard/x; logcat -c; log -t Mine here");
    assert_eq!(out(&phone, "pm clear org.retap.notes"), "Success\n");
    let after =
        phone.with(|state| (state.machine().running(), state.machine().granted("android.permission.CAMERA")));
    assert_eq!(after, (false, Some(false)));
    assert_eq!(out(&phone, "cat /sdcard/x; logcat -d -b main -v raw -s Mine"), "x\nhere\n");
    assert!(out(&phone, "dumpsys display").contains("orientation=1"));
    let ran = run(&phone, "pm clear com.nobody");
    assert_eq!((ran.status, &*ran.out), (1, "Failed\n"));
}

#[test]
fn packages_are_listed() {
    let phone = phone();
    assert_eq!(out(&phone, "pm list packages -3"), "package:org.retap.notes\n");
    assert_eq!(out(&phone, "cmd package list packages notes"), "package:org.retap.notes\n");
    assert!(out(&phone, "pm list packages").contains("package:com.android.settings\n"));
    assert_eq!(run(&phone, "pm list packages -U").err, "Error: Unknown option: -U\n");
    assert_eq!(
        out(&phone, "cmd package resolve-activity --brief org.retap.notes | grep /"),
        "org.retap.notes/.MainActivity\n"
    );
    assert_eq!(out(&phone, "cmd package resolve-activity --brief com.nobody"), "No activity found\n");
    let dump = out(&phone, &format!("dumpsys package {APP}"));
    for part in [
        "  Package [org.retap.notes] (",
        "    versionCode=1 minSdk=24 targetSdk=34\n",
        "    appId=10101\n",
        "      firstInstallTime=2024-01-01 00:00:00\n",
        "android.permission.CAMERA: granted=false",
    ] {
        assert!(dump.contains(part), "{part}: {dump}");
    }
    let older = phone_of("sim:notes", Android::ELEVEN);
    assert!(out(&older, &format!("dumpsys package {APP}")).contains("    userId=10101\n"));
    assert_eq!(out(&phone, "dumpsys package com.nobody"), "Unable to find package: com.nobody\n");
}

#[test]
fn permissions_are_checked() {
    let phone = phone();
    let ran = run(&phone, "pm grant org.retap.notes android.permission.SEND_SMS");
    assert!(ran.err.contains("SecurityException: Package org.retap.notes has not requested permission android.permission.SEND_SMS"), "{ran:?}");
    assert!(
        run(&phone, "pm grant com.nobody x")
            .err
            .contains("IllegalArgumentException: Unknown package: com.nobody")
    );
    out(
        &phone,
        "am start -W org.retap.notes; pm grant org.retap.notes android.permission.CAMERA; pm revoke org.retap.notes android.permission.CAMERA",
    );
    assert!(!phone.with(|state| state.machine().running()), "who loses a permission is ended");
}

/// An archive with a manifest of this package.
fn apk(package: &str) -> Vec<u8> {
    let manifest = format!("<manifest package=\"{package}\" versionCode=\"3\"/>");
    crate::apk::tests::archive("AndroidManifest.xml", manifest.as_bytes())
}

#[test]
fn apps_come_and_go() {
    let phone = phone();
    let file = apk("com.example.small");
    let ran = run_with(&phone, &format!("cmd package install -r -S {}", file.len()), &file);
    assert_eq!(ran.out, "Success\n");
    assert_eq!(out(&phone, "pm list packages small"), "package:com.example.small\n");
    assert!(out(&phone, "pm path com.example.small").starts_with("package:/data/app/~~"));
    assert!(run(&phone, "am start com.example.small").status != 0, "there is nothing in it that could run");
    assert_eq!(out(&phone, "pm uninstall com.example.small"), "Success\n");
    assert_eq!(run(&phone, "pm uninstall com.example.small").out, "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
    let ran = run_with(&phone, "cmd package install -S 5", b"hello");
    assert!(ran.out.starts_with("Failure [INSTALL_PARSE_FAILED_NOT_APK") && ran.status == 1, "{ran:?}");
    assert!(run_with(&phone, "pm install -S 50", b"hello").out.contains("INSTALL_FAILED_ABORTED"));
    assert_eq!(run(&phone, "pm install /nope.apk").status, 1);
}

#[test]
fn other_letters_are_typed_by_a_keyboard_app() {
    const KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";
    let phone = phone();
    out(&phone, "am start -W org.retap.notes; input tap 411 282; input tap 500 300");
    let typed = || phone.with(|state| state.machine().focused_text());
    assert_eq!(typed().as_deref(), Some(""), "the field to search in has the focus");
    let refused = run(&phone, "input text 'grün'");
    assert!(refused.status == 255 && refused.err.contains("NullPointerException"), "{refused:?}");
    assert_ne!(run(&phone, &format!("ime set {KEYBOARD}")).status, 0, "it is not installed");
    out(&phone, "am broadcast -a ADB_INPUT_B64 --es msg Z3LDvG4=");
    assert_eq!(typed().as_deref(), Some(""), "nobody listens");
    let file = apk("com.android.adbkeyboard");
    run_with(&phone, &format!("cmd package install -S {}", file.len()), &file);
    assert!(out(&phone, "ime list -s -a").ends_with(&format!("{KEYBOARD}\n")));
    out(
        &phone,
        &format!(
            "ime enable {KEYBOARD}; ime set {KEYBOARD}; am broadcast -a ADB_INPUT_B64 --es msg Z3LDvG4="
        ),
    );
    assert_eq!(typed().as_deref(), Some("grün"));
}

#[test]
fn an_install_in_pieces_is_committed() {
    let phone = phone();
    let file = apk("com.example.parts");
    assert_eq!(out(&phone, "pm install-create -r"), "Success: created install session [1000001]\n");
    let write = format!("pm install-write -S {} 1000001 base.apk -", file.len());
    assert_eq!(run_with(&phone, &write, &file).out, format!("Success: streamed {} bytes\n", file.len()));
    assert_eq!(
        out(&phone, "pm install-commit 1000001; pm list packages parts"),
        "Success\npackage:com.example.parts\n"
    );
    assert!(run(&phone, "pm install-commit 1000001").err.contains("SecurityException"));
    assert_eq!(
        out(&phone, "pm install-create; pm install-abandon 1000002"),
        "Success: created install session [1000002]\nSuccess\n"
    );
}

#[test]
fn the_app_itself_can_be_replaced() {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes; pm uninstall org.retap.notes");
    assert_eq!(run(&phone, "am start -n org.retap.notes/.MainActivity").status, 1);
    let file = apk(APP);
    run_with(&phone, &format!("pm install -S {}", file.len()), &file);
    out(&phone, "am start -W -n org.retap.notes/.MainActivity");
    assert_eq!(front(&phone), "org.retap.notes.MainActivity");
}

#[test]
fn monkeys_repeat_what_they_are_told() {
    let phone = phone();
    let said = out(&phone, "monkey -p org.retap.notes -c android.intent.category.LAUNCHER 1");
    let wanted = "  bash arg: -p\n  bash arg: org.retap.notes\n  bash arg: -c\n  bash arg: android.intent.category.LAUNCHER\n  bash arg: 1\nargs: [-p, org.retap.notes, -c, android.intent.category.LAUNCHER, 1]\n arg: \"-p\"\n arg: \"org.retap.notes\"\n arg: \"-c\"\n arg: \"android.intent.category.LAUNCHER\"\n arg: \"1\"\ndata=\"org.retap.notes\"\ndata=\"android.intent.category.LAUNCHER\"\nEvents injected: 1\n## Network stats: elapsed time=";
    assert!(said.starts_with(wanted), "{said}");
    assert_eq!(front(&phone), "org.retap.notes.MainActivity");
    let ran = run(&phone, "monkey -p com.nobody 1");
    assert_eq!(
        (ran.status, ran.out.lines().last()),
        (252, Some("** No activities found to run, monkey aborted."))
    );
    let gone = phone_of("sim:notes?gone=1", Android::default());
    assert_eq!(run(&gone, "monkey -p org.retap.notes 1").status, 252);
    assert_eq!(run(&phone, "monkey -p org.retap.notes").err, "** Error: Count not specified\n");
}

/// A script that was passed over would be a test that is green.
#[test]
fn monkeys_refuse_what_they_cannot_do() {
    let phone = phone();
    for (args, said) in [
        (
            "--throttle 1000 -f /data/local/tmp/script 1",
            "** Error: the monkey of this virtual phone has no -f\n",
        ),
        ("--port 1080", "** Error: the monkey of this virtual phone has no --port\n"),
        ("--bogus 1", "** Error: Unknown option: --bogus\n"),
    ] {
        let ran = run(&phone, &format!("monkey {args}"));
        assert_eq!((ran.status, &*ran.err), (255, said), "{args}");
    }
    assert_eq!(run(&phone, "monkey -v -v --ignore-timeouts -p org.retap.notes 1").status, 0);
}

/// An app that counts what is done to it.
const COUNTING: &str = "app t \"T\"\npackage t.t\nvar taps int\nvar opened int\nactivity Main\n  on create\n    set opened = opened + 1\n  screen s \"S\"\n    button \"B\" id=b at=0,0,1080,1920\n      on tap\n        set taps = taps + 1\n";

/// How often the app was tapped, and opened or turned.
fn counted(phone: &Phone) -> [i64; 2] {
    ["taps", "opened"].map(|name| {
        let value = phone.with(|state| state.machine().var(name).map(ToString::to_string));
        value.and_then(|value| value.parse().ok()).unwrap()
    })
}

#[test]
fn one_seed_of_a_monkey_is_one_run() {
    let said = |seed: u32, count: u32| {
        let phone = phone_with(COUNTING);
        let ran = run(&phone, &format!("monkey -p t.t -s {seed} --throttle 100 {count}"));
        assert!(ran.status == 0 && ran.out.contains(&format!("Events injected: {count}\n")), "{ran:?}");
        (ran.out, counted(&phone))
    };
    assert_eq!(said(5, 300), said(5, 300));
    assert_ne!(said(5, 300), said(6, 300));
    let [taps, opened] = said(5, 300).1;
    assert!(taps > 20 && opened > 1, "{taps} taps, opened {opened} times");
}

#[test]
fn a_monkey_does_what_its_percentages_say() {
    let phone = phone_with(COUNTING);
    out(&phone, "monkey -p t.t -s 1 --pct-touch 100 51");
    assert_eq!(counted(&phone), [50, 1], "the first event launches the app");
    out(&phone, "monkey -p t.t -s 1 --pct-touch 0 --pct-motion 0 --pct-syskeys 0 --pct-nav 0 200");
    let [taps, opened] = counted(&phone);
    assert!(taps == 50 && opened > 1, "{taps} taps, opened {opened} times: it is turned, not tapped");
}

#[test]
fn a_throttled_monkey_takes_its_time() {
    let took = |throttle: &str| {
        let phone = phone_with(COUNTING);
        out(&phone, &format!("monkey -p t.t -s 1 --pct-touch 100 {throttle} 11"));
        phone.with(|state| state.uptime())
    };
    assert_eq!(took("--throttle 500").since(took("")), Micros::from_secs(5));
}

#[test]
fn a_monkey_stops_at_a_crash_and_tells_of_it() {
    let crashes = COUNTING.replace("set taps = taps + 1", "crash java.lang.IllegalStateException \"boom\"");
    let script = "monkey -p t.t -s 1 --pct-touch 100 30";
    let ran = run(&phone_with(&crashes), script);
    assert_eq!(ran.status, 2);
    for part in [
        "// CRASH: t.t (pid 4037)\n// Short Msg: java.lang.IllegalStateException\n// Long Msg: java.lang.IllegalStateException: boom\n",
        "\n** Monkey aborted due to error.\nEvents injected: 2\n",
        "\n** System appears to have crashed at event 2 of 30 using seed 1\n",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let crash = Crash::from_java(&ran.out, "t.t").expect("what is printed can be read");
    assert_eq!((&*crash.exception, &*crash.message), ("java.lang.IllegalStateException", "boom"));
    let on = out(
        &phone_with(&crashes),
        "monkey -p t.t -s 1 --pct-touch 60 --pct-appswitch 40 --ignore-crashes 30",
    );
    assert!(on.contains("\nEvents injected: 30\n") && !on.contains("CRASH"), "{on}");
    let hangs = COUNTING.replace("set taps = taps + 1", "hang \"Input dispatching timed out\"");
    let ran = run(&phone_with(&hangs), script);
    assert!(ran.status != 0 && ran.out.contains("// NOT RESPONDING: t.t (pid "), "{ran:?}");
}
