//! What keys do.

use retap_trace::Key;

use super::Turn;
use super::effects::Fate;
use super::hit::Hit;
use super::state::{Spot, View};
use super::work::Change;
use crate::app::{ActivityId, WidgetKind, WindowId, WindowKind};

impl Turn<'_> {
    /// A key that the system does not take for itself.
    pub(super) fn key(&mut self, key: Key) {
        let View::Layer(_, _, window) = self.state.view else {
            if key == Key::BACK {
                self.back_on_page();
            }
            return;
        };
        // A crash leaves nothing to do here.
        let _ = match key {
            Key::BACK => self.back(),
            Key::MENU => self.menu(),
            Key::POWER | Key::SLEEP | Key::WAKEUP => Fate::Continue(()),
            _ => self.app_key(key, window),
        };
    }

    /// Back: keyboard, then dialog, then what the activity says, else the activity.
    fn back(&mut self) -> Fate {
        let View::Layer(id, _, window) = self.state.view else { return Fate::Continue(()) };
        if super::typing::keyboard(self.program, self.state) {
            self.state.keyboard = false;
            return Fate::Continue(());
        }
        let window = self.program.app.window(window);
        match window.kind {
            WindowKind::Dialog { cancelable: false } => Fate::Continue(()),
            WindowKind::Dialog { cancelable: true } | WindowKind::Menu => {
                self.change(Change::Close(Some(id)))
            }
            WindowKind::Screen => match self.program.app.activity(window.activity).on_back {
                Some(block) => self.run(block, &self.state.cause(None)),
                None => self.finish(Some(id)),
            },
        }
    }

    /// Menu: what the activity says, else its first menu opens, or the open one closes.
    fn menu(&mut self) -> Fate {
        let View::Layer(id, _, window) = self.state.view else { return Fate::Continue(()) };
        let window = self.program.app.window(window);
        if let WindowKind::Dialog { .. } = window.kind {
            return Fate::Continue(());
        }
        if let Some(block) = self.program.app.activity(window.activity).on_menu {
            return self.run(block, &self.state.cause(None));
        }
        if window.kind == WindowKind::Menu {
            return self.change(Change::Close(Some(id)));
        }
        if let Some(menu) = self.first_menu(window.activity) {
            self.appear(Change::Overlay(menu, Some(id)));
        }
        Fate::Continue(())
    }

    fn first_menu(&self, activity: ActivityId) -> Option<WindowId> {
        let windows = (0..).map(WindowId).zip(&self.program.app.windows);
        let mut menus =
            windows.filter(|(_, window)| window.activity == activity && window.kind == WindowKind::Menu);
        menus.next().map(|(id, _)| id)
    }

    /// Keys that go to the window in front.
    fn app_key(&mut self, key: Key, window: WindowId) -> Fate {
        if let Some(letter) = letter(key)
            && self.state.focused_field(self.program).is_some()
        {
            self.type_letter(letter);
            return Fate::Continue(());
        }
        let window = self.program.app.window(window);
        let on_key = &self.program.app.activity(window.activity).on_key;
        if window.kind == WindowKind::Screen
            && let Some((_, block)) = on_key.iter().find(|(on, _)| *on == key)
        {
            return self.run(*block, &self.state.cause(None));
        }
        match key {
            Key::DELETE => self.type_delete(),
            Key::DPAD_DOWN | Key::DPAD_RIGHT | Key::TAB => self.move_focus(true),
            Key::DPAD_UP | Key::DPAD_LEFT => self.move_focus(false),
            Key::DPAD_CENTER | Key::ENTER => return self.press(key),
            _ => {}
        }
        Fate::Continue(())
    }

    /// Moves the focus to the next widget that can have it, or the one before.
    fn move_focus(&mut self, forward: bool) {
        let scene = self.state.scene(self.program);
        let focus = scene.focus;
        let (mut first, mut before, mut after, mut last) = (None, None, None, None::<Spot>);
        scene.focusable(|placed| {
            let spot = placed.spot();
            first = first.or(Some(spot));
            if Some(spot) == focus {
                before = last;
            } else if last.is_some() && last == focus {
                after = Some(spot);
            }
            last = Some(spot);
        });
        let next = match (focus, forward) {
            (None, _) => first,
            (Some(_), true) => after,
            (Some(_), false) => before,
        };
        let Some(spot) = next else { return };
        let types = matches!(scene.window.widgets[spot.widget.index()].kind, WidgetKind::Field { .. });
        if let Some(layer) = self.state.layer_mut() {
            layer.focus = Some(spot);
            self.state.keyboard &= types;
        }
    }

    /// Enter in a field takes the keyboard away; otherwise the widget with the focus is tapped.
    fn press(&mut self, key: Key) -> Fate {
        if key == Key::ENTER && self.state.focused_field(self.program).is_some() {
            self.state.keyboard = false;
            return Fate::Continue(());
        }
        let scene = self.state.scene(self.program);
        let mut focused: Option<Hit> = None;
        scene.focusable(|placed| {
            if Some(placed.spot()) == scene.focus {
                focused = Some(placed.hit());
            }
        });
        focused.map_or(Fate::Continue(()), |hit| self.activate(&hit))
    }
}

/// What a key types.
fn letter(key: Key) -> Option<char> {
    match key {
        Key::COMMA => Some(','),
        Key::PERIOD => Some('.'),
        other => other.char(),
    }
}
