//! What the app's code does: runs blocks of effects.

use std::ops::ControlFlow;
use std::sync::Arc;

use retap_trace::Micros;

use super::Turn;
use super::state::{Ask, Cause, Thread};
use super::work::{Change, Work};
use crate::app::{BlockId, Effect, Expr, Scope, SiteId, TimerId, Value, VarId};

/// More effects than this at one moment are an endless loop: the app does not respond any more.
const MOST_EFFECTS: u32 = 10_000;
/// Blocks nest no deeper than this.
const DEEPEST: u32 = 128;
/// Nothing that is put off happens sooner, so that time passes even in an app that puts everything off.
const SHORTEST_WAIT: Micros = Micros::from_millis(1);
/// Texts grow no longer than this many bytes.
const LONGEST_TEXT: usize = 10_000;
/// Lists grow no longer than this.
const LONGEST_LIST: usize = 10_000;

/// Whether the process lives on after an effect, or nothing after it happens.
pub(super) type Fate = ControlFlow<()>;

/// Where an effect leads.
enum Branch {
    Into(BlockId),
    Past,
    /// It is no branch.
    Not,
}

impl Turn<'_> {
    pub(super) fn run(&mut self, block: BlockId, cause: &Cause) -> Fate {
        self.shown = cause.window;
        self.run_nested(block, cause, 0)
    }

    /// Runs a block if there is one.
    pub(super) fn run_some(&mut self, block: Option<BlockId>, cause: &Cause) -> Fate {
        block.map_or(Fate::Continue(()), |block| self.run(block, cause))
    }

    /// Runs a block inside others. A branch at its end takes its place, so that long chains do not nest.
    fn run_nested(&mut self, block: BlockId, cause: &Cause, depth: u32) -> Fate {
        let program = self.program;
        let mut next = Some(block);
        while let Some(block) = next.take() {
            let effects = program.app.block(block);
            for (number, effect) in effects.iter().enumerate() {
                self.spent += 1;
                if self.spent > MOST_EFFECTS || depth > DEEPEST {
                    return self.hang(None);
                }
                match self.branch(effect, cause) {
                    Branch::Into(arm) if number + 1 == effects.len() => next = Some(arm),
                    Branch::Into(arm) => self.run_nested(arm, cause, depth + 1)?,
                    Branch::Past => {}
                    Branch::Not => self.effect(effect, cause)?,
                }
            }
        }
        Fate::Continue(())
    }

    /// Where an effect leads that only chooses between blocks.
    fn branch(&mut self, effect: &Effect, cause: &Cause) -> Branch {
        let arm = match effect {
            Effect::If(guard, then, other) => {
                if guard.truth(&self.scope(cause)) {
                    Some(*then)
                } else {
                    *other
                }
            }
            Effect::Chance(probability, then, other) => {
                let happens = self.dice.chance(self.program.probability(*probability));
                if happens { Some(*then) } else { *other }
            }
            Effect::Ask(permission, granted, _) if self.state.granted[permission.index()] => *granted,
            _ => return Branch::Not,
        };
        arm.map_or(Branch::Past, Branch::Into)
    }

    fn effect(&mut self, effect: &Effect, cause: &Cause) -> Fate {
        match effect {
            Effect::Cover(from, to) => self.state.coverage.cover(*from, *to),
            Effect::Set(var, expr) => {
                let value = self.eval(expr, cause);
                self.set(*var, value);
            }
            Effect::Push(list, expr) => self.push(*list, expr, cause),
            Effect::Remove(list, expr) => self.remove(*list, expr, cause),
            Effect::Open(activity) => self.appear(Change::Open(*activity)),
            Effect::Show(window) => {
                self.shown = Some(*window);
                self.appear(Change::Show(*window, cause.owner));
            }
            Effect::Overlay(window) => {
                self.shown = Some(*window);
                self.appear(Change::Overlay(*window, cause.owner));
            }
            Effect::Leave(app) => self.appear(Change::Leave(*app)),
            Effect::Close => self.vanish(Change::Close(cause.owner)),
            Effect::Finish => self.vanish(Change::Finish(cause.owner)),
            Effect::Exit => self.vanish(Change::Exit),
            Effect::Focus(widget) => {
                if let Some(window) = self.shown {
                    self.vanish(Change::Focus(window, *widget, cause.owner));
                }
            }
            Effect::Log(level, tag, text) => {
                let text = text.render(&self.scope(cause));
                self.state.write(*level, tag.clone(), text);
            }
            Effect::Ask(permission, granted, denied) => {
                let cause = self.later(cause);
                let ask = Ask { permission: *permission, granted: *granted, denied: *denied, cause };
                let due = self.transition();
                self.state.thread.works.add(due, Work::Ask(Box::new(ask)));
            }
            Effect::Crash(site) => return self.crash(*site, cause),
            Effect::Hang(site) => return self.hang(Some(*site)),
            timed => self.time_effect(timed, cause),
        }
        Fate::Continue(())
    }

    /// Effects that have to do with time.
    fn time_effect(&mut self, effect: &Effect, cause: &Cause) {
        let later = self.later(cause);
        let thread = &mut self.state.thread;
        match effect {
            Effect::After(time, block) => {
                let due = self.state.now + (*time).max(SHORTEST_WAIT);
                thread.works.add(due, Work::After(*block, later));
            }
            Effect::StartTimer(timer) if !thread.works.has_timer(*timer) => self.wind(*timer),
            Effect::StopTimer(timer) => thread.works.stop_timer(*timer),
            Effect::Fetch { latency, fail, reply, error } => {
                let time = latency.draw(self.dice).max(SHORTEST_WAIT);
                let fails = self.dice.chance(self.program.probability(*fail));
                // Without a network the call fails as soon as it is made.
                let time = if self.state.online { time } else { SHORTEST_WAIT };
                let work = Work::Reply { fails, reply: *reply, error: *error, cause: later };
                thread.works.add(self.state.now + time, work);
            }
            Effect::Busy(time) => thread.busy_until = thread.busy_until.max(self.state.now) + *time,
            _ => {}
        }
    }

    /// The main thread never comes back.
    fn hang(&mut self, site: Option<SiteId>) -> Fate {
        self.state.thread.busy_until = Thread::NEVER;
        self.state.thread.stuck = site;
        Fate::Break(())
    }

    /// The cause of what happens later on account of this one.
    fn later(&self, cause: &Cause) -> Cause {
        Cause { window: self.shown, ..cause.clone() }
    }

    /// A timer ticks, and is wound up again first: its own code may stop it.
    pub(super) fn tick(&mut self, timer: TimerId) -> Fate {
        self.wind(timer);
        self.run(self.program.app.timers[timer.index()].tick, &Cause::default())
    }

    fn wind(&mut self, timer: TimerId) {
        let every = self.program.app.timers[timer.index()].every.max(SHORTEST_WAIT);
        self.state.thread.works.add(self.state.now + every, Work::Tick(timer));
    }

    fn eval(&self, expr: &Expr, cause: &Cause) -> Value {
        expr.eval(&self.scope(cause))
    }

    /// What code sees that was set off there.
    pub(super) fn scope<'a>(&'a self, cause: &'a Cause) -> Scope<'a> {
        self.state.scope(self.program, cause.row.as_ref().map(|(item, index)| (item, *index)))
    }

    pub(super) fn set(&mut self, var: VarId, value: Value) {
        self.state.vars[var.index()] = match value {
            Value::Text(text) => Value::Text(cut(text)),
            other => other,
        };
    }

    fn push(&mut self, list: VarId, item: &Expr, cause: &Cause) {
        let item = cut(self.eval(item, cause).text());
        if let Value::List(items) = &mut self.state.vars[list.index()]
            && items.len() < LONGEST_LIST
        {
            Arc::make_mut(items).push(item);
        }
    }

    fn remove(&mut self, list: VarId, index: &Expr, cause: &Cause) {
        let index = usize::try_from(self.eval(index, cause).number()).unwrap_or(usize::MAX);
        if let Value::List(items) = &mut self.state.vars[list.index()]
            && index < items.len()
        {
            Arc::make_mut(items).remove(index);
        }
    }
}

/// The text, without what is too much of it.
fn cut(text: Arc<str>) -> Arc<str> {
    if text.len() <= LONGEST_TEXT { text } else { text[..text.floor_char_boundary(LONGEST_TEXT)].into() }
}
