//! What an app finds that is not there in a JVM by itself: each is as on a phone.

#![cfg(target_os = "linux")]

mod attacks;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use attacks::{Lab, Outcome, attack, tap};
use retap_device::{Device as _, Look};
use retap_jvm::JvmDevice;
use retap_trace::{Event, Flag, Key, Micros, Observation, SystemEvent};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/phonelike");
const MEMORY: &str = include_str!("../../../jvm/phone/proc/meminfo");
const PACKAGE: &str = "org.retap.phonelike";
const HOME: &str = "com.android.launcher3";
const WITHIN: Micros = Micros::from_secs(90);

impl Outcome {
    /// The app is in front and shows this, and nothing has ended it.
    fn assert_shows(&self, result: &str) {
        assert!(self.failure.is_none() && self.crashes.is_empty() && self.own.is_empty(), "{self:?}");
        assert_eq!((self.front.as_str(), self.result.as_str()), (PACKAGE, result));
    }

    /// It is the app's crash, and ends it.
    fn assert_crashes(&self, signature: &str) {
        assert!(self.failure.is_none() && self.own.is_empty(), "{signature}: {self:?}");
        assert!(matches!(&*self.crashes, [one] if one.starts_with(signature)), "{signature}: {self:?}");
        assert_eq!(self.front, HOME, "{signature}");
    }
}

/// A device with the app that asks, and with these options.
fn phone(lab: &Lab, options: &str) -> JvmDevice {
    lab.device_with(&lab.apk_of("phonelike", SOURCES), options).0
}

/// The app as one that was made for an earlier Android.
fn older(lab: &Lab, target: u32) -> JvmDevice {
    let made_for = |version: u32| format!("android:targetSdkVersion=\"{version}\"");
    otherwise(lab, &made_for(29), &made_for(target))
}

/// The app with something else in its manifest.
fn otherwise(lab: &Lab, from: &str, to: &str) -> JvmDevice {
    let sources = Path::new(SOURCES);
    let copy = lab
        .scratch
        .path()
        .join(format!("with-{}", to.replace(|letter: char| !letter.is_alphanumeric(), "-")));
    for file in attacks::files(sources) {
        let to = copy.join(file.strip_prefix(sources).expect("it is below"));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(file, to).expect("a file");
    }
    let manifest = copy.join("AndroidManifest.xml");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    assert!(text.contains(from), "{text}");
    std::fs::write(&manifest, text.replace(from, to)).expect("a file");
    let sources = copy.to_str().expect("a name");
    lab.device_with(&lab.apk_of("phonelike", sources), "").0
}

/// Taps, and looks.
fn after_tap(device: &mut JvmDevice, text: &str) -> Observation {
    device.perform(&tap(text), WITHIN).expect("the device works");
    device.settle(Micros::from_secs(5)).expect("the device works");
    device.observe(Look::Tree, WITHIN).expect("the device works")
}

#[test]
fn its_files_are_those_of_a_phone() {
    let Some(lab) = Lab::new(CACHE) else { return };
    if !lab.is_confined() {
        return;
    }
    let mut device = phone(&lab, "");
    attack(&mut device, "cores", "").assert_shows("2 cores");
    attack(&mut device, "memory", "").assert_shows(MEMORY.lines().next().expect("a line"));
}

#[test]
fn its_data_are_those_of_a_new_phone() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "storage", "").assert_shows("mounted kept");
    attack(&mut device, "media", "").assert_shows("0 rows");
    attack(&mut device, "contacts", "").assert_shows("denied");
}

