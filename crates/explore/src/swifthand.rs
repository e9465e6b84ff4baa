//! SwiftHand: learns a model of the app while it explores, and goes to the nearest state in which something is
//! untried. Restarts cost much, so it prefers going on to starting over.
//!
//! Everything seen is kept in a prefix tree. A model is learned from it: a new screen is taken for the known
//! state that looks the same (the key at the level `actionable`), and when a known action leads elsewhere, the
//! model is rebuilt from the tree, which tells apart what only looked the same. The parts:
//! - `name`, `offers`: the actions of a screen, named so that they can be found again; `looks`: abstract states;
//! - `prefix_tree`, `model`, `compare`, `blue_fringe`: what was seen, and what is believed;
//! - `learner`: both kept up to date, and when the model is rebuilt;
//! - `suppress`, `plan`: what is worth trying, and the way there.
//!
//! It restarts after 15 events, in a failure state, and when only a restart leads to something untried. Failure
//! states are those of [`Random`](crate::Random): the app crashed or is not in front. As there, a screen that offers
//! nothing but back and menu gets eight seconds first; so what an action led to is what is seen after the waiting.
//! When nothing untried is left, not even after a restart, it does anything that is not known to fail.
//!
//! Where this departs from the published implementation: the model is rebuilt less often, and pairs of states
//! are not all scored again after each merge (`learner` and `blue_fringe` say why); a restart is made only if
//! it helps. Memory grows with the number of looks and, up to a limit, of steps.

mod blue_fringe;
mod compare;
mod edges;
mod learner;
mod looks;
mod model;
mod name;
mod offers;
mod plan;
mod prefix_tree;
mod suppress;

#[cfg(test)]
mod toy;

use retap_trace::{Dice, Event, Micros};

use self::learner::{Learner, Place};
use self::looks::LookId;
use self::model::StateId;
use self::name::Name;
use self::plan::{Advice, Plan};
use crate::actions::{Action, actions};
use crate::explorer::{Explorer, Lane, Move};
use crate::separate::Separate;
use crate::sight::{Reply, Sight};
use crate::strategy::{StrategyKind, Uses};
use crate::texts;

const WAITS: u32 = 8;
const WAIT: Micros = Micros::from_secs(1);

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "swifthand",
    about: "learns a model of the app and goes to what is untried",
    uses: Uses { mix: false, aim: false, stuck: false, time_travel: false },
    make: |_, seed| {
        let own = move |lane: Lane| seed.branch("lane", u64::from(lane.0)).dice();
        Box::new(Separate::new(move |lane| Box::new(SwiftHand::new(SwiftHandSettings::default(), own(lane)))))
    },
};

/// How a [`SwiftHand`] explorer behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwiftHandSettings {
    /// The most events from one restart to the next.
    pub longest: u32,
    /// The probability with which a state that a search comes by is visited although all was tried there.
    pub whim: f64,
}

/// Learns the app as an automaton, and goes where something is untried.
#[derive(Debug)]
pub struct SwiftHand {
    dice: Dice,
    settings: SwiftHandSettings,
    learner: Learner,
    /// Where the app was at the last look, and what was done then.
    whereabouts: Whereabouts,
    done: Option<Name>,
    plan: Option<Plan>,
    events: u32,
    waits: u32,
}

/// What is known of where the app is.
#[derive(Debug, Clone, Copy)]
enum Whereabouts {
    /// Just started: the next screen that offers something is where ways begin.
    Starting,
    At(Place),
    /// Nowhere that an action led to.
    Lost,
}

impl Default for SwiftHandSettings {
    fn default() -> Self {
        Self { longest: 15, whim: 0.1 }
    }
}

impl Explorer for SwiftHand {
    fn name(&self) -> &'static str {
        "swifthand"
    }

    fn next(&mut self, _: Lane, seen: &Sight<'_>) -> Move {
        if !seen.fresh {
            return self.blindly(seen);
        }
        let at_launch = seen.crashed && self.fail().is_none();
        // A start after a crash of the app at work is the answer to it, and shows the app as new.
        if at_launch || (seen.crashed && seen.reply != Reply::Started) {
            return self.restart();
        }
        match seen.reply {
            Reply::Started => self.forget_way(),
            Reply::Done => {}
            Reply::Saved(_) | Reply::Refused => self.done = None,
            Reply::Restored(_) => self.whereabouts = Whereabouts::Lost,
        }
        if !seen.in_front {
            self.fail();
            return self.restart();
        }
        let offered = actions(seen.observation);
        if offered.iter().any(|action| matches!(action, Action::On(..))) {
            self.waits = 0;
        } else if self.waits < WAITS {
            // The app may be loading. What was done stays to be learned.
            self.waits += 1;
            return Move::Act(Event::Wait { time: WAIT });
        }
        let offers = offers::offers(seen.observation, &offered);
        let look = self.learner.looks.meet(looks::key(seen.keys), offers);
        let place = self.arrive(look);
        let choice = if self.events < self.settings.longest { self.choose(place) } else { None };
        let Some(name) = choice else { return self.restart() };
        self.events += 1;
        self.done = Some(name);
        let index = offers::find(self.learner.looks.offers(look), name).expect("what is chosen is offered");
        let text = if offered[index].edits() { texts::draw(&mut self.dice) } else { "" };
        Move::Act(offered[index].event(seen.observation, text))
    }
}

