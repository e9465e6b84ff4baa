//! Apps that want to harm: every attack ends with a clear word, and nothing of this computer is touched.

#![cfg(target_os = "linux")]

mod attacks;

use std::net::TcpListener;
use std::path::Path;

use attacks::{Lab, Outcome, PACKAGE, attack, descendants, is_soak, shown};
use retap_device::{Device as _, Look};
use retap_jvm::JvmDevice;
use retap_testing::until;
use retap_trace::{Event, Micros, Seed};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");
const HOME: &str = "com.android.launcher3";

impl Outcome {
    /// The device works, and the app goes on and shows this.
    fn assert_shows(&self, result: &str) {
        assert!(self.failure.is_none() && self.crashes.is_empty() && self.own.is_empty(), "{self:?}");
        assert_eq!((self.front.as_str(), self.result.as_str()), (PACKAGE, result));
    }

    /// The app is gone, without a crash.
    fn assert_left(&self) {
        assert!(self.failure.is_none() && self.crashes.is_empty() && self.own.is_empty(), "{self:?}");
        assert_eq!(self.front, HOME);
    }

    /// The app has crashed like this, and the device works.
    fn assert_crashed(&self, signature: &str) {
        assert!(self.failure.is_none() && self.own.is_empty(), "{self:?}");
        assert!(matches!(&*self.crashes, [one] if one.starts_with(signature)), "{self:?}");
        assert_eq!(self.front, HOME);
    }

    /// The device has failed, and says this of it; nothing is told of the app.
    fn assert_failed(&self, why: &str) {
        assert!(self.failure.as_ref().is_some_and(|said| said.contains(why)), "{self:?}");
        assert!(self.crashes.is_empty() && self.own.is_empty(), "{self:?}");
    }
}

fn assert_nothing_runs(device: JvmDevice) {
    drop(device);
    until("no process is left", || descendants().is_empty());
}

#[test]
fn what_an_app_does_to_itself_is_told_as_what_it_is() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    for way in ["exit", "halt", "exitByName", "exitAside", "kill"] {
        attack(&mut device, way, "").assert_left();
    }
    let deep = attack(&mut device, "recursion", "");
    deep.assert_crashed("StackOverflowError@Attack.");
    // How deep it came, and in which call of Java's it ended, is a matter of the JVM's mood.
    assert_eq!(attack(&mut device, "recursion", "more").crashes, deep.crashes);
    attack(&mut device, "memory", "").assert_crashed("OutOfMemoryError@Attack.");
    attack(&mut device, "hoard", "").assert_crashed("OutOfMemoryError@Attack.");
    attack(&mut device, "direct", "").assert_crashed("OutOfMemoryError@Attack.");
    attack(&mut device, "sleepy", "").assert_crashed("IllegalStateException@Attack.");
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert_nothing_runs(device);
}

#[test]
fn an_app_that_hangs_is_found_out_and_replaced() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    let hung = attack(&mut device, "loop", "");
    assert!(matches!(&*hung.crashes, [one] if one.starts_with("ANR@Attack")), "{hung:?}");
    let first = descendants();
    attack(&mut device, "loopAside", "").assert_shows("started");
    let second = descendants();
    assert!(first.is_disjoint(&second), "the process that hangs is gone");
    // Its thread goes on, and nobody can stop it but with its process.
    until("the process whose thread does not end is gone", || {
        attack(&mut device, "exec", "").assert_shows("started 0");
        second.is_disjoint(&descendants())
    });
    assert_nothing_runs(device);
}

/// Nothing of the app is on the stack: nobody can say that it was the app, and nothing can be seen of it any more.
#[test]
fn a_device_that_hangs_has_failed() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    attack(&mut device, "stuck", "").assert_failed("the device hangs in code of its own: ANR");
    let again = device.perform(&Event::Launch, Micros::from_secs(60));
    assert!(again.is_err(), "what is done to nobody does not go well");
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert_nothing_runs(device);
}