#[test]
fn widgets_and_windows_do_as_on_a_phone() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    // A choice is told when the one before was: not in the middle of it, and once.
    attack(&mut device, "spinner", "").assert_shows("told 0 1");
    // What is cleared away with all that is above it begins again.
    attack(&mut device, "upper", "");
    let root = after_tap(&mut device, "back to the root");
    assert_eq!((&*root.package, root.activity.ends_with("CheckActivity")), (PACKAGE, true), "{root:?}");
    assert_eq!(attacks::shown(&root, "result").as_deref(), Some("ready"), "it is a new one");
    // Both take text, and only one of them is an editor.
    for (check, class, keyboard) in [("list", "ListView", false), ("field", "EditText", true)] {
        attack(&mut device, check, "");
        let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
        let nodes = seen.tree.as_ref().expect("a tree").nodes();
        let focused = nodes.iter().find(|node| node.flags.has(Flag::Focused)).map(|node| &*node.class);
        assert!(focused.is_some_and(|focused| focused.ends_with(class)), "{check}: {focused:?}");
        assert_eq!(seen.keyboard, keyboard, "{check}");
    }
}

#[test]
fn other_apps_come_to_the_front_unless_it_is_to_stay() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let browser = attack(&mut phone(&lab, ""), "browser", "");
    assert!(browser.failure.is_none() && browser.crashes.is_empty(), "{browser:?}");
    assert_eq!(browser.front, "com.android.browser");
    attack(&mut phone(&lab, "?stay=yes"), "browser", "").assert_shows("asked");
}

#[test]
fn other_apps_are_known_before_they_are_asked_and_answer_as_a_table_says() {
    let Some(lab) = Lab::new(CACHE) else { return };
    attack(&mut phone(&lab, ""), "takers", "").assert_shows("1 for a page, 0 for a place");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("note.txt"), "picked\n").expect("a file");
    let table = folder.path().join("intents.toml");
    let place =
        "[[intent]]\naction = 'android.intent.action.VIEW'\nschemes = ['geo']\nactivity = 'maps/.Map'\n";
    let note = "[[intent]]\naction = 'android.intent.action.GET_CONTENT'\nactivity = 'files/.Pick'\nfile = 'note.txt'\n";
    std::fs::write(&table, format!("{place}{note}")).expect("a file");
    // A file is given without the other app, so also where others are not started.
    for stay in ["", "&stay=yes"] {
        let mut device = phone(&lab, &format!("?intents={}{stay}", table.display()));
        attack(&mut device, "takers", "").assert_shows("1 for a page, 1 for a place");
        attack(&mut device, "picked", "").assert_shows("picked");
    }
    attack(&mut phone(&lab, "?stay=yes"), "picked", "").assert_shows("nothing");
}

#[test]
fn an_app_is_left_ended_and_begun_as_on_a_phone() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let back = Event::Key { key: Key::BACK };
    let stop = Event::System(SystemEvent { action: "am:force-stop".to_owned(), extras: BTreeMap::new() });
    for (options, event, front) in [("", &back, HOME), ("", &stop, HOME), ("?stay=yes", &back, PACKAGE)] {
        let mut device = phone(&lab, options);
        attack(&mut device, "early", "").assert_shows("1 started");
        attack(&mut device, "running", "").assert_shows(".CheckActivity .EarlyService");
        device.perform(event, WITHIN).expect("the device works");
        device.settle(Micros::from_secs(5)).expect("the device works");
        let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
        assert_eq!((&*seen.package, seen.crashes.len()), (front, 0), "{options}: {event:?}");
    }
}

/// Its process is gone, so nobody hears what it has to say.
#[test]
fn a_thread_that_outlives_its_process_does_not_end_the_next() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "late", "").assert_shows("begun");
    let stop = SystemEvent { action: "am:force-stop".to_owned(), extras: BTreeMap::new() };
    device.perform(&Event::System(stop), WITHIN).expect("the device works");
    device.perform(&Event::Launch, WITHIN).expect("the device works");
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_millis(500));
        device.settle(Micros::from_secs(5)).expect("the device works");
        let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
        assert_eq!((&*seen.package, seen.crashes.len()), (PACKAGE, 0), "{seen:?}");
    }
}

/// One exception is one crash, whatever the app's handler makes of it on its way to the system's.
#[test]
fn a_crash_that_the_app_puts_in_other_words_is_one() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (name, place) in [("reworded", "Check."), ("rewordedElsewhere", "Handlers.Failing.run")] {
        let outcome = attack(&mut device, name, "");
        assert!(outcome.failure.is_none() && outcome.front == HOME, "{outcome:?}");
        let expected = format!("IllegalStateException@{place}");
        assert!(matches!(&*outcome.crashes, [one] if one.starts_with(&expected)), "{outcome:?}");
    }
}

