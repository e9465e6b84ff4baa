//! Everything that a snapshot of a machine holds.
//!
//! Absent on purpose: dice (restored runs share no future) and the device's clock (it never goes back).

use std::sync::Arc;

use retap_trace::{Crash, Event, Micros, Orientation, Size};

use super::Machine;
use super::coverage::Coverage;
use super::log::Log;
use super::outside::Page;
use super::program::Program;
use super::work::Works;
use crate::app::{ActivityId, App, BlockId, Life, PermissionId, Scope, SiteId, Value, WidgetId, WindowId};

/// The state of a phone with its app.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// Time since the phone was started; it rewinds with a snapshot.
    pub(super) now: Micros,
    /// Values of the app's variables.
    pub(super) vars: Vec<Value>,
    /// Their first values on this installation.
    pub(super) initial: Arc<[Value]>,
    pub(super) granted: Vec<bool>,
    /// Whether there is a network.
    pub(super) online: bool,
    /// How the phone is held.
    pub(super) orientation: Orientation,
    /// Whose turn on the display it is.
    pub(super) front: Front,
    /// The page of the settings app, once it was opened from the home screen.
    pub(super) settings: Option<Page>,
    /// When the app comes to the front, if it was launched and has not yet, and the activity that was asked for.
    pub(super) launching: Option<(Micros, ActivityId)>,
    /// The app's process number; none while it does not run.
    pub(super) process: Option<u32>,
    /// How many processes there were.
    pub(super) started: u32,
    pub(super) task: Task,
    /// The app's main thread.
    pub(super) thread: Thread,
    /// Whether the soft keyboard was called up.
    pub(super) keyboard: bool,
    /// What was in front when this was last looked at.
    pub(super) view: View,
    /// Code executed in this run.
    pub(super) coverage: Coverage,
    /// Crashes since the last look.
    pub(super) crashes: Vec<Crash>,
    pub(super) log: Log,
}

/// Whose turn on the display it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    Launcher,
    /// The list of tasks, with the task that was in front before.
    Recents(Recent),
    Settings,
    App,
}

/// What the list of tasks goes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recent {
    Launcher,
    Settings,
    App,
}

/// What is in front: the topmost window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// A page outside the app.
    Page(Page),
    /// The topmost window of an activity of the app, with the number of its opening.
    Layer(InstanceId, u32, WindowId),
}

/// The app's task: what the back key goes back through.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Task {
    /// Activities, the topmost last.
    pub(super) stack: Vec<Instance>,
    /// The activity that has been told it is in front.
    pub(super) resumed: Option<InstanceId>,
    /// Another app on top of all activities.
    pub(super) guest: Option<Page>,
    /// Permissions being asked for, the one on display first.
    pub(super) asks: Vec<Ask>,
    /// How many activities and windows were opened.
    pub(super) opened: u32,
}

/// Number of an activity on the stack, never used twice by one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InstanceId(pub(super) u32);

/// An activity on the stack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Instance {
    pub(super) id: InstanceId,
    pub(super) activity: ActivityId,
    /// How the phone was held when it was created; none while it has not been.
    pub(super) created: Option<Orientation>,
    /// Its screen, and the dialogs and menus on top of it.
    pub(super) layers: Vec<Layer>,
}

/// A window that is open.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) window: WindowId,
    /// Tells it from other openings of the same window.
    pub(super) number: u32,
    pub(super) focus: Option<Spot>,
    /// Whether its focused field still has to call up the keyboard.
    pub(super) fresh: bool,
    /// How far things are scrolled; what is not here is at its top.
    pub(super) scrolls: Vec<Scroll>,
}

/// A widget, and the list row it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) widget: WidgetId,
    pub(super) row: Option<u32>,
}

/// How far something is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scroll {
    /// The list; none for the window itself.
    pub(super) widget: Option<WidgetId>,
    pub(super) offset: i32,
}

/// A permission being asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ask {
    pub(super) permission: PermissionId,
    pub(super) granted: Option<BlockId>,
    pub(super) denied: Option<BlockId>,
    pub(super) cause: Cause,
}

/// Where a block of effects was set off.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Cause {
    /// The activity whose code it is.
    pub(super) owner: Option<InstanceId>,
    /// The window whose widget was touched.
    pub(super) window: Option<WindowId>,
    /// The list row at hand.
    pub(super) row: Option<(Arc<str>, u32)>,
}

/// The app's main thread.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Thread {
    /// When it is free again; [`Thread::NEVER`] when it hangs.
    pub(super) busy_until: Micros,
    /// Where it hangs.
    pub(super) stuck: Option<SiteId>,
    /// Input that waits for it, oldest first.
    pub(super) inputs: Vec<Input>,
    /// What it has to do later.
    pub(super) works: Works,
}

/// Input that waits until the app is free.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Input {
    pub(super) at: Micros,
    pub(super) event: Event,
}

impl Thread {
    /// The moment that never comes.
    pub(super) const NEVER: Micros = Micros(u64::MAX);
}

impl Layer {
    pub(super) fn scroll(&mut self, widget: Option<WidgetId>, offset: i32) {
        match self.scrolls.iter_mut().find(|scroll| scroll.widget == widget) {
            Some(scroll) => scroll.offset = offset,
            None => self.scrolls.push(Scroll { widget, offset }),
        }
    }
}

