//! A strict run performs only what a device would, and says when there was no app that could have crashed.

use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_lab::{Deadlines, Oracle, Report};
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
    /// Why it has ended the app.
    gave_up: Option<&'static str>,
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

    fn ended_app(&self) -> Option<String> {
        self.gave_up.map(str::to_owned)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}

/// Runs a trace that touches the button and types into it.
fn run(mut device: OneButton, strict: bool) -> Report {
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
        strict,
    };
    let play = EventRun { ticket: Ticket(1), events: events.into(), label: String::new() };
    oracle.play(&mut device, &play, &|| false)
}

fn one_button(bounds: Rect) -> OneButton {
    OneButton { bounds, now: Micros::ZERO, gave_up: None }
}

#[test]
fn a_widget_without_an_area_is_not_there() {
    // A device does nothing with it, and says nothing.
    for (bounds, events, without_widget) in
        [(Rect::new(0, 0, 10, 10), 2, false), (Rect::new(0, 10, 10, 10), 0, true)]
    {
        let report = run(one_button(bounds), true);
        assert_eq!(report.ended.outcome, Outcome::Missed, "{report:?}");
        assert_eq!((report.ended.events, report.without_widget), (events, without_widget));
    }
}

/// It has performed everything and seen no crash, because there was no app any more.
#[test]
fn a_run_whose_app_the_device_has_ended_proves_nothing() {
    let ended = || OneButton { gave_up: Some("it has no map"), ..one_button(Rect::new(0, 0, 10, 10)) };
    let report = run(ended(), true);
    assert_eq!((report.ended.outcome, report.why.as_deref()), (Outcome::Inconclusive, Some("it has no map")));
    // The same events end it so every time: a reduction would try them for ever.
    assert_eq!(run(ended(), false).ended.outcome, Outcome::Missed);
}
