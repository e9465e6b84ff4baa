//! The app's process and its activities live and die.

use std::sync::Arc;

use retap_trace::{Dice, Orientation};

use super::Turn;
use super::effects::Fate;
use super::program::Program;
use super::state::{Cause, Front, InstanceId, View};
use super::work::Work;
use crate::app::{Activity, ActivityId, BlockId, Value, Var};

/// The activity that the icon launches.
const MAIN: ActivityId = ActivityId(0);

/// The first values of all variables, on an installation of the app.
pub(super) fn install(program: &Program, dice: &mut Dice) -> Arc<[Value]> {
    if !program.order && !program.variants {
        return program.initial.clone();
    }
    let first = |var: &Var| {
        let mut value = var.initial.clone();
        if program.variants && !var.variants.is_empty() {
            let weights: Vec<u32> = var.variants.iter().map(|(_, weight)| *weight).collect();
            value = dice.weighted(&weights).map_or(value, |drawn| var.variants[drawn].0.clone());
        }
        if let Value::List(items) = &mut value
            && program.order
        {
            dice.shuffle(Arc::<Vec<Arc<str>>>::make_mut(items));
        }
        value
    };
    program.app.vars.iter().map(first).collect()
}

impl Turn<'_> {
    /// The user starts the app, or comes back to it.
    pub(super) fn launch(&mut self) {
        self.start_activity(MAIN);
    }

    /// Somebody outside starts an activity: the first one as the icon does, any other on top of what is there.
    pub(super) fn start_activity(&mut self, activity: ActivityId) {
        if self.state.launching.is_none() {
            let at = self.state.now + self.program.latency.draw(self.dice);
            self.state.launching = Some((at, activity));
        }
    }

    /// The app comes to the front. Other apps that it called up are left behind.
    pub(super) fn launched(&mut self) {
        let asked = self.state.launching.take().map_or(MAIN, |(_, activity)| activity);
        self.batch = None;
        if self.program.app.activities.is_empty() {
            return;
        }
        self.state.front = Front::App;
        self.state.task.guest = None;
        if self.state.process.is_none() {
            // An app that hangs when it starts has its window all the same; one that crashes has not.
            let _ = self.start_process();
            if self.state.process.is_none() {
                return;
            }
        }
        if self.state.task.stack.is_empty() || asked != MAIN {
            self.open(asked);
        }
        // A crash on the way leaves nothing to do here.
        let _ = self.update();
    }

    fn start_process(&mut self) -> Fate {
        self.state.started += 1;
        let process = self.state.started.wrapping_mul(37).wrapping_add(4000) % 32_768;
        self.state.process = Some(process);
        self.state.log_process();
        self.run_some(self.program.app.on_start, &Cause::default())
    }

    /// Brings everything in line with what is in front by now: keyboard, and which activity is resumed.
    pub(super) fn update(&mut self) -> Fate {
        self.state.refresh_view();
        if self.state.task.resumed == self.state.top_activity() {
            return Fate::Continue(());
        }
        if self.state.busy() {
            self.state.thread.works.add(self.state.now, Work::Lifecycle);
            return Fate::Continue(());
        }
        self.lifecycle()
    }

    /// Tells activities that they have left or come to the front. Their code changes no windows at once, so
    /// one round is enough.
    pub(super) fn lifecycle(&mut self) -> Fate {
        let top = self.state.top_activity();
        if self.state.task.resumed == top {
            return Fate::Continue(());
        }
        self.pause()?;
        let Some(id) = top else { return Fate::Continue(()) };
        self.create(id)?;
        self.state.task.resumed = Some(id);
        self.tell(id, |activity| activity.on_resume)
    }

    /// Tells the activity in front that it is not any more.
    pub(super) fn pause(&mut self) -> Fate {
        match self.state.task.resumed.take() {
            Some(id) => self.tell(id, |activity| activity.on_pause),
            None => Fate::Continue(()),
        }
    }

    /// Creates an activity, unless it is there already, made for the way in which the phone is held.
    fn create(&mut self, id: InstanceId) -> Fate {
        let orientation = self.state.orientation;
        let Some(instance) = self.state.task.instance_mut(id) else { return Fate::Continue(()) };
        let before = instance.created.replace(orientation);
        let activity = instance.activity;
        if before == Some(orientation) {
            return Fate::Continue(());
        }
        for var in &self.program.activity_vars[activity.index()] {
            self.state.vars[var.index()] = self.state.initial[var.index()].clone();
        }
        if before.is_some() {
            self.rebuild(id, activity);
        }
        self.tell(id, |activity| activity.on_create)
    }

    /// What an activity showed is gone; it begins again with its first screen.
    fn rebuild(&mut self, id: InstanceId, activity: ActivityId) {
        let app = &self.program.app;
        let screen = self.state.task.new_layer(app, app.activity(activity).first);
        if let Some(instance) = self.state.task.instance_mut(id) {
            instance.layers.clear();
            instance.layers.push(screen);
        }
        self.state.refresh_view();
    }

    fn tell(&mut self, id: InstanceId, what: fn(&Activity) -> Option<BlockId>) -> Fate {
        let Some(instance) = self.state.task.instance(id) else { return Fate::Continue(()) };
        let block = what(self.program.app.activity(instance.activity));
        let window = instance.layers.first().map(|screen| screen.window);
        self.run_some(block, &Cause { owner: Some(id), window, row: None })
    }

    /// The user turns the phone.
    pub(super) fn rotate(&mut self, to: Orientation) {
        if self.state.busy() && matches!(self.state.view, View::Layer(..)) {
            self.state.thread.works.add(self.state.now, Work::Turn(to));
        } else {
            // A crash on the way leaves nothing to do here.
            let _ = self.turned(to);
        }
    }

    /// The phone is held in another way. The activity in front is created again; others when they come back.
    pub(super) fn turned(&mut self, to: Orientation) -> Fate {
        if self.state.orientation == to {
            return Fate::Continue(());
        }
        if matches!(self.state.view, View::Layer(..)) {
            self.pause()?;
        }
        self.state.orientation = to;
        self.update()
    }

    /// Ends the process and shows what is left.
    pub(super) fn kill(&mut self) {
        self.state.end_app(self.program);
    }
}