#[test]
fn nothing_of_an_earlier_run_is_in_the_next_one() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    let strict = attack(&mut device, "strict", "");
    for _ in 0..2 {
        attack(&mut device, "momentary", "").assert_shows("true true false");
        attack(&mut device, "strict", "").assert_shows(&strict.result);
    }
    let ended = attack(&mut device, "strictEnd", "");
    assert!(ended.failure.is_none() && ended.crashes.is_empty() && ended.own.is_empty(), "{ended:?}");
    assert_eq!(ended.front, HOME);
    attack(&mut device, "strict", "").assert_shows(&strict.result);
}

/// A thread that is interrupted takes what is next in its queue: it has no process to do that in.
#[test]
fn what_waits_in_a_queue_ends_with_its_process() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "queued", "").assert_shows("queued");
    let stop = SystemEvent { action: "am:force-stop".to_owned(), extras: BTreeMap::new() };
    device.perform(&Event::System(stop), WITHIN).expect("the device works");
    device.perform(&Event::Launch, WITHIN).expect("the device works");
    device.settle(Micros::from_secs(5)).expect("the device works");
    let seen = after_tap(&mut device, "begun");
    assert_eq!(attacks::shown(&seen, "result").as_deref(), Some("not begun"));
}

#[test]
fn what_a_view_draws_and_an_activity_that_is_switched_on_are_there() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "drawn", "");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    let nodes = seen.tree.as_ref().expect("a tree").nodes();
    let word = |text: &str| nodes.iter().find(|node| &*node.text == text);
    assert!(word("unseen").is_none(), "{nodes:?}");
    let drawn = word("drawn").expect("the word");
    assert!(drawn.flags.has(Flag::Clickable) && drawn.bounds.right - drawn.bounds.left == 100, "{drawn:?}");
    attack(&mut device, "switched", "");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    assert!(seen.activity.ends_with("SwitchedActivity") && seen.crashes.is_empty(), "{seen:?}");
}

#[test]
fn a_link_that_nobody_opens_ends_the_app_on_android_4() {
    let Some(lab) = Lab::new(CACHE) else { return };
    for (options, ends) in [("", false), ("?compat=19", true)] {
        let mut device = phone(&lab, options);
        attack(&mut device, "link", "").assert_shows("linked");
        let seen = after_tap(&mut device, "where it is");
        let crashes: Vec<String> = seen.crashes.iter().map(|crash| crash.exception.clone()).collect();
        let (expected, front): (&[&str], _) =
            if ends { (&["android.content.ActivityNotFoundException"], HOME) } else { (&[], PACKAGE) };
        assert_eq!((crashes, &*seen.package), (expected.iter().map(ToString::to_string).collect(), front));
    }
}

/// A class that phones have is missing because of the device; one that no phone has, because of the app.
#[test]
fn a_missing_class_is_the_fault_of_who_should_have_it() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (check, missing) in
        [("phonesClass", "NoClassDefFoundError"), ("phonesClassByName", "ClassNotFoundException")]
    {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.crashes.is_empty(), "{ended:?}");
        assert!(matches!(&*ended.own, [one] if one.contains(missing)), "{ended:?}");
    }
    for (check, signature) in [
        ("nobodysClass", "NoClassDefFoundError@Check"),
        ("nobodysClassByName", "IllegalStateException@Check"),
        ("supportClass", "NoClassDefFoundError@Check"),
    ] {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.own.is_empty(), "{ended:?}");
        assert!(matches!(&*ended.crashes, [one] if one.starts_with(signature)), "{ended:?}");
        assert_eq!(ended.front, HOME);
    }
}

