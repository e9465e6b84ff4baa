//! The device on the virtual phone: events, looks, crashes, settings, drops.

use std::path::Path;
use std::time::Duration;

use retap_adb::client::Deadline;
use retap_adb::{AdbDevice, AdbOptions, OpenError};
use retap_device::{Device, DeviceError, Look};
use retap_phone::Android;
use retap_trace::{
    Aim, CrashKind, Event, Key, Micros, Observation, Orientation, Point, Seed, Selector, SystemEvent,
};

use crate::fake::{APP, FakeServer, Fault, apk};

const LONG: Micros = Micros::from_secs(60);

fn open_with(server: &FakeServer, spec: &str, state: Option<&Path>) -> Result<AdbDevice, OpenError> {
    let options = AdbOptions { state: state.map(Path::to_owned), ..AdbOptions::default() };
    AdbDevice::open(&server.client(), &spec.parse().unwrap(), &options, Duration::from_mins(1))
}

fn open(server: &FakeServer) -> AdbDevice {
    open_with(server, &format!("adb?app={APP}"), None).unwrap()
}

fn started(server: &FakeServer) -> AdbDevice {
    let mut device = open(server);
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
    device
}

fn see(device: &mut AdbDevice, look: Look) -> Observation {
    device.observe(look, LONG).unwrap()
}

fn named(id: &str) -> Selector {
    Selector { id: Some(format!("{APP}:id/{id}").into()), ..Selector::default() }
}

/// From now on this command of the phone says that.
fn rig(server: &FakeServer, command: &str, says: impl Into<Vec<u8>>) {
    server.phone().fault(u32::MAX, command, says);
}

/// What the phone says of its windows when this one has the focus.
fn focused(server: &FakeServer, window: &str) -> String {
    let windows = server.says("dumpsys window displays");
    let is = |line: &str| line.trim_start().starts_with("mCurrentFocus=");
    let line = |line| {
        if is(line) { format!("  mCurrentFocus=Window{{a1 u0 {window}}}\n") } else { format!("{line}\n") }
    };
    windows.lines().map(line).collect()
}

/// All settings, as the phone tells them.
fn settings(server: &FakeServer) -> String {
    ["system", "secure", "global"]
        .map(|table| server.says(&format!("content query --uri content://settings/{table}")))
        .concat()
}

#[test]
fn a_look_at_the_activity_pays_for_no_dump() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.forget();
    let seen = see(&mut device, Look::Activity);
    assert_eq!((&*seen.package, &*seen.activity), (APP, "com.example.counter.Main"));
    assert!(seen.tree.is_none() && !seen.keyboard);
    assert!(!server.history().iter().any(|command| command.contains("uiautomator")));
}

#[test]
fn events_arrive() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    for event in [
        Event::tap(5, 350),
        Event::DoubleTap(Aim::place(Point::new(5, 350))),
        Event::Tap(Aim::widget(Point::new(0, 0), named("add"))),
        Event::Tap(Aim::widget(Point::new(5, 350), named("nowhere"))),
        Event::LongTap { aim: Aim::place(Point::new(1, 2)), hold: Micros::from_secs(1) },
        Event::Swipe {
            aim: Aim::place(Point::new(1, 2)),
            to: Point::new(3, 4),
            over: Micros::from_millis(300),
        },
        Event::Wait { time: Micros::from_millis(10) },
    ] {
        device.perform(&event, LONG).unwrap();
    }
    assert!(server.shows("Count: 4"));
    assert!(server.heard("cmd input swipe 1 2 1 2 1000"));
    assert!(server.heard("cmd input swipe 1 2 3 4 300"));
    device.perform(&Event::tap(5, 150), LONG).unwrap();
    assert_eq!(&*see(&mut device, Look::Activity).activity, "com.example.counter.Second");
    device.perform(&Event::key(Key::BACK), LONG).unwrap();
    assert_eq!(&*see(&mut device, Look::Activity).activity, "com.example.counter.Main");
    assert!(matches!(
        device.perform(&Event::Wait { time: LONG }, Micros::from_millis(20)),
        Err(DeviceError::Timeout { .. })
    ));
}

#[test]
fn turning_turns() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    let seen = see(&mut device, Look::Activity);
    assert_eq!((seen.orientation, seen.screen), (Orientation::Landscape, device.screen().turned()));
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).orientation, Orientation::Portrait);
}

