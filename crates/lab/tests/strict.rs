//! A strict run performs only what a device would, and says when there was no app that could have crashed.

use std::sync::Arc;

use retap_device::{Device, DeviceError, Look, Snapshots};
use retap_lab::{Deadlines, FollowReport, Guide, Leaving, Oracle, Report};
use retap_model::{Keyer, TraceNumber};
use retap_reduce::{EventRun, Goal, Order, Outcome, Subset, Ticket};
use retap_suite::{Leg, Purpose, ReplayOrder, StepRef};
use retap_trace::{
    Aim, Aiming, Event, GuiTree, Header, Level, Micros, Node, Observation, Orientation, Point, Rect, Seed,
    Seen, Selector, Size, StateKey, Step, Target, Trace,
};

/// A phone that shows one button, and takes every event.
#[derive(Debug)]
struct OneButton {
    bounds: Rect,
    now: Micros,
    /// Why it has ended the app.
    gave_up: Option<&'static str>,
    /// What happens while a late crash is waited for.
    late: Late,
}

#[derive(Debug, Clone, Copy)]
enum Late {
    Nothing,
    /// It ends the app.
    GivesUp,
    /// Until then another activity was in front, which shows nothing.
    Opens,
    Opened,
    /// The app never comes back.
    Hangs,
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

    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        self.now += Micros::from_secs(1);
        if within == Deadlines::default().linger {
            match self.late {
                Late::GivesUp => self.gave_up = Some("it has no map"),
                Late::Opens => self.late = Late::Opened,
                Late::Nothing | Late::Opened | Late::Hangs => {}
            }
        }
        Ok(true)
    }

    fn observe(&mut self, _: Look, _: Micros) -> Result<Observation, DeviceError> {
        let mut tree = GuiTree::new();
        let waits = matches!(self.late, Late::Opens);
        let text = if waits { "Wait" } else { "Go" };
        tree.push(Node { text: text.into(), bounds: self.bounds, ..Node::default() });
        Ok(Observation {
            at: self.now,
            package: "a.b".into(),
            activity: if waits { "a.b.Splash" } else { "a.b.Main" }.into(),
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

    fn hangs(&self) -> bool {
        matches!(self.late, Late::Hangs)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}

/// Touches the button and types into it.
fn events() -> [Event; 2] {
    let button = Selector { text: Some("Go".into()), ..Selector::default() };
    let aim = Aim { at: Point::new(5, 5), widget: Some(button.clone()), by: Aiming::Widget };
    [Event::Tap(aim), Event::Text { text: "x".into(), widget: Some(button) }]
}

fn trace() -> Trace {
    Trace { header: Header::new("a.b"), steps: events().map(Step::new).into() }
}

fn oracle(strict: bool) -> Oracle {
    Oracle {
        trace: Arc::new(trace()),
        target: Target::AnyCrash,
        level: Level::Activity,
        seed: Seed(1),
        deadlines: Deadlines::default(),
        strict,
    }
}

/// Runs that trace.
fn run(mut device: OneButton, strict: bool) -> Report {
    let play = EventRun { ticket: Ticket(1), events: events().into(), label: String::new() };
    oracle(strict).play(&mut device, &play, &|| false)
}

fn one_button(bounds: Rect) -> OneButton {
    OneButton { bounds, now: Micros::ZERO, gave_up: None, late: Late::Nothing }
}

fn late(late: Late) -> OneButton {
    OneButton { late, ..one_button(Rect::new(0, 0, 10, 10)) }
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

/// Nor does a run of a suite, where that comes while a late crash is waited for. What ended the app before is on the way that
/// was recorded.
/// Follows that trace.
fn follow(device: &mut OneButton, purpose: Purpose) -> FollowReport {
    let traces: Arc<[Trace]> = vec![trace()].into();
    let (level, seed, deadlines) = (Level::Activity, Seed(1), Deadlines::default());
    let guide = Guide { traces, level, seed, deadlines, snapshots: false };
    let leg = |position| Leg { step: StepRef { trace: TraceNumber(0), position }, expect: state() };
    let legs = [0, 1].map(leg).into();
    let order = ReplayOrder { ticket: Ticket(1), start: None, legs, purpose, label: String::new() };
    guide.follow(device, &order, &|| false)
}

/// The state that it always shows.
fn state() -> StateKey {
    let seen = late(Late::Nothing).observe(Look::Tree, Micros::ZERO).expect("it never fails");
    Keyer::default().seen(&seen).key(Level::Activity).expect("a state")
}

#[test]
fn a_followed_way_whose_app_the_device_ends_late_proves_nothing() {
    let ended = OneButton { gave_up: Some("it has no map"), ..late(Late::Nothing) };
    for (device, purpose, inconclusive) in [
        (late(Late::GivesUp), Purpose::Confirm, true),
        (late(Late::GivesUp), Purpose::Search, false),
        (late(Late::Nothing), Purpose::Confirm, false),
        (ended, Purpose::Confirm, false),
    ] {
        let mut device = device;
        let report = follow(&mut device, purpose);
        assert_eq!(report.followed.inconclusive, inconclusive, "{device:?}: {report:?}");
        assert_eq!(report.why.is_some_and(|why| why.contains("it has no map")), inconclusive);
    }
}

/// Nobody asks an app for anything that hangs at the last step: no crash, and no hang, is told.
#[test]
fn an_app_that_hangs_in_the_end_proves_nothing() {
    let strict = run(late(Late::Hangs), true);
    assert_eq!(strict.ended.outcome, Outcome::Inconclusive);
    assert_eq!(strict.why.as_deref(), Some("the app hangs: its main thread never came back"));
    assert_eq!(run(late(Late::Hangs), false).ended.outcome, Outcome::Missed);
    for (purpose, followed) in [(Purpose::Confirm, false), (Purpose::Search, true)] {
        let report = follow(&mut late(Late::Hangs), purpose);
        let states: Vec<bool> = report.followed.sightings.iter().map(|seen| seen.state == state()).collect();
        assert_eq!((report.followed.inconclusive, states), (false, vec![true, followed]), "{report:?}");
    }
}

/// A splash screen was in front when the run looked for the widget, and the screen with it when the widget was touched.
#[test]
fn a_widget_that_comes_late_is_touched_where_it_came() {
    let order = Order {
        ticket: Ticket(1),
        subset: Subset::all(2),
        goal: Goal::Target,
        label: String::new(),
        measures: true,
    };
    let report = oracle(true).run(&mut late(Late::Opens), &order, &|| false);
    assert_eq!((report.ended.events, report.without_widget), (2, false));
    assert_eq!(report.path, [(0, "a.b.Splash".into()), (0, "a.b.Main".into())]);
    let mut recorded = trace();
    recorded.steps[0].before = Some(Seen::activity("a.b.Main"));
    let found: Vec<usize> = Leaving::of(&recorded, &[report]).into_iter().map(|one| one.after).collect();
    assert_eq!(found, [2], "it was nowhere else");
}