/// On a phone it would be gone with the app's process.
#[test]
fn what_an_app_sets_for_the_whole_jvm_is_gone_in_the_next_run() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "settings", "").assert_shows("set");
    attack(&mut device, "untouched", "").assert_shows("false null false");
    let all = "found map interaction redirects verifier context sockets security format level handlers name priority group interrupted pool";
    for _ in 0..2 {
        attack(&mut device, "globals", "").assert_shows(all);
        attack(&mut device, "found", "").assert_shows("found");
    }
    for _ in 0..2 {
        attack(&mut device, "factories", "").assert_shows("set");
    }
    // Its process may end in the middle of a run.
    let stop = SystemEvent { action: "am:force-stop".to_owned(), extras: BTreeMap::new() };
    device.perform(&Event::System(stop), WITHIN).expect("the device works");
    device.perform(&Event::Launch, WITHIN).expect("the device works");
    device.settle(Micros::from_secs(5)).expect("the device works");
    let again = after_tap(&mut device, "factories");
    assert_eq!(attacks::shown(&again, "result").as_deref(), Some("set"), "{again:?}");
    attack(&mut device, "settings", "").assert_shows("set");
    let thrown = attack(&mut device, "thrown", "");
    assert!(
        matches!(&*thrown.crashes, [one] if one.starts_with("IllegalStateException@Check")),
        "{thrown:?}"
    );
}

/// However it asks for its end, and whatever that is wrapped in: it is no crash.
#[test]
fn an_app_that_ends_itself_has_not_crashed() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for check in ["exitDeep", "exitTask", "exitCaught", "killed"] {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.crashes.is_empty() && ended.own.is_empty(), "{ended:?}");
        assert_eq!(ended.front, HOME, "{check}");
    }
}

/// Phones log what nobody catches before they ask the app's own handlers.
#[test]
fn handlers_of_the_app_do_not_hide_its_crashes() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (check, signature, front) in [
        ("swallows", "IllegalStateException@Check", PACKAGE),
        ("ofThread", "IllegalStateException@Endings", PACKAGE),
        ("ofClass", "IllegalStateException@Handlers.Failing.run", PACKAGE),
        ("ofGroup", "IllegalStateException@Handlers.Failing.run", PACKAGE),
        ("ofAnswer", "IllegalStateException@Handlers.Failing.run", PACKAGE),
        ("ofPool", "IllegalStateException@Handlers.Failing.run", PACKAGE),
        ("handsOn", "IllegalStateException@Check", HOME),
        ("tellsHandler", "IllegalStateException@Check", HOME),
    ] {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.own.is_empty(), "{check}: {ended:?}");
        assert!(matches!(&*ended.crashes, [one] if one.starts_with(signature)), "{check}: {ended:?}");
        assert_eq!(ended.front, front, "{check}");
    }
    attack(&mut device, "toldByTheApp", "").assert_shows("told");
}

/// The threads of Java's own pool outlive the run that needed them first.
#[test]
fn every_run_hears_of_the_crashes_in_java_s_own_pool() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for run in 0..3 {
        let ended = attack(&mut device, "ofCommonPool", "");
        assert!(ended.failure.is_none() && ended.own.is_empty(), "{run}: {ended:?}");
        assert!(
            matches!(&*ended.crashes, [one] if one.starts_with("IllegalStateException@Handlers.Failing.run")),
            "{run}: {ended:?}"
        );
        assert_eq!(ended.front, HOME, "{run}");
    }
}

/// Android ends an app that does not keep its word, after ten seconds or when the service ends.
#[test]
fn a_service_that_is_started_for_the_foreground_comes_there() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (check, at_once) in
        [("promiseKept", None), ("promiseBroken", Some(false)), ("promiseDropped", Some(true))]
    {
        let asked = attack(&mut device, check, "");
        if at_once == Some(true) {
            asked.assert_crashes("RemoteServiceException@");
            continue;
        }
        asked.assert_shows("promised");
        for (seconds, crashes) in [(8, false), (4, at_once.is_some())] {
            device
                .perform(&Event::Wait { time: Micros::from_secs(seconds) }, WITHIN)
                .expect("the device works");
            let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
            let own = device.own_crashes();
            assert!(own.is_empty(), "{check}: {own:?}");
            let said = seen.crashes.first().map(|crash| crash.message.clone());
            let expected = "Context.startForegroundService() did not then call Service.startForeground(): ServiceRecord{";
            assert_eq!(said.is_some_and(|said| said.starts_with(expected)), crashes, "{check}: {seen:?}");
        }
    }
    let mut device = otherwise(&lab, "android.permission.FOREGROUND_SERVICE", "android.permission.VIBRATE");
    // Of a SecurityException: it may not.
    attack(&mut device, "promiseKept", "").assert_crashes("RuntimeException@PromisedService.onStartCommand");
}

