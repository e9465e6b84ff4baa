//! A device that has no means for some events: they are left out, and it is no failure of the device.

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_explore::{Monkey, MonkeySettings};
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings, SegmentEnd};
use retap_sim::SimDevice;
use retap_trace::{Event, Micros, Observation, Seed, Size};

/// A phone that takes no pinches, as phones do that let nobody write to their touch screen.
#[derive(Debug)]
struct Clumsy(SimDevice);

impl Device for Clumsy {
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
        if let Event::Pinch { .. } = event {
            return Err(DeviceError::NotSupported { device: "clumsy".into(), what: "pinching".into() });
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
    let phone = || {
        SimDevice::open("sim:notes", &|name| Err(format!("there is no {name}"))).expect("the app is built in")
    };
    let (events, pinches, unable) = run(Box::new(phone()));
    assert!(events == 3_000 && pinches > 20 && unable.is_empty(), "{events} {pinches} {unable:?}");
    let (events, pinches, unable) = run(Box::new(Clumsy(phone())));
    assert_eq!((pinches, unable), (0, vec!["pinching".to_owned()]));
    assert!((2_000..3_000).contains(&events), "{events}");
}
