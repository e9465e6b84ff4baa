//! The device on the fake phone: events, looks, crashes, settings, drops.

use std::path::Path;
use std::time::Duration;

use retap_adb::{AdbDevice, AdbOptions, OpenError};
use retap_device::{Device, DeviceError, Look};
use retap_testing::until;
use retap_trace::{
    Aim, CrashKind, Event, Key, Micros, Observation, Orientation, Point, Seed, Selector, SystemEvent,
};

use crate::fake::{APP, FakeServer, Fault};

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
    Selector { id: Some(id.into()), ..Selector::default() }
}

#[test]
fn a_look_at_the_activity_pays_for_no_dump() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.phone().history.clear();
    let seen = see(&mut device, Look::Activity);
    assert_eq!((&*seen.package, &*seen.activity), (APP, "com.example.counter.Main"));
    assert!(seen.tree.is_none() && !seen.keyboard);
    assert!(!server.phone().history.iter().any(|command| command.contains("uiautomator")));
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
    assert_eq!(server.phone().count, 4);
    assert!(server.phone().history.contains(&"cmd input swipe 1 2 1 2 1000".to_owned()));
    assert!(server.phone().history.contains(&"cmd input swipe 1 2 3 4 300".to_owned()));
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
    server.phone().size = (1920, 1080);
    let mut device = started(&server);
    assert_eq!((device.screen().width, device.screen().height), (1080, 1920));
    assert_eq!(see(&mut device, Look::Activity).orientation, Orientation::Portrait);
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    let seen = see(&mut device, Look::Activity);
    assert_eq!((seen.orientation, seen.screen), (Orientation::Landscape, device.screen().turned()));
}

#[test]
fn text_replaces_what_stood_there() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.phone().field = "old text".to_owned();
    device
        .perform(&Event::Text { text: "it's 5 % & $x".into(), widget: Some(named("field")) }, LONG)
        .unwrap();
    assert_eq!(server.phone().field, "it's 5 % & $x");
    assert!(see(&mut device, Look::Activity).keyboard);
    device.perform(&Event::text("100%sure"), LONG).unwrap();
    assert_eq!(server.phone().field, "100%sure");
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
    server.phone().keyboard_app = true;
    server.phone().field.clear();
    device.perform(&grün, LONG).unwrap();
    assert_eq!(server.phone().field, "gr<w7w=>n");
    assert!(server.phone().keyboard());
    device.close().unwrap();
    assert!(!server.phone().keyboard(), "the user's keyboard is back");
}

#[test]
fn system_events_are_brought_about_or_refused() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    device.perform(&Event::system("android.intent.action.BATTERY_LOW"), LONG).unwrap();
    assert!(server.phone().history.contains(&"dumpsys battery set level 5".to_owned()));
    let extras = [("connected".to_owned(), "false".to_owned())].into();
    let offline = SystemEvent { action: "android.net.conn.CONNECTIVITY_CHANGE".to_owned(), extras };
    device.perform(&Event::System(offline), LONG).unwrap();
    assert!(server.phone().history.contains(&"svc data disable".to_owned()));
    let boot = device.perform(&Event::system("android.intent.action.BOOT_COMPLETED"), LONG);
    assert!(matches!(boot, Err(DeviceError::NotSupported { .. })), "{boot:?}");
    let sms = device.perform(&Event::system("sms:send"), LONG);
    assert!(matches!(sms, Err(DeviceError::NotSupported { .. })), "{sms:?}");
    device.reset(Seed(1), LONG).unwrap();
    assert!(server.phone().history.contains(&"dumpsys battery reset".to_owned()));
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
    let old = "mark 4000000000";
    server.phone().write_log(7000, 'I', "retap", old);
    // The log is read from its last line on; let it be that one, whatever else the device has written by then.
    server.phone().last_line = Some(0);
    let mut device = open(&server);
    until("the old mark is sent", || server.has_logged(old));
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
    server.phone().anr_dialog = true;
    let seen = see(&mut device, Look::Tree);
    assert_eq!((&*seen.package, &*seen.activity), ("android", "android.ApplicationNotResponding"));
    assert!(seen.tree.unwrap().nodes().iter().any(|node| &*node.text == "Close app"));
}

#[test]
fn what_covers_the_app_is_in_front_and_a_launch_pulls_it_away() {
    let server = FakeServer::start("S1");
    let mut device = started(&server);
    server.phone().cover = Some("NotificationShade");
    let seen = see(&mut device, Look::Activity);
    assert_eq!((&*seen.package, &*seen.activity), ("com.android.systemui", "NotificationShade"));
    device.perform(&Event::Launch, LONG).unwrap();
    assert_eq!(&*see(&mut device, Look::Activity).package, APP);
    server.phone().cover = Some("Keyguard");
    let locked = device.reset(Seed(1), LONG).unwrap_err().to_string();
    assert!(
        locked.contains("the device is locked") && locked.contains("set its screen lock to 'None'"),
        "{locked}"
    );
    assert!(server.phone().history.contains(&"wm dismiss-keyguard".to_owned()));
}

#[test]
fn a_warning_before_a_picture_is_cut_off() {
    let server = FakeServer::start("S1");
    server.phone().warning = "[Warning] Multiple displays were found, but no display id was specified!\n";
    let picture = started(&server).screenshot(LONG).unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "{}", String::from_utf8_lossy(&picture));
}