#[test]
fn alarms_come_in_the_device_s_time() {
    let Some(lab) = Lab::new(CACHE) else { return };
    for options in ["", "?mode=wild"] {
        let mut device = phone(&lab, options);
        attack(&mut device, "alarm", "").assert_shows("set");
        device.perform(&Event::Wait { time: Micros::from_secs(200) }, WITHIN).expect("the device works");
        let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
        let shown = attacks::shown(&seen, "result");
        assert_eq!(
            shown.as_deref(),
            Some("heard listener up rtc again again"),
            "{options}: {:?}",
            device.own_crashes()
        );
    }
}

/// Each message is short, and all of them together are not.
#[test]
fn an_app_that_is_busy_again_and_again_responds() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "ticks", "").assert_shows("ticks");
    device.perform(&Event::Wait { time: Micros::from_secs(1_500) }, WITHIN).expect("the device works");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    assert_eq!((&*seen.package, seen.crashes.len()), (PACKAGE, 0), "{seen:?}");
}

/// A main thread that never rests gets a message done in a millisecond, not thousands, and the device looks at it all the
/// same.
#[test]
fn an_app_that_posts_itself_for_ever_is_looked_at() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "restless", "").assert_shows("restless");
    for _ in 0..3 {
        assert!(!device.settle(Micros::from_secs(5)).expect("the device works"), "it does not rest");
    }
    attack(&mut device, "ticks", "").assert_shows("ticks");
}

#[test]
fn a_thread_that_does_not_end_is_not_in_the_next_run() {
    let Some(lab) = Lab::new(CACHE) else { return };
    for options in ["", "?mode=wild"] {
        let mut device = phone(&lab, options);
        attack(&mut device, "survivor", "").assert_shows("begun");
        attack(&mut device, "cores", "");
        std::thread::sleep(std::time::Duration::from_millis(2_500));
        device.perform(&Event::Wait { time: Micros::from_secs(10) }, WITHIN).expect("the device works");
        let seen = after_tap(&mut device, "survived");
        assert_eq!(attacks::shown(&seen, "result").as_deref(), Some("false"), "{options}");
    }
}

/// Looking at an app and drawing it runs its code.
#[test]
fn an_app_that_fails_while_it_is_looked_at_or_drawn_has_crashed() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for check in ["badView", "badDrawing"] {
        let failed = attack(&mut device, check, "");
        assert!(failed.failure.is_none() && failed.own.is_empty(), "{check}: {failed:?}");
        assert!(
            matches!(&*failed.crashes, [one] if one.starts_with("IllegalStateException@PaintedView")),
            "{check}: {failed:?}"
        );
        assert_eq!(failed.front, HOME, "{check}");
    }
    attack(&mut device, "badPicture", "").assert_shows("shown");
    device.screenshot(WITHIN).expect("the device works");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    let crashes: Vec<String> = seen.crashes.iter().map(|crash| crash.signature.to_string()).collect();
    assert!(
        matches!(&*crashes, [one] if one.starts_with("IllegalStateException@PaintedView")),
        "{crashes:?}"
    );
}

