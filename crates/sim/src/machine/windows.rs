//! Windows come and go. What code asks for happens after it has run, and new windows take the app's latency to
//! appear; until then the old window is in front and takes the taps.
//!
//! Some rules that the tables leave open: showing a screen takes the dialogs on top of the old one away; a
//! dialog that is open is not opened twice, and opening a menu that is open closes it, as the menu key does.

use retap_trace::Micros;

use super::Turn;
use super::effects::Fate;
use super::outside::Page;
use super::state::{Ask, Front, Instance, InstanceId, Spot, View};
use super::work::{Change, Work};
use crate::app::{ActivityId, WidgetId, WindowId, WindowKind};

/// The oldest activity goes when the stack gets higher.
const HIGHEST_STACK: usize = 64;
/// Permissions beyond this many being asked for are not asked for.
const MOST_ASKS: usize = 8;

impl Turn<'_> {
    /// Something new appears, after the latency.
    pub(super) fn appear(&mut self, change: Change) {
        let due = self.transition();
        self.state.thread.works.add(due, Work::Window(change));
    }

    /// Something goes, or gets the focus: at once, or in the transition of the new window before it.
    pub(super) fn vanish(&mut self, change: Change) {
        let due = self.batch.unwrap_or(self.state.now);
        self.state.thread.works.add(due, Work::Window(change));
    }

    /// When a window that is asked for now appears. Transitions do not overtake each other.
    pub(super) fn transition(&mut self) -> Micros {
        let due = self.batch.unwrap_or_else(|| {
            let soonest = self.state.now + self.program.latency.draw(self.dice);
            soonest.max(self.state.thread.works.last_change().unwrap_or_default())
        });
        self.batch = Some(due);
        due
    }

    /// Carries out a change of windows.
    pub(super) fn change(&mut self, change: Change) -> Fate {
        match change {
            Change::Open(activity) => self.open(activity),
            Change::Show(window, owner) => self.show(window, owner),
            Change::Overlay(window, owner) => self.overlay(window, owner),
            Change::Focus(window, widget, owner) => self.focus_in(window, widget, owner),
            Change::Close(owner) => self.close(owner),
            Change::Finish(owner) => return self.finish(owner),
            Change::Exit => return self.exit(),
            Change::Leave(_) if self.state.task.stack.is_empty() => {}
            Change::Leave(app) => self.state.task.guest = Some(Page::of(app)),
        }
        self.update()
    }

    /// Puts an activity on top of the stack. It is created when it comes to the front.
    pub(super) fn open(&mut self, activity: ActivityId) {
        let first = self.program.app.activity(activity).first;
        let task = &mut self.state.task;
        let screen = task.new_layer(&self.program.app, first);
        let id = InstanceId(screen.number);
        task.stack.push(Instance { id, activity, created: None, layers: vec![screen] });
        if task.stack.len() > HIGHEST_STACK {
            task.stack.remove(0);
        }
        self.state.log_start(activity);
    }

    fn show(&mut self, window: WindowId, owner: Option<InstanceId>) {
        let layer = self.state.task.new_layer(&self.program.app, window);
        if let Some(instance) = self.instance_for(window, owner) {
            instance.layers.clear();
            instance.layers.push(layer);
        }
    }

    fn overlay(&mut self, window: WindowId, owner: Option<InstanceId>) {
        let menu = self.program.app.window(window).kind == WindowKind::Menu;
        let layer = self.state.task.new_layer(&self.program.app, window);
        let Some(instance) = self.instance_for(window, owner) else { return };
        match instance.layers.iter().position(|open| open.window == window) {
            None => instance.layers.push(layer),
            Some(level) if menu => instance.layers.truncate(level),
            Some(_) => {}
        }
    }

    /// Takes the topmost dialog or menu of an activity away.
    pub(super) fn close(&mut self, owner: Option<InstanceId>) {
        if let Some(id) = owner.or(self.state.task.resumed)
            && let Some(instance) = self.state.task.instance_mut(id)
            && instance.layers.len() > 1
        {
            instance.layers.pop();
        }
    }

    pub(super) fn finish(&mut self, owner: Option<InstanceId>) -> Fate {
        let Some(id) = owner.or_else(|| self.state.task.stack.last().map(|top| top.id)) else {
            return Fate::Continue(());
        };
        if self.state.task.resumed == Some(id) {
            self.pause()?;
        }
        self.state.task.stack.retain(|instance| instance.id != id);
        self.leave_empty_task();
        self.update()
    }

    /// Ends all activities.
    fn exit(&mut self) -> Fate {
        self.pause()?;
        self.state.task.stack.clear();
        self.leave_empty_task();
        self.update()
    }

    /// Without activities there is nothing that anything could stand on.
    fn leave_empty_task(&mut self) {
        if self.state.task.stack.is_empty() {
            self.state.task.guest = None;
            self.state.task.asks.clear();
            if self.state.front == Front::App {
                self.state.front = Front::Launcher;
            }
        }
    }

    /// Shows the system's dialog for a permission, unless it was granted meanwhile.
    pub(super) fn show_ask(&mut self, ask: Ask) -> Fate {
        if self.state.granted[ask.permission.index()] {
            return self.run_some(ask.granted, &ask.cause);
        }
        if self.state.task.asks.len() < MOST_ASKS && !self.state.task.stack.is_empty() {
            self.state.task.asks.push(ask);
        }
        self.update()
    }

    /// The user has answered the question for a permission.
    pub(super) fn answer(&mut self, allow: bool) {
        if self.state.task.asks.is_empty() {
            return;
        }
        let ask = self.state.task.asks.remove(0);
        self.state.granted[ask.permission.index()] = allow;
        let works = &mut self.state.thread.works;
        if let Some(block) = if allow { ask.granted } else { ask.denied } {
            works.add(self.state.now, Work::After(block, ask.cause));
        }
        // The activity is told that it is in front again after it has the answer, as on a phone.
        works.add(self.state.now, Work::Lifecycle);
        self.state.refresh_view();
    }

    /// Gives a field the focus. The keyboard comes with it, if its window is in front.
    fn focus_in(&mut self, window: WindowId, widget: WidgetId, owner: Option<InstanceId>) {
        let view = self.state.view;
        let Some(instance) = self.instance_for(window, owner) else { return };
        let id = instance.id;
        let Some(layer) = instance.layers.iter_mut().find(|layer| layer.window == window) else { return };
        layer.focus = Some(Spot { widget, row: None });
        layer.fresh = view != View::Layer(id, layer.number, window);
        self.state.keyboard |= !layer.fresh;
    }

    /// The activity that a window belongs to: the one whose code asks for it, else the topmost of its kind.
    fn instance_for(&mut self, window: WindowId, owner: Option<InstanceId>) -> Option<&mut Instance> {
        let activity = self.program.app.window(window).activity;
        let stack = &mut self.state.task.stack;
        let fits = |instance: &&mut Instance| instance.activity == activity;
        let own =
            stack.iter().position(|instance| Some(instance.id) == owner && instance.activity == activity);
        match own {
            Some(place) => stack.get_mut(place),
            None => stack.iter_mut().rev().find(fits),
        }
    }
}
