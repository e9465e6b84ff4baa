//! How often an exploration looked at the whole screen, counted by the device itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_explore::{
    Explorer, Monkey, MonkeySettings, Percentages, SystemMonkey, SystemMonkeySettings, SystemSettings,
    TimeTravel, TimeTravelSettings, WindowSettings,
};
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings};
use retap_sim::SimDevice;
use retap_trace::{Event, Key, Level, Micros, Observation, Seed, Size};

/// A phone that counts how often somebody looks at its whole screen.
#[derive(Debug)]
struct Watched(SimDevice, Arc<AtomicU64>);

impl Device for Watched {
    fn name(&self) -> &str {
        self.0.name()
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
        self.0.perform(event, within)
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.0.settle(within)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        if look == Look::Tree {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
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

fn monkey() -> MonkeySettings {
    let percentages = Percentages::aware(&[]).expect("the usual mix");
    MonkeySettings { percentages, aware: true, ..MonkeySettings::default() }
}

/// Explores, and says how often the device was looked at.
fn explore(app: &str, explorer: Box<dyn Explorer>, settings: ExplorationSettings) -> (Exploration, u64) {
    let looks = Arc::new(AtomicU64::new(0));
    let phone =
        SimDevice::open(app, &|name| Err(format!("there is no {name}"))).expect("the app is built in");
    let device = Box::new(Watched(phone, looks.clone()));
    let mut exploration = Exploration::new(settings, explorer, device.package().to_owned(), 1);
    let (end, _) = exploration.virtually(vec![device], Seed(5), &mut |_| true);
    assert_eq!(end, ExplorationEnd::Done);
    (exploration, looks.load(Ordering::Relaxed))
}

#[test]
fn looks_are_those_that_the_device_has_seen() {
    let script: Arc<[Event]> = [Event::key(Key::MENU), Event::key(Key::BACK)].into();
    for (window, script) in [
        (WindowSettings::ALWAYS, Arc::from([])),
        (WindowSettings::default(), Arc::from([])),
        (WindowSettings::default(), script),
    ] {
        let settings =
            ExplorationSettings { events: 3_000, window, script, ..ExplorationSettings::default() };
        let scripted = settings.script.len();
        let explorer = Box::new(Monkey::new(monkey(), Seed(5).dice()));
        let (exploration, counted) = explore("sim:notes", explorer, settings);
        let legs = exploration.segments().iter().len() as u64;
        assert!(legs > 1, "a crash began a new leg");
        assert_eq!(exploration.looks(), counted, "with {window:?} and {scripted} scripted events");
        let always = exploration.performed() + legs;
        if window == WindowSettings::ALWAYS {
            assert_eq!(counted, always);
        } else {
            assert!(counted < always / 2, "{counted} looks at {always} events");
            let full = exploration.segments().iter().flat_map(|segment| &segment.steps);
            let seen =
                full.filter(|step| step.after.as_ref().is_some_and(|seen| seen.key(Level::Full).is_some()));
            assert!(seen.count() as u64 <= counted, "no step has a state that nobody looked at");
        }
    }
}

#[test]
fn looks_after_going_back_in_time_are_counted_too() {
    let settings = ExplorationSettings {
        events: 4_000,
        window: WindowSettings::default(),
        ..ExplorationSettings::default()
    };
    let ms = SystemMonkey::new(
        SystemMonkeySettings { monkey: monkey(), system: SystemSettings::default() },
        Seed(5),
    );
    let mut travel = TimeTravelSettings::default();
    travel.stuck.no_progress = 50;
    let explorer = Box::new(TimeTravel::new(travel, Box::new(ms)));
    let (exploration, counted) = explore("sim:flashcards", explorer, settings);
    let travels = exploration.time_travel_cost();
    assert!(travels.restores > 5 && travels.failed == 0, "{travels:?}");
    assert_eq!(exploration.looks(), counted);
}
