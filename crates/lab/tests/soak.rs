//! Thousands of small worlds with failing devices: no panic, no lost run, no false result.
//!
//! `RETAP_SOAK_SEEDS=2000` for the long soak; the default is a slice for every day. A failure prints the seed and
//! the command that repeats it alone.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use retap_device::{Device, Look};
use retap_explore::{Monkey, MonkeySettings, TimeTravel, TimeTravelSettings};
use retap_lab::{
    Deadlines, Done, DriveError, Exploration, ExplorationSettings, Flow, LabError, Oracle, Patience, Replay,
    Rewound, Runner, SegmentEnd, ThreadLab, VirtualLab, drive, rewind,
};
use retap_model::Keyer;
use retap_reduce::rule::Fixed;
use retap_reduce::schedule::Sequential;
use retap_reduce::search::{Ddmin, Material, Reducer};
use retap_reduce::{
    Measurement, Order, Outcome, Reducing, Reduction, ReductionEnding, ReductionSettings, Subset, Tally, auto,
};
use retap_sim::SimDevice;
use retap_trace::{Dice, Micros, Seed, Signature, Start, Target, Trace};

/// Traces of deterministic apps, the device they were recorded on, and how many events are needed.
const SAMPLES: [(&str, usize); 3] = [("dalvik", 4), ("addi", 4), ("flashcards", 0)];

fn seeds() -> std::ops::Range<u64> {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let first = number("RETAP_SOAK_FIRST", 0);
    first..first + number("RETAP_SOAK_SEEDS", 200)
}

/// Runs a world for each seed; a failure names the seed and how to repeat it.
fn soak(test: &str, world: impl Fn(u64) + std::panic::RefUnwindSafe) {
    for seed in seeds() {
        let sound = std::panic::catch_unwind(|| world(seed)).is_ok();
        assert!(
            sound,
            "seed {seed} failed; repeat it with\n  RETAP_SOAK_FIRST={seed} RETAP_SOAK_SEEDS=1 \
             cargo test -p retap-lab --test soak {test}"
        );
    }
}

/// A few faults, drawn from the dice; rare enough that a run can end, common enough that many do not.
fn faults(dice: &mut Dice) -> String {
    let kinds = ["offline", "stale", "blind", "hang", "slow", "badload", "garbage"];
    let rates = ["0.0005", "0.002", "0.01"];
    let mut spec = String::new();
    for kind in kinds {
        if dice.chance(0.5) {
            let steady = matches!(kind, "stale" | "blind" | "badload" | "garbage");
            let rate = if steady { "0.2" } else { rates[dice.index(rates.len())] };
            spec = format!("{spec}&{kind}={rate}");
        }
    }
    spec
}

fn device(spec: &str) -> Box<dyn Device> {
    Box::new(
        SimDevice::open(spec, &|path| Err(format!("{path}: no files here"))).expect("a good specification"),
    )
}

fn sample(name: &str) -> Trace {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(format!("{name}.trace.jsonl"));
    let file = std::fs::File::open(&path).expect("samples are part of the project");
    Trace::read(path.display().to_string(), BufReader::new(file)).expect("a good sample")
}

fn oracle(trace: &Arc<Trace>, target: &Target, seed: u64) -> Oracle {
    Oracle {
        trace: trace.clone(),
        target: target.clone(),
        level: retap_trace::Level::Activity,
        seed: Seed(seed),
        deadlines: Deadlines::default(),
        strict: false,
    }
}

fn with_faults(clean: &str, faults: &str) -> String {
    if clean.contains('?') { format!("{clean}{faults}") } else { format!("{clean}?order=0{faults}") }
}

/// The default, or delta debugging of a whole trace, one run a trial.
fn reduction(trace: &Trace, devices: u32, default: bool) -> Box<dyn Reducing> {
    if default {
        let settings = auto::AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
        let material = Material::of(trace, &target(trace), None);
        return Box::new(auto::Ahead::new(auto::Auto::new(&material, settings)));
    }
    let events = u32::try_from(trace.steps.len()).expect("short");
    let settings = ReductionSettings { events, devices, confirm_runs: 20, min_rate: None };
    let rule = Box::new(Fixed::new(1, 1).expect("a good rule"));
    let within = Box::new(|base| Box::new(Ddmin::new(base, 2)) as Box<dyn Reducer>);
    Box::new(Reduction::new(settings, within, rule, Box::<Sequential>::default()))
}