/// A view that changes itself while it is drawn is drawn a few times whenever the device rests, and in every run as often.
#[test]
fn windows_are_drawn_whenever_the_device_rests() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for _ in 0..2 {
        attack(&mut device, "painted", "").assert_shows("drawn 3");
        for _ in 0..2 {
            let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
            assert_eq!(attacks::shown(&seen, "result").as_deref(), Some("drawn 3"), "a look is no rest");
        }
        assert!(device.settle(Micros::from_secs(5)).expect("the device works"), "it comes to rest");
        let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
        assert_eq!(attacks::shown(&seen, "result").as_deref(), Some("drawn 6"));
    }
}

#[test]
fn sleep_takes_the_device_s_time_and_may_last_for_ever() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "asleep", "").assert_shows("slept 3");
    // Also where the compiler names another class than Thread.
    attack(&mut device, "inherits", "").assert_shows("asleep");
    device.perform(&Event::Wait { time: Micros::from_secs(4) }, WITHIN).expect("the device works");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    assert_eq!(attacks::shown(&seen, "result").as_deref(), Some("slept 3"), "{seen:?}");
}

/// Time passes while the main thread waits or spins, and as much of it in every run.
#[test]
fn time_passes_while_the_main_thread_waits() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for _ in 0..2 {
        attack(&mut device, "waits", "").assert_shows("wrong");
    }
    attack(&mut device, "latched", "").assert_shows("latched");
    attack(&mut phone(&lab, "?mode=wild"), "latched", "").assert_shows("latched");
}

/// What the main thread hands to others begins when it is done, in the same order in every run.
#[test]
fn other_threads_begin_in_turn() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for _ in 0..3 {
        let order = "[main, thread 1, thread 2, thread 3, pool, task]";
        attack(&mut device, "handed", "").assert_shows(order);
        attack(&mut device, "handedToAndroid", "").assert_shows("[main, filter, query]");
    }
}

#[test]
fn a_main_thread_that_waits_for_ever_does_not_respond() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let hung = attack(&mut phone(&lab, ""), "deadlocked", "");
    assert!(hung.failure.is_none() && hung.own.is_empty(), "{hung:?}");
    assert!(matches!(&*hung.crashes, [one] if one.starts_with("ANR@")), "{hung:?}");
}

#[test]
fn parts_of_the_old_http_client_that_android_never_had_are_the_app_s() {
    let Some(lab) = Lab::new(CACHE) else { return };
    attack(&mut phone(&lab, ""), "newerPart", "").assert_shows("of the app");
}

#[test]
fn up_to_an_activity_that_is_not_there_ends_only_the_one_that_asks() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    attack(&mut device, "upper", "");
    let seen = after_tap(&mut device, "up to nobody");
    assert!(seen.activity.ends_with("CheckActivity"), "{seen:?}");
}

/// The phone goes on when a process of the app ends: what the user has allowed, and the time. Chance does not repeat itself.
#[test]
fn the_phone_outlives_the_app_s_process() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    let stop = SystemEvent { action: "am:force-stop".to_owned(), extras: BTreeMap::new() };
    let mut runs = Vec::new();
    for _ in 0..2 {
        attack(&mut device, "ask", "");
        after_tap(&mut device, "ALLOW");
        device.perform(&Event::Wait { time: Micros::from_secs(120) }, WITHIN).expect("the device works");
        let mut shown = Vec::new();
        for event in [&Event::System(stop.clone()), &Event::System(stop.clone())] {
            let seen = after_tap(&mut device, "kept");
            shown.push(attacks::shown(&seen, "result").expect("a line"));
            device.perform(event, WITHIN).expect("the device works");
            device.perform(&Event::Launch, WITHIN).expect("the device works");
            device.settle(Micros::from_secs(5)).expect("the device works");
        }
        assert!(shown.iter().all(|line| line.starts_with("true 2 ")), "{shown:?}");
        assert_ne!(shown[0], shown[1], "another process, other chances");
        runs.push(shown);
    }
    assert_eq!(runs[0], runs[1], "one seed, one run");
}

