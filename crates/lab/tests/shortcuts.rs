//! Suites made with snapshots: the search is faster, and nothing else is different.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use retap_device::{Device, DeviceError, Look, SnapshotId, Snapshots};
use retap_explore::{SwiftHand, SwiftHandSettings};
use retap_lab::{
    Deadlines, Done, Exploration, ExplorationSettings, Flow, FollowReport, Follower, Guide, Logged,
    VirtualLab, drive,
};
use retap_sim::SimDevice;
use retap_suite::{Purpose, Reading, ReplayOrder, Shrink, SuiteInput, SuiteReport, SuiteSettings};
use retap_trace::{Event, Header, Level, Micros, Observation, Seed, Size, Trace};

/// What a device was asked to do.
#[derive(Debug, Default)]
struct Calls {
    resets: AtomicU32,
    loads: AtomicU32,
    /// Snapshots that are on the device now, and the most that ever were.
    saved: AtomicU32,
    most: AtomicU32,
}

/// A simulated device that counts calls. From some load on it may lose the first event after each, which no look can
/// tell.
#[derive(Debug)]
struct Spy {
    device: SimDevice,
    calls: Arc<Calls>,
    /// How many loads it is honest for.
    honest: u32,
    deaf: bool,
}

impl Device for Spy {
    fn name(&self) -> &str {
        self.device.name()
    }

    fn package(&self) -> &str {
        self.device.package()
    }

    fn screen(&self) -> Size {
        self.device.screen()
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.calls.resets.fetch_add(1, Ordering::Relaxed);
        self.deaf = false;
        self.device.reset(seed, within)
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        if std::mem::take(&mut self.deaf) { Ok(()) } else { self.device.perform(event, within) }
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.device.settle(within)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.device.observe(look, within)
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot(within)
    }