/// What one reduction on failing devices came to: its ending, or none when no device was left, and its journal.
fn reduce(
    trace: &Arc<Trace>,
    spec: &str,
    devices: u32,
    seed: u64,
) -> (Option<ReductionEnding>, Box<dyn Reducing>, Vec<Done>) {
    let target = target(trace);
    let mut reduction = reduction(trace, devices, seed.is_multiple_of(2));
    let fleet = (0..devices).map(|_| device(spec)).collect();
    let mut lab = VirtualLab::new(Runner::fleet(&oracle(trace, &target, seed), fleet));
    let mut journal = Vec::new();
    match drive(&mut *reduction, &mut lab, &mut journal, &mut |_, _| Flow::Continue) {
        Ok(over) => assert!(over),
        Err(DriveError::Lab(LabError::NoDeviceLeft { .. })) => {}
        Err(error) => panic!("{error}"),
    }
    (reduction.ending().cloned(), reduction, journal)
}

fn target(trace: &Trace) -> Target {
    let crash = trace.steps.iter().rev().find_map(|step| step.crash.as_ref()).expect("a crash");
    Target::Crash(crash.signature.clone())
}

#[test]
fn reductions_on_failing_devices_are_never_false() {
    soak("reductions", |seed| {
        let mut dice = Seed(seed).branch("soak", 0).dice();
        let (name, needed) = SAMPLES[dice.index(SAMPLES.len())];
        let trace = Arc::new(sample(name));
        let clean = trace.header.device.clone().expect("samples name their device");
        let spec = with_faults(&clean, &faults(&mut dice));
        let devices = 1 + u32::try_from(dice.below(4)).expect("small");

        let (ending, reduction, journal) = reduce(&trace, &spec, devices, seed);
        let counts = reduction.counts();
        assert_eq!((counts.runs + counts.inconclusive) as usize, journal.len(), "a run was lost");
        assert!(
            journal
                .iter()
                .all(|done| done.report.why.is_none() || done.report.ended.outcome == Outcome::Inconclusive)
        );
        match ending {
            Some(ReductionEnding::Reduced(answer)) => {
                assert!(needed == 0 || answer.subset.len() as usize == needed, "{name}: {answer:?}");
                assert_eq!(answer.claim, Some(Tally::new(20, 0)), "{name}");
                let mut check = Measurement::new(answer.subset, 3);
                let mut lab = VirtualLab::new(Runner::fleet(
                    &oracle(&trace, &target(&trace), seed),
                    vec![device(&clean)],
                ));
                drive(&mut check, &mut lab, &mut Vec::new(), &mut |_, _| Flow::Continue)
                    .expect("a sound device");
                assert_eq!(check.tally().reached, 3, "{name}: the answer does not hold on a sound device");
            }
            Some(ReductionEnding::Refused { tally, .. }) => {
                panic!("{name} always crashes, yet was refused with {tally:?}")
            }
            // Every device was given up: said openly, and nothing was claimed.
            None => assert!(counts.inconclusive >= 12),
        }
        if seed % 10 == 0 {
            let (again, _, journal_again) = reduce(&trace, &spec, devices, seed);
            assert_eq!(
                (again.is_some(), journal_again),
                (reduction.ending().is_some(), journal),
                "one seed, one run"
            );
        }
    });
}

