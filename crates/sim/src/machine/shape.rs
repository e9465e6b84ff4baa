//! What can be worked out about a window once for all, so that each layout has less to do.

use std::ops::Range;

use super::layout::GAP;
use crate::app::{Widget, WidgetKind, Window, WindowKind};

/// No widget is higher than this, so that sums stay in bounds.
const HIGHEST: i32 = 10_000;

/// What is known about a window.
#[derive(Debug)]
pub(super) struct Shape {
    forms: Vec<Form>,
    /// Whether there is a list that takes what is left of the screen.
    pub(super) fills: bool,
}

/// What is known about a widget.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The number of the widget after its last descendant.
    end: u16,
    /// Its height in the flow, if that never changes.
    pub(super) height: Option<i32>,
    /// Of a list, the height of a row, if that is the same for all.
    pub(super) row_height: Option<i32>,
    /// Whether something inside it has a place of its own, perhaps elsewhere.
    pub(super) strays: bool,
    /// Of a list, whether its rows are widgets of their own.
    pub(super) groups: bool,
}

impl Shape {
    pub(super) fn of(window: &Window) -> Self {
        let widgets = &window.widgets;
        let empty = Form { end: 0, height: None, row_height: None, strays: false, groups: false };
        let mut shape = Self { forms: vec![empty; widgets.len()], fills: false };
        for number in (0..widgets.len()).rev() {
            shape.forms[number] = shape.form(widgets, number);
        }
        let top = |number: &usize| fills(&widgets[*number]);
        shape.fills = window.kind == WindowKind::Screen
            && !window.scrolls
            && shape.children(0..widgets.len()).any(|number| top(&number));
        shape
    }

    /// What is known about a widget, once it is known about all after it.
    fn form(&self, widgets: &[Widget], number: usize) -> Form {
        let widget = &widgets[number];
        let mut end = number + 1;
        while end < widgets.len() && widgets[end].depth > widget.depth {
            end = self.end(end);
        }
        let inside = number + 1..end;
        let strays = inside.clone().any(|inner| widgets[inner].bounds.is_some());
        let children = self.children(inside.clone()).count();
        let list = matches!(widget.kind, WidgetKind::List(_));
        let row_height = if list { self.column(widgets, inside.clone(), 0) } else { None };
        Form {
            end: u16::try_from(end).expect("widgets are numbered with 16 bits"),
            height: self.height(widgets, number, inside),
            row_height,
            strays,
            groups: list && (children > 1 || !widget.handlers.is_empty()),
        }
    }

    fn height(&self, widgets: &[Widget], number: usize, inside: Range<usize>) -> Option<i32> {
        let widget = &widgets[number];
        if let Some(height) = widget.height {
            return Some(height.clamp(0, HIGHEST));
        }
        match widget.kind {
            WidgetKind::List(_) => None,
            WidgetKind::Row => {
                self.heights(widgets, inside).try_fold(0, |most, height| Some(most.max(height?)))
            }
            _ if !inside.is_empty() => self.column(widgets, inside, GAP),
            WidgetKind::Label => Some(96),
            WidgetKind::Button | WidgetKind::Field { .. } => Some(144),
            WidgetKind::Check(_) | WidgetKind::Switch(_) | WidgetKind::Radio(..) => Some(132),
            WidgetKind::Image => Some(300),
            WidgetKind::Column => Some(0),
        }
    }

    /// The height of widgets one below the other, if it never changes.
    fn column(&self, widgets: &[Widget], range: Range<usize>, gap: i32) -> Option<i32> {
        let mut heights = self.heights(widgets, range);
        let Some(first) = heights.next() else { return Some(0) };
        heights.try_fold(first?, |sum, height| Some(sum.saturating_add(height? + gap)))
    }

    /// The heights of children that flow; none for one that changes, or is there only at times.
    fn heights<'s>(
        &'s self,
        widgets: &'s [Widget],
        range: Range<usize>,
    ) -> impl Iterator<Item = Option<i32>> + 's {
        let flowing = self.children(range).filter(|&child| widgets[child].bounds.is_none());
        flowing.map(|child| self.forms[child].height.filter(|_| widgets[child].visible.is_none()))
    }

    /// The children in a range, without what is deeper.
    pub(super) fn children(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let mut next = range.start;
        std::iter::from_fn(move || {
            let number = next;
            next = if number < range.end { self.end(number) } else { return None };
            Some(number)
        })
    }

    pub(super) fn form_of(&self, number: usize) -> &Form {
        &self.forms[number]
    }

    pub(super) fn end(&self, number: usize) -> usize {
        usize::from(self.forms[number].end)
    }
}

/// Whether a widget is a list that takes what is left of a screen.
pub(super) fn fills(widget: &Widget) -> bool {
    matches!(widget.kind, WidgetKind::List(_)) && widget.height.is_none() && widget.bounds.is_none()
}
