//! What uiautomator sees: the widgets of the topmost window as a tree.

use std::sync::Arc;

use retap_trace::{Flag, Flags, GuiTree, Node, Selector};

use super::layout::{Part, Placed, Scene};
use super::outside::System;
use super::program::Program;
use super::state::{Spot, State, View};
use crate::app::{Gesture, Scope, Widget, WidgetKind, WindowKind};

/// Fills a tree with the window in front.
pub(super) fn build(program: &Program, state: &State, tree: &mut GuiTree) {
    tree.clear();
    let scene = state.scene(program);
    scene.walk(|placed| {
        tree.push(node(&scene, placed, &program.system));
    });
}

/// The enabled widget of the app that a selector means in the window in front.
pub(super) fn find<'a>(
    program: &'a Program,
    state: &State,
    selector: &Selector,
) -> Option<(&'a Widget, Spot)> {
    let View::Layer(_, _, window) = state.view else { return None };
    let mut tree = GuiTree::new();
    build(program, state, &mut tree);
    let number = selector.touchable(&tree)?.0;
    let mut count = 0;
    let mut found = None;
    let scene = state.scene(program);
    scene.walk(|placed| {
        if count == number && placed.part == Part::Widget && scene.enabled(placed) {
            found = Some(placed.spot());
        }
        count += 1;
    });
    let spot = found?;
    Some((&program.app.window(window).widgets[spot.widget.index()], spot))
}

impl State {
    /// The window in front.
    pub(super) fn scene<'a>(&'a self, program: &'a Program) -> Scene<'a> {
        let display = self.screen();
        match (self.view, self.layer()) {
            (View::Layer(_, _, window), Some(layer)) => Scene {
                window: program.app.window(window),
                shape: &program.shapes[window.index()],
                scope: self.scope(program, None),
                scrolls: &layer.scrolls,
                focus: layer.focus,
                display,
            },
            (View::Page(page), _) => self.page_scene(program, page),
            (View::Layer(..), None) => self.page_scene(program, super::outside::Page::Launcher),
        }
    }
}

/// Builds each node in one go: every name that is shared and dropped again costs time in every look.
fn node(scene: &Scene<'_>, placed: &Placed<'_>, system: &System) -> Node {
    let empty = || system.empty.clone();
    let Placed { part, row, depth, bounds, .. } = *placed;
    let (class, id, text, desc) = match part {
        Part::Root | Part::Scroller | Part::Row => (system.class(part).clone(), empty(), empty(), empty()),
        Part::Title => {
            let dialog = matches!(scene.window.kind, WindowKind::Dialog { .. });
            let id = if dialog { &system.dialog_title } else { &system.screen_title };
            let text = scene.window.title.as_ref().map(|title| title.render(&scene.scope));
            (system.class(part).clone(), id.clone(), text.unwrap_or_else(empty), empty())
        }
        Part::Widget => {
            let widget = scene.widget(placed);
            let scope = Scope { row, ..scene.scope };
            (widget.class.clone(), widget.id.clone(), text(widget, &scope), widget.desc.render(&scope))
        }
    };
    let hint = match part {
        Part::Widget => hint(scene.widget(placed)),
        _ => None,
    };
    Node { depth, class, id, text, desc, hint, bounds, flags: flags(scene, placed) }
}

/// The words on a widget: of a field what was typed, or its hint while it is empty.
fn text(widget: &Widget, scope: &Scope<'_>) -> Arc<str> {
    match &widget.kind {
        WidgetKind::Field { var, password, hint } => {
            let value = &scope.vars[var.index()];
            match (value.truth(), password) {
                (false, _) => hint.clone(),
                (true, false) => value.text(),
                (true, true) => value.text().chars().map(|_| '•').collect::<String>().into(),
            }
        }
        _ => widget.text.render(scope),
    }
}

/// What a field says while it is empty.
fn hint(widget: &Widget) -> Option<Arc<str>> {
    match &widget.kind {
        WidgetKind::Field { hint, .. } if !hint.is_empty() => Some(hint.clone()),
        _ => None,
    }
}

fn flags(scene: &Scene<'_>, placed: &Placed<'_>) -> Flags {
    if !matches!(placed.part, Part::Widget | Part::Row) {
        return Flags::default().with(Flag::Enabled, true).with(Flag::Scrollable, placed.reach > 0);
    }
    let widget = scene.widget(placed);
    let clickable = scene.reacts(placed, Gesture::Tap);
    let field = matches!(widget.kind, WidgetKind::Field { .. });
    let flags = Flags::default()
        .with(Flag::Enabled, scene.enabled(placed))
        .with(Flag::Clickable, clickable)
        .with(Flag::LongClickable, field || scene.reacts(placed, Gesture::LongTap))
        .with(Flag::Focusable, clickable)
        .with(Flag::Focused, scene.focus.is_some_and(|focus| focus == placed.spot()))
        .with(Flag::Scrollable, placed.reach > 0);
    let vars = scene.scope.vars;
    match &widget.kind {
        WidgetKind::Field { password, .. } => flags.with(Flag::Password, *password),
        WidgetKind::Check(var) | WidgetKind::Switch(var) => {
            flags.with(Flag::Checkable, true).with(Flag::Checked, vars[var.index()].truth())
        }
        WidgetKind::Radio(var, value) => {
            flags.with(Flag::Checkable, true).with(Flag::Checked, vars[var.index()] == *value)
        }
        _ => flags,
    }
}
