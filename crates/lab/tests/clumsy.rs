//! A device that has no means for some events: they are left out, and it is no failure of the device.

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_explore::{Category, Monkey, MonkeySettings, Percentages};
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings, SegmentEnd};
use retap_sim::SimDevice;
use retap_trace::{Event, Micros, Observation, Seed, Size};

/// A phone that takes no pinches, as phones do that let nobody write to their touch screen; or nothing at all but
/// launches.
#[derive(Debug)]
struct Clumsy {
    phone: SimDevice,
    only_launches: bool,
}

impl Device for Clumsy {
    fn name(&self) -> &str {
        self.phone.name()
    }

    fn package(&self) -> &str {
        self.phone.package()
    }

    fn screen(&self) -> Size {
        self.phone.screen()
    }

    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.phone.reset(seed, within)
    }

    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        let not = |what: &str| Err(DeviceError::NotSupported { device: "clumsy".into(), what: what.into() });
        match event {
            Event::Pinch { .. } => return not("pinching"),
            Event::Launch => {}
            _ if self.only_launches => return not("anything"),
            _ => {}
        }
        self.phone.perform(event, within)
    }

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.phone.settle(within)
    }

    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.phone.observe(look, within)
    }

    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.phone.screenshot(within)
    }

    fn now(&self) -> Micros {
        self.phone.now()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        self.phone.snapshots()
    }
}

fn phone() -> SimDevice {
    SimDevice::open("sim:notes", &|name| Err(format!("there is no {name}"))).expect("the app is built in")
}

#[test]
fn what_a_device_cannot_do_is_left_out() {
    let run = |device: Box<dyn Device>| {
        let settings = ExplorationSettings { events: 3_000, ..ExplorationSettings::default() };
        let monkey = Monkey::new(MonkeySettings::default(), Seed(3).dice());
        let mut exploration = Exploration::new(settings, Box::new(monkey), device.package().to_owned(), 1);
        let (end, legs) = exploration.virtually(vec![device], Seed(3), &mut |_| true);
        assert_eq!(end, ExplorationEnd::Done);
        assert!(!legs.iter().any(|(_, end)| matches!(end, SegmentEnd::DeviceFailed(_))), "{legs:?}");
        let pinches = |event: &&Event| matches!(event, Event::Pinch { .. });
        let steps =
            || exploration.segments().iter().flat_map(|segment| segment.steps.iter().map(|step| &step.event));
        let unable: Vec<String> = exploration.unable().map(str::to_owned).collect();
        (steps().count(), steps().filter(pinches).count(), unable)
    };
    let (events, pinches, unable) = run(Box::new(phone()));
    assert!(events == 3_000 && pinches > 20 && unable.is_empty(), "{events} {pinches} {unable:?}");
    let (events, pinches, unable) = run(Box::new(Clumsy { phone: phone(), only_launches: false }));
    assert_eq!((pinches, unable), (0, vec!["pinching".to_owned()]));
    assert_eq!(events, 3_000, "what was left out is made up for");
}

/// It has no budget but events, and none is ever performed.
#[test]
fn a_device_that_can_do_nothing_is_given_up() {
    let device = Clumsy { phone: phone(), only_launches: true };
    let settings = ExplorationSettings { events: 3_000, ..ExplorationSettings::default() };
    let percentages = Percentages::given(&[(Category::Touch, 100)]).expect("a hundred percent");
    let taps = MonkeySettings { percentages, ..MonkeySettings::default() };
    let monkey = Monkey::new(taps, Seed(3).dice());
    let mut exploration = Exploration::new(settings, Box::new(monkey), device.package().to_owned(), 1);
    let (end, _) = exploration.virtually(vec![Box::new(device)], Seed(3), &mut |_| true);
    let ExplorationEnd::NoDeviceLeft(why) = end else { panic!("{end:?}") };
    assert!(why.contains("1000 events in a row") && why.contains("anything"), "{why}");
    assert_eq!(exploration.performed(), 0);
}