#[test]
fn a_tablet_that_is_wide_by_nature_turns_to_be_upright() {
    let server = FakeServer::start("S1");
    // As the phone says it when it is upright, for a panel that is not.
    let upright = server.says("dumpsys window displays").replace("init=1080x1920", "init=1920x1080");
    let held = |size: &str, quarters: u32| {
        let sized = upright.replace("cur=1080x1920", &format!("cur={size}"));
        let turned = sized.replace("Rotation=0", &format!("Rotation={quarters}"));
        let windows = turned.replace("ROTATION_0", &format!("ROTATION_{}", quarters * 90));
        rig(&server, "dumpsys window displays", windows);
    };
    rig(&server, "wm size", "Physical size: 1920x1080\n");
    held("1080x1920", 1);
    let mut device = started(&server);
    assert!(server.heard("settings put system user_rotation 1"));
    assert_eq!((device.screen().width, device.screen().height), (1080, 1920));
    assert_eq!(see(&mut device, Look::Activity).orientation, Orientation::Portrait);
    server.forget();
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    assert!(server.heard("settings put system user_rotation 0"));
    held("1920x1080", 0);
    let seen = see(&mut device, Look::Activity);
    assert_eq!((seen.orientation, seen.screen), (Orientation::Landscape, device.screen().turned()));
}

#[test]
fn text_replaces_what_stood_there() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.says("input tap 5 650; input text old%stext");
    assert!(server.shows("old text"));
    device
        .perform(&Event::Text { text: "it's 5 % & $x".into(), widget: Some(named("field")) }, LONG)
        .unwrap();
    assert!(server.shows("it's 5 % &amp; $x"));
    assert!(see(&mut device, Look::Activity).keyboard);
    device.perform(&Event::text("100%sure"), LONG).unwrap();
    assert!(server.shows("100%sure"));
}

#[test]
fn other_letters_need_the_keyboard_app() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    let grün = Event::Text { text: "grün".into(), widget: Some(named("field")) };
    let refused = device.perform(&grün, LONG).unwrap_err();
    assert!(
        matches!(&refused, DeviceError::NotSupported { what, .. } if what.contains("com.android.adbkeyboard")),
        "{refused}"
    );
    assert!(!see(&mut device, Look::Activity).keyboard, "nothing was touched");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keyboard.apk");
    std::fs::write(&file, apk("com.android.adbkeyboard", 0)).unwrap();
    let within = Deadline::within("a test", Duration::from_secs(20));
    server.client().transport("S1").install(&file, true, &within).unwrap();
    let keyboard = || server.says("settings get secure default_input_method");
    let before = keyboard();
    device.perform(&grün, LONG).unwrap();
    assert!(server.shows("grün"));
    assert_eq!(keyboard(), "com.android.adbkeyboard/.AdbIME\n");
    device.close().unwrap();
    assert_eq!(keyboard(), before, "the user's keyboard is back");
}

#[test]
fn system_events_are_brought_about_or_refused() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    device.perform(&Event::system("android.intent.action.BATTERY_LOW"), LONG).unwrap();
    assert!(server.heard("dumpsys battery set level 5"));
    let extras = [("connected".to_owned(), "false".to_owned())].into();
    let offline = SystemEvent { action: "android.net.conn.CONNECTIVITY_CHANGE".to_owned(), extras };
    device.perform(&Event::System(offline), LONG).unwrap();
    assert!(server.heard("svc data disable"));
    let denial = "java.lang.SecurityException: Permission Denial: not allowed to send broadcast\n";
    rig(&server, "am broadcast -a android.intent.action.BOOT_COMPLETED", denial);
    let boot = device.perform(&Event::system("android.intent.action.BOOT_COMPLETED"), LONG);
    assert!(matches!(boot, Err(DeviceError::NotSupported { .. })), "{boot:?}");
    let sms = device.perform(&Event::system("sms:send"), LONG);
    assert!(matches!(sms, Err(DeviceError::NotSupported { .. })), "{sms:?}");
    device.reset(Seed(1), LONG).unwrap();
    assert!(server.heard("dumpsys battery reset"));
    rig(&server, "getevent -p", "add device 1: /dev/input/event0\n  name: \"keys\"\n");
    let pinch = Event::Pinch { aim: Aim::place(Point::new(1, 2)), percent: 50, over: LONG };
    assert!(matches!(device.perform(&pinch, LONG), Err(DeviceError::NotSupported { .. })));
}

