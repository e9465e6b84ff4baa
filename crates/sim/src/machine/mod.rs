//! The simulated phone: an app, the system around it, and virtual time.
//!
//! A [`Machine`] is all that a snapshot holds; a clone is an exact snapshot. Chance is not part of it: the
//! caller of a machine hands it the dice, so that two runs from one snapshot share no future. Nothing here fails
//! or hangs: apps are checked when they are read, and an app that never comes to an end counts as one that does
//! not respond.
//!
//! | file | what |
//! |---|---|
//! | `program` | an app made ready to run |
//! | `state` | everything that a snapshot holds |
//! | `work` | the passing of time, and what is due when |
//! | `effects` | what the app's code does |
//! | `windows`, `lifecycle` | windows and activities come and go; the process lives and dies |
//! | `outside`, `pages` | home screen, settings and the other apps |
//! | `shape`, `measure`, `layout`, `tree` | where widgets stand, and what uiautomator sees of them |
//! | `hit`, `gesture`, `keys`, `typing` | what the user does |
//! | `coverage`, `log`, `crash` | which code was executed, and what logcat would show |

mod coverage;
mod crash;
mod effects;
mod gesture;
mod hit;
mod keys;
mod layout;
mod lifecycle;
mod log;
mod measure;
mod outside;
mod pages;
mod program;
mod shape;
mod state;
mod tree;
mod typing;
mod windows;
mod work;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use retap_trace::{CoverageId, Crash, Dice, Event, GuiTree, Key, Micros, Orientation, Point, Size};

pub(crate) use crash::SIGNALS;
pub use log::LogLine;
pub use program::{Program, Settings};

use crate::app::{Gesture, Value, WindowId};
use state::{Input, State, View};

/// Input beyond this many waiting events is lost.
const MOST_INPUTS: usize = 8;

/// A phone with an app installed.
#[derive(Debug, Clone)]
pub struct Machine {
    program: Arc<Program>,
    state: State,
}

/// The machine at work: what it runs, what it changes, and the dice it was handed.
struct Turn<'a> {
    program: &'a Program,
    state: &'a mut State,
    dice: &'a mut Dice,
    /// When the window changes of the handler at work happen: they share one transition.
    batch: Option<Micros>,
    /// The window that the handler at work has shown last, or was set off in.
    shown: Option<WindowId>,
    /// Effects at this moment.
    spent: u32,
}

impl Machine {
    /// The display in portrait.
    pub const SCREEN: Size = Size { width: 1080, height: 1920 };

    /// A fresh phone with the app just installed, and the home screen in front.
    pub fn new(program: Arc<Program>, dice: &mut Dice) -> Self {
        let initial = lifecycle::install(&program, dice);
        let state = State::new(&program, initial);
        Self { program, state }
    }

    /// Does the event now. It takes no time, except for a wait.
    pub fn perform(&mut self, event: &Event, dice: &mut Dice) {
        let mut turn = self.turn(dice);
        turn.event(event);
        let now = turn.state.now;
        turn.advance(now);
    }

    /// Lets time pass until `to`, and does all that is due by then, in order.
    pub fn advance(&mut self, to: Micros, dice: &mut Dice) {
        self.turn(dice).advance(to);
    }

    /// Lets time pass until the app is idle, but no longer than `within`. Says whether it is idle.
    pub fn settle(&mut self, within: Micros, dice: &mut Dice) -> bool {
        self.turn(dice).settle(within)
    }

    /// Whether the app's main thread never comes back.
    pub fn hangs(&self) -> bool {
        self.state.thread.busy_until == state::Thread::NEVER
    }

    /// Ends the app's process without a crash. What else is in front stays there; else the home screen comes.
    pub fn end_app(&mut self) {
        self.state.end_app(&self.program);
    }

    /// Ends the app's process without a crash, and goes to the home screen.
    pub fn stop_app(&mut self) {
        self.state.end_process(&self.program);
        self.state.go_to(state::Front::Launcher);
    }

    /// Time since the phone was started. Unlike a device's clock it is part of a snapshot.
    pub const fn now(&self) -> Micros {
        self.state.now
    }

    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The package in front.
    pub fn package(&self) -> &Arc<str> {
        match self.state.view {
            View::Page(page) => &self.program.system.page(page).package,
            View::Layer(..) => &self.program.app.package,
        }
    }

    /// The activity in front, with its full name.
    pub fn activity(&self) -> &Arc<str> {
        match self.state.view {
            View::Page(page) => &self.program.system.page(page).activity,
            View::Layer(_, _, window) => {
                &self.program.app.activity(self.program.app.window(window).activity).name
            }
        }
    }

    /// What uiautomator would see: the widgets of the topmost window.
    pub fn tree(&self) -> GuiTree {
        let mut tree = GuiTree::new();
        self.tree_into(&mut tree);
        tree
    }

