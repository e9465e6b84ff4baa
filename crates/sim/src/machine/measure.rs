//! How high widgets are when they flow.

use std::ops::Range;

use super::layout::{GAP, Lists, Row, Scene};
use crate::app::WidgetKind;

/// A list inside another widget is no higher than this.
const HIGHEST_LIST: i32 = 600;

impl<'a> Scene<'a> {
    pub(super) fn height(&self, number: usize, row: Row<'a>, lists: Lists) -> i32 {
        if let Some(height) = self.shape.form_of(number).height {
            return height;
        }
        match (&self.window.widgets[number].kind, lists) {
            (WidgetKind::List(_), Lists::Fill(height)) => height,
            (WidgetKind::List(_), Lists::Limited) => self.rows_height(number).min(HIGHEST_LIST),
            (WidgetKind::List(_), Lists::Whole) => self.rows_height(number),
            (WidgetKind::Row, _) => {
                let children = self.flowing(self.inside(number), row);
                children.map(|child| self.height(child, row, lists.nested())).max().unwrap_or(0)
            }
            _ => self.column_height(self.inside(number), row, lists.nested()),
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

    pub(super) fn row_height(&self, list: usize, row: Row<'a>) -> i32 {
        if let Some(height) = self.shape.form_of(list).row_height {
            return height;
        }
        let children = self.flowing(self.inside(list), row);
        children.map(|child| self.height(child, row, Lists::Limited)).fold(0, i32::saturating_add)
    }

    pub(super) fn rows_height(&self, list: usize) -> i32 {
        let items = self.items(list);
        if let Some(height) = self.shape.form_of(list).row_height {
            return height.saturating_mul(i32::try_from(items.len()).unwrap_or(i32::MAX));
        }
        let rows = (0..).zip(items).map(|(index, item)| self.row_height(list, Some((item, index))));
        rows.fold(0, i32::saturating_add)
    }

    /// Visible children that have no place of their own.
    fn flowing(&self, range: Range<usize>, row: Row<'a>) -> impl Iterator<Item = usize> {
        let widgets = &self.window.widgets;
        self.children(range, row).filter(|&child| widgets[child].bounds.is_none())
    }
}
