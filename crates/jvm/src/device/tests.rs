//! The device, with a Java side that does as it is told.

use std::sync::Mutex;

use retap_trace::{Aim, Key, Selector};

use super::*;
use crate::error::JvmError;
use crate::host::JvmStart;

const LONG: Micros = Micros::from_secs(60);

struct Bench {
    scratch: tempfile::TempDir,
    notices: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new() -> Self {
        Self { scratch: tempfile::tempdir().unwrap(), notices: Arc::default() }
    }

    fn open(&self, script: &'static str) -> Result<JvmDevice, JvmError> {
        let path = self.scratch.path();
        let place = JvmPlace {
            apk: path.join("a.apk"),
            classes: path.join("a.jar"),
            intents: Vec::new(),
            kept: path.to_owned(),
            start: JvmStart::Fake(script),
        };
        let told = self.notices.clone();
        let notices = JvmNotices::new(move |notice| told.lock().unwrap().push(notice.to_owned()));
        JvmDevice::open(&"jvm:a.apk".parse().unwrap(), place, notices)
    }
}

fn activity(device: &mut JvmDevice) -> String {
    device.observe(Look::Activity, LONG).unwrap().activity.to_string()
}

/// What the Java side was told to do last.
fn told(device: &mut JvmDevice) -> String {
    let seen = device.observe(Look::Tree, LONG).unwrap();
    seen.tree.unwrap().nodes()[0].text.to_string()
}