/// Android's own code throws, and the exceptions of apps are of every kind: each is a crash of the app.
#[test]
fn whatever_an_app_throws_is_its_crash() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (check, signature) in [
        ("rowTwice", "SQLiteConstraintException@Check"),
        ("noAsset", "IllegalStateException@Check"),
        ("nameless", "Check.Nameless@Check"),
        ("ring", "IllegalStateException@Check"),
        ("forged", "UnsupportedOperationException@Check"),
        ("wakeLock", "RuntimeException@Check"),
        ("wifiLock", "RuntimeException@Check"),
        ("linkage", "LinkageError@Check"),
        ("unlinked", "UnsatisfiedLinkError@Check"),
    ] {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.own.is_empty(), "{check}: {ended:?}");
        assert!(matches!(&*ended.crashes, [one] if one.starts_with(signature)), "{check}: {ended:?}");
    }
    // It tells in its own words what the device could not do.
    let unlinked = attack(&mut device, "unlinkedAgain", "");
    assert!(unlinked.failure.is_none() && unlinked.crashes.is_empty(), "{unlinked:?}");
    assert!(matches!(&*unlinked.own, [one] if one.contains("UnsatisfiedLinkError")), "{unlinked:?}");
    let again = attack(&mut device, "forged", "");
    let crash = device.observe(Look::Tree, WITHIN).expect("the device works").crashes;
    assert!(crash.is_empty() && !again.crashes[0].contains("Other"), "a message is no stack: {again:?}");
}

/// On a phone nothing of retap stands below it, whatever the device was doing at that moment.
#[test]
fn one_bug_has_one_signature_and_a_place_that_phones_have() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    let mut signatures = Vec::new();
    for way in ["back now", "back soon"] {
        attack(&mut device, "managed", "");
        let seen = after_tap(&mut device, way);
        let [crash] = &*seen.crashes else { panic!("{way}: {seen:?}") };
        for frame in &crash.frames {
            let name = frame.0.rsplit('/').next().expect("a name");
            let ours = ["retap.", "org.robolectric.", "jdk.internal."];
            assert!(!ours.iter().any(|ours| name.starts_with(ours)), "{way}: {frame}");
        }
        let last = crash.frames.last().expect("a stack");
        assert!(last.0.starts_with("android.os.Handler.dispatchMessage"), "{last}");
        signatures.push(crash.signature.to_string());
    }
    assert_eq!(signatures[0], signatures[1]);
    assert!(signatures[0].starts_with("IllegalStateException@Activity.performRestart#"), "{signatures:?}");
}

/// Android does otherwise for apps that were made for an earlier one.
#[test]
fn an_app_is_treated_as_the_android_it_was_made_for_did() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let exposed = "FileUriExposedException@Check";
    for (target, checks) in [
        (
            29,
            [
                ("recycled", Err("IllegalStateException@Older")),
                ("behind", Err("ArrayIndexOutOfBoundsException@Older")),
                ("sideBySide", Ok("begun")),
                ("exposed", Err(exposed)),
                ("exposedPicture", Err(exposed)),
            ],
        ),
        (
            12,
            [
                ("recycled", Ok("recycled")),
                ("behind", Ok("found null")),
                ("sideBySide", Ok("side by side")),
                ("exposed", Err("ActivityNotFoundException@Check")),
                ("exposedPicture", Ok("sent")),
            ],
        ),
    ] {
        let mut device = older(&lab, target);
        for (check, expected) in checks {
            let outcome = attack(&mut device, check, "");
            match expected {
                Ok(shown) if check == "exposedPicture" => {
                    assert!(outcome.failure.is_none() && outcome.crashes.is_empty(), "{shown}: {outcome:?}");
                    assert_eq!(outcome.front, "com.android.camera2");
                }
                Ok(shown) => outcome.assert_shows(shown),
                Err(signature) => outcome.assert_crashes(signature),
            }
        }
    }
}