impl SwiftHand {
    /// An explorer with these settings and dice.
    pub fn new(settings: SwiftHandSettings, dice: Dice) -> Self {
        Self {
            dice,
            settings,
            learner: Learner::new(),
            whereabouts: Whereabouts::Starting,
            done: None,
            plan: None,
            events: 0,
            waits: 0,
        }
    }

    /// Nobody has looked since: anything that the old look offered, of which nothing can be learned.
    fn blindly(&mut self, seen: &Sight<'_>) -> Move {
        self.whereabouts = Whereabouts::Lost;
        self.done = None;
        self.plan = None;
        self.events += 1;
        let offered = actions(seen.observation);
        let action = self.dice.pick(&offered).copied().expect("back and menu are always offered");
        let text = if action.edits() { texts::draw(&mut self.dice) } else { "" };
        Move::Act(action.event(seen.observation, text))
    }

    fn restart(&mut self) -> Move {
        self.forget_way();
        Move::Restart
    }

    /// Whatever comes next did not come from here.
    fn forget_way(&mut self) {
        self.whereabouts = Whereabouts::Starting;
        self.done = None;
        self.plan = None;
        self.events = 0;
        self.waits = 0;
    }

    /// Takes note that the last action failed. Says which it was.
    fn fail(&mut self) -> Option<Name> {
        let name = self.done.take()?;
        let Whereabouts::At(place) = self.whereabouts else { return None };
        self.learner.step(place, name, LookId::FAILURE);
        Some(name)
    }

    /// Takes note of what the last action led to. Says where the app is.
    fn arrive(&mut self, look: LookId) -> Place {
        let before = self.learner.rebuilds();
        let place = match (self.whereabouts, self.done.take()) {
            (Whereabouts::Starting, _) => self.learner.begin(look),
            (Whereabouts::At(from), Some(name)) => self.learner.step(from, name, look),
            (Whereabouts::At(place), None) if place.look == look => place,
            (Whereabouts::At(_) | Whereabouts::Lost, _) => self.learner.appear(look),
        };
        if self.learner.rebuilds() != before {
            self.plan = None;
        }
        self.whereabouts = Whereabouts::At(place);
        place
    }

    /// The next action; none for a restart.
    fn choose(&mut self, place: Place) -> Option<Name> {
        let at = place.state;
        let kept = self.plan.as_mut().map_or(Advice::Lost, |plan| plan.advice(self.learner.map(), at));
        self.carry_out(kept, at).or_else(|| {
            let map = self.learner.map();
            self.plan = map.plan(at, self.settings.whim, &mut self.dice);
            let fresh = self.plan.as_mut().map_or(Advice::Lost, |plan| plan.advice(map, at));
            self.carry_out(fresh, at).or_else(|| self.wander(at))
        })
    }

    fn carry_out(&mut self, advice: Advice, at: StateId) -> Option<Name> {
        let map = self.learner.map();
        let choices = match advice {
            Advice::Step(name) => return Some(name),
            Advice::Try => map.untried(at),
            Advice::Anything => map.safe(at),
            Advice::Lost => Vec::new(),
        };
        self.plan = None;
        self.dice.pick(&choices).copied()
    }

    /// Nothing untried can be reached: anything that does not fail, unless a restart helps.
    fn wander(&mut self, at: StateId) -> Option<Name> {
        let map = self.learner.map();
        let start = self.learner.start()?;
        if map.leads_to_frontier(start, &mut self.dice) {
            return None;
        }
        let (safe, all) = (map.safe(at), map.offered(at).collect::<Vec<_>>());
        self.dice.pick(if safe.is_empty() { &all } else { &safe }).copied()
    }
}

#[cfg(test)]
mod tests;
