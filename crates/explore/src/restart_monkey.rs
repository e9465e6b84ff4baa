//! MR: start over when stuck [TimeMachine §5, the second baseline].
//!
//! Notices lack of progress as time travel does, but can only start from scratch.

use std::fmt;

use crate::explorer::{Explorer, Lane, Move};
use crate::fitness::FitnessSettings;
use crate::separate::Separate;
use crate::sight::{Reply, Sight};
use crate::states::{Place, States};
use crate::strategy::{StrategyKind, Uses};
use crate::stuck::StuckSettings;
use crate::track::Track;

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "mr",
    about: "ms that starts over when it is stuck",
    uses: Uses { mix: true, aim: true, stuck: true, time_travel: false },
    make: |settings, seed| {
        let (stuck, lane) = (settings.time_travel.stuck, settings.with_system_events(seed));
        Box::new(Separate::new(move |number| Box::new(RestartMonkey::new(stuck, Box::new(lane(number))))))
    },
};

/// Restarts when stuck. One lane; see [`Separate`](crate::Separate) for more.
pub struct RestartMonkey {
    source: Box<dyn Explorer>,
    states: States,
    track: Track,
}

impl RestartMonkey {
    /// The events of another explorer, published as those of [`SystemMonkey`](crate::SystemMonkey), and restarts.
    pub fn new(settings: StuckSettings, source: Box<dyn Explorer>) -> Self {
        Self { source, states: States::new(FitnessSettings::default()), track: Track::new(settings) }
    }

    /// Whether a fresh look shows that there is no progress.
    fn stuck(&mut self, seen: &Sight<'_>) -> bool {
        let place = Place::of(seen.keys, seen.in_front);
        match seen.reply {
            Reply::Started => {
                self.track.start(&mut self.states, place);
                false
            }
            _ if seen.crashed => true,
            _ => self.track.walk(&mut self.states, place, seen.new_coverage).lack.is_some(),
        }
    }
}

impl Explorer for RestartMonkey {
    fn name(&self) -> &'static str {
        "mr"
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        if seen.fresh && self.stuck(seen) { Move::Restart } else { self.source.next(lane, seen) }
    }
}

impl fmt::Debug for RestartMonkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestartMonkey")
            .field("source", &self.source.name())
            .field("track", &self.track)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::Seed;

    use super::*;
    use crate::sample::{LANE, View, notes};
    use crate::{SystemMonkey, SystemMonkeySettings};

    fn mr() -> RestartMonkey {
        RestartMonkey::new(
            StuckSettings::default(),
            Box::new(SystemMonkey::new(SystemMonkeySettings::default(), Seed(1))),
        )
    }

    /// How many moves it makes on these screens, in turn, until it starts over.
    fn moves(mr: &mut RestartMonkey, views: &[View]) -> usize {
        let restarts = |view: &View| mr.next(LANE, &view.inside()) == Move::Restart;
        views.iter().cycle().take(1_000).position(restarts).unwrap()
    }

    #[test]
    fn it_restarts_in_dead_ends_and_in_loops() {
        let one = View::keyed(notes(), 1);
        assert_eq!(moves(&mut mr(), &[one]), 201);
        let two = [View::keyed(notes(), 1), View::keyed(notes(), 2)];
        assert_eq!(moves(&mut mr(), &two), 9);
    }

    #[test]
    fn it_begins_to_count_anew_after_a_start() {
        let two = [View::keyed(notes(), 1), View::keyed(notes(), 2)];
        let mut mr = mr();
        for _ in 0..3 {
            let started = Sight { reply: Reply::Started, ..two[1].inside() };
            assert_ne!(mr.next(LANE, &started), Move::Restart);
            assert_eq!(moves(&mut mr, &two), 9);
        }
    }

    #[test]
    fn old_looks_are_not_counted() {
        let view = View::keyed(notes(), 1);
        let mut mr = mr();
        for _ in 0..1_000 {
            assert_ne!(mr.next(LANE, &Sight { fresh: false, ..view.inside() }), Move::Restart);
        }
    }

    #[test]
    fn a_crash_ends_a_trace() {
        let view = View::keyed(notes(), 1);
        assert_eq!(mr().next(LANE, &Sight { crashed: true, ..view.inside() }), Move::Restart);
    }
}