#[test]
fn explorations_on_failing_devices_blame_the_app_for_nothing() {
    let known: BTreeSet<Signature> = known_crashes();
    soak("explorations", |seed| {
        let mut dice = Seed(seed).branch("soak", 1).dice();
        let spec = with_faults("sim:notes", &faults(&mut dice));
        let explore = || {
            let settings = ExplorationSettings { events: 150, ..ExplorationSettings::default() };
            let monkey = MonkeySettings { aware: true, ..MonkeySettings::default() };
            let monkey = Monkey::new(monkey, Seed(seed).branch("explorer", 0).dice());
            let travel = TimeTravel::new(TimeTravelSettings::default(), Box::new(monkey));
            let mut exploration = Exploration::new(settings, Box::new(travel), "org.retap.notes", 1);
            let ends = exploration.virtually(vec![device(&spec)], Seed(seed), &mut |_| true);
            (ends, exploration.segments().iter().cloned().collect::<Vec<_>>())
        };
        let explored = explore();
        let ((_, ends), legs) = &explored;
        for leg in legs {
            let crashes = leg.steps.iter().filter_map(|step| step.crash.as_ref());
            for crash in crashes {
                assert!(known.contains(&crash.signature), "{} is no crash of this app", crash.signature);
                let (_, end) = ends.iter().find(|(id, _)| *id == leg.id).expect("every leg ends");
                assert!(matches!(end, SegmentEnd::Crash(_)));
            }
        }
        if seed % 10 == 0 {
            assert_eq!(explore(), explored, "one seed, one run");
        }
    });
}

/// The crashes that the app can have, by its recorded traces.
fn known_crashes() -> BTreeSet<Signature> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let names = std::fs::read_dir(folder).expect("samples are part of the project");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("plain names"));
    let notes = names.filter_map(|name| name.strip_suffix(".trace.jsonl").map(str::to_owned));
    let traces = notes.filter(|name| name.starts_with("notes-")).map(|name| sample(&name));
    traces.flat_map(|trace| trace.steps).filter_map(|step| step.crash).map(|crash| crash.signature).collect()
}

#[test]
fn failed_snapshots_are_noticed() {
    soak("snapshots", |seed| {
        let mut dice = Seed(seed).branch("soak", 2).dice();
        let trace = sample("dalvik");
        let mut device = device(&with_faults("sim:dalvik", "&badload=0.2&garbage=0.3"));
        let mut keyer = Keyer::default();
        let mut replay = Replay::new(&mut *device, Deadlines::default(), Look::Tree);
        replay.begin(Start::Launched, Seed(seed)).expect("only loads fail here");
        let walk = 1 + dice.index(trace.steps.len() - 2);
        let mut saved = None;
        for step in &trace.steps[..walk] {
            saved = Some(keyer.seen(&replay.perform(&step.event).expect("only loads fail here")));
        }
        let saved = saved.expect("at least one step");
        let id = device
            .snapshots()
            .expect("it has them")
            .save(Micros::from_secs(60))
            .expect("only loads fail here");
        for step in &trace.steps[walk..] {
            let mut replay = Replay::new(&mut *device, Deadlines::default(), Look::Tree);
            replay.perform(&step.event).expect("only loads fail here");
        }
        match rewind(&mut *device, id, &saved, Deadlines::default()).expect("only loads fail here") {
            Rewound::Back(shown) => assert_eq!(keyer.seen(&shown), saved),
            Rewound::Lost => {}
        }
    });
}

#[test]
fn threads_come_to_the_same_answer() {
    let trace = Arc::new(sample("dalvik"));
    let clean = trace.header.device.clone().expect("samples name their device");
    for seed in seeds().take(20) {
        let spec = with_faults(&clean, "&offline=0.002&blind=0.1&hang=0.001");
        let mut reduction = reduction(&trace, 4, seed.is_multiple_of(2));
        let fleet = (0..4).map(|_| device(&spec)).collect();
        let patience = Patience { rest: std::time::Duration::ZERO, ..Patience::default() };
        let mut lab = ThreadLab::new(Runner::fleet(&oracle(&trace, &target(&trace), seed), fleet), patience);
        let mut journal = Vec::new();
        drive(&mut *reduction, &mut lab, &mut journal, &mut |_, _| Flow::Continue).expect("devices are left");
        let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("seed {seed}") };
        assert_eq!(answer.subset, Subset::from_positions([0, 21, 22, 35]), "seed {seed}");
        assert!(reduction.over() && journal.len() >= 20);
    }
}

