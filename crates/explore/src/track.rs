//! Where a lane is among the states, and whether it makes progress.

use crate::interesting::interesting;
use crate::states::{Place, StateId, States};
use crate::stuck::{Lack, Stuck, StuckSettings};

/// One lane's way through the states.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Track {
    stuck: Stuck,
    at: Option<StateId>,
}

/// What a look tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// Where the lane is.
    pub(crate) state: StateId,
    /// Whether it is worth a snapshot.
    pub(crate) interesting: bool,
    /// Whether the lane is stuck.
    pub(crate) lack: Option<Lack>,
}

impl Track {
    pub(crate) const fn new(settings: StuckSettings) -> Self {
        Self { stuck: Stuck::new(settings), at: None }
    }

    /// Where the lane is, if that is known.
    pub(crate) const fn at(&self) -> Option<StateId> {
        self.at
    }

    /// The app was launched, and shows this. The first sight of a start is always worth a snapshot.
    pub(crate) fn start(&mut self, states: &mut States, place: Place) -> Arrival {
        self.leave();
        let arrival = self.come(states, place, None);
        self.stuck.begin_at(Some(arrival.state));
        Arrival { lack: None, ..arrival }
    }

    /// The lane was put back to a save, and shows this.
    pub(crate) fn jump(&mut self, states: &mut States, place: Place, new_coverage: Option<usize>) -> Arrival {
        self.leave();
        let arrival = self.come(states, place, new_coverage);
        self.stuck.begin_at(Some(arrival.state));
        Arrival { lack: None, ..arrival }
    }

    /// An event, or several, led here.
    pub(crate) fn walk(&mut self, states: &mut States, place: Place, new_coverage: Option<usize>) -> Arrival {
        let arrival = match states.find(place).filter(|here| self.at == Some(*here)) {
            Some(state) => Arrival { state, interesting: false, lack: None },
            None => self.come(states, place, new_coverage),
        };
        let lack = self.stuck.note(arrival.state, |state, share| states.frequent(state, share));
        if lack == Some(Lack::DeadEnd) {
            // A long stay without progress wears a state out like one more visit.
            states.count_visit(arrival.state);
        }
        Arrival { lack, ..arrival }
    }

    /// Nobody knows where the lane is.
    pub(crate) const fn leave(&mut self) {
        self.at = None;
    }

    fn come(&mut self, states: &mut States, place: Place, new_coverage: Option<usize>) -> Arrival {
        let from = self.at;
        let (state, first) = states.visit(place);
        let interesting = place != Place::Outside && interesting(first, new_coverage);
        if let Some(from) = from {
            states.link(from, state);
        }
        if interesting {
            states.found(state, from);
        }
        self.at = Some(state);
        Arrival { state, interesting, lack: None }
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::StateKey;

    use super::*;
    use crate::fitness::FitnessSettings;

    const START: Place = Place::Inside(StateKey(1));
    const NEXT: Place = Place::Inside(StateKey(2));

    fn begun() -> (States, Track) {
        let mut states = States::new(FitnessSettings::default());
        let mut track = Track::new(StuckSettings::default());
        assert!(track.start(&mut states, START).interesting, "even when coverage was not told");
        (states, track)
    }

    #[test]
    fn a_find_rewards_the_state_it_was_found_from() {
        let (mut states, mut track) = begun();
        let start = track.at().unwrap();
        let before = states.fitness(start);
        let arrival = track.walk(&mut states, NEXT, Some(3));
        assert!(arrival.interesting && states.fitness(start) > before);
        assert!(states.after(start).contains(&arrival.state));
    }

    #[test]
    fn outside_is_never_interesting() {
        let (mut states, mut track) = begun();
        assert!(!track.walk(&mut states, Place::Outside, Some(3)).interesting);
    }

    #[test]
    fn events_without_effect_are_no_visits_but_a_dead_end_is_one() {
        let (mut states, mut track) = begun();
        let start = track.at().unwrap();
        let fitness = states.fitness(start);
        for _ in 0..200 {
            assert_eq!(track.walk(&mut states, START, Some(1)).lack, None);
            assert!((states.fitness(start) - fitness).abs() < 1e-12);
        }
        assert_eq!(track.walk(&mut states, START, Some(1)).lack, Some(Lack::DeadEnd));
        assert!((states.fitness(start) - fitness * 0.9).abs() < 1e-12);
    }

    #[test]
    fn a_jump_is_a_visit_and_no_transition() {
        let (mut states, mut track) = begun();
        let start = track.at().unwrap();
        let next = track.walk(&mut states, NEXT, None).state;
        let fitness = states.fitness(start);
        track.jump(&mut states, START, None);
        assert!(states.fitness(start) < fitness);
        assert!(states.after(next).is_empty());
    }
}
