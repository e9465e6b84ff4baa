use retap_device::conformance::{self, Breakage, ConformanceSubject};
use retap_trace::{CoverageId, Key, Orientation};

use super::*;
use crate::language::parse;

const COUNTER: &str = r#"
app counter
kept count int
var drawn int
activity Main
  on create
    chance 0.5
      set drawn = 1
  screen first "Counter"
    button "More" id=more
      on tap
        set count = count + 1
    button "Crash" id=crash
      on tap
        crash java.lang.Error
    button "Later" id=later
      on tap
        after 300ms
          set count = count + 100
"#;

const MINUTE: Micros = Micros::from_secs(60);
const MORE: (i32, i32) = (500, 280);
const CRASH: (i32, i32) = (500, 430);
const LATER: (i32, i32) = (500, 590);

fn device(query: &str) -> SimDevice {
    let spec: SimSpec = format!("sim:counter.app?{query}").parse().unwrap();
    let app = parse("counter.app", COUNTER, &|_| Err(String::new())).unwrap();
    SimDevice::new(&spec, Arc::new(app)).unwrap()
}

/// A device that has been reset and has launched the app.
fn launched(query: &str, seed: u64) -> SimDevice {
    let mut device = device(query);
    device.reset(Seed(seed), MINUTE).unwrap();
    device.perform(&Event::Launch, MINUTE).unwrap();
    device
}

fn tap(device: &mut SimDevice, (x, y): (i32, i32)) {
    device.perform(&Event::tap(x, y), MINUTE).unwrap();
}

fn count(device: &SimDevice) -> i64 {
    device.machine().var("count").unwrap().number()
}

#[test]
fn calls_cost_what_the_profile_says() {
    let mut device = device("profile=emulator2020");
    let mut spent = |call: &mut dyn FnMut(&mut SimDevice)| {
        let before = device.now();
        call(&mut device);
        device.now().since(before).as_millis()
    };
    assert_eq!(spent(&mut |device| device.reset(Seed(1), MINUTE).unwrap()), 25_000);
    assert_eq!(spent(&mut |device| device.perform(&Event::Launch, MINUTE).unwrap()), 3_000);
    assert_eq!(spent(&mut |device| tap(device, MORE)), 200);
    assert_eq!(spent(&mut |device| drop(device.observe(Look::Tree, MINUTE).unwrap())), 1_200);
    assert_eq!(spent(&mut |device| drop(device.observe(Look::Activity, MINUTE).unwrap())), 200);
    assert_eq!(spent(&mut |device| drop(device.screenshot(MINUTE).unwrap())), 500);
    let wait = Event::Wait { time: Micros::from_secs(7) };
    assert_eq!(spent(&mut |device| device.perform(&wait, MINUTE).unwrap()), 7_000);
    let mut id = SnapshotId(0);
    assert_eq!(spent(&mut |device| id = device.snapshots().unwrap().save(MINUTE).unwrap()), 10_000);
    assert_eq!(spent(&mut |device| device.snapshots().unwrap().load(id, MINUTE).unwrap()), 9_000);
    assert_eq!(spent(&mut |device| assert!(device.settle(MINUTE).unwrap())), 0);
}

#[test]
fn an_observation_tells_all() {
    let mut device = launched("", 1);
    let seen = device.observe(Look::Tree, MINUTE).unwrap();
    assert_eq!(seen.at, device.now());
    assert_eq!((&*seen.package, &*seen.activity), ("org.example.counter", "org.example.counter.Main"));
    assert_eq!(
        (seen.screen, seen.orientation, seen.keyboard),
        (Machine::SCREEN, Orientation::Portrait, false)
    );
    assert_eq!(seen.tree.as_ref(), Some(&device.machine().tree()));
    assert!(seen.coverage.contains(&CoverageId(0)) && seen.crashes.is_empty());
    tap(&mut device, CRASH);
    let seen = device.observe(Look::Activity, MINUTE).unwrap();
    assert_eq!((&*seen.activity, seen.crashes.len()), ("com.android.launcher3.Launcher", 1));
    assert!(seen.tree.is_none());
    let again = device.observe(Look::Activity, MINUTE).unwrap();
    assert!(again.crashes.is_empty() && again.coverage.is_empty(), "news are told once");
}