/// Apps count on it, and would be blamed where this device had no answer.
#[test]
fn what_every_phone_tells_is_told() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    let own = "Android/data/org.retap.phonelike";
    let folders = format!("{own}/files/ {own}/files/Music/ {own}/cache/ DCIM 1mounted");
    for (check, shown) in [
        ("ownFolders", &*folders),
        ("battery", "100 100 5 2 100 true"),
        ("batteryTold", "100 100 5 2 true"),
        ("icons", "icons"),
        ("signers", "CN=unsigned true"),
        ("volume", "mounted true Internal shared storage 1"),
        ("room", "60 60 6144 56 45056"),
        ("homeScreen", HOME),
        ("networks", "0 found"),
        ("brightness", "102"),
        ("dates", "Thu January jeudi c Thu"),
        ("notice", "1 told"),
        ("clip", "copied"),
    ] {
        attack(&mut device, check, "").assert_shows(shown);
    }
    let home = attack(&mut device, "goHome", "");
    assert!(home.failure.is_none() && home.crashes.is_empty() && home.own.is_empty(), "{home:?}");
    assert_eq!(home.front, HOME);
    attack(&mut phone(&lab, "?stay=yes"), "goHome", "").assert_shows("asked");
}

/// Apps compare it with what they know of themselves.
#[test]
fn an_app_is_told_who_has_signed_it() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let signed = lab.scratch.path().join("signed.apk");
    std::fs::copy(lab.apk_of("phonelike", SOURCES), &signed).expect("a file");
    let keys = lab.scratch.path().join("keys").display().to_string();
    let key = ["-keystore", &keys, "-storepass", "secret", "-keypass", "secret"];
    let make = ["-genkeypair", "-alias", "a", "-keyalg", "RSA", "-dname", "CN=somebody"];
    let made = Command::new("keytool").args(make).args(key).output().expect("a program");
    assert!(made.status.success(), "{made:?}");
    let made = Command::new("jarsigner").args(key).arg(&signed).arg("a").output().expect("a program");
    assert!(made.status.success(), "{made:?}");
    attack(&mut lab.device_with(&signed, "").0, "signers", "").assert_shows("CN=somebody true");
}

/// What a phone would not do for any app is not done here.
#[test]
fn what_a_phone_refuses_is_refused() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let mut device = phone(&lab, "");
    for (check, signature) in [
        ("dialogOfNobody", "WindowManager.BadTokenException@"),
        ("popupOfNobody", "WindowManager.BadTokenException@"),
        ("noNotice", "NullPointerException@Check"),
        ("iconless", "IllegalArgumentException@Asked"),
        ("noClip", "NullPointerException@Check"),
        ("bigExtra", "RuntimeException@Check"),
        ("bigState", "RuntimeException@"),
    ] {
        attack(&mut device, check, "").assert_crashes(signature);
    }
    // The activity is gone meanwhile.
    attack(&mut device, "dialogLate", "");
    device.perform(&Event::Wait { time: Micros::from_secs(2) }, WITHIN).expect("the device works");
    let seen = device.observe(Look::Tree, WITHIN).expect("the device works");
    let crashes: Vec<&str> = seen.crashes.iter().map(|crash| &*crash.exception).collect();
    assert_eq!(crashes, ["android.view.WindowManager$BadTokenException"], "{seen:?}");
    // Windows of what is there are shown, also on each other.
    attack(&mut device, "dialog", "");
    let seen = after_tap(&mut device, "menu");
    let nodes = seen.tree.as_ref().expect("a tree").nodes();
    assert!(nodes.iter().any(|node| &*node.text == "line"), "{seen:?}");
    // Apps for Android 5 and earlier may tell without an icon.
    attack(&mut older(&lab, 22), "iconless", "").assert_shows("told");
}

#[test]
fn keys_that_only_a_phone_has_are_what_the_device_cannot_do() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, notices) = lab.device_with(&lab.apk_of("phonelike", SOURCES), "");
    for check in ["phonesKeys", "phonesKeyMaker"] {
        let ended = attack(&mut device, check, "");
        assert!(ended.failure.is_none() && ended.crashes.is_empty(), "{ended:?}");
        assert!(matches!(&*ended.own, [one] if one.contains("IllegalStateException")), "{ended:?}");
    }
    let notices = notices.lock().expect("this computer works");
    assert!(notices.iter().any(|notice| notice.contains("AndroidKeyStore")), "{notices:?}");
}