    fn now(&self) -> Micros {
        self.device.now()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Snapshots for Spy {
    fn save(&mut self, within: Micros) -> Result<SnapshotId, DeviceError> {
        let saved = 1 + self.calls.saved.fetch_add(1, Ordering::Relaxed);
        self.calls.most.fetch_max(saved, Ordering::Relaxed);
        self.device.save(within)
    }

    fn load(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        self.deaf = self.calls.loads.fetch_add(1, Ordering::Relaxed) >= self.honest;
        self.device.load(id, within)
    }

    fn forget(&mut self, id: SnapshotId, within: Micros) -> Result<(), DeviceError> {
        self.calls.saved.fetch_sub(1, Ordering::Relaxed);
        self.device.forget(id, within)
    }
}

fn open(spec: &str) -> SimDevice {
    retap_generate::open(spec, &|path| Err(format!("{path}: no files here"))).expect("a good specification")
}

/// What an exploration of an app leaves behind.
fn explored(spec: &str) -> Arc<[Trace]> {
    let device = open(spec);
    let header = Header::new(device.package());
    let settings = ExplorationSettings { events: 1_500, ..ExplorationSettings::default() };
    let explorer = SwiftHand::new(SwiftHandSettings::default(), Seed(3).dice());
    let mut exploration = Exploration::new(settings, Box::new(explorer), &*header.app.package, 1);
    exploration.virtually(vec![Box::new(device)], Seed(3), &mut |_| true);
    let legs = exploration.segments().iter().filter(|segment| !segment.steps.is_empty());
    legs.map(|segment| Trace { header: header.clone(), steps: segment.steps.clone() }).collect()
}

struct Made {
    report: SuiteReport,
    runs: Vec<Done<ReplayOrder, FollowReport>>,
    calls: Arc<Calls>,
}

impl Made {
    fn of(&self, purpose: Purpose) -> impl Iterator<Item = &Done<ReplayOrder, FollowReport>> {
        self.runs.iter().filter(move |run| run.order.purpose == purpose)
    }

    fn recalled(&self, purpose: Purpose) -> usize {
        self.of(purpose).filter(|run| run.report.followed.recalled.is_some()).count()
    }
}

fn make(traces: &Arc<[Trace]>, spec: &str, snapshots: bool, honest: u32) -> Made {
    let material = Arc::new(SuiteInput::read(traces, Reading::default()).expect("good traces"));
    let mut shrink = Shrink::new(material, SuiteSettings { runs: 3, ..SuiteSettings::default() });
    let guide = Guide {
        traces: traces.clone(),
        level: Level::Actionable,
        seed: Seed(7),
        deadlines: Deadlines::default(),
        snapshots,
    };
    let calls = Arc::new(Calls::default());
    let device = Spy { device: open(spec), calls: calls.clone(), honest, deaf: false };
    let mut lab = VirtualLab::new(Follower::fleet(&guide, vec![Box::new(device)]));
    let mut runs = Vec::new();
    assert!(drive(&mut shrink, &mut lab, &mut runs, &mut |_, _| Flow::Continue).expect("a sound device"));
    Made { report: shrink.report(), runs, calls }
}

#[test]
fn the_search_is_faster_and_the_suite_the_same() {
    let traces = explored("sim:notes");
    let [plain, fast] = [false, true].map(|snapshots| make(&traces, "sim:notes", snapshots, u32::MAX));
    let count = |counter: &AtomicU32| counter.load(Ordering::Relaxed);
    assert_eq!((count(&plain.calls.loads), count(&plain.calls.most)), (0, 0));
    assert_eq!(count(&plain.calls.resets) as usize, plain.runs.len());

    assert!(plain.report.lost.is_empty() && plain.report.kept.iter().all(|kept| kept.confirmed.reached >= 3));
    let (before, after) = (plain.report.spent, fast.report.spent);
    assert_eq!(
        SuiteReport { spent: before, ..fast.report.clone() },
        plain.report,
        "only the cost is another"
    );
    assert!(after.time.0 * 10 < before.time.0 * 9, "{} to {}", before.time, after.time);
    assert!(after.steps < before.steps && (after.search, after.confirm) == (before.search, before.confirm));
    let spent: Micros = fast.runs.iter().map(|run| run.report.followed.effort.time).sum();
    assert_eq!(spent, after.time);

    let most = count(&fast.calls.most);
    assert!((2..=17).contains(&most), "{most} snapshots at once");
    assert_eq!(count(&fast.calls.saved), 0, "nothing is left on the device");
}

#[test]
fn what_confirms_begins_clean() {
    let traces = explored("sim:notes");
    let made = make(&traces, "sim:notes", true, u32::MAX);
    assert!(made.recalled(Purpose::Search) > 20, "{}", made.recalled(Purpose::Search));
    assert_eq!(made.recalled(Purpose::Confirm), 0);
    for Done { order, report, .. } in made.of(Purpose::Confirm) {
        let followed = &report.followed;
        assert_eq!(followed.effort.steps as usize, order.legs.len());
        // Whether it was followed or not: it waits at its end, once.
        let whole = followed.sightings.len() == order.legs.len()
            && order.legs.iter().zip(&followed.sightings).all(|(leg, seen)| leg.met(seen));
        let waits = whole && followed.sightings.last().is_some_and(|last| last.crash.is_none());
        let late = followed.effort.time.since(followed.took);
        assert_eq!(late > Micros::ZERO, waits, "{late}");
        assert!(late <= Micros::from_secs(11), "{late}");
    }
    let unshared = |run: &&Done<ReplayOrder, FollowReport>| run.report.followed.recalled.is_none();
    let clean = made.runs.iter().filter(unshared).count();
    assert!(made.calls.resets.load(Ordering::Relaxed) as usize >= clean, "each of them reset the device");
    // Who reads the log knows which were which, and what they took.
    for run in &made.runs {
        let entry = run.entry();
        assert_eq!(entry.get("recalled").is_some(), run.report.followed.recalled.is_some());
        assert_eq!(&Done::from_entry(run.at, entry).expect("a good entry"), run);
    }
}

/// Loads that fail, loads that restore something else, and loads after which the app only looks right.
#[test]
fn bad_snapshots_change_nothing_about_the_answer() {
    let traces = explored("sim:notes");
    let plain = make(&traces, "sim:notes", false, u32::MAX);
    let bad = [
        ("sim:notes?badload=0.7&garbage=0.5", u32::MAX),
        ("sim:notes?badload=1", u32::MAX),
        ("sim:notes", 0),
    ];
    for (spec, honest) in bad {
        let made = make(&traces, spec, true, honest);
        assert!(made.calls.loads.load(Ordering::Relaxed) >= 3, "{spec}");
        let report = SuiteReport { spent: plain.report.spent, ..made.report };
        assert_eq!(report, plain.report, "{spec}, honest for {honest} loads");
    }
}

/// Snapshots that have earned trust and then mislead may cost a good idea. What was recorded they cannot touch.
#[test]
fn trust_that_is_abused_loses_nothing() {
    let traces = explored("sim:notes");
    let plain = make(&traces, "sim:notes", false, u32::MAX);
    for honest in [6, 24] {
        let made = make(&traces, "sim:notes", true, honest);
        let report = made.report;
        assert!(made.calls.loads.load(Ordering::Relaxed) > honest);
        assert!(report.lost.is_empty(), "honest for {honest} loads: {:?}", report.lost);
        assert_eq!(report.covered_after, plain.report.covered_after);
        assert!(report.kept.iter().all(|kept| kept.confirmed.reached >= 3));
        assert!(report.cut.is_empty() && report.flaky.is_empty(), "the app is sound: {:?}", report.flaky);
    }
}

/// An app that flakes, with snapshots of lucky runs: what is kept was confirmed from clean starts all the same.
#[test]
fn lucky_runs_confirm_nothing() {
    let spec = "sim:gen?seed=4&screens=12&nondet=0.05";
    let traces = explored(spec);
    let made = make(&traces, spec, true, u32::MAX);
    assert!(made.recalled(Purpose::Search) > 5, "{}", made.recalled(Purpose::Search));
    assert_eq!(made.recalled(Purpose::Confirm), 0);
    for kept in &made.report.kept {
        let confirms = |run: &&Done<ReplayOrder, FollowReport>| {
            let (legs, seen) = (&run.order.legs, &run.report.followed.sightings);
            let length = kept.steps.len();
            legs.len() >= length
                && seen.len() >= length
                && legs.iter().zip(seen).take(length).all(|(leg, seen)| leg.met(seen))
                && legs.iter().zip(&kept.steps).all(|(leg, step)| same(&traces, leg.step, *step))
        };
        let clean = made.of(Purpose::Confirm).filter(confirms).count();
        assert!(clean >= kept.confirmed.reached as usize && kept.confirmed.reached >= 3, "{clean}: {kept:?}");
    }
}

/// Whether two steps do the same and lead to the same state.
fn same(traces: &[Trace], one: retap_suite::StepRef, other: retap_suite::StepRef) -> bool {
    let step = |at: retap_suite::StepRef| {
        let step = &traces[at.trace.0 as usize].steps[at.position as usize];
        let after = step.after.as_ref().and_then(|seen| seen.key(Level::Actionable));
        (&step.event, after, step.crash.as_ref().map(|crash| &crash.signature))
    };
    step(one) == step(other)
}