#[test]
fn a_reset_makes_everything_fresh() {
    let mut device = launched("", 1);
    tap(&mut device, MORE);
    device.perform(&Event::Rotate { to: Orientation::Landscape }, MINUTE).unwrap();
    assert_eq!(count(&device), 1);
    device.reset(Seed(2), MINUTE).unwrap();
    assert_eq!(count(&device), 0);
    let seen = device.observe(Look::Tree, MINUTE).unwrap();
    assert_eq!((seen.orientation, &*seen.package), (Orientation::Portrait, "com.android.launcher3"));
    assert!(
        seen.coverage.is_empty() && device.machine().log_from(0).0.is_empty() && !device.machine().running()
    );
}

#[test]
fn settling_moves_the_clock_only_as_far_as_needed() {
    let mut device = launched("", 1);
    tap(&mut device, LATER);
    let before = device.now();
    assert!(device.settle(MINUTE).unwrap());
    assert_eq!(device.now().since(before), Micros::from_millis(300));
    assert_eq!(count(&device), 100);
}

#[test]
fn a_deadline_is_kept_and_does_no_harm() {
    let mut device = launched("", 1);
    let (before, phone) = (device.now(), device.machine().clone());
    let within = Micros::from_millis(150);
    let error = device.perform(&Event::tap(MORE.0, MORE.1), within).unwrap_err();
    assert_eq!(error, DeviceError::Timeout { call: "perform", within });
    assert_eq!(device.now().since(before), within);
    let long = Event::Wait { time: Micros::from_secs(10) };
    assert!(device.perform(&long, Micros::from_secs(9)).is_err());
    assert!(*device.machine() == phone);
    assert!(device.observe(Look::Tree, Micros::from_millis(299)).is_err());
    assert!(device.observe(Look::Tree, Micros::from_millis(300)).is_ok());
}

#[test]
fn a_run_depends_on_its_seed_alone() {
    let query = "drop=0.3&blind=0.2&stale=0.2&hang=0.05&slow=0.05&offline=0.05:3";
    let run = |device: &mut SimDevice, seed: u64| {
        let began = device.reset(Seed(seed), MINUTE);
        let start = device.now();
        let mut seen = Vec::new();
        if began.is_err() {
            return (began, seen, 0);
        }
        for step in 0..40 {
            let event = if step == 0 { Event::Launch } else { Event::tap(MORE.0, MORE.1) };
            let performed = device.perform(&event, MINUTE);
            let look = device.observe(Look::Tree, MINUTE);
            seen.push((performed, look.map(|look| (look.at.since(start), look.tree, look.coverage))));
        }
        (began, seen, count(device))
    };
    let mut fresh = device(query);
    let mut used = launched("", 99);
    (used.name, used.faults, used.drop) = (fresh.name.clone(), fresh.faults, fresh.drop);
    for seed in 0..30 {
        for other in 0..seed % 3 {
            let _ = run(&mut used, 1_000 + other);
        }
        assert!(run(&mut fresh, seed) == run(&mut used, seed), "seed {seed}");
    }
}

#[test]
fn taps_get_lost() {
    let mut device = launched("drop=0.25", 5);
    for _ in 0..400 {
        tap(&mut device, MORE);
    }
    assert!((270..330).contains(&count(&device)), "{}", count(&device));
    device.perform(&Event::key(Key::HOME), MINUTE).unwrap();
    assert_eq!(&**device.machine().package(), "com.android.launcher3", "keys do not get lost");
}

#[test]
fn a_snapshot_is_restored_exactly_and_shares_no_future() {
    let mut device = launched("", 1);
    tap(&mut device, MORE);
    let id = device.snapshots().unwrap().save(MINUTE).unwrap();
    let saved = device.machine().clone();
    let drawn = |device: &mut SimDevice| {
        device.snapshots().unwrap().load(id, MINUTE).unwrap();
        assert!(*device.machine() == saved);
        device.perform(&Event::key(Key::BACK), MINUTE).unwrap();
        device.perform(&Event::Launch, MINUTE).unwrap();
        device.machine().var("drawn").unwrap().number()
    };
    tap(&mut device, MORE);
    let now = device.now();
    let heads: i64 = (0..100).map(|_| drawn(&mut device)).sum();
    assert!((30..100).contains(&heads), "{heads}");
    assert!(device.now() > now);
    device.snapshots().unwrap().forget(id, MINUTE).unwrap();
    let gone = device.snapshots().unwrap().load(id, MINUTE).unwrap_err();
    assert!(gone.to_string().contains("no snapshot"), "{gone}");
}

