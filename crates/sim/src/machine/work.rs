//! What the app's main thread has to do later, and the passing of time.

use retap_trace::{Micros, Orientation};

use super::Turn;
use super::state::{Ask, Cause, InstanceId, Thread, View};
use crate::app::{ActivityId, BlockId, OutsideApp, TimerId, WidgetId, WindowId};

/// Input that waits longer than this means: the app does not respond.
const PATIENCE: Micros = Micros::from_secs(5);
/// Work that is due later than this does not keep an app from being idle.
const HORIZON: Micros = Micros::from_secs(2);
/// More work than this is not kept; an app that piles up so much is out of its mind.
const MOST_WORKS: usize = 1_000;

/// Work for the main thread, in the order in which it is due; equals keep the order they came in.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Works(Vec<Pending>);

#[derive(Debug, Clone, PartialEq)]
struct Pending {
    due: Micros,
    work: Work,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Work {
    /// A window comes or goes.
    Window(Change),
    /// A permission dialog comes.
    Ask(Box<Ask>),
    /// A block that was put off.
    After(BlockId, Cause),
    /// The answer of a network call; `fails` was drawn when it was made.
    Reply {
        fails: bool,
        reply: BlockId,
        error: Option<BlockId>,
        cause: Cause,
    },
    Tick(TimerId),
    /// A receiver is told of a system event.
    Receive(BlockId),
    Turn(Orientation),
    /// Activities are told who is in front.
    Lifecycle,
}

/// A change of windows, with the activity that asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Open(ActivityId),
    Show(WindowId, Option<InstanceId>),
    Overlay(WindowId, Option<InstanceId>),
    Focus(WindowId, WidgetId, Option<InstanceId>),
    Close(Option<InstanceId>),
    Finish(Option<InstanceId>),
    Exit,
    Leave(OutsideApp),
}

enum Next {
    Launch,
    NotResponding,
    Input,
    Work,
}

impl Works {
    pub(super) fn add(&mut self, due: Micros, work: Work) {
        if self.0.len() < MOST_WORKS {
            let place = self.0.partition_point(|pending| pending.due <= due);
            self.0.insert(place, Pending { due, work });
        }
    }

    fn due(&self) -> Option<Micros> {
        self.0.first().map(|pending| pending.due)
    }

    fn pop(&mut self) -> Option<Work> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0).work) }
    }

    /// When the last window change is due. Later ones must not overtake it.
    pub(super) fn last_change(&self) -> Option<Micros> {
        let last = self.0.iter().rev().find(|pending| matches!(pending.work, Work::Window(_) | Work::Ask(_)));
        last.map(|pending| pending.due)
    }

    pub(super) fn has_timer(&self, timer: TimerId) -> bool {
        self.0.iter().any(|pending| pending.work == Work::Tick(timer))
    }

    pub(super) fn stop_timer(&mut self, timer: TimerId) {
        self.0.retain(|pending| pending.work != Work::Tick(timer));
    }

    /// Whether there is work that an idle app would not have. Timers may tick for ever, so they do not count.
    fn restless(&self, now: Micros) -> bool {
        self.0.iter().any(|pending| match pending.work {
            Work::Tick(_) => false,
            Work::After(..) => pending.due <= now + HORIZON,
            _ => true,
        })
    }
}

impl Turn<'_> {
    /// Lets time pass until `to`, and does all that is due by then, in order.
    pub(super) fn advance(&mut self, to: Micros) {
        while let Some((at, next)) = self.next().filter(|&(at, _)| at <= to) {
            self.move_clock(at);
            match next {
                Next::Launch => self.launched(),
                Next::NotResponding => self.not_responding(),
                Next::Input => {
                    let input = self.state.thread.inputs.remove(0);
                    // It was meant for the app, and is lost when something else is in front by now.
                    if let View::Layer(..) = self.state.view {
                        self.take_input(&input.event);
                    }
                }
                Next::Work => {
                    let work = self.state.thread.works.pop().expect("there is work");
                    self.work(work);
                }
            }
        }
        self.move_clock(to);
    }

    /// Lets time pass until the app is idle, but no longer than `within`. Says whether it is.
    pub(super) fn settle(&mut self, within: Micros) -> bool {
        let limit = self.state.now + within;
        while !self.idle() {
            let free = Some(self.state.thread.busy_until).filter(|_| self.state.busy());
            let next = self.next().map(|(at, _)| at).into_iter().chain(free).min();
            let Some(at) = next.filter(|&at| at <= limit) else {
                self.advance(limit);
                return self.idle();
            };
            self.advance(at.max(self.state.now));
        }
        true
    }

    fn idle(&self) -> bool {
        let thread = &self.state.thread;
        self.state.launching.is_none()
            && !self.state.busy()
            && thread.inputs.is_empty()
            && !thread.works.restless(self.state.now)
    }

    fn next(&self) -> Option<(Micros, Next)> {
        let thread = &self.state.thread;
        let launch = self.state.launching.map(|(at, _)| (at, Next::Launch));
        let (work, input) = (thread.works.due(), thread.inputs.first().map(|input| input.at));
        if work.is_none() && input.is_none() {
            return launch;
        }
        let limit = input.map(|at| at + PATIENCE).filter(|&limit| thread.busy_until > limit);
        let not_responding = limit.map(|limit| (limit, Next::NotResponding));
        let acts = match (work, input) {
            (Some(due), Some(at)) if due <= at => Some((due, Next::Work)),
            (_, Some(at)) => Some((at, Next::Input)),
            (due, None) => due.map(|due| (due, Next::Work)),
        };
        let acts = acts.filter(|_| thread.busy_until != Thread::NEVER);
        let acts = acts.map(|(at, next)| (at.max(thread.busy_until), next));
        [launch, not_responding, acts].into_iter().flatten().min_by_key(|&(at, _)| at.max(self.state.now))
    }

    fn move_clock(&mut self, to: Micros) {
        if to > self.state.now {
            self.state.now = to;
            self.spent = 0;
        }
    }

    fn work(&mut self, work: Work) {
        self.batch = None;
        // Whether the process lives on is of no interest here: with it, its work is gone.
        let _ = match work {
            Work::Window(change) => self.change(change),
            Work::Ask(ask) => self.show_ask(*ask),
            Work::After(block, cause) => self.run(block, &cause),
            Work::Reply { fails, reply, error, cause } => {
                let block = if fails || !self.state.online { error } else { Some(reply) };
                self.run_some(block, &cause)
            }
            Work::Tick(timer) => self.tick(timer),
            Work::Receive(block) => self.run(block, &Cause::default()),
            Work::Turn(to) => self.turned(to),
            Work::Lifecycle => self.lifecycle(),
        };
    }
}