#[test]
fn a_device_tells_what_it_is() {
    let mut device = Bench::new().open("good").unwrap();
    assert_eq!((device.name(), device.package(), device.version()), ("jvm:a.apk", "a.b", Some("1.2")));
    assert_eq!(device.screen(), Size { width: 100, height: 200 });
    assert_eq!(device.limits(), ["native library libx.so cannot be loaded"]);
    assert_eq!(device.components().activities, ["a.b/a.b.Share"]);
    assert!(device.snapshots().is_none() && device.coverage_total() == Some(30));
    device.reset(Seed(1), LONG).unwrap();
    assert!(device.settle(Micros(11)).unwrap() && !device.settle(Micros(10)).unwrap());
    assert!(device.screenshot(LONG).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn coverage_is_told_once_in_a_run() {
    let mut device = Bench::new().open("good").unwrap();
    for seed in 1..3 {
        device.reset(Seed(seed), LONG).unwrap();
        let first = device.observe(Look::Activity, LONG).unwrap();
        assert_eq!((first.coverage, first.tree), (vec![CoverageId(3), CoverageId(1)], None));
        assert!(device.observe(Look::Activity, LONG).unwrap().coverage.is_empty());
    }
    assert_eq!(device.code_name(CoverageId(3)).as_deref(), Some("Main.go (Main.java:3)"));
    assert_eq!(device.code_name(CoverageId(4)), None);
}

#[test]
fn widgets_are_found_and_places_are_told() {
    let mut device = Bench::new().open("good").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let named = |text: &str| Selector { text: Some(text.into()), ..Selector::default() };
    let far = retap_trace::Point::new(90, 190);
    let mut done = |event: Event| {
        device.perform(&event, LONG).unwrap();
        told(&mut device)
    };
    assert_eq!(done(Event::Launch), r#"{"do":"launch"}"#);
    assert_eq!(done(Event::Tap(Aim::widget(far, named("Save")))), r#"{"at":[20,30],"do":"tap"}"#);
    assert_eq!(done(Event::tap(5, 6)), r#"{"at":[5,6],"do":"tap"}"#);
    let to = retap_trace::Point::new(80, 100);
    let swipe = Event::Swipe { aim: Aim::widget(far, named("Save")), to, over: Micros(9) };
    assert_eq!(done(swipe), r#"{"at":[20,30],"do":"swipe","over":9,"to":[10,-60]}"#);
    let text = Event::Text { text: "x".to_owned(), widget: Some(named("Save")) };
    assert_eq!(done(text), r#"{"at":[20,30],"do":"text","text":"x"}"#);
    assert_eq!(done(Event::text("x")), r#"{"do":"text","text":"x"}"#);
    let before = done(Event::key(Key::BACK));
    assert_eq!(before, r#"{"do":"key","key":"back"}"#);
    for gone in ["Flat", "Nowhere"] {
        assert_eq!(done(Event::Tap(Aim::widget(far, named(gone)))), before, "{gone}: nothing is done");
    }
    let typing = Event::Text { text: "x".to_owned(), widget: Some(named("Nowhere")) };
    assert_eq!(done(typing), before);
}

#[test]
fn what_is_seen_on_the_way_is_told_later() {
    let mut device = Bench::new().open("crash").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let save = Selector { text: Some("Save".into()), ..Selector::default() };
    let tap = Event::Tap(Aim::widget(retap_trace::Point::new(1, 1), save));
    device.perform(&tap, LONG).unwrap();
    let seen = device.observe(Look::Activity, LONG).unwrap();
    assert_eq!((seen.crashes.len(), seen.coverage.len()), (2, 2), "one of the way, one of now");
    assert!(seen.crashes[0].signature.0.starts_with("IllegalStateException@Main.go"));
}

#[test]
fn the_screen_turns() {
    let mut device = Bench::new().open("good").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Rotate { to: Orientation::Landscape }, LONG).unwrap();
    let seen = device.observe(Look::Activity, LONG).unwrap();
    assert_eq!((seen.orientation, seen.screen.width), (Orientation::Landscape, 200));
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(device.observe(Look::Activity, LONG).unwrap().screen.width, 100);
}

#[test]
fn a_crash_of_the_device_is_none_of_the_app() {
    let bench = Bench::new();
    let mut device = bench.open("own").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    for _ in 0..2 {
        assert!(device.observe(Look::Activity, LONG).unwrap().crashes.is_empty());
    }
    assert_eq!(device.own_crashes().len(), 2);
    let why = device.ended_app().unwrap();
    assert!(why.contains("no crash was to be seen: java.lang.IllegalStateException"), "{why}");
    device.reset(Seed(2), LONG).unwrap();
    assert_eq!(device.ended_app(), None, "that was the run before");
    let notices = bench.notices.lock().unwrap().clone();
    assert_eq!(notices.len(), 2, "each is told once: {notices:?}");
    assert!(notices[1].contains("no crash of the app: java.lang.IllegalStateException"), "{notices:?}");
}

/// Its main thread does not come back: there is nothing that could be seen of the app any more.
#[test]
fn a_device_that_hangs_has_failed_until_the_next_reset() {
    let mut device = Bench::new().open("hung").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
    let said = device.observe(Look::Tree, LONG).unwrap_err().to_string();
    assert!(said.starts_with("observe failed: the device hangs in code of its own: "), "{said}");
    assert!(device.perform(&Event::Launch, LONG).is_err() && device.settle(LONG).is_err());
    assert_eq!(device.own_crashes().len(), 0, "a failure is none of the device's limits");
    device.reset(Seed(2), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
}

/// Its crash was told; what is done from then on would be done to nobody.
#[test]
fn an_app_that_does_not_respond_is_given_no_events() {
    let mut device = Bench::new().open("anr").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
    assert_eq!(device.observe(Look::Tree, LONG).unwrap().crashes.len(), 1);
    let why = "the app does not respond or has taken all memory, and needs a fresh start".to_owned();
    assert_eq!(device.perform(&Event::Launch, LONG), Err(DeviceError::Failed { call: "perform", why }));
    device.reset(Seed(2), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
}

#[test]
fn a_process_is_replaced_after_many_resets_and_the_clock_goes_on() {
    let mut device = Bench::new().open("good").unwrap();
    let mut processes = Vec::new();
    let mut last = device.now();
    for seed in 0..320 {
        device.reset(Seed(seed), LONG).unwrap();
        processes.push(activity(&mut device));
        let now = device.now();
        assert!(now > last, "reset {seed}: {now:?} after {last:?}");
        last = now;
    }
    processes.dedup();
    assert_eq!(processes.len(), 3);
    // 320 resets and looks, and three starts, a millisecond each.
    assert_eq!(device.now(), Micros::from_millis(643));
}

#[test]
fn a_process_is_replaced_when_its_memory_is_full_or_its_main_thread_is_lost() {
    for (script, each) in [("leak", 2), ("anr", 1), ("drained", 1)] {
        let mut device = Bench::new().open(script).unwrap();
        let mut processes = Vec::new();
        for seed in 0..4 {
            device.reset(Seed(seed), LONG).unwrap();
            processes.push(activity(&mut device));
        }
        processes.dedup();
        assert_eq!(processes.len(), 4 / each, "{script}");
    }
}

#[test]
fn a_lost_process_is_told_of_until_the_next_reset() {
    let mut device = Bench::new().open("die:perform").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let before = activity(&mut device);
    let why = "the JVM ended with exit code 3; the last that it said: java.lang.Error: out of cheese";
    let failed = |call| Err(DeviceError::Failed { call, why: why.to_owned() });
    assert_eq!(device.perform(&Event::Launch, LONG), failed("perform"));
    assert_eq!(device.settle(LONG).map(|_| ()), failed("settle"));
    assert_eq!(device.observe(Look::Tree, LONG).map(|_| ()), failed("observe"));
    let now = device.now();
    device.reset(Seed(2), LONG).unwrap();
    assert!(activity(&mut device) != before && device.now() > now);
}

#[test]
fn a_deadline_is_kept_and_named() {
    let mut device = Bench::new().open("hang:settle hang:perform").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let within = Micros::from_millis(300);
    let began = Instant::now();
    assert_eq!(device.perform(&Event::Launch, within), Err(DeviceError::Timeout { call: "perform", within }));
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(matches!(device.observe(Look::Tree, LONG), Err(DeviceError::Timeout { call: "observe", .. })));
    device.reset(Seed(2), LONG).unwrap();
    assert!(device.observe(Look::Tree, LONG).is_ok());
}

#[test]
fn what_is_not_supported_is_no_failure_of_the_process() {
    let mut device = Bench::new().open("unsupported:perform").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let not = DeviceError::NotSupported { device: "jvm:a.apk".to_owned(), what: "it cannot".to_owned() };
    assert_eq!(device.perform(&Event::Launch, LONG), Err(not));
    assert!(device.observe(Look::Activity, LONG).is_ok());
    let mut device = Bench::new().open("device:perform").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let failed = |call| Err(DeviceError::Failed { call, why: "it cannot".to_owned() });
    assert_eq!(device.perform(&Event::Launch, LONG), failed("perform"));
    assert_eq!(device.observe(Look::Activity, LONG).map(|_| ()), failed("observe"), "it is spent");
}

#[test]
fn an_app_that_does_not_open_is_bad_input() {
    let bench = Bench::new();
    let said = bench.open("app:open").unwrap_err();
    assert!(matches!(said, JvmError::App { .. }), "{said:?}");
    assert_eq!(said.to_string(), "a.apk cannot be run in a JVM: it cannot");
    let said = bench.open("die:open").unwrap_err().to_string();
    assert!(said.starts_with("the JVM for a.apk does not work: the JVM ended with exit code 3"), "{said}");
    assert!(matches!(bench.open("shape:open"), Err(JvmError::Process { .. })));
    let left = std::fs::read_dir(bench.scratch.path().join("run")).unwrap().count();
    assert_eq!(left, 1, "only the lock is left");
}

#[test]
fn an_answer_of_another_shape_is_a_failure() {
    let mut device = Bench::new().open("shape:look").unwrap();
    device.reset(Seed(1), LONG).unwrap();
    let said = device.observe(Look::Tree, LONG).unwrap_err().to_string();
    assert!(said.starts_with("observe failed: the JVM answered 'look' with something else"), "{said}");
}
