//! MS: Monkey, and now and then a system event [TimeMachine §4, the baseline].

use retap_trace::Seed;

use crate::explorer::{Explorer, Lane, Move};
use crate::monkey::{Monkey, MonkeySettings};
use crate::separate::Separate;
use crate::sight::Sight;
use crate::strategy::{StrategyKind, StrategySettings, Uses};
use crate::system::{SystemEvents, SystemSettings};

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "ms",
    about: "a monkey with system events",
    uses: Uses { mix: true, aim: true, stuck: false, time_travel: false },
    make: |settings, seed| {
        let lane = settings.with_system_events(seed);
        Box::new(Separate::new(move |number| Box::new(lane(number))))
    },
};

impl StrategySettings {
    /// Makes a monkey with system events for each lane.
    pub(crate) fn with_system_events(&self, seed: Seed) -> impl Fn(Lane) -> SystemMonkey + Send + use<> {
        let settings = SystemMonkeySettings { monkey: self.monkey(!self.blind), system: self.system.clone() };
        move |lane| SystemMonkey::new(settings.clone(), seed.branch("lane", u64::from(lane.0)))
    }
}

/// How [`SystemMonkey`] behaves. Whatever builds on it ([`RestartMonkey`](crate::RestartMonkey), [`TimeTravel`](crate::TimeTravel)) is comparable
/// with it only under the same settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SystemMonkeySettings {
    /// Monkey's part. Blind or aware of the widgets is decided here.
    pub monkey: MonkeySettings,
    pub system: SystemSettings,
}

/// Monkey with system events. One lane; see [`Separate`](crate::Separate) for more.
#[derive(Debug)]
pub struct SystemMonkey {
    monkey: Monkey,
    system: SystemEvents,
}

impl SystemMonkey {
    pub fn new(settings: SystemMonkeySettings, seed: Seed) -> Self {
        Self {
            monkey: Monkey::new(settings.monkey, seed.branch("monkey", 0).dice()),
            system: SystemEvents::new(settings.system, seed.branch("system", 0).dice()),
        }
    }
}

impl Explorer for SystemMonkey {
    fn name(&self) -> &'static str {
        "ms"
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        match self.system.next(seen.at, seen.observation.orientation) {
            Some(event) if !seen.crashed => Move::Act(event),
            _ => self.monkey.next(lane, seen),
        }
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::{Event, Micros};

    use super::*;
    use crate::sample::{LANE, View, event, notes};

    #[test]
    fn it_is_monkey_but_for_the_moments_of_system_events() {
        let view = View::new(notes());
        let seed = Seed(5);
        let mut ms = SystemMonkey::new(SystemMonkeySettings::default(), seed);
        let mut monkey = Monkey::new(MonkeySettings::default(), seed.branch("monkey", 0).dice());
        let mut system = SystemEvents::new(SystemSettings::default(), seed.branch("system", 0).dice());
        let mut outside = 0;
        for second in 0..3_600 {
            let seen = Sight { at: Micros::from_secs(second), ..view.inside() };
            let made = event(ms.next(LANE, &seen));
            let expected = system.next(seen.at, seen.observation.orientation).inspect(|_| outside += 1);
            let expected: Event = expected.unwrap_or_else(|| event(monkey.next(LANE, &seen)));
            assert_eq!(made, expected, "second {second}");
        }
        assert!((40..=100).contains(&outside), "{outside} system events in an hour");
    }
}
