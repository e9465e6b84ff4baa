//! Random: evenly over the actions of the screen, as the generator beside SwiftHand does it.
//!
//! It restarts (SwiftHand's `close`) with probability 0.05 before each event, after 25 events, and in a failure
//! state: the app crashed or is not in front. Some screens offer nothing but back and menu. Apps do so while they
//! load, so it waits up to eight times a second; a screen that is still like that, such as a dialog of a picture
//! alone, is left by what it offers. Waits are not counted as events, and text fields get a text drawn from a short
//! list.

use retap_trace::{Dice, Event, Micros};

use crate::actions::{Action, actions};
use crate::explorer::{Explorer, Lane, Move};
use crate::separate::Separate;
use crate::sight::{Reply, Sight};
use crate::strategy::{StrategyKind, Uses};
use crate::texts;

const WAITS: u32 = 8;
const WAIT: Micros = Micros::from_secs(1);

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "random",
    about: "any action that the screen offers, with a restart now and then",
    uses: Uses { mix: false, aim: false, stuck: false, time_travel: false },
    make: |_, seed| {
        let own = move |lane: Lane| seed.branch("lane", u64::from(lane.0)).dice();
        Box::new(Separate::new(move |lane| Box::new(Random::new(RandomSettings::default(), own(lane)))))
    },
};

/// How a [`Random`] explorer behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomSettings {
    /// The probability of a restart before each event.
    pub restart: f64,
    /// The most events from one restart to the next.
    pub longest: u32,
}

/// Draws evenly from the actions that the screen offers. One lane; see [`Separate`](crate::Separate) for more.
#[derive(Debug)]
pub struct Random {
    dice: Dice,
    settings: RandomSettings,
    events: u32,
    waits: u32,
}

impl Default for RandomSettings {
    fn default() -> Self {
        Self { restart: 0.05, longest: 25 }
    }
}

impl Random {
    /// An explorer with these settings and dice.
    pub const fn new(settings: RandomSettings, dice: Dice) -> Self {
        Self { dice, settings, events: 0, waits: 0 }
    }

    fn restart(&mut self) -> Move {
        self.events = 0;
        self.waits = 0;
        Move::Restart
    }
}

impl Explorer for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn next(&mut self, _lane: Lane, seen: &Sight<'_>) -> Move {
        if matches!(seen.reply, Reply::Started | Reply::Restored(_)) {
            self.events = 0;
            self.waits = 0;
        }
        let crashed = seen.crashed && seen.reply != Reply::Started;
        if crashed || !seen.in_front || self.events >= self.settings.longest {
            return self.restart();
        }
        let offered = actions(seen.observation);
        let blocked = !offered.iter().any(|action| matches!(action, Action::On(..)));
        if blocked && self.waits < WAITS {
            self.waits += 1;
            return Move::Act(Event::Wait { time: WAIT });
        }
        if self.dice.chance(self.settings.restart) {
            return self.restart();
        }
        if !blocked {
            self.waits = 0;
        }
        self.events += 1;
        let action = *self.dice.pick(&offered).expect("back and menu are always offered");
        let text = if action.edits() { texts::draw(&mut self.dice) } else { "" };
        Move::Act(action.event(seen.observation, text))
    }
}

#[cfg(test)]
mod tests;
