//! Fields, and the soft keyboard that covers the lower part of the display while one of them is typed into.

use std::sync::Arc;

use retap_trace::{Point, Selector, Size};

use super::Turn;
use super::hit::Hit;
use super::program::Program;
use super::state::{Layer, Spot, State};
use super::tree;
use crate::app::{Gesture, Value, VarId, WidgetKind, Window};

/// Where the keyboard begins, in percent of the display's height.
const KEYBOARD_TOP_PERCENT: i32 = 60;
/// Key by key, a text gets no longer than this.
const LONGEST_TYPED: usize = 1_000;

/// The rows of the keyboard, in halves of a letter key: `<` deletes, `!` is done, and `^` does nothing here.
const KEYS: [&str; 4] =
    ["qqwweerrttyyuuiioopp", "^aassddffgghhjjkkll^", "^^^zzxxccvvbbnnmm<<<", "^^^,,          ..!!!"];

/// Whether the keyboard is up: it was called, and the field that it types into is still there.
pub(super) fn keyboard(program: &Program, state: &State) -> bool {
    state.keyboard && state.focused_field(program).is_some()
}

/// The key at a place on a display of this size, were the keyboard up.
fn key_at(at: Point, display: Size) -> Option<char> {
    let display = display.rect();
    let top = keyboard_top(display.bottom);
    let part = |at: i32, of: i32, parts: i32| usize::try_from(at.clamp(0, of - 1) * parts / of).unwrap_or(0);
    let row = KEYS[part(at.y - top, display.bottom - top, 4)];
    row.chars().nth(part(at.x, display.right, 20))
}

const fn keyboard_top(height: i32) -> i32 {
    height * KEYBOARD_TOP_PERCENT / 100
}

impl State {
    /// The field that has the focus, and the variable that it holds.
    pub(super) fn focused_field(&self, program: &Program) -> Option<(Spot, VarId)> {
        let layer: &Layer = self.layer()?;
        let spot = layer.focus?;
        let window = program.app.window(layer.window);
        let WidgetKind::Field { var, .. } = window.widgets.get(spot.widget.index())?.kind else {
            return None;
        };
        self.shown(program, window, spot).then_some((spot, var))
    }

    /// Whether a widget is there: it and all that it stands in are visible.
    fn shown(&self, program: &Program, window: &Window, spot: Spot) -> bool {
        let mut depth = u16::MAX;
        let row = self.row_of(window, spot);
        let scope = self.scope(program, row.as_ref().map(|(item, index)| (item, *index)));
        window.widgets[..=spot.widget.index()].iter().rev().all(|widget| {
            let around = widget.depth < depth;
            depth = depth.min(widget.depth);
            !around || widget.visible.as_ref().is_none_or(|guard| guard.truth(&scope))
        })
    }

    /// The list row that a widget stands in.
    fn row_of(&self, window: &Window, spot: Spot) -> Option<(Arc<str>, u32)> {
        let index = spot.row?;
        let lists =
            window.widgets[..spot.widget.index()].iter().rev().filter_map(|widget| match widget.kind {
                WidgetKind::List(var) => Some(var),
                _ => None,
            });
        let items = lists.map(|var| self.vars[var.index()].items()).next()?;
        items.get(index as usize).map(|item| (item.clone(), index))
    }
}

impl Turn<'_> {
    /// Whether a place is on the keyboard.
    pub(super) fn on_keyboard(&self, at: Point) -> bool {
        at.y >= keyboard_top(self.state.screen().rect().bottom) && keyboard(self.program, self.state)
    }

    /// A key of the soft keyboard is tapped.
    pub(super) fn tap_keyboard(&mut self, at: Point) {
        match key_at(at, self.state.screen()) {
            Some('^') | None => {}
            Some('!') => self.state.keyboard = false,
            Some('<') => self.type_delete(),
            Some(letter) => self.type_letter(letter),
        }
    }

    /// A field is touched: it gets the focus, and the keyboard comes up.
    pub(super) fn focus_field(&mut self, spot: Spot) {
        if let Some(layer) = self.state.layer_mut() {
            layer.focus = Some(spot);
            self.state.keyboard = true;
        }
    }

    /// Appends to the field that has the focus.
    pub(super) fn type_letter(&mut self, letter: char) {
        self.edit(|text| {
            if text.len() < LONGEST_TYPED {
                text.push(letter);
            }
        });
    }

    /// Takes the last letter out of the field that has the focus.
    pub(super) fn type_delete(&mut self) {
        self.edit(|text| {
            text.pop();
        });
    }

    fn edit(&mut self, edit: impl FnOnce(&mut String)) {
        if let Some((spot, var)) = self.state.focused_field(self.program) {
            let mut text = self.state.vars[var.index()].to_string();
            edit(&mut text);
            self.fill_field(spot, var, text.into());
        }
    }

    /// Types a text in place of what stands in a field: the one meant, or the one that has the focus.
    pub(super) fn type_text(&mut self, text: &str, widget: Option<&Selector>) {
        let field = match widget {
            None => self.state.focused_field(self.program),
            Some(selector) => self.find_field(selector),
        };
        if let Some((spot, var)) = field {
            self.fill_field(spot, var, text.into());
        }
    }

    fn find_field(&self, selector: &Selector) -> Option<(Spot, VarId)> {
        let (meant, spot) = tree::find(self.program, self.state, selector)?;
        match meant.kind {
            WidgetKind::Field { var, .. } => Some((spot, var)),
            _ => None,
        }
    }

    /// Gives a field its new text and tells the app, if it is not the old one.
    fn fill_field(&mut self, spot: Spot, var: VarId, text: Arc<str>) {
        let text = Value::Text(text);
        if self.state.vars[var.index()] == text {
            return;
        }
        self.set(var, text);
        let window = self.state.layer().map(|layer| self.program.app.window(layer.window));
        let row = window.and_then(|window| self.state.row_of(window, spot));
        // A crash leaves nothing to do here.
        let _ = self.handle(&Hit { widget: spot.widget, row }, Gesture::Change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    fn typed(x: i32, y: i32) -> char {
        key_at(Point::new(x, y), Machine::SCREEN).unwrap()
    }

    #[test]
    fn keys_stand_where_a_phone_has_them() {
        assert!(KEYS.iter().all(|row| row.len() == 20));
        assert_eq!((typed(0, 1152), typed(1079, 1160), typed(60, 1350)), ('q', 'p', 'a'));
        assert_eq!((typed(540, 1900), typed(1000, 1600), typed(1079, 1919)), (' ', '<', '!'));
        let landscape = key_at(Point::new(1919, 1079), Machine::SCREEN.turned());
        assert_eq!(landscape, Some('!'));
    }
}
