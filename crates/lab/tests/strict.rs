//! A strict run performs only what a device would: a widget that no touch reaches is not there.

use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_lab::{Deadlines, Oracle};
use retap_reduce::{EventRun, Outcome, Ticket};
use retap_trace::{
    Aim, Aiming, Event, GuiTree, Header, Level, Micros, Node, Observation, Orientation, Point, Rect, Seed,
    Selector, Size, Step, Target, Trace,
};

/// A phone that shows one button, and takes every event.
#[derive(Debug)]
struct OneButton {
    bounds: Rect,
    now: Micros,
}

impl Device for OneButton {
    fn name(&self) -> &'static str {
        "one-button"
    }

    fn package(&self) -> &'static str {
        "a.b"
    }

    fn screen(&self) -> Size {
        Size { width: 100, height: 200 }
    }

    fn reset(&mut self, _: Seed, _: Micros) -> Result<(), DeviceError> {
        Ok(())
    }

    fn perform(&mut self, _: &Event, _: Micros) -> Result<(), DeviceError> {
        Ok(())
    }

    fn settle(&mut self, _: Micros) -> Result<bool, DeviceError> {
        self.now += Micros::from_secs(1);
        Ok(true)
    }

    fn observe(&mut self, _: Look, _: Micros) -> Result<Observation, DeviceError> {
        let mut tree = GuiTree::new();
        tree.push(Node { text: "Go".into(), bounds: self.bounds, ..Node::default() });
        Ok(Observation {
            at: self.now,
            package: "a.b".into(),
            activity: "a.b.Main".into(),
            tree: Some(tree),
            keyboard: false,
            orientation: Orientation::default(),
            screen: self.screen(),
            coverage: Vec::new(),
            crashes: Vec::new(),
        })
    }

    fn screenshot(&mut self, _: Micros) -> Result<Vec<u8>, DeviceError> {
        Ok(Vec::new())
    }

    fn now(&self) -> Micros {
        self.now
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}

/// How many events are performed of a trace that touches the button and types into it, and whether its widget was missed.
fn run(bounds: Rect) -> (u32, bool) {
    let button = Selector { text: Some("Go".into()), ..Selector::default() };
    let aim = Aim { at: Point::new(5, 5), widget: Some(button.clone()), by: Aiming::Widget };
    let events = [Event::Tap(aim), Event::Text { text: "x".into(), widget: Some(button) }];
    let steps = events.iter().cloned().map(Step::new).collect();
    let oracle = Oracle {
        trace: Arc::new(Trace { header: Header::new("a.b"), steps }),
        target: Target::AnyCrash,
        level: Level::Activity,
        seed: Seed(1),
        deadlines: Deadlines::default(),
        strict: true,
    };
    let play = EventRun { ticket: Ticket(1), events: events.into(), label: String::new() };
    let report = oracle.play(&mut OneButton { bounds, now: Micros::ZERO }, &play, &|| false);
    assert_eq!(report.ended.outcome, Outcome::Missed, "{report:?}");
    (report.ended.events, report.without_widget)
}

#[test]
fn a_widget_without_an_area_is_not_there() {
    assert_eq!(run(Rect::new(0, 0, 10, 10)), (2, false));
    assert_eq!(run(Rect::new(0, 10, 10, 10)), (0, true), "a device does nothing with it, and says nothing");
}
