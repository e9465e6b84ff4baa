//! Each of the 92 traces of SimplyDroid, replayed with its raw coordinates on its own app.
//!
//! What counts: the first crash is the published one, by the exception and the innermost frame of the app, at the
//! recorded last event or earlier. A crash before the first recorded event, when the app is launched and set up, ends the
//! replay and is counted apart: the recording has not even begun. `ActivityNotFoundException` is counted apart: it is also what this device answers
//! when it does not know who takes an intent. Odd- and even-numbered traces are counted apart: what the table of apps
//! says was chosen on the odd ones.

use retap_device::{Device, DeviceError, Look};
use retap_lab::{Deadlines, Replay};
use retap_trace::{Crash, Event, Observation, Seed, Start};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::recorded::{Published, Recording};
use super::work::{Job, Work};
use crate::apks::{Bed, PaperApp, stack};
use crate::table;

/// How the replay of a trace went.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Replayed {
    pub(super) app: String,
    pub(super) number: u32,
    overall: u32,
    events: usize,
    /// The published exception.
    published: String,
    pub(super) how: How,
    /// The event that ended it, counted from 1, 0 for what comes before the recording; none when it was not ended.
    pub(super) at: Option<usize>,
    /// The crash or the failure that ended it.
    what: Option<String>,
    /// The stack of a crash that is not the published one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stack: Vec<String>,
    /// Where the app was first in another activity than it was when the trace was recorded.
    departed: Option<Departure>,
    device_seconds: f64,
}

/// How a replay ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    /// With the published crash.
    Published,
    /// With another crash of the app.
    OtherCrash,
    /// With something that the device cannot do.
    DeviceCrash,
    /// With any crash before the first recorded event.
    StartCrash,
    /// The device failed.
    DeviceFailed,
    /// Without a crash.
    NoCrash,
}

/// Before an event, the app was here and not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Departure {
    before: usize,
    here: String,
    recorded: String,
}

/// A crash that a replay ended with.
#[derive(Debug)]
enum Crashed {
    App(Crash),
    Device(Crash),
}

const NO_ACTIVITY: &str = "android.content.ActivityNotFoundException";

impl Replayed {
    /// Whether it ended with the published crash at the recorded last event.
    fn exact(&self) -> bool {
        self.how == How::Published && self.at == Some(self.events)
    }

    fn no_activity(&self) -> bool {
        self.published == NO_ACTIVITY
    }
}

/// The key of a trace's cell.
pub(super) fn key(app: &PaperApp, trace: &Published) -> String {
    format!("{}/{}", app.name, trace.number)
}

/// All replays of these apps.
pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    apps: &'a [PaperApp],
    traces: &'a [Published],
) -> Work<'a> {
    let mut jobs = Vec::new();
    for app in apps {
        for trace in traces.iter().filter(|trace| app.traces.as_ref() == Some(&trace.subject)) {
            #[expect(clippy::cast_precision_loss, reason = "a trace has hundreds of events")]
            let weight = trace.events as f64;
            jobs.push(Job {
                key: key(app, trace),
                groups: vec![app.name.clone()],
                weight,
                measure: Box::new(move || Ok(serde_json::to_value(measure(bed, app, trace)?)?)),
            });
        }
    }
    Work { part: "replay", cells, jobs }
}

fn measure(bed: &Bed, app: &PaperApp, trace: &Published) -> anyhow::Result<Replayed> {
    let recording = trace.read()?;
    let start = app.start_events()?;
    bed.with(app, false, |device| {
        let began = device.now();
        let own = || device.own_crashes().into_iter().next();
        let mut run = Run { own: &own, departed: None, package: recording_package(&recording) };
        let ended = run.carry_out(&mut device.clone(), &start, &recording);
        let took = device.now().since(began);
        let (how, at, crash, failure) = match ended {
            Ok(Some((0, Crashed::App(crash) | Crashed::Device(crash)))) => {
                (How::StartCrash, Some(0), Some(crash), None)
            }
            Ok(Some((at, Crashed::App(crash)))) => {
                let how =
                    if trace.is_of(&recording.crash, &crash) { How::Published } else { How::OtherCrash };
                (how, Some(at), Some(crash), None)
            }
            Ok(Some((at, Crashed::Device(crash)))) => (How::DeviceCrash, Some(at), Some(crash), None),
            Ok(None) => (How::NoCrash, None, None, None),
            Err((at, error)) => (How::DeviceFailed, Some(at), None, Some(error.to_string())),
        };
        let kept = crash.as_ref().filter(|_| how != How::Published);
        Ok(Replayed {
            app: app.name.clone(),
            number: trace.number,
            overall: trace.overall,
            events: recording.events.len(),
            published: recording.crash.exception.clone(),
            how,
            at,
            what: crash.as_ref().map(|crash| in_words(trace, crash)).or(failure),
            stack: kept.map(stack).unwrap_or_default(),
            departed: run.departed,
            device_seconds: took.as_secs_f64(),
        })
    })
}