/// A device that never comes back, not even at its deadline.
#[derive(Debug)]
struct Stuck(Box<dyn Device>);

impl Device for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }
    fn package(&self) -> &str {
        self.0.package()
    }
    fn screen(&self) -> retap_trace::Size {
        self.0.screen()
    }
    fn reset(&mut self, _: Seed, _: Micros) -> Result<(), retap_device::DeviceError> {
        std::thread::sleep(std::time::Duration::from_hours(1));
        Ok(())
    }
    fn perform(
        &mut self,
        event: &retap_trace::Event,
        within: Micros,
    ) -> Result<(), retap_device::DeviceError> {
        self.0.perform(event, within)
    }
    fn settle(&mut self, within: Micros) -> Result<bool, retap_device::DeviceError> {
        self.0.settle(within)
    }
    fn observe(
        &mut self,
        look: Look,
        within: Micros,
    ) -> Result<retap_trace::Observation, retap_device::DeviceError> {
        self.0.observe(look, within)
    }
    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, retap_device::DeviceError> {
        self.0.screenshot(within)
    }
    fn now(&self) -> Micros {
        self.0.now()
    }
    fn snapshots(&mut self) -> Option<&mut dyn retap_device::Snapshots> {
        None
    }
}

#[test]
fn a_device_that_never_comes_back_is_retired_and_the_rest_go_on() {
    let trace = Arc::new(sample("dalvik"));
    let fleet: Vec<Box<dyn Device>> = vec![Box::new(Stuck(device("sim:dalvik"))), device("sim:dalvik")];
    let patience = Patience { run: std::time::Duration::from_millis(300), rest: std::time::Duration::ZERO };
    let mut lab = ThreadLab::new(Runner::fleet(&oracle(&trace, &target(&trace), 1), fleet), patience);
    let mut check = Measurement::new(Subset::all(u32::try_from(trace.steps.len()).expect("short")), 10);
    let mut journal: Vec<Done> = Vec::new();
    drive(&mut check, &mut lab, &mut journal, &mut |_, _| Flow::Continue).expect("one device is left");
    assert_eq!((check.tally().reached, check.inconclusive()), (10, 1));
    let stuck = journal
        .iter()
        .find(|done| done.report.ended.outcome == Outcome::Inconclusive)
        .expect("it was noticed");
    assert!(stuck.report.why.as_deref().is_some_and(|why| why.contains("did not come back")), "{stuck:?}");

    let fleet: Vec<Box<dyn Device>> = vec![Box::new(Stuck(device("sim:dalvik")))];
    let mut lab = ThreadLab::new(Runner::fleet(&oracle(&trace, &target(&trace), 1), fleet), patience);
    let mut check = Measurement::new(Subset::all(3), 10);
    let error =
        drive(&mut check, &mut lab, &mut Vec::new(), &mut |_, _| Flow::Continue).expect_err("none is left");
    assert!(error.to_string().contains("nothing is left to run it on"), "{error}");
}

#[test]
fn a_cancelled_run_is_not_heard_of_again() {
    use retap_lab::Lab as _;
    use retap_reduce::{Goal, Ticket};
    let trace = Arc::new(sample("dalvik"));
    let fleet = (0..2).map(|_| device("sim:dalvik")).collect();
    let mut lab =
        ThreadLab::new(Runner::fleet(&oracle(&trace, &target(&trace), 1), fleet), Patience::default());
    let order = |ticket| Order {
        ticket: Ticket(ticket),
        subset: Subset::all(36),
        goal: Goal::Target,
        label: "x".into(),
        measures: false,
    };
    lab.launch(order(0));
    lab.launch(order(1));
    lab.cancel(Ticket(0));
    assert_eq!(lab.idle(), 1, "its device is free for the next order");
    lab.launch(order(2));
    let heard: BTreeSet<u64> = (0..2).map(|_| lab.next().expect("two runs").order.ticket.0).collect();
    assert_eq!(heard, BTreeSet::from([1, 2]));
}