#[test]
fn a_phone_has_no_snapshots() {
    let mut device = launched("profile=phone", 1);
    assert!(device.snapshots().is_none());
    assert!(matches!(device.save(MINUTE), Err(DeviceError::NotSupported { .. })));
}

#[test]
fn an_offline_device_comes_back() {
    let mut device = launched("", 1);
    device.faults.offline = 1.0;
    device.faults.offline_for = Micros::from_secs(10);
    let (before, phone) = (device.now(), device.machine().clone());
    for second in 1..=3 {
        let error = device.observe(Look::Tree, MINUTE).unwrap_err();
        assert!(matches!(error, DeviceError::Offline { .. }) && error.passing());
        assert_eq!(device.now().since(before), Micros::from_secs(second));
    }
    device.faults.offline = 0.0;
    for _ in 3..10 {
        device.perform(&Event::Launch, MINUTE).unwrap_err();
    }
    assert!(*device.machine() == phone);
    tap(&mut device, MORE);
    assert_eq!(count(&device), 1);
}

#[test]
fn looks_fail_or_show_the_past() {
    let mut device = launched("stale=1", 1);
    let first = device.observe(Look::Activity, MINUTE).unwrap();
    device.faults.stale = 0.5;
    tap(&mut device, MORE);
    let fine = device.observe(Look::Tree, MINUTE).unwrap();
    assert!(fine.at > first.at && fine.tree.is_some(), "a glance cannot stand in for a tree");
    device.faults.stale = 1.0;
    tap(&mut device, CRASH);
    let asked = device.now();
    let stale = device.observe(Look::Tree, MINUTE).unwrap();
    assert!(stale.at < asked && stale.tree == fine.tree && stale.crashes.is_empty());
    device.faults.stale = 0.0;
    let true_one = device.observe(Look::Tree, MINUTE).unwrap();
    assert_eq!(true_one.crashes.len(), 1, "nothing was lost");
    device.faults.blind = 1.0;
    assert!(matches!(device.observe(Look::Tree, MINUTE), Err(DeviceError::Failed { call: "observe", .. })));
}

#[test]
fn loads_fail_or_restore_something_else() {
    let mut device = launched("", 1);
    let id = device.snapshots().unwrap().save(MINUTE).unwrap();
    tap(&mut device, MORE);
    let phone = device.machine().clone();
    device.faults.bad_load = 1.0;
    assert!(matches!(device.load(id, MINUTE), Err(DeviceError::Failed { call: "load", .. })));
    assert!(*device.machine() == phone);
    (device.faults.bad_load, device.faults.garbage) = (0.0, 1.0);
    device.load(id, MINUTE).unwrap();
    assert!(!device.machine().running());
    assert_eq!(&**device.machine().package(), "com.android.launcher3");
}

#[test]
fn hangs_and_slow_minutes_cost_time() {
    let mut device = launched("", 1);
    device.faults.hang = 1.0;
    let (before, phone) = (device.now(), device.machine().clone());
    assert!(matches!(device.settle(Micros::from_secs(8)), Err(DeviceError::Timeout { call: "settle", .. })));
    assert_eq!(device.now().since(before), Micros::from_secs(8));
    assert!(*device.machine() == phone);
    (device.faults.hang, device.faults.slow) = (0.0, 1.0);
    let before = device.now();
    tap(&mut device, MORE);
    assert_eq!(device.now().since(before), Micros::from_secs(2));
    device.faults.slow = 0.0;
    device.perform(&Event::Wait { time: Micros::from_secs(58) }, MINUTE).unwrap();
    let before = device.now();
    tap(&mut device, MORE);
    assert_eq!(device.now().since(before), Micros::from_millis(200));
}

#[test]
fn a_reset_that_failed_can_be_tried_again() {
    let mut device = device("hang=0.5&offline=0.3:2");
    for seed in 0..100 {
        let tries = (0..60).position(|again| device.reset(Seed(seed).branch("try", again), MINUTE).is_ok());
        assert!(tries.is_some(), "seed {seed} never came up");
    }
}

#[test]
fn a_screenshot_is_a_picture() {
    let mut device = launched("", 1);
    let png = device.screenshot(MINUTE).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
}

#[test]
fn devices_can_move_to_other_threads() {
    fn movable<T: Send>(_: &T) {}
    movable(&device(""));
}

