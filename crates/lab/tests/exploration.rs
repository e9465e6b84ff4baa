//! Explorations on devices of this world: what goes wrong with them is said, and what was seen is not lost.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_explore::{
    Explorer, Monkey, MonkeySettings, Percentages, Separate, SwiftHand, SwiftHandSettings, SystemMonkey,
    SystemMonkeySettings, SystemSettings, TimeTravel, TimeTravelSettings,
};
use retap_lab::{
    Done, DriveError, Exploration, ExplorationEnd, ExplorationSettings, ExploreEvent, ExploreJournal,
    ExploreOrder, ExploreReport, ExploreWorker, Flow, Patience, Recorded, Segment, SegmentEnd, ThreadLab,
    VirtualLab, drive, recorded_orders,
};
use retap_sim::SimDevice;
use retap_store::{Plan, Session};
use retap_trace::{Event, Micros, Observation, Seed, Size};

/// What is wrong with a phone.
#[derive(Debug, Clone)]
enum Fault {
    None,
    /// Every event breaks it; it starts well.
    EveryEvent,
    /// It panics at the first event.
    Panics,
    /// It does not come back from the first event until this is set.
    Hangs(Arc<AtomicBool>),
}

#[derive(Debug)]
struct Phone(SimDevice, Fault);

impl Device for Phone {
    fn name(&self) -> &'static str {
        "phone 7"
    }

    fn package(&self) -> &str {
        self.0.package()
    }

    fn screen(&self) -> Size {
        self.0.screen()
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.0.reset(seed, within)
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        match &self.1 {
            _ if *event == Event::Launch => {}
            Fault::None => {}
            Fault::EveryEvent => {
                return Err(DeviceError::Failed {
                    call: "perform",
                    why: "the screen does not respond".into(),
                });
            }
            Fault::Panics => panic!("a fault of the backend"),
            Fault::Hangs(over) => {
                while !over.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            }
        }
        self.0.perform(event, within)
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.0.settle(within)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.0.observe(look, within)
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.0.screenshot(within)
    }

    fn now(&self) -> Micros {
        self.0.now()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        self.0.snapshots()
    }
}

fn phone(fault: Fault) -> Box<dyn Device> {
    let phone = SimDevice::open("sim:notes", &|name| Err(format!("there is no {name}")));
    Box::new(Phone(phone.expect("the app is built in"), fault))
}

fn monkey() -> Box<dyn Explorer> {
    let lane = |lane: retap_explore::Lane| -> Box<dyn Explorer> {
        Box::new(Monkey::new(MonkeySettings::default(), Seed(lane.0.into()).dice()))
    };
    Box::new(Separate::new(lane))
}

fn settings(events: u64) -> ExplorationSettings {
    ExplorationSettings { events, ..ExplorationSettings::default() }
}

fn exploration(events: u64, explorer: Box<dyn Explorer>, lanes: u32) -> Exploration {
    Exploration::new(settings(events), explorer, "org.retap.notes", lanes)
}

/// Explores with a thread for each phone, patient for so long.
fn threaded(faults: &[Fault], patience: Duration) -> (Exploration, Result<ExplorationEnd, DriveError>) {
    let phones = faults.iter().cloned().map(phone).collect();
    let workers = ExploreWorker::fleet(&settings(300), Seed(1), phones);
    let mut lab = ThreadLab::new(workers, Patience { run: patience, rest: Duration::ZERO });
    let mut exploration = exploration(300, monkey(), u32::try_from(faults.len()).expect("few"));
    let driven = drive(&mut exploration, &mut lab, &mut (), &mut |_, _| Flow::Continue);
    // A phone that hangs may go now: nobody waits for it.
    for fault in faults {
        if let Fault::Hangs(over) = fault {
            over.store(true, Ordering::Relaxed);
        }
    }
    let end = exploration.ended(driven);
    (exploration, end)
}

const LONG: Duration = Duration::from_mins(10);

