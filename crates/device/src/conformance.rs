//! What every backend must be able to do, as checks that run on a real one.
//!
//! A backend's tests make a [`ConformanceSubject`]: how to get a device with a known app, a few facts about that app,
//! and, where the backend can, a way to break the device. [`check`] runs everything and says what failed in words.

use retap_trace::{Event, Micros, Observation, Seed};

use crate::{Device, DeviceError, Look};

/// A backend under test.
pub trait ConformanceSubject {
    /// A device with the known app installed.
    fn device(&mut self) -> Box<dyn Device>;

    /// The activity that is in front after a launch.
    fn first_activity(&self) -> &str;

    /// An event that leads from the first screen to another activity, and that activity.
    fn step(&self) -> (Event, &str);

    /// An event on the first screen that changes something which survives a restart but not a reset, such as
    /// adding to a list: the GUI tree shows it.
    fn mark(&self) -> Vec<Event>;

    /// A device that fails so, where the backend can bring it about.
    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>>;
}

/// How a device can be broken on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// It cannot be reached.
    Offline,
    /// No call ever comes back by itself.
    Hanging,
    /// The app is not installed.
    NoApp,
    /// It has no snapshots.
    NoSnapshots,
}

const LONG: Micros = Micros::from_secs(300);
const LONG_WAIT: Micros = Micros::from_secs(4);
const SHORT_WAIT: Micros = Micros::from_millis(1500);

type Check = fn(&mut dyn ConformanceSubject) -> Result<(), String>;

const CHECKS: [(&str, Check); 9] = [
    ("reset gives a fresh app that is not running", reset_is_fresh),
    ("launch brings the first activity to the front", launch_starts),
    ("perform and observe agree", perform_is_seen),
    ("a look does not change the device", looking_is_free),
    ("the clock never goes back", clock_is_monotone),
    ("snapshots restore exactly", snapshots_restore),
    ("an unknown snapshot is refused", unknown_snapshot_is_refused),
    ("a screenshot is a PNG", screenshot_is_png),
    ("failures have the right type and keep their deadline", failures_are_typed),
];

/// Runs every check. Returns the failures in words, one for each check that failed.
pub fn check(subject: &mut dyn ConformanceSubject) -> Vec<String> {
    let run = |(name, check): &(&str, Check)| check(subject).err().map(|why| format!("{name}: {why}"));
    CHECKS.iter().filter_map(run).collect()
}

fn reset_is_fresh(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    let fresh = started(&mut *device)?;
    for event in subject.mark() {
        act(&mut *device, &event)?;
    }
    act(&mut *device, &Event::Launch)?;
    let marked = started_again(&mut *device)?;
    ensure(marked.tree != fresh.tree, || "the mark is not to be seen, so nothing can be told".to_owned())?;

    device.reset(Seed(2), LONG).map_err(say)?;
    let stopped = see(&mut *device, Look::Tree)?;
    ensure(*stopped.package != *device.package(), || "the app is in front after a reset".to_owned())?;
    let again = started(&mut *device)?;
    ensure(again.tree == fresh.tree, || "the app shows what was done before the reset".to_owned())
}

fn launch_starts(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    let seen = started(&mut *device)?;
    same("the package in front", &seen.package, device.package())?;
    same("the first activity", &seen.activity, subject.first_activity())
}

fn perform_is_seen(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    started(&mut *device)?;
    let (event, activity) = subject.step();
    let seen = act(&mut *device, &event)?;
    same("the activity after the step", &seen.activity, activity)?;
    ensure(seen.tree.is_some_and(|tree| !tree.nodes().is_empty()), || "the tree is empty".to_owned())
}

fn looking_is_free(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    let first = started(&mut *device)?;
    let (coarse, second) = (see(&mut *device, Look::Activity)?, see(&mut *device, Look::Tree)?);
    same("the activity of a coarse look", &coarse.activity, &first.activity)?;
    ensure(coarse.tree.is_none(), || "a look at the activity must not pay for a tree".to_owned())?;
    ensure(second.tree == first.tree, || "two looks in a row show different trees".to_owned())?;
    ensure(second.coverage.is_empty(), || "coverage was reported twice".to_owned())
}