impl Task {
    pub(super) fn instance(&self, id: InstanceId) -> Option<&Instance> {
        self.stack.iter().rev().find(|instance| instance.id == id)
    }

    /// Opens a window, which is on no activity yet.
    pub(super) fn new_layer(&mut self, app: &App, window: WindowId) -> Layer {
        self.opened += 1;
        let focus = app.window(window).focus.map(|widget| Spot { widget, row: None });
        Layer { window, number: self.opened, focus, fresh: focus.is_some(), scrolls: Vec::new() }
    }

    pub(super) fn instance_mut(&mut self, id: InstanceId) -> Option<&mut Instance> {
        self.stack.iter_mut().rev().find(|instance| instance.id == id)
    }
}

impl State {
    /// A fresh phone with the app just installed.
    pub(super) fn new(program: &Program, initial: Arc<[Value]>) -> Self {
        Self {
            now: Micros::ZERO,
            vars: initial.to_vec(),
            initial,
            granted: vec![false; program.app.permissions.len()],
            online: true,
            orientation: Orientation::Portrait,
            front: Front::Launcher,
            settings: None,
            launching: None,
            process: None,
            started: 0,
            task: Task::default(),
            thread: Thread::default(),
            keyboard: false,
            view: View::Page(Page::Launcher),
            coverage: Coverage::of(program.app.coverage.len()),
            crashes: Vec::new(),
            log: Log::default(),
        }
    }

    /// What is in front now.
    pub(super) fn find_view(&self) -> View {
        match self.front {
            Front::Launcher => View::Page(Page::Launcher),
            Front::Recents(_) => View::Page(Page::Recents),
            Front::Settings => View::Page(self.settings.unwrap_or(Page::Settings)),
            Front::App => self.find_app_view().unwrap_or(View::Page(Page::Launcher)),
        }
    }

    fn find_app_view(&self) -> Option<View> {
        let top = self.task.stack.last()?;
        if let Some(ask) = self.task.asks.first() {
            return Some(View::Page(Page::Permission(ask.permission)));
        }
        if let Some(page) = self.task.guest {
            return Some(View::Page(page));
        }
        let layer = top.layers.last()?;
        Some(View::Layer(top.id, layer.number, layer.window))
    }

    /// The activity that ought to be in front.
    pub(super) fn top_activity(&self) -> Option<InstanceId> {
        match self.find_view() {
            View::Layer(id, ..) => Some(id),
            View::Page(_) => None,
        }
    }

    /// The window of the app that is in front.
    pub(super) fn layer(&self) -> Option<&Layer> {
        match self.view {
            View::Layer(id, ..) => self.task.instance(id)?.layers.last(),
            View::Page(_) => None,
        }
    }

    /// The same, to change it.
    pub(super) fn layer_mut(&mut self) -> Option<&mut Layer> {
        match self.view {
            View::Layer(id, ..) => self.task.instance_mut(id)?.layers.last_mut(),
            View::Page(_) => None,
        }
    }

    /// What the user does to the window in front is set off by it.
    pub(super) fn cause(&self, row: Option<(Arc<str>, u32)>) -> Cause {
        match self.view {
            View::Layer(id, _, window) => Cause { owner: Some(id), window: Some(window), row },
            View::Page(_) => Cause::default(),
        }
    }

    /// What expressions see.
    pub(super) fn scope<'a>(&'a self, program: &'a Program, row: Option<(&'a Arc<str>, u32)>) -> Scope<'a> {
        Scope {
            vars: &self.vars,
            knobs: &program.knobs,
            granted: &self.granted,
            row,
            landscape: self.orientation == Orientation::Landscape,
            online: self.online,
        }
    }

    /// The display as it is held.
    pub(super) const fn screen(&self) -> Size {
        match self.orientation {
            Orientation::Portrait => Machine::SCREEN,
            Orientation::Landscape => Machine::SCREEN.turned(),
        }
    }

    /// Whether the main thread has no time now.
    pub(super) fn busy(&self) -> bool {
        self.thread.busy_until > self.now
    }

    /// Brings something to the front; nobody is told. A launch that was under way is forgotten.
    pub(super) fn go_to(&mut self, front: Front) {
        self.front = front;
        self.launching = None;
        self.refresh_view();
    }

    /// Finds out what is in front. A new window takes the keyboard away, or calls it up.
    pub(super) fn refresh_view(&mut self) {
        let view = self.find_view();
        if view != self.view {
            self.view = view;
            self.keyboard = self.layer_mut().is_some_and(|layer| std::mem::take(&mut layer.fresh));
        }
    }

    /// Ends the process and shows what is left.
    pub(super) fn end_app(&mut self, program: &Program) {
        self.end_process(program);
        match self.front {
            Front::App => self.front = Front::Launcher,
            Front::Recents(Recent::App) => self.front = Front::Recents(Recent::Launcher),
            _ => {}
        }
        self.refresh_view();
    }

    /// Ends the process and all that it held; what is kept stays.
    pub(super) fn end_process(&mut self, program: &Program) {
        self.process = None;
        self.task = Task::default();
        self.thread = Thread::default();
        for (number, var) in program.app.vars.iter().enumerate() {
            if var.life != Life::Kept {
                self.vars[number] = self.initial[number].clone();
            }
        }
    }
}