/// The thread that asks for memory next fails for it, most of the time the device itself.
#[test]
fn memory_that_another_thread_of_the_app_takes_is_its_crash() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    for _ in 0..2 {
        let begun = attack(&mut device, "hoardAside", "");
        assert!(begun.failure.is_none() && begun.own.is_empty(), "{begun:?}");
        let mut crashes = begun.crashes;
        until("its memory is full", || {
            if crashes.is_empty() {
                device.settle(Micros::from_secs(5)).expect("the device works");
                let seen = device.observe(Look::Tree, Micros::from_secs(60)).expect("the device works");
                crashes.extend(seen.crashes.iter().map(|crash| crash.signature.to_string()));
            }
            !crashes.is_empty()
        });
        assert!(matches!(&*crashes, [one] if one.starts_with("OutOfMemoryError@Attack.")), "{crashes:?}");
    }
    assert!(device.own_crashes().is_empty(), "{:?}", device.own_crashes());
    let before = descendants();
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert!(before.is_disjoint(&descendants()), "the process that has no memory is gone");
    assert_nothing_runs(device);
}

#[test]
fn what_takes_too_much_of_this_computer_is_ended() {
    let Some(lab) = Lab::new(CACHE) else { return };
    if !lab.is_confined() {
        return;
    }
    let (mut device, _) = lab.device();
    attack(&mut device, "threads", "").assert_failed("the JVM was ended: it had more than 1024 threads");
    // It never begins.
    attack(&mut device, "forkBomb", "").assert_crashed("IllegalStateException@Processes.forkBomb");
    if is_soak() {
        attack(&mut device, "files", "").assert_failed("it made more than 100000 files");
    }
    attack(&mut device, "segfault", "")
        .assert_failed("the JVM ended with exit code 1; it crashed: SIGSEGV (0xb)");
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert_nothing_runs(device);
}

#[test]
fn files_and_networks_of_this_computer_are_out_of_reach() {
    let Some(lab) = Lab::new(CACHE) else { return };
    if !lab.is_confined() {
        return;
    }
    // Beside the app's own folder, and not below /tmp, which is another one inside.
    let host = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let secret = host.path().join("secret");
    std::fs::write(&secret, "42").unwrap();
    let (folder, file) = (host.path().to_str().unwrap(), secret.to_str().unwrap());
    let (mut device, _) = lab.device();
    attack(&mut device, "read", file).assert_shows("read []");
    let outside = attack(&mut device, "outside", folder);
    outside.assert_shows(&outside.result);
    // Paths below its own /tmp lead into its own folder.
    let written = outside.result.strip_prefix("written [").and_then(|rest| rest.strip_suffix(']')).unwrap();
    for path in written.split(", ").filter(|path| !path.is_empty()) {
        assert!(path.starts_with("/tmp/") && !Path::new(path).exists(), "{path}");
    }
    attack(&mut device, "network", "").assert_shows("reached []");
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = door.local_addr().unwrap().port().to_string();
    attack(&mut device, "loopback", &port).assert_shows("host false, own true");
    let before = attacks::files(CACHE.as_ref()).len();
    let deleted = attack(&mut device, "delete", folder);
    assert!(deleted.crashes.is_empty(), "{deleted:?}");
    assert!(attacks::files(CACHE.as_ref()).len() + 40 > before, "what is kept is still there");
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "42");
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert_nothing_runs(device);
}

fn fresh(device: &mut JvmDevice) {
    device.reset(Seed(1), Micros::from_secs(60)).expect("it is as it was made");
    device.perform(&Event::Launch, Micros::from_secs(60)).expect("it is as it was made");
    device.settle(Micros::from_secs(5)).expect("it is as it was made");
}

