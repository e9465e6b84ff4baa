//! How high widgets are when they flow.

use std::ops::Range;

use super::layout::{GAP, Lists, Row, Scene};
use crate::app::WidgetKind;

/// A list inside another widget is no higher than this.
const HIGHEST_LIST: i32 = 600;
/// No widget is higher than this, so that sums stay in bounds.
const HIGHEST: i32 = 10_000;

impl<'a> Scene<'a> {
    /// The height of a widget.
    pub(super) fn height(&self, number: usize, row: Row<'a>, lists: Lists) -> i32 {
        let widget = &self.window.widgets[number];
        if let Some(height) = widget.height {
            return height.clamp(0, HIGHEST);
        }
        let inside = self.inside(number);
        match widget.kind {
            WidgetKind::List(_) => match lists {
                Lists::Fill(height) => height,
                Lists::Limited => self.rows_height(number).min(HIGHEST_LIST),
                Lists::Whole => self.rows_height(number),
            },
            WidgetKind::Row => {
                let heights = self.flowing(inside, row).map(|child| self.height(child, row, lists.nested()));
                heights.max().unwrap_or(0)
            }
            _ if !inside.is_empty() => self.column_height(inside, row, lists.nested()),
            WidgetKind::Label => 96,
            WidgetKind::Button | WidgetKind::Field { .. } => 144,
            WidgetKind::Check(_) | WidgetKind::Switch(_) | WidgetKind::Radio(..) => 132,
            WidgetKind::Image => 300,
            WidgetKind::Column => 0,
        }
    }

    /// The height of widgets one below the other, with the room between them.
    pub(super) fn column_height(&self, range: Range<usize>, row: Row<'a>, lists: Lists) -> i32 {
        let mut height = 0_i32;
        let mut gap = 0;
        for child in self.flowing(range, row) {
            height = height.saturating_add(gap + self.height(child, row, lists));
            gap = GAP;
        }
        height
    }

    /// The height of one row of a list.
    pub(super) fn row_height(&self, list: usize, row: Row<'a>) -> i32 {
        let children = self.flowing(self.inside(list), row);
        children.map(|child| self.height(child, row, Lists::Limited)).fold(0, i32::saturating_add)
    }

    /// The height of all rows of a list.
    pub(super) fn rows_height(&self, list: usize) -> i32 {
        let items = self.items(list);
        if self.even(list) {
            let one = items.first().map_or(0, |first| self.row_height(list, Some((first, 0))));
            return one.saturating_mul(i32::try_from(items.len()).unwrap_or(i32::MAX));
        }
        let rows = (0..).zip(items).map(|(index, item)| self.row_height(list, Some((item, index))));
        rows.fold(0, i32::saturating_add)
    }

    /// Whether the rows of a list are widgets of their own.
    pub(super) fn groups_rows(&self, list: usize) -> bool {
        let inside = self.inside(list);
        let several = inside.start < inside.end && usize::from(self.shape.ends[inside.start]) < inside.end;
        several || !self.window.widgets[list].handlers.is_empty()
    }

    /// Visible children that have no place of their own.
    fn flowing(&self, range: Range<usize>, row: Row<'a>) -> impl Iterator<Item = usize> {
        let widgets = &self.window.widgets;
        self.children(range, row).filter(|&child| widgets[child].bounds.is_none())
    }
}
