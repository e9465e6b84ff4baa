//! How promising the surroundings of a state are [TimeMachine §3.3, algorithm 3].
//!
//! The average fitness of the different states within `k` transitions, the state itself included: an event may
//! leave the state at once, so what lies around it counts as much. The published program works this out and
//! then picks by the state's own fitness alone; both are kept here, as [`Selection`], and the program's way is the
//! default. On simulated apps it covers more: where everything is near everything else, surroundings are
//! alike, and what stands out is the dead end, which has none but itself.

use crate::states::{StateId, States};

/// By what the state to go back to is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// By the average fitness of the states within so many transitions.
    Neighbourhood {
        /// How many transitions (`k`).
        reach: u32,
    },
    /// By its own fitness.
    #[default]
    Own,
}

/// Surroundings are averaged over this many of the nearest states, so that choosing stays cheap in an app where
/// everything is three taps from everything.
const MOST: usize = 256;

/// Scores states; owns the memory that this takes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scorer {
    /// In which round each state was met last.
    met: Vec<u64>,
    round: u64,
    near: Vec<StateId>,
}

impl Selection {
    /// Neighbourhoods of the published size.
    pub const NEIGHBOURHOOD: Self = Self::Neighbourhood { reach: 3 };
}

impl Scorer {
    /// How promising it is to go back to a state.
    pub(crate) fn score(&mut self, states: &States, id: StateId, selection: Selection) -> f64 {
        match selection {
            Selection::Own => states.fitness(id),
            Selection::Neighbourhood { reach } => self.average(states, id, reach),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "no more than MOST states")]
    fn average(&mut self, states: &States, id: StateId, reach: u32) -> f64 {
        self.gather(states, id, reach);
        self.near.iter().map(|&near| states.fitness(near)).sum::<f64>() / self.near.len() as f64
    }

    /// Collects the nearest states, nearest first, and of those equally near the older ones first.
    fn gather(&mut self, states: &States, id: StateId, reach: u32) {
        self.met.resize(states.len(), 0);
        self.round += 1;
        self.near.clear();
        self.meet(id);
        let mut walked = 0;
        for _ in 0..reach {
            let level = walked..self.near.len();
            walked = self.near.len();
            for nth in level {
                for &next in states.after(self.near[nth]) {
                    if self.near.len() == MOST {
                        return;
                    }
                    self.meet(next);
                }
            }
        }
    }

    fn meet(&mut self, id: StateId) {
        let met = &mut self.met[id.0 as usize];
        if *met != self.round {
            *met = self.round;
            self.near.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use retap_trace::StateKey;

    use super::*;
    use crate::fitness::FitnessSettings;
    use crate::states::Place;

    /// So many states, and the ways between them.
    fn states(count: u32, links: &[(u32, u32)]) -> States {
        let mut states = States::new(FitnessSettings::default());
        for key in 0..count {
            // Each is visited another number of times.
            (0..=key).for_each(|_| _ = states.visit(Place::Inside(StateKey(u64::from(key)))));
        }
        for &(from, to) in links {
            states.link(StateId(from), StateId(to));
        }
        states
    }

    fn near(states: &States, id: u32, reach: u32) -> Vec<u32> {
        let mut scorer = Scorer::default();
        scorer.gather(states, StateId(id), reach);
        scorer.near.iter().map(|id| id.0).collect()
    }

    #[test]
    fn a_neighbourhood_follows_the_arrows_so_many_times() {
        let chain = states(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (2, 0), (5, 0)]);
        assert_eq!(near(&chain, 0, 3), [0, 1, 2, 3]);
        assert_eq!(near(&chain, 0, 0), [0]);
        assert_eq!(near(&chain, 4, 3), [4], "nothing leads on");
        assert_eq!(near(&chain, 5, 2), [5, 0, 1], "nobody goes back along an arrow");
    }

    #[test]
    fn the_score_is_the_average_or_its_own() {
        let pair = states(2, &[(0, 1)]);
        let (one, two) = (pair.fitness(StateId(0)), pair.fitness(StateId(1)));
        let mut scorer = Scorer::default();
        let average = scorer.score(&pair, StateId(0), Selection::NEIGHBOURHOOD);
        assert!((average - f64::midpoint(one, two)).abs() < 1e-12);
        let own = scorer.score(&pair, StateId(0), Selection::Own);
        assert!((own - one).abs() < 1e-12);
    }

    #[test]
    fn a_hub_does_not_make_choosing_dear() {
        let links: Vec<_> = (1..1_000).map(|to| (0, to)).collect();
        let hub = states(1_000, &links);
        assert_eq!(near(&hub, 0, 3).len(), MOST);
    }

    proptest! {
        #[test]
        fn it_is_every_state_within_reach_once(
            links in prop::collection::vec((0..30_u32, 0..30_u32), 0..80), from in 0..30_u32, reach in 0..5_u32,
        ) {
            let graph = states(30, &links);
            let mut within = BTreeSet::from([from]);
            for _ in 0..reach {
                let next = links.iter().filter(|(from, _)| within.contains(from)).map(|&(_, to)| to);
                within.extend(next.collect::<Vec<_>>());
            }
            let found = near(&graph, from, reach);
            prop_assert_eq!(found.len(), within.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), within);
        }
    }
}