#[test]
fn answers_in_the_devices_name_are_not_believed() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    attack(&mut device, "print", "").assert_shows("printed");
    attack(&mut device, "close", "").assert_shows("closed");
    attack(&mut device, "print", "").assert_shows("printed");
    // The app takes requests from now on, before the device sees them: then nobody answers.
    fresh(&mut device);
    let short = Micros::from_secs(2);
    let stolen = device.perform(&attacks::tap("steal"), short);
    println!("steal: {stolen:?}");
    let looked = (0..30).map_while(|_| device.observe(Look::Tree, short).ok());
    for seen in looked {
        assert!(&*seen.package == PACKAGE && seen.crashes.is_empty(), "{seen:?}");
    }
    attack(&mut device, "closeAll", "").assert_failed("the JVM ");
    // What it has made of the device's classes ends the app once, by the device's own word, and is gone with the next
    // fresh start.
    let reflected = attack(&mut device, "reflect", "");
    assert!(reflected.failure.is_none() && reflected.crashes.is_empty(), "{reflected:?}");
    let at = "java.lang.NullPointerException at Windows.";
    assert!(matches!(&*reflected.own, [one] if one.starts_with(at)), "{reflected:?}");
    assert_eq!(reflected.front, HOME);
    attack(&mut device, "exec", "").assert_shows("started 0");
    assert_nothing_runs(device);
}

#[test]
fn what_the_device_cannot_do_is_no_crash_of_the_app() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, notices) = lab.device();
    let told = |part: &str| {
        let all = notices.lock().unwrap();
        assert_eq!(all.iter().filter(|notice| notice.contains(part)).count(), 1, "{part}: {all:?}");
    };
    for _ in 0..2 {
        for (name, what) in
            [("library", "UnsatisfiedLinkError at "), ("limit", "IllegalArgumentException at ")]
        {
            let ended = attack(&mut device, name, "");
            assert!(ended.failure.is_none() && ended.crashes.is_empty(), "{ended:?}");
            assert!(matches!(&*ended.own, [one] if one.contains(what)), "{ended:?}");
            assert_eq!(ended.front, HOME);
            told(what);
        }
        attack(&mut device, "quietly", "").assert_shows("without it");
        told("the app asked for the native library nothing, which this device cannot load");
        let web = attack(&mut device, "web", "");
        assert!(web.failure.is_none() && web.crashes.is_empty() && web.own.is_empty(), "{web:?}");
        told("the app shows a web page, which stays empty on this device");
    }
    assert_nothing_runs(device);
}

/// What the app shows that depends on time and chance, as names and texts.
fn clocks(device: &mut JvmDevice, seed: u64) -> Vec<(String, String)> {
    let within = Micros::from_secs(60);
    device.reset(Seed(seed), within).expect("it is as it was made");
    for event in [Event::Launch, attacks::tap("clocks")] {
        device.perform(&event, within).expect("it is as it was made");
        device.settle(Micros::from_secs(5)).expect("it is as it was made");
    }
    let seen = device.observe(Look::Tree, within).expect("it is as it was made");
    assert!(seen.activity.ends_with("ClocksActivity"), "{seen:?}");
    assert_eq!(shown(&seen, "time today").as_deref(), Some("true"));
    let nodes = seen.tree.as_ref().expect("it is as it was made").nodes();
    let lines =
        nodes.iter().filter(|node| node.desc.starts_with("time ") || node.desc.starts_with("chance "));
    lines.map(|node| (node.desc.to_string(), node.text.to_string())).collect()
}

#[test]
fn time_and_chance_follow_the_seed() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let (mut device, _) = lab.device();
    let first = clocks(&mut device, 1);
    assert_eq!(first.len(), 35, "{first:#?}");
    let file = &first.iter().find(|(name, _)| name == "time file").expect("it is shown").1;
    // 5 January 2026, 10:00, and a little later.
    let epoch = 1_767_607_200_000_u64;
    let times: Vec<&str> = file.split(' ').collect();
    let [now, path, same, old, app, nothing] = times[..] else { panic!("{file}") };
    let now_ms: u64 = now.parse().expect("a time");
    assert!((epoch..epoch + 60_000).contains(&now_ms), "{file}");
    assert_eq!((path, same, old, nothing), (now, "true", "1000", "0"), "{file}");
    assert_eq!(app, epoch.to_string(), "{file}");
    assert_eq!(clocks(&mut device, 1), first, "again in the same process");
    let other = clocks(&mut device, 2);
    for ((name, one), (_, two)) in first.iter().zip(&other) {
        assert_eq!(one == two, name.starts_with("time "), "{name}: {one}");
    }
    drop(device);
    assert_eq!(clocks(&mut lab.device().0, 1), first, "in another process");
}