#[test]
fn a_crash_is_seen_once_and_by_the_next_look() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    for _ in 0..5 {
        device.perform(&Event::tap(5, 550), LONG).unwrap();
        let seen = see(&mut device, Look::Activity);
        assert_eq!(seen.crashes.len(), 1, "every look hears all that was logged before it");
        assert_eq!(seen.crashes[0].kind, CrashKind::Java);
        assert!(seen.crashes[0].signature.0.starts_with("IllegalStateException@Main.onClick#"));
        assert_eq!(see(&mut device, Look::Activity).crashes, []);
        device.perform(&Event::Launch, LONG).unwrap();
    }
    device.perform(&Event::tap(5, 550), LONG).unwrap();
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).crashes, [], "a reset begins with an empty log");
}

#[test]
fn marks_of_an_earlier_session_do_not_count() {
    let server = FakeServer::start("S1");
    let leave_mark = || server.says("log -t retap 'mark 4000000000'");
    // The log is read from its last line on. That may be this one or not; another is read for certain.
    leave_mark();
    let mut device = open(&server);
    leave_mark();
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
    for _ in 0..20 {
        device.perform(&Event::tap(5, 550), LONG).unwrap();
        assert_eq!(see(&mut device, Look::Activity).crashes.len(), 1, "the next look has heard all");
        device.perform(&Event::Launch, LONG).unwrap();
    }
}

#[test]
fn the_dialog_of_the_system_is_in_front() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    rig(&server, "dumpsys window displays", focused(&server, &format!("Application Not Responding: {APP}")));
    let dialog = server.says("uiautomator dump /dev/tty").replace("text=\"Open\"", "text=\"Close app\"");
    rig(&server, "uiautomator dump", dialog);
    let seen = see(&mut device, Look::Tree);
    assert_eq!((&*seen.package, &*seen.activity), ("android", "android.ApplicationNotResponding"));
    assert!(seen.tree.unwrap().nodes().iter().any(|node| &*node.text == "Close app"));
}

#[test]
fn what_covers_the_app_is_in_front_and_a_launch_pulls_it_away() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.phone().fault(1, "dumpsys window displays", focused(&server, "NotificationShade"));
    let seen = see(&mut device, Look::Activity);
    assert_eq!((&*seen.package, &*seen.activity), ("com.android.systemui", "NotificationShade"));
    device.perform(&Event::Launch, LONG).unwrap();
    assert!(server.heard("cmd statusbar collapse"));
    assert_eq!(&*see(&mut device, Look::Activity).package, APP);
    rig(&server, "dumpsys window displays", focused(&server, "Keyguard"));
    let locked = device.reset(Seed(1), LONG).unwrap_err().to_string();
    assert!(
        locked.contains("the device is locked") && locked.contains("set its screen lock to 'None'"),
        "{locked}"
    );
    assert!(server.heard("wm dismiss-keyguard"));
}

#[test]
fn a_warning_before_a_picture_is_cut_off() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    let picture = device.screenshot(LONG).unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "{}", String::from_utf8_lossy(&picture));
    let warning = b"[Warning] Multiple displays were found, but no display id was specified!\n";
    rig(&server, "screencap -p", [&warning[..], &picture].concat());
    assert!(device.screenshot(LONG).unwrap() == picture);
}

#[test]
fn what_events_changed_is_undone_before_the_next_run_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeServer::start("S1");
    server.says("svc wifi enable; svc data disable; settings put global airplane_mode_on 0");
    let last = |front: &str| {
        server.history().iter().rfind(|run| run.starts_with(front)).cloned().unwrap_or_default()
    };
    let event = |action: &str, name: &str, value: &str| {
        let extras = [(name.to_owned(), value.to_owned())].into();
        Event::System(SystemEvent { action: action.to_owned(), extras })
    };
    let spec = format!("adb?app={APP}");
    let mut device = open_with(&server, &spec, Some(folder.path())).unwrap();
    let cut = [
        event("android.net.conn.CONNECTIVITY_CHANGE", "connected", "false"),
        event("android.intent.action.AIRPLANE_MODE", "state", "true"),
        Event::system("android.intent.action.BATTERY_LOW"),
    ];
    let all_back = || {
        assert_eq!(last("svc wifi"), "svc wifi enable");
        assert_eq!(last("svc data"), "svc data disable", "it was off before");
        assert_eq!(last("cmd connectivity"), "cmd connectivity airplane-mode disable");
        assert_eq!(last("dumpsys battery"), "dumpsys battery reset");
    };
    let cut_off = |device: &mut AdbDevice| {
        for event in &cut {
            device.perform(event, LONG).unwrap();
            device.perform(event, LONG).unwrap();
        }
        assert_eq!(last("svc wifi"), "svc wifi disable");
    };
    cut_off(&mut device);
    device.reset(Seed(1), LONG).unwrap();
    all_back();
    server.forget();
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(last("svc"), "", "once is enough");
    cut_off(&mut device);
    device.close().unwrap();
    all_back();
    let mut device = open_with(&server, &spec, Some(folder.path())).unwrap();
    cut_off(&mut device);
    // A process that is killed drops nothing.
    std::mem::forget(device);
    open_with(&server, &spec, Some(folder.path())).unwrap().reset(Seed(3), LONG).unwrap();
    all_back();
}