/// The package of the app that was recorded: its activities begin with it.
fn recording_package(recording: &Recording) -> String {
    let first = recording.before.first().map(String::as_str).unwrap_or_default();
    first.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// A replay under way.
struct Run<'a> {
    /// The first crash of the device's own.
    own: &'a dyn Fn() -> Option<Crash>,
    departed: Option<Departure>,
    package: String,
}

impl Run<'_> {
    fn carry_out(
        &mut self,
        device: &mut dyn Device,
        start: &[Event],
        recording: &Recording,
    ) -> Result<Option<(usize, Crashed)>, (usize, DeviceError)> {
        let mut replay = Replay::new(device, Deadlines::default(), Look::Activity);
        let failed = |at: usize| move |error: DeviceError| (at, error);
        let mut seen = replay.begin(Start::Stopped, Seed(1)).map_err(failed(0))?;
        let launch = (!start.is_empty()).then_some(&Event::Launch);
        for event in launch.into_iter().chain(start) {
            seen = replay.perform(event).map_err(failed(0))?;
            if let Some(crashed) = self.crashed(&mut seen) {
                return Ok(Some((0, crashed)));
            }
        }
        for (nth, event) in recording.events.iter().enumerate() {
            // The launch is recorded in the activity that it leads to.
            if nth > 0 {
                self.compare(nth + 1, &seen, &recording.before[nth]);
            }
            seen = replay.perform(event).map_err(failed(nth + 1))?;
            if let Some(crashed) = self.crashed(&mut seen) {
                return Ok(Some((nth + 1, crashed)));
            }
        }
        let mut last = replay.linger().map_err(failed(recording.events.len()))?;
        Ok(self.crashed(&mut last).map(|crashed| (recording.events.len(), crashed)))
    }

    fn crashed(&self, seen: &mut Observation) -> Option<Crashed> {
        if !seen.crashes.is_empty() {
            return Some(Crashed::App(seen.crashes.remove(0)));
        }
        (self.own)().map(Crashed::Device)
    }

    /// Notes the first departure. All that is not of the app is alike: phones have their own home screens.
    fn compare(&mut self, before: usize, seen: &Observation, recorded: &str) {
        let outside = |activity: &str| !activity.starts_with(&self.package);
        let same = *seen.activity == *recorded || outside(&seen.activity) && outside(recorded);
        if self.departed.is_none() && !same {
            let (here, recorded) = (seen.activity.to_string(), recorded.to_owned());
            self.departed = Some(Departure { before, here, recorded });
        }
    }
}

fn in_words(trace: &Published, crash: &Crash) -> String {
    let cause = crash.root_cause.as_ref().map(|cause| format!(" caused by {cause}")).unwrap_or_default();
    let frame = trace.app_frame(crash).map(|frame| format!(" at {frame}")).unwrap_or_default();
    format!("{}{cause}{frame}", crash.exception)
}

const HEAD: [&str; 10] = [
    "traces of",
    "traces",
    "published crash",
    "at the last event",
    "earlier",
    "other crash",
    "device's",
    "at the start",
    "failed",
    "none",
];

/// Says how the replays went.
pub(super) fn report(replayed: &[Replayed]) -> Value {
    let groups =
        |some: &dyn Fn(&Replayed) -> bool| replayed.iter().filter(|one| some(one)).collect::<Vec<_>>();
    let mut rows = Vec::new();
    let mut names: Vec<&str> = replayed.iter().map(|one| &*one.app).collect();
    names.dedup();
    for name in names {
        rows.push(Sum::of(name, &groups(&|one| one.app == name)));
    }
    rows.push(Sum::of("odd", &groups(&|one| one.number % 2 == 1)));
    rows.push(Sum::of("even", &groups(&|one| one.number % 2 == 0)));
    rows.push(Sum::of("ActivityNotFound", &groups(&|one| one.no_activity())));
    rows.push(Sum::of("all others", &groups(&|one| !one.no_activity())));
    rows.push(Sum::of("all", &groups(&|_| true)));
    table::print(&HEAD, &rows.iter().map(Sum::row).collect::<Vec<_>>());
    table::say(
        "at the start: any crash before the first recorded event, when the app is launched and set up",
    );
    table::say("odd, even: by the number of the trace in its app; the table of apps was made on odd ones");
    table::say("");
    let missed: Vec<Vec<String>> =
        replayed.iter().filter(|one| one.how != How::Published).map(missed).collect();
    table::print(&["missed", "events", "ended", "at", "by", "first elsewhere", "here", "recorded"], &missed);
    table::say("");
    json!({ "sums": rows, "traces": replayed })
}

fn missed(one: &Replayed) -> Vec<String> {
    let none = || "-".to_owned();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let departed = one.departed.as_ref();
    vec![
        format!("{} {}", one.app, one.number),
        one.events.to_string(),
        format!("{:?}", one.how),
        one.at.map_or_else(none, |at| at.to_string()),
        one.what.as_ref().map_or_else(none, |what| what.chars().take(90).collect()),
        departed.map_or_else(none, |at| at.before.to_string()),
        departed.map_or_else(none, |at| last(&at.here)),
        departed.map_or_else(none, |at| last(&at.recorded)),
    ]
}

