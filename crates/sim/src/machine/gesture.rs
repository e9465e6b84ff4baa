//! What fingers do.

use retap_trace::{Aim, Aiming, Event, Point};

use super::Turn;
use super::effects::Fate;
use super::hit::Hit;
use super::state::View;
use super::tree;
use super::work::Change;
use crate::app::{Gesture, Value, WidgetKind, WindowKind};

/// A finger that moves less than this has not moved.
const SLOP: i64 = 24;

impl Turn<'_> {
    /// Does what a finger event says, if what it aims at is there.
    pub(super) fn finger(&mut self, event: &Event) {
        let Some(aim) = event.aim() else { return };
        let Some(at) = self.aimed(aim) else { return };
        match event {
            Event::Swipe { to, .. } => {
                let (right, down) =
                    (i64::from(to.x) - i64::from(aim.at.x), i64::from(to.y) - i64::from(aim.at.y));
                self.swipe(at, right, down);
            }
            Event::Pinch { .. } => self.touch(at, &[Gesture::Pinch]),
            Event::LongTap { .. } => self.touch(at, &[Gesture::LongTap, Gesture::Tap]),
            Event::DoubleTap(_) => self.double_tap(at),
            _ => self.touch(at, &[Gesture::Tap]),
        }
    }

    /// Where the finger goes down: at the place, or in the middle of the widget, wherever it is now.
    fn aimed(&self, aim: &Aim) -> Option<Point> {
        match (&aim.widget, aim.by) {
            (Some(selector), Aiming::Widget) => {
                let mut seen = retap_trace::GuiTree::new();
                tree::build(self.program, self.state, &mut seen);
                selector.touchable(&seen).map(|id| seen.node(id).bounds.center())
            }
            _ => Some(aim.at),
        }
    }

    /// A touch that is one of the gestures; the first that the widget has code for counts.
    fn touch(&mut self, at: Point, gestures: &[Gesture]) {
        if let View::Page(_) = self.state.view {
            self.touch_page(at, gestures);
            return;
        }
        if self.on_keyboard(at) {
            if gestures.contains(&Gesture::Tap) {
                self.tap_keyboard(at);
            }
            return;
        }
        let scene = self.state.scene(self.program);
        match scene.hit(at, gestures) {
            Some(hit) => {
                let widget = &scene.window.widgets[hit.widget.index()];
                let with_code = gestures.iter().find(|&&gesture| widget.handler(gesture).is_some());
                let gesture = *with_code.unwrap_or(&Gesture::Tap);
                // A crash leaves nothing to do here.
                let _ =
                    if gesture == Gesture::Tap { self.activate(&hit) } else { self.handle(&hit, gesture) };
            }
            None if !scene.covers(at) => self.touch_beside(),
            None => {}
        }
    }

    /// Two taps, unless the widget has code for a double tap.
    fn double_tap(&mut self, at: Point) {
        if let View::Layer(..) = self.state.view
            && !self.on_keyboard(at)
            && let Some(hit) = self.state.scene(self.program).hit(at, &[Gesture::DoubleTap, Gesture::Tap])
        {
            let scene = self.state.scene(self.program);
            if scene.window.widgets[hit.widget.index()].handler(Gesture::DoubleTap).is_some() {
                // A crash leaves nothing to do here.
                let _ = self.handle(&hit, Gesture::DoubleTap);
                return;
            }
        }
        let tap = Event::tap(at.x, at.y);
        self.touch(at, &[Gesture::Tap]);
        self.advance(self.state.now);
        self.input(&tap);
    }

    /// A finger moves. It scrolls what it can; otherwise it is a gesture of the widget under it.
    fn swipe(&mut self, at: Point, right: i64, down: i64) {
        if right.abs() < SLOP && down.abs() < SLOP {
            self.touch(at, &[Gesture::Tap]);
            return;
        }
        if self.on_keyboard(at) || matches!(self.state.view, View::Page(_)) {
            return;
        }
        let gesture = match (right.abs() > down.abs(), right > 0, down > 0) {
            (true, true, _) => Gesture::SwipeRight,
            (true, false, _) => Gesture::SwipeLeft,
            (false, _, true) => Gesture::SwipeDown,
            (false, _, false) => Gesture::SwipeUp,
        };
        if matches!(gesture, Gesture::SwipeUp | Gesture::SwipeDown) {
            // Content follows the finger, so it is scrolled the other way.
            let distance = i32::try_from(-down).unwrap_or(if down > 0 { i32::MIN } else { i32::MAX });
            let scrolled = self.state.scene(self.program).scroll(at, distance);
            if let (Some((widget, offset)), Some(layer)) = (scrolled, self.state.layer_mut()) {
                layer.scroll(widget, offset);
                return;
            }
        }
        self.touch(at, &[gesture]);
    }

    /// A touch beside a dialog or menu takes it away, if it may.
    fn touch_beside(&mut self) {
        let View::Layer(id, _, window) = self.state.view else { return };
        match self.program.app.window(window).kind {
            WindowKind::Dialog { cancelable: true } | WindowKind::Menu => {
                // Closing runs no code that could end the process.
                let _ = self.change(Change::Close(Some(id)));
            }
            WindowKind::Dialog { cancelable: false } | WindowKind::Screen => {}
        }
    }

    /// A widget is tapped: it does what it does by itself, then what the app does.
    pub(super) fn activate(&mut self, hit: &Hit) -> Fate {
        let View::Layer(_, _, window) = self.state.view else { return Fate::Continue(()) };
        let program = self.program;
        let changed = match &program.app.window(window).widgets[hit.widget.index()].kind {
            WidgetKind::Field { .. } => {
                self.focus_field(hit.spot());
                false
            }
            WidgetKind::Check(var) | WidgetKind::Switch(var) => {
                let on = self.state.vars[var.index()].truth();
                self.set(*var, Value::Bool(!on));
                true
            }
            WidgetKind::Radio(var, value) => {
                let changed = self.state.vars[var.index()] != *value;
                self.set(*var, value.clone());
                changed
            }
            _ => false,
        };
        self.handle(hit, Gesture::Tap)?;
        if changed { self.handle(hit, Gesture::Change) } else { Fate::Continue(()) }
    }

    /// Runs the widget's code for a gesture, if it has any.
    pub(super) fn handle(&mut self, hit: &Hit, gesture: Gesture) -> Fate {
        let View::Layer(_, _, window) = self.state.view else { return Fate::Continue(()) };
        let widget = &self.program.app.window(window).widgets[hit.widget.index()];
        match widget.handler(gesture) {
            Some(block) => {
                let cause = self.state.cause(hit.row.clone());
                self.run(block, &cause)
            }
            None => Fate::Continue(()),
        }
    }
}