#[test]
fn old_versions_double_tap_by_raw_events() {
    let server = FakeServer::with(Some("S1"), Android::NINE);
    let axis =
        |code: &str, max: u32| format!("    ABS (0003): {code}  : value 0, min 0, max {max}, fuzz 0\n");
    let touch = format!("add device 1: /dev/input/event7\n{}{}", axis("0035", 1079), axis("0036", 1919));
    rig(&server, "getevent -p", "add device 1: /dev/input/event0\n  name: \"keys\"\n");
    let mut device = started(&server);
    let twice = Event::DoubleTap(Aim::place(Point::new(5, 350)));
    device.perform(&twice, LONG).unwrap();
    assert!(server.heard("input tap 5 350"), "without a touch screen by input");
    rig(&server, "getevent -p", touch);
    rig(&server, "sendevent", "");
    server.forget();
    device.perform(&twice, LONG).unwrap();
    let history = server.history();
    assert!(!history.contains(&"input tap 5 350".to_owned()), "{history:?}");
    assert_eq!(history.iter().filter(|run| *run == "sendevent /dev/input/event7 3 54 350").count(), 2);
    assert!(history.contains(&"sleep 0.06".to_owned()));
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    let pinch = Event::Pinch { aim: Aim::place(Point::new(500, 79)), percent: 50, over: LONG };
    device.perform(&pinch, LONG).unwrap();
    assert!(server.heard("sendevent /dev/input/event7 3 53 1000"), "the panel does not turn");
}

#[test]
fn dumps_that_fail_are_tried_again() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    for said in [
        "",
        "ERROR: could not get idle state.\n",
        "ERROR: null root node returned by UiTestAutomationBridge.\n",
    ] {
        server.phone().fault(1, "uiautomator dump", said);
        assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 7, "{said}");
    }
    rig(&server, "uiautomator dump", "ERROR: could not get idle state.");
    let why = device.observe(Look::Tree, LONG).unwrap_err().to_string();
    assert!(why.contains("uiautomator said: ERROR: could not get idle state."), "{why}");
}

#[test]
fn where_there_is_no_terminal_the_dump_goes_by_file() {
    let server = FakeServer::start("S1");
    let no_terminal = "java.io.FileNotFoundException: /dev/tty: open failed: ENXIO\n";
    rig(&server, "uiautomator dump /dev/tty", no_terminal);
    let mut device = started(&server);
    assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 7);
    server.forget();
    see(&mut device, Look::Tree);
    let dumps: Vec<String> =
        server.history().iter().filter(|command| command.starts_with("uiautomator")).cloned().collect();
    assert_eq!(dumps.len(), 1, "the way that works is kept: {dumps:?}");
    assert_eq!(server.says("ls /data/local/tmp"), "", "files are removed");
}

#[test]
fn settings_come_back_at_the_end() {
    let server = FakeServer::start("S1");
    server.says(
        "settings delete global transition_animation_scale; settings put global animator_duration_scale 0.5",
    );
    let before = settings(&server);
    let device = open(&server);
    let get = |name: &str| server.says(&format!("settings get global {name}"));
    assert_eq!(get("window_animation_scale"), "0\n");
    assert_eq!(get("transition_animation_scale"), "0\n");
    device.close().unwrap();
    assert_eq!(settings(&server), before);
    drop(open(&server));
    assert_eq!(settings(&server), before, "dropping does as well");
}

#[test]
fn settings_come_back_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeServer::start("S1");
    let before = settings(&server);
    let spec = format!("adb:S1?app={APP}");
    // A process that is killed drops nothing.
    std::mem::forget(open_with(&server, &spec, Some(folder.path())).unwrap());
    assert_ne!(settings(&server), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    open_with(&server, &spec, Some(folder.path())).unwrap().close().unwrap();
    assert_eq!(settings(&server), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn after_a_drop_the_next_call_finds_the_device_again() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    for fault in [Fault::Offline, Fault::Absent, Fault::Dropping, Fault::Unauthorized] {
        server.set(fault);
        let lost = device.observe(Look::Activity, LONG);
        assert!(matches!(lost, Err(DeviceError::Offline { .. })), "{fault:?}: {lost:?}");
        server.set(Fault::None);
        assert_eq!(&*see(&mut device, Look::Activity).package, APP, "{fault:?}");
    }
    device.perform(&Event::tap(5, 550), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).crashes.len(), 1, "the log is heard again");
}