/// Replays, counted by how they ended.
#[derive(Debug, Serialize)]
struct Sum {
    of: String,
    traces: usize,
    published: usize,
    at_the_last_event: usize,
    other_crash: usize,
    device_crash: usize,
    start_crash: usize,
    device_failed: usize,
    no_crash: usize,
}

impl Sum {
    fn of(name: &str, some: &[&Replayed]) -> Self {
        let count = |how: How| some.iter().filter(|one| one.how == how).count();
        Self {
            of: name.to_owned(),
            traces: some.len(),
            published: count(How::Published),
            at_the_last_event: some.iter().filter(|one| one.exact()).count(),
            other_crash: count(How::OtherCrash),
            device_crash: count(How::DeviceCrash),
            start_crash: count(How::StartCrash),
            device_failed: count(How::DeviceFailed),
            no_crash: count(How::NoCrash),
        }
    }

    fn row(&self) -> Vec<String> {
        let earlier = self.published - self.at_the_last_event;
        let counts = [
            self.traces,
            self.published,
            self.at_the_last_event,
            earlier,
            self.other_crash,
            self.device_crash,
            self.start_crash,
            self.device_failed,
            self.no_crash,
        ];
        [self.of.clone()].into_iter().chain(counts.map(|count| count.to_string())).collect()
    }
}

#[cfg(test)]
mod tests {
    use retap_device::Snapshots;
    use retap_trace::{Micros, Orientation, Size};

    use super::*;

    /// A device whose app crashes when it is asked for the nth event, from 1.
    #[derive(Debug)]
    struct Fragile {
        at: usize,
        events: usize,
        crashes: Vec<Crash>,
    }

    fn crash() -> Crash {
        Crash::from_java("java.lang.Error: x\n\tat a.b.C.d(C.java:7)\n", "a.b").unwrap()
    }

    impl Device for Fragile {
        fn name(&self) -> &'static str {
            "fragile"
        }

        fn package(&self) -> &'static str {
            "a.b"
        }

        fn screen(&self) -> Size {
            Size { width: 100, height: 100 }
        }

        fn reset(&mut self, _: Seed, _: Micros) -> Result<(), DeviceError> {
            Ok(())
        }

        fn perform(&mut self, _: &Event, _: Micros) -> Result<(), DeviceError> {
            self.events += 1;
            if self.events == self.at {
                self.crashes.push(crash());
            }
            Ok(())
        }

        fn settle(&mut self, _: Micros) -> Result<bool, DeviceError> {
            Ok(true)
        }

        fn observe(&mut self, _: Look, _: Micros) -> Result<Observation, DeviceError> {
            Ok(Observation {
                at: Micros::ZERO,
                package: "a.b".into(),
                activity: "a.b.Main".into(),
                tree: None,
                keyboard: false,
                orientation: Orientation::Portrait,
                screen: self.screen(),
                coverage: Vec::new(),
                crashes: std::mem::take(&mut self.crashes),
            })
        }

        fn screenshot(&mut self, _: Micros) -> Result<Vec<u8>, DeviceError> {
            Ok(Vec::new())
        }

        fn now(&self) -> Micros {
            Micros::ZERO
        }

        fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
            None
        }
    }

    /// Where a replay of three events after a launch and one event of the start ends.
    fn ends(at: usize, own: bool) -> Option<usize> {
        let back = || Event::key("back".parse().unwrap());
        let before = vec!["a.b.Main".to_owned(); 3];
        let recording = Recording { events: vec![Event::Launch, back(), back()], before, crash: crash() };
        let of_device = || own.then(crash);
        let mut run = Run { own: &of_device, departed: None, package: "a.b".to_owned() };
        let mut device = Fragile { at, events: 0, crashes: Vec::new() };
        run.carry_out(&mut device, &[back()], &recording).unwrap().map(|(at, _)| at)
    }

    #[test]
    fn a_crash_at_the_start_ends_a_replay_before_its_first_event() {
        assert_eq!((ends(1, false), ends(2, false)), (Some(0), Some(0)));
        assert_eq!((ends(3, false), ends(5, false), ends(6, false)), (Some(1), Some(3), None));
        assert_eq!(ends(6, true), Some(0));
    }

    fn replayed(how: How, at: Option<usize>) -> Replayed {
        Replayed {
            app: "A".to_owned(),
            number: 1,
            overall: 1,
            events: 9,
            published: "java.lang.Error".to_owned(),
            how,
            at,
            what: None,
            stack: Vec::new(),
            departed: None,
            device_seconds: 0.0,
        }
    }

    #[test]
    fn every_end_has_a_column() {
        let all = [
            replayed(How::Published, Some(9)),
            replayed(How::Published, Some(4)),
            replayed(How::OtherCrash, Some(4)),
            replayed(How::DeviceCrash, Some(4)),
            replayed(How::StartCrash, Some(0)),
            replayed(How::DeviceFailed, Some(4)),
            replayed(How::NoCrash, None),
        ];
        let row = Sum::of("A", &all.iter().collect::<Vec<_>>()).row();
        assert_eq!(row, ["A", "7", "2", "1", "1", "1", "1", "1", "1", "1"]);
        assert_eq!(row.len(), HEAD.len());
    }
}
