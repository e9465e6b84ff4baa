//! What lies under a finger.

use std::sync::Arc;

use retap_trace::Point;

use super::layout::{Part, Placed, Scene};
use super::state::Spot;
use crate::app::{Gesture, Widget, WidgetId, WidgetKind};

/// A widget that was hit, with the list row it stands in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit {
    pub(super) widget: WidgetId,
    pub(super) row: Option<(Arc<str>, u32)>,
}

impl Hit {
    pub(super) fn spot(&self) -> Spot {
        Spot { widget: self.widget, row: self.row.as_ref().map(|(_, index)| *index) }
    }
}

impl<'a> Scene<'a> {
    /// The topmost enabled widget at a point that reacts to one of the gestures.
    pub(super) fn hit(&self, at: Point, gestures: &[Gesture]) -> Option<Hit> {
        self.topmost(at, |placed| gestures.iter().any(|&gesture| self.reacts(placed, gesture)))
    }

    /// The topmost enabled widget at a point that fits.
    fn topmost(&self, at: Point, fits: impl Fn(&Placed<'a>) -> bool) -> Option<Hit> {
        let mut top: Option<Placed<'a>> = None;
        self.walk_at(Some(at), |placed| {
            if fits(placed) && self.enabled(placed) {
                top = Some(*placed);
            }
        });
        top.map(|placed| placed.hit())
    }

    /// The topmost thing at a point that can be scrolled so far down, or up when negative: the list, or none
    /// for the window, and where it is scrolled to then.
    pub(super) fn scroll(&self, at: Point, distance: i32) -> Option<(Option<WidgetId>, i32)> {
        let mut found = None;
        self.walk_at(Some(at), |placed| {
            if placed.reach > 0 {
                let widget = (placed.part == Part::Widget).then_some(placed.widget);
                let from = self.offset(widget, placed.reach);
                let to = from.saturating_add(distance).clamp(0, placed.reach);
                if to != from {
                    found = Some((widget, to));
                }
            }
        });
        found
    }

    /// Whether anything of the window is at a point.
    pub(super) fn covers(&self, at: Point) -> bool {
        let mut covers = false;
        self.walk_at(Some(at), |_| covers = true);
        covers
    }

    /// The widgets that can have the focus, in order.
    pub(super) fn focusable(&self, mut see: impl FnMut(&Placed<'a>)) {
        self.walk(|placed| {
            if self.reacts(placed, Gesture::Tap) && self.enabled(placed) {
                see(placed);
            }
        });
    }

    pub(super) fn enabled(&self, placed: &Placed<'a>) -> bool {
        match placed.part {
            Part::Widget | Part::Row => self.holds(self.widget(placed).enabled.as_ref(), placed.row),
            _ => true,
        }
    }

    /// Whether a visible thing does something on a gesture.
    pub(super) fn reacts(&self, placed: &Placed<'a>, gesture: Gesture) -> bool {
        let touches = matches!(gesture, Gesture::Tap | Gesture::LongTap | Gesture::DoubleTap);
        let widget = match placed.part {
            // These are no widgets, and a window may have none at all.
            Part::Root | Part::Title | Part::Scroller => return false,
            Part::Widget | Part::Row => self.widget(placed),
        };
        match placed.part {
            // Touches of a list are touches of its rows.
            Part::Widget if touches && matches!(widget.kind, WidgetKind::List(_)) => false,
            Part::Widget if gesture == Gesture::Tap => takes_taps(widget),
            _ => widget.handler(gesture).is_some(),
        }
    }

    /// The widget of a thing that is one, or a row of one.
    pub(super) fn widget(&self, placed: &Placed<'a>) -> &'a Widget {
        &self.window.widgets[placed.widget.index()]
    }
}

impl Placed<'_> {
    pub(super) fn hit(&self) -> Hit {
        Hit { widget: self.widget, row: self.row.map(|(item, index)| (item.clone(), index)) }
    }

    pub(super) fn spot(&self) -> Spot {
        Spot { widget: self.widget, row: self.row.map(|(_, index)| index) }
    }
}

/// Whether a widget takes taps: because of what it is, or because it has code for them.
fn takes_taps(widget: &Widget) -> bool {
    match widget.kind {
        WidgetKind::Button
        | WidgetKind::Field { .. }
        | WidgetKind::Check(_)
        | WidgetKind::Switch(_)
        | WidgetKind::Radio(..) => true,
        WidgetKind::Label
        | WidgetKind::Image
        | WidgetKind::List(_)
        | WidgetKind::Row
        | WidgetKind::Column => widget.handler(Gesture::Tap).is_some(),
    }
}