#[test]
fn a_clock_that_goes_back_does_not_make_us_deaf() {
    let server = FakeServer::start("S1");
    let morning = server.phone().settings().started;
    server.restart(morning + 5_000);
    let mut device = started(&server);
    see(&mut device, Look::Activity);
    server.set(Fault::Dropping);
    assert!(device.observe(Look::Activity, LONG).is_err(), "it is started again");
    server.restart(morning);
    server.set(Fault::None);
    let crashes = |device: &mut AdbDevice| {
        device.perform(&Event::Launch, LONG).unwrap();
        device.perform(&Event::tap(5, 550), LONG).unwrap();
        see(device, Look::Activity).crashes.len()
    };
    crashes(&mut device);
    assert_eq!((crashes(&mut device), crashes(&mut device)), (1, 1), "from then on all is heard");
}

#[test]
fn permissions_are_granted_after_each_reset() {
    let server = FakeServer::start("S1");
    let dump = format!("dumpsys package {APP}");
    let told = server.says(&dump);
    let granted = |name: &str| server.says(&dump).contains(&format!("{name}: granted=true"));
    // Some versions tell what the app wants, and elsewhere what is dangerous.
    rig(&server, &dump, told.split("      runtime permissions:").next().unwrap());
    let dangerous =
        "Dangerous Permissions:\n  permission:android.permission.CAMERA\n  permission:a.b.OTHER\n";
    rig(&server, "pm list permissions", dangerous);
    let mut device = open(&server);
    server.phone().fault(0, &dump, "");
    assert!(!granted("CAMERA"));
    for seed in [1, 3] {
        device.reset(Seed(seed), LONG).unwrap();
        assert!(granted("CAMERA") && !granted("INTERNET"));
    }
    drop(device);
    let mut device = open_with(&server, &format!("adb?app={APP}&grant=0"), None).unwrap();
    device.reset(Seed(3), LONG).unwrap();
    assert!(!granted("CAMERA"));
}

#[test]
fn an_app_comes_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.apk");
    std::fs::write(&file, apk(APP, 0)).unwrap();
    let server = FakeServer::start("S1");
    server.says(&format!("pm uninstall {APP}"));
    let device = open_with(&server, &format!("adb?apk={}", file.display()), None).unwrap();
    assert_eq!(device.package(), APP);
    let which = open_with(&server, &format!("adb?apk={}", file.display()), None).unwrap_err();
    assert!(matches!(which, OpenError::WhichApp { .. }), "{which}");
}

#[test]
fn what_is_missing_is_said() {
    let server = FakeServer::start("S1");
    let refused = |spec: &str| open_with(&server, spec, None).unwrap_err().to_string();
    assert_eq!(refused("adb"), "say which app is under test, as in adb?app=com.example");
    assert!(
        refused("adb?app=com.nowhere").starts_with("the app com.nowhere is not on device S1; install it")
    );
    assert!(refused("adb:S7?app=a.b").starts_with("there is no device S7"));
}

#[test]
fn coverage_is_told_once() {
    let server = FakeServer::start("S1");
    let mut device =
        open_with(&server, &format!("adb?app={APP}&coverage=files/c.ec&dump=x.DUMP"), None).unwrap();
    device.reset(Seed(1), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).coverage, []);
    let class =
        |probes: u8| [&[0x01, 0xC0, 0xC0, 0x10, 0x07, 0x11][..], &[0; 8], &[0, 1, b'A', 8, probes]].concat();
    let write = |probes| {
        rig(&server, &format!("run-as {APP} cat files/c.ec"), class(probes));
    };
    write(0b011);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 2);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 0);
    write(0b111);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 1);
    assert!(server.heard(&format!("am broadcast -a x.DUMP -p {APP}")));
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 3, "a new run begins from nothing");
}

#[test]
fn a_phone_without_shell_protocol_2_works_too() {
    let server = FakeServer::start("S1");
    server.set_features("");
    rig(&server, "getprop", "[ro.build.version.sdk]: [22]\n");
    let mut device = started(&server);
    device.perform(&Event::tap(5, 350), LONG).unwrap();
    assert!(server.heard("input tap 5 350"));
    assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 7);
    device.perform(&Event::tap(5, 550), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).crashes.len(), 1);
}