#[test]
fn what_events_changed_is_undone_before_the_next_run_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeServer::start("S1");
    let set = |name: &str, value: &str| {
        server.phone().settings.insert(("global".to_owned(), name.to_owned()), value.to_owned());
    };
    set("wifi_on", "1");
    set("mobile_data", "0");
    set("airplane_mode_on", "0");
    let last = |front: &str| {
        server.phone().history.iter().rfind(|run| run.starts_with(front)).cloned().unwrap_or_default()
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
    server.phone().history.clear();
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
    let server = FakeServer::start("S1");
    server.phone().sdk = 28;
    let axis =
        |code: &str, max: u32| format!("    ABS (0003): {code}  : value 0, min 0, max {max}, fuzz 0\n");
    let touch = format!("add device 1: /dev/input/event7\n{}{}", axis("0035", 1079), axis("0036", 1919));
    let mut device = started(&server);
    let twice = Event::DoubleTap(Aim::place(Point::new(5, 350)));
    device.perform(&twice, LONG).unwrap();
    assert!(
        server.phone().history.contains(&"input tap 5 350".to_owned()),
        "without a touch screen by input"
    );
    server.phone().touch = touch;
    server.phone().history.clear();
    device.perform(&twice, LONG).unwrap();
    let history = server.phone().history.clone();
    assert!(!history.contains(&"input tap 5 350".to_owned()), "{history:?}");
    assert_eq!(history.iter().filter(|run| *run == "sendevent /dev/input/event7 3 54 350").count(), 2);
    assert!(history.contains(&"sleep 0.06".to_owned()));
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    let pinch = Event::Pinch { aim: Aim::place(Point::new(500, 79)), percent: 50, over: LONG };
    device.perform(&pinch, LONG).unwrap();
    assert!(
        server.phone().history.contains(&"sendevent /dev/input/event7 3 53 1000".to_owned()),
        "the panel does not turn"
    );
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
        server.phone().dump_errors = vec![said.to_owned()];
        assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 6, "{said}");
    }
    server.phone().dump_errors = vec!["ERROR: could not get idle state.".to_owned(); 50];
    let why = device.observe(Look::Tree, LONG).unwrap_err().to_string();
    assert!(why.contains("uiautomator said: ERROR: could not get idle state."), "{why}");
}

#[test]
fn where_there_is_no_terminal_the_dump_goes_by_file() {
    let server = FakeServer::start("S1");
    server.phone().tty = false;
    let mut device = started(&server);
    assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 6);
    server.phone().history.clear();
    see(&mut device, Look::Tree);
    let dumps: Vec<String> =
        server.phone().history.iter().filter(|command| command.starts_with("uiautomator")).cloned().collect();
    assert_eq!(dumps.len(), 1, "the way that works is kept: {dumps:?}");
    assert!(server.phone().files.is_empty(), "files are removed");
}

#[test]
fn settings_come_back_at_the_end() {
    let server = FakeServer::start("S1");
    let before = server.phone().settings.clone();
    let device = open(&server);
    let get = |name: &str| server.phone().settings.get(&("global".to_owned(), name.to_owned())).cloned();
    assert_eq!(get("window_animation_scale").as_deref(), Some("0"));
    assert_eq!(get("transition_animation_scale").as_deref(), Some("0"));
    device.close().unwrap();
    assert_eq!(server.phone().settings, before);
    drop(open(&server));
    assert_eq!(server.phone().settings, before, "dropping does as well");
}

#[test]
fn settings_come_back_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeServer::start("S1");
    let before = server.phone().settings.clone();
    let spec = format!("adb:S1?app={APP}");
    // A process that is killed drops nothing.
    std::mem::forget(open_with(&server, &spec, Some(folder.path())).unwrap());
    assert_ne!(server.phone().settings, before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    open_with(&server, &spec, Some(folder.path())).unwrap().close().unwrap();
    assert_eq!(server.phone().settings, before);
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
    server.phone().ticks = 50_000;
    let mut device = started(&server);
    see(&mut device, Look::Activity);
    server.set(Fault::Dropping);
    assert!(device.observe(Look::Activity, LONG).is_err(), "it is started again");
    server.phone().log.clear();
    server.phone().ticks = 0;
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
    let mut device = started(&server);
    assert_eq!(server.phone().granted, ["android.permission.CAMERA"]);
    device.reset(Seed(3), LONG).unwrap();
    assert_eq!(server.phone().granted, ["android.permission.CAMERA"]);
    drop(device);
    server.phone().granted.clear();
    let mut device = open_with(&server, &format!("adb?app={APP}&grant=0"), None).unwrap();
    device.reset(Seed(3), LONG).unwrap();
    assert!(server.phone().granted.is_empty());
}

#[test]
fn an_app_comes_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("a.apk");
    std::fs::write(&apk, b"PK").unwrap();
    let server = FakeServer::start("S1");
    server.phone().installed = false;
    let device = open_with(&server, &format!("adb?apk={}", apk.display()), None).unwrap();
    assert_eq!(device.package(), APP);
    let which = open_with(&server, &format!("adb?apk={}", apk.display()), None).unwrap_err();
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
        server.phone().files.insert(format!("/data/data/{APP}/files/c.ec"), class(probes));
    };
    write(0b011);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 2);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 0);
    write(0b111);
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 1);
    assert!(server.phone().history.contains(&format!("am broadcast -a x.DUMP -p {APP}")));
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).coverage.len(), 3, "a new run begins from nothing");
}

#[test]
fn a_phone_without_shell_protocol_2_works_too() {
    let server = FakeServer::start("S1");
    server.set_features("");
    server.phone().sdk = 22;
    let mut device = started(&server);
    device.perform(&Event::tap(5, 350), LONG).unwrap();
    assert!(server.phone().history.contains(&"input tap 5 350".to_owned()));
    assert_eq!(see(&mut device, Look::Tree).tree.unwrap().nodes().len(), 6);
    device.perform(&Event::tap(5, 550), LONG).unwrap();
    assert_eq!(see(&mut device, Look::Activity).crashes.len(), 1);
}
