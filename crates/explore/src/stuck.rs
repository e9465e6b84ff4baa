//! When exploring makes no progress: dead ends and loops [TimeMachine §3.2, algorithm 2].
//!
//! A *dead end* is a state that too many events in a row did not leave. A *loop* is found in the last states that
//! were come to: when nearly all of them are easy ones. A state is easy when it stands in that list more than once,
//! or is among the most visited ones of all.
//!
//! Two corrections to what is published. An entry that is easy for both reasons counts once; the printed sum counts
//! it twice. And it is *entries* that are counted, not different states: a loop of two states would hold two
//! of ten and never be found.

use std::collections::VecDeque;

use crate::states::StateId;

/// When a lane counts as stuck.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuckSettings {
    /// How many of the states last come to are remembered (`l`).
    pub length: usize,
    /// The most events in a row that may leave the state as it is (`max_no_progress`).
    pub no_progress: u32,
    /// Which share of all states counts as most visited (`alpha`).
    pub frequent: f64,
    /// The most of the remembered states that may be easy (`beta`).
    pub easy: f64,
}

/// Why there is no progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The state is hard to leave.
    DeadEnd,
    /// It goes round and round.
    Loop,
}

/// Watches one lane for lack of progress.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stuck {
    settings: StuckSettings,
    previous: Option<StateId>,
    recent: VecDeque<StateId>,
    idle: u32,
}

/// The published values.
impl Default for StuckSettings {
    fn default() -> Self {
        Self { length: 10, no_progress: 200, frequent: 0.2, easy: 0.8 }
    }
}

impl Stuck {
    pub(crate) const fn new(settings: StuckSettings) -> Self {
        Self { settings, previous: None, recent: VecDeque::new(), idle: 0 }
    }

    /// The lane was put somewhere else: nothing of before counts.
    pub(crate) fn begin_at(&mut self, state: Option<StateId>) {
        self.previous = state;
        self.recent.clear();
        self.idle = 0;
    }

    /// Takes note of the state after an event. `frequent` tells whether a state is among this share of the most
    /// visited ones.
    pub(crate) fn note(&mut self, state: StateId, frequent: impl Fn(StateId, f64) -> bool) -> Option<Lack> {
        if self.previous == Some(state) {
            self.idle += 1;
            return (self.idle > self.settings.no_progress).then_some(Lack::DeadEnd);
        }
        self.previous = Some(state);
        self.idle = 0;
        self.recent.push_back(state);
        if self.recent.len() > self.settings.length {
            self.recent.pop_front();
        }
        self.loops(frequent).then_some(Lack::Loop)
    }

    fn loops(&self, frequent: impl Fn(StateId, f64) -> bool) -> bool {
        let length = self.settings.length;
        if self.recent.len() < length || length == 0 {
            return false;
        }
        let repeated = |state| self.recent.iter().filter(|&&other| other == state).count() > 1;
        let easy = |&&state: &&StateId| repeated(state) || frequent(state, self.settings.frequent);
        #[expect(clippy::cast_precision_loss, reason = "the list has a handful of entries")]
        let share = self.recent.iter().filter(easy).count() as f64 / length as f64;
        share > self.settings.easy
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is said after each of these states, when those below `frequent` are the most visited ones.
    fn said(states: &[u32], frequent: u32) -> Vec<Option<Lack>> {
        let mut stuck = Stuck::new(StuckSettings::default());
        states.iter().map(|&state| stuck.note(StateId(state), |id, _| id.0 < frequent)).collect()
    }

    #[test]
    fn more_than_200_idle_events_are_a_dead_end() {
        let said = said(&[7; 203], 0);
        assert_eq!(said.iter().position(Option::is_some), Some(201), "the first sight is an arrival");
        assert_eq!(said[202], Some(Lack::DeadEnd));
    }

    #[test]
    fn a_change_begins_the_count_of_idle_events_anew() {
        let states: Vec<_> = [[7; 200], [8; 200], [7; 200]].concat();
        assert_eq!(said(&states, 0), vec![None; 600]);
    }

    #[test]
    fn two_states_in_turn_are_a_loop_once_the_list_is_full() {
        let states: Vec<_> = (0..12).map(|nth| nth % 2).collect();
        let said = said(&states, 0);
        assert_eq!(said[..9], [None; 9]);
        assert_eq!(said[9..], [Some(Lack::Loop); 3]);
    }

    #[test]
    fn ten_different_states_are_progress_unless_they_are_the_usual_ones() {
        let states: Vec<_> = (0..10).collect();
        assert_eq!(said(&states, 0)[9], None);
        assert_eq!(said(&states, 8)[9], None, "eight of ten is not more than 0.8");
        assert_eq!(said(&states, 9)[9], Some(Lack::Loop));
    }

    #[test]
    fn what_is_easy_for_two_reasons_counts_once() {
        // Seven entries are repeated, and the same seven frequent: twice seven would be a loop.
        let states = [0, 1, 2, 0, 1, 2, 0, 10, 11, 12];
        assert_eq!(said(&states, 3)[9], None);
    }

    #[test]
    fn idle_events_do_not_fill_the_list() {
        let states: Vec<_> = (0..9).flat_map(|nth| [nth % 2; 50]).collect();
        assert_eq!(said(&states, 9), vec![None; 450], "only nine arrivals");
    }

    #[test]
    fn a_lane_that_was_put_elsewhere_begins_anew() {
        let mut stuck = Stuck::new(StuckSettings::default());
        let never = |_, _| false;
        for nth in 0..9 {
            assert_eq!(stuck.note(StateId(nth % 2), never), None);
        }
        stuck.begin_at(Some(StateId(5)));
        for _ in 0..200 {
            assert_eq!(stuck.note(StateId(5), never), None, "the restored state is the one before");
        }
        assert_eq!(stuck.note(StateId(5), never), Some(Lack::DeadEnd));
    }

    proptest! {
        /// The rule again, in the words of its definition.
        #[test]
        fn it_is_what_the_definition_says(
            states in prop::collection::vec(0..6_u32, 0..120), length in 1..12_usize, frequent in 0..6_u32,
            no_progress in 0..6_u32,
        ) {
            let settings = StuckSettings { length, no_progress, ..StuckSettings::default() };
            let mut stuck = Stuck::new(settings);
            let mut changes: Vec<u32> = Vec::new();
            let mut idle = 0;
            for state in states {
                let verdict = stuck.note(StateId(state), |id, _| id.0 < frequent);
                let expected = if changes.last() == Some(&state) {
                    idle += 1;
                    (idle > no_progress).then_some(Lack::DeadEnd)
                } else {
                    changes.push(state);
                    idle = 0;
                    let last = &changes[changes.len().saturating_sub(length)..];
                    let easy = last
                        .iter()
                        .filter(|&one| *one < frequent || last.iter().filter(|&other| other == one).count() > 1)
                        .count();
                    (last.len() == length && 10 * easy > 8 * length).then_some(Lack::Loop)
                };
                prop_assert_eq!(verdict, expected);
            }
        }
    }
}