fn clock_is_monotone(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    let mut last = device.now();
    let mut tick = |device: &mut dyn Device, call: &str| {
        let now = device.now();
        let ahead = now >= last;
        last = now;
        ensure(ahead, || format!("after {call} the clock went back"))
    };
    started(&mut *device)?;
    tick(&mut *device, "a launch")?;
    let asked = device.now();
    let seen = see(&mut *device, Look::Tree)?;
    ensure(seen.at >= asked, || "an observation is older than the call that asked for it".to_owned())?;
    tick(&mut *device, "a look")?;
    if let Some(snapshots) = device.snapshots() {
        let id = snapshots.save(LONG).map_err(say)?;
        tick(&mut *device, "a save")?;
        device.snapshots().expect("it has them").load(id, LONG).map_err(say)?;
        tick(&mut *device, "a load")?;
    }
    // One that stands still until it has caught up with a longer run does not go back either.
    for time in [LONG_WAIT, SHORT_WAIT] {
        started(&mut *device)?;
        let before = device.now();
        device.perform(&Event::Wait { time }, LONG).map_err(say)?;
        let passed = device.now().since(before);
        ensure(passed >= time, || format!("a wait of {time} after a reset moved the clock by {passed}"))?;
    }
    Ok(())
}

fn snapshots_restore(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    let before = started(&mut *device)?;
    let Some(snapshots) = device.snapshots() else { return Ok(()) };
    let id = snapshots.save(LONG).map_err(say)?;
    let (event, activity) = subject.step();
    for _ in 0..2 {
        for event in subject.mark() {
            act(&mut *device, &event)?;
        }
        device.snapshots().expect("it has them").load(id, LONG).map_err(say)?;
        let restored = see(&mut *device, Look::Tree)?;
        ensure(restored.tree == before.tree, || {
            "the tree after a load is not the one that was saved".to_owned()
        })?;
        let after = act(&mut *device, &event)?;
        same("the activity after a load and a step", &after.activity, activity)?;
    }
    Ok(())
}

fn unknown_snapshot_is_refused(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    started(&mut *device)?;
    let Some(snapshots) = device.snapshots() else { return Ok(()) };
    let id = snapshots.save(LONG).map_err(say)?;
    snapshots.forget(id, LONG).map_err(say)?;
    snapshots.forget(id, LONG).map_err(say)?;
    let loaded = snapshots.load(id, LONG);
    ensure(matches!(loaded, Err(DeviceError::Failed { .. })), || {
        format!("loading a forgotten one: {loaded:?}")
    })
}

fn screenshot_is_png(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    let mut device = subject.device();
    started(&mut *device)?;
    let picture = device.screenshot(LONG).map_err(say)?;
    ensure(picture.starts_with(b"\x89PNG\r\n\x1a\n"), || "it does not begin as a PNG does".to_owned())
}

fn failures_are_typed(subject: &mut dyn ConformanceSubject) -> Result<(), String> {
    if let Some(mut device) = subject.broken(Breakage::Offline) {
        let said = device.reset(Seed(1), LONG).and_then(|()| device.perform(&Event::Launch, LONG));
        ensure(matches!(said, Err(DeviceError::Offline { .. })), || format!("offline: {said:?}"))?;
    }
    if let Some(mut device) = subject.broken(Breakage::Hanging) {
        let (began, within) = (device.now(), Micros::from_secs(7));
        let said = device.reset(Seed(1), within);
        ensure(matches!(said, Err(DeviceError::Timeout { .. })), || format!("hanging: {said:?}"))?;
        let took = device.now().since(began);
        ensure(took < Micros::from_secs(14), || format!("a call with a deadline of {within} took {took}"))?;
    }
    if let Some(mut device) = subject.broken(Breakage::NoApp) {
        let said = device.reset(Seed(1), LONG).and_then(|()| device.perform(&Event::Launch, LONG));
        ensure(matches!(said, Err(DeviceError::AppGone { .. })), || format!("no app: {said:?}"))?;
    }
    if let Some(mut device) = subject.broken(Breakage::NoSnapshots) {
        ensure(device.snapshots().is_none(), || "it offers snapshots that it does not have".to_owned())?;
    }
    Ok(())
}

/// A fresh start, the app launched and settled.
fn started(device: &mut dyn Device) -> Result<Observation, String> {
    device.reset(Seed(1), LONG).map_err(say)?;
    started_again(device)
}

fn started_again(device: &mut dyn Device) -> Result<Observation, String> {
    act(device, &Event::Launch)
}

fn act(device: &mut dyn Device, event: &Event) -> Result<Observation, String> {
    device.perform(event, LONG).map_err(say)?;
    device.settle(Micros::from_secs(10)).map_err(say)?;
    see(device, Look::Tree)
}

fn see(device: &mut dyn Device, look: Look) -> Result<Observation, String> {
    device.observe(look, LONG).map_err(say)
}

fn same(what: &str, found: &str, wanted: &str) -> Result<(), String> {
    ensure(found == wanted, || format!("{what} is {found}, not {wanted}"))
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn say(error: DeviceError) -> String {
    error.to_string()
}