fn reason(end: Result<ExplorationEnd, DriveError>) -> String {
    match end.expect("it ends in order") {
        ExplorationEnd::NoDeviceLeft(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_phone_that_breaks_at_every_event_is_given_up() {
    let (exploration, end) = threaded(&[Fault::EveryEvent], LONG);
    assert!(reason(end).contains("the screen does not respond"));
    assert_eq!(exploration.performed(), 0);
    // The same in virtual time.
    let workers = ExploreWorker::fleet(&settings(300), Seed(1), vec![phone(Fault::EveryEvent)]);
    let mut virtually = crate::exploration(300, monkey(), 1);
    let driven = drive(&mut virtually, &mut VirtualLab::new(workers), &mut (), &mut |_, _| Flow::Continue);
    assert!(reason(virtually.ended(driven)).contains("the screen does not respond"));
}

#[test]
fn a_worker_that_panics_is_named() {
    let (_, end) = threaded(&[Fault::Panics], LONG);
    let why = reason(end);
    assert!(why.contains("phone 7") && why.contains("panicked: a fault of the backend"), "{why}");
}

#[test]
fn a_worker_that_never_answers_is_named() {
    let hangs = Fault::Hangs(Arc::new(AtomicBool::new(false)));
    let (_, end) = threaded(&[hangs], Duration::from_millis(300));
    let why = reason(end);
    assert!(why.contains("phone 7") && why.contains("did not come back within 300ms"), "{why}");
}

#[test]
fn the_other_phones_go_on() {
    for broken in [Fault::EveryEvent, Fault::Panics] {
        let (exploration, end) = threaded(&[broken.clone(), Fault::None], LONG);
        assert_eq!(end.expect("it ends in order"), ExplorationEnd::Done, "{broken:?}");
        let given_up: Vec<usize> = exploration.given_up().map(|(lane, _)| lane).collect();
        assert_eq!(given_up, [0], "{broken:?}");
        let by: Vec<u32> = exploration
            .segments()
            .iter()
            .filter(|segment| !segment.steps.is_empty())
            .map(|segment| segment.lane.0)
            .collect();
        assert!(!by.is_empty() && by.iter().all(|lane| *lane == 1), "{by:?}");
        assert!(exploration.performed() > 250);
    }
}

type Told = Done<ExploreOrder, ExploreReport>;

/// Goes on with the exploration in a session until `stop` says so. Gives what it is then, and the events it told of.
fn resume(
    session: &RefCell<Session>,
    explorer: Box<dyn Explorer>,
    stop: &mut dyn FnMut(usize) -> bool,
) -> (Exploration, bool, Vec<ExploreEvent>) {
    let recorded: Vec<Told> = recorded_orders(&session.borrow()).expect("a journal");
    let workers =
        ExploreWorker::fleet(&settings(1_200), Seed(1), vec![phone(Fault::None), phone(Fault::None)]);
    let lab = ThreadLab::new(workers, Patience { run: LONG, rest: Duration::ZERO });
    let mut journal = ExploreJournal::new(session, recorded.len());
    let mut exploration = exploration(1_200, explorer, 2);
    let (mut told, mut events) = (0, Vec::new());
    let over =
        drive(&mut exploration, &mut Recorded::new(lab, recorded), &mut journal, &mut |exploration, _| {
            told += 1;
            events.extend(exploration.take_events());
            if stop(told) { Flow::Stop } else { Flow::Continue }
        });
    events.extend(exploration.take_events());
    (exploration, over.expect("sound devices"), events)
}

/// Whatever was seen before a stop is what the next process begins with, to the last report; only what was under way
/// is over.
#[test]
fn what_was_seen_is_not_lost() {
    let ms = || {
        let percentages = Percentages::aware(&[]).expect("the usual mix");
        let monkey = MonkeySettings { percentages, aware: true, ..MonkeySettings::default() };
        SystemMonkey::new(SystemMonkeySettings { monkey, system: SystemSettings::default() }, Seed(5))
    };
    let travel = || -> Box<dyn Explorer> {
        let mut settings = TimeTravelSettings::default();
        settings.stuck.no_progress = 20;
        Box::new(TimeTravel::new(settings, Box::new(Separate::new(move |_| Box::new(ms())))))
    };
    let swifthand = || -> Box<dyn Explorer> {
        Box::new(Separate::new(|lane| {
            Box::new(SwiftHand::new(SwiftHandSettings::default(), Seed(lane.0.into()).dice()))
        }))
    };
    for make in [&travel as &dyn Fn() -> Box<dyn Explorer>, &swifthand] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let plan = Plan::new("0", "explore", serde_json::json!({}));
        let session = RefCell::new(Session::create(folder.path(), &plan).expect("a session"));
        let mut before: Vec<Segment> = Vec::new();
        let (mut seen, mut interrupted) = (0, 0);
        for round in 1.. {
            let (exploration, over, events) = resume(&session, make(), &mut |told| told >= round * 300);
            let segments: Vec<Segment> = exploration.segments().iter().cloned().collect();
            for (old, new) in before.iter().zip(&segments) {
                assert_eq!((old.id, &old.steps[..]), (new.id, &new.steps[..old.steps.len()]));
            }
            assert!(segments.len() >= before.len() && exploration.states() >= seen);
            let ended =
                |event: &&ExploreEvent| matches!(event, ExploreEvent::Ended(_, SegmentEnd::Interrupted, _));
            let now = events.iter().filter(ended).count();
            assert!(now >= interrupted && now <= 2 * (round - 1), "{now} in round {round}");
            (before, seen, interrupted) = (segments, exploration.states(), now);
            if over {
                assert_eq!(exploration.performed(), 1_200);
                break;
            }
        }
        assert!(interrupted > 0, "it was stopped in the middle of something");
    }
}