    /// The same, in memory that is used again.
    pub fn tree_into(&self, tree: &mut GuiTree) {
        tree::build(&self.program, &self.state, tree);
    }

    /// Whether the soft keyboard is up.
    pub fn keyboard(&self) -> bool {
        typing::keyboard(&self.program, &self.state)
    }

    /// How the phone is held.
    pub const fn orientation(&self) -> Orientation {
        self.state.orientation
    }

    /// The display as it is held.
    pub const fn screen(&self) -> Size {
        self.state.screen()
    }

    /// Code executed since this was last asked, in order; only what was new in this run.
    pub fn take_coverage(&mut self) -> Vec<CoverageId> {
        self.state.coverage.take_news()
    }

    /// How many pieces of code this run has executed.
    pub fn covered(&self) -> u32 {
        self.state.coverage.count()
    }

    /// Crashes since this was last asked, oldest first.
    pub fn take_crashes(&mut self) -> Vec<Crash> {
        std::mem::take(&mut self.state.crashes)
    }

    /// What was logged from this entry on, and the number of the entry that comes next. The first entry of a
    /// fresh phone has the number 0; a crash is one entry of many lines. What is no longer kept is left out.
    pub fn log_from(&self, number: u64) -> (Vec<LogLine>, u64) {
        self.state.log.lines_from(&self.program, number)
    }

    /// The number of the app's process, while it runs.
    pub const fn process(&self) -> Option<u32> {
        self.state.process
    }

    /// The app's activities with their full names, the topmost last.
    pub fn stack(&self) -> impl Iterator<Item = &Arc<str>> {
        let app = &self.program.app;
        self.state.task.stack.iter().map(|instance| &app.activity(instance.activity).name)
    }

    /// Whether the app was granted a permission; none when it never asks for it.
    pub fn granted(&self, permission: &str) -> Option<bool> {
        let number = self.program.app.permissions.iter().position(|name| **name == *permission)?;
        self.state.granted.get(number).copied()
    }

    /// Grants a permission or takes it away. `false` when the app never asks for it.
    pub fn grant(&mut self, permission: &str, granted: bool) -> bool {
        let number = self.program.app.permissions.iter().position(|name| **name == *permission);
        let place = number.and_then(|number| self.state.granted.get_mut(number));
        place.map(|place| *place = granted).is_some()
    }

    /// What was typed into the field that has the focus.
    pub fn focused_text(&self) -> Option<String> {
        let (_, var) = self.state.focused_field(&self.program)?;
        Some(self.state.vars[var.index()].to_string())
    }

    /// Whether a tap here would mean something else if another one followed.
    pub fn takes_double_taps(&self, at: Point) -> bool {
        let layer = matches!(self.state.view, View::Layer(..));
        layer && self.state.scene(&self.program).hit(at, &[Gesture::DoubleTap]).is_some()
    }

    /// Opens the settings, as from their icon.
    pub fn open_settings(&mut self, dice: &mut Dice) {
        self.turn(dice).open_settings();
    }

    /// The value of a variable of the app.
    pub fn var(&self, name: &str) -> Option<&Value> {
        let number = self.program.app.vars.iter().position(|var| *var.name == *name)?;
        self.state.vars.get(number)
    }

    /// Whether the app's process is alive.
    pub const fn running(&self) -> bool {
        self.state.process.is_some()
    }

    fn turn<'a>(&'a mut self, dice: &'a mut Dice) -> Turn<'a> {
        Turn { program: &self.program, state: &mut self.state, dice, batch: None, shown: None, spent: 0 }
    }
}

/// Two machines are equal when no look and no future could tell them apart, given the same dice.
impl PartialEq for Machine {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program) && self.state == other.state
    }
}

impl Turn<'_> {
    /// What the system handles itself comes through at once; the rest waits while the app is busy.
    fn event(&mut self, event: &Event) {
        match event {
            Event::Launch => self.launch(),
            Event::Rotate { to } => self.rotate(*to),
            Event::System(system) => self.broadcast(system),
            Event::Wait { time } => self.advance(self.state.now + *time),
            Event::Key { key: Key::HOME } => self.go_home(),
            Event::Key { key: Key::APP_SWITCH } => self.switch_tasks(),
            _ => self.input(event),
        }
    }

    fn input(&mut self, event: &Event) {
        let waits = self.state.busy() && matches!(self.state.view, View::Layer(..));
        if !waits {
            self.take_input(event);
        } else if self.state.thread.inputs.len() < MOST_INPUTS {
            self.state.thread.inputs.push(Input { at: self.state.now, event: event.clone() });
        }
    }

    /// Gives the input to the window in front.
    fn take_input(&mut self, event: &Event) {
        self.batch = None;
        match event {
            Event::Key { key } => self.key(*key),
            Event::Text { text, widget } => self.type_text(text, widget.as_ref()),
            _ => self.finger(event),
        }
    }
}