/// The app that the conformance suite uses.
struct Todo;

const TODO: &str = r#"
app todo
kept items list = ["milk"]
activity Main
  screen list "Todo ({len(items)})"
    button "Add" id=add
      on tap
        push items "tea"
    button "Edit" id=edit
      on tap
        open Edit
    list items
activity Edit
  screen edit "Edit"
    label "Nothing to edit"
"#;

impl Todo {
    fn with(query: &str) -> Box<dyn Device> {
        let text = |_: &str| Ok(TODO.to_owned());
        Box::new(SimDevice::open(&format!("sim:todo.app?{query}"), &text).unwrap())
    }
}

impl ConformanceSubject for Todo {
    fn device(&mut self) -> Box<dyn Device> {
        Self::with("latency=300")
    }

    fn first_activity(&self) -> &'static str {
        "org.example.todo.Main"
    }

    fn step(&self) -> (Event, &str) {
        (Event::tap(500, 430), "org.example.todo.Edit")
    }

    fn mark(&self) -> Vec<Event> {
        vec![Event::tap(500, 280)]
    }

    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>> {
        match how {
            Breakage::Offline => Some(Self::with("offline=1")),
            Breakage::Hanging => Some(Self::with("hang=1")),
            Breakage::NoSnapshots => Some(Self::with("profile=phone")),
            Breakage::NoApp => Some(Self::with("gone=1")),
        }
    }
}

#[test]
fn the_simulated_device_conforms() {
    assert_eq!(conformance::check(&mut Todo), Vec::<String>::new());
}

/// A device with an app of the library.
fn opened(text: &str) -> SimDevice {
    SimDevice::open(text, &|_| Err(String::new())).unwrap()
}

#[test]
fn time_passes_without_a_call() {
    let mut device = opened("sim:notes?offline=1:30");
    device.pass(Micros::from_secs(7));
    assert_eq!((device.now(), device.machine().now()), (Micros::from_secs(7), Micros::from_secs(7)));
    assert!(!device.is_offline(), "no call, no fault");
    assert!(device.perform(&Event::Launch, MINUTE).is_err() && device.is_offline());
    device.pass(Micros::from_secs(60));
    assert!(!device.is_offline());
}

#[test]
fn more_events_of_a_call_cost_nothing() {
    let mut device = opened("sim:notes");
    device.perform(&Event::Launch, MINUTE).unwrap();
    let before = device.now();
    device.add(&Event::key(Key::HOME));
    assert_eq!((device.now(), &**device.machine().package()), (before, "com.android.launcher3"));
    device.open_settings(MINUTE).unwrap();
    assert_eq!(&**device.machine().package(), "com.android.settings");
    device.machine_mut().end_app();
    assert_eq!(&**device.machine().package(), "com.android.settings", "what else is in front stays");
    assert!(!device.machine().running());
}

#[test]
fn pictures_are_as_wide_as_asked_for() {
    let mut device = opened("sim:notes");
    let width = |picture: Vec<u8>| u32::from_be_bytes(picture[16..20].try_into().unwrap());
    assert_eq!(width(device.picture(1080, MINUTE).unwrap()), 1080);
    assert_eq!(width(device.screenshot(MINUTE).unwrap()), 540);
}

#[test]
fn the_log_is_read_from_where_one_left_off() {
    let mut device = opened("sim:notes");
    device.perform(&Event::Launch, MINUTE).unwrap();
    let (lines, next) = device.machine().log_from(0);
    let text: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
    assert!(text.contains(&"5 notes, 1 archived"), "{text:?}");
    assert_eq!(device.machine().log_from(next), (Vec::new(), next));
    let stack: Vec<&str> = device.machine().stack().map(|name| &**name).collect();
    assert_eq!((stack, device.machine().process()), (vec!["org.retap.notes.MainActivity"], Some(4037)));
}

#[test]
fn permissions_can_be_granted_from_outside() {
    let mut device = opened("sim:notes");
    let camera = "android.permission.CAMERA";
    assert_eq!(device.machine().granted(camera), Some(false));
    assert!(device.machine_mut().grant(camera, true));
    assert_eq!(device.machine().granted(camera), Some(true));
    assert!(!device.machine_mut().grant("android.permission.SEND_SMS", true));
    assert_eq!(device.machine().granted("android.permission.SEND_SMS"), None);
}
