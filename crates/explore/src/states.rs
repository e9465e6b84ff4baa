//! The states that were seen, how often, and which led to which.
//!
//! A lean graph for hundred thousands of events: states and the states they led to, without the events and
//! without self-loops. `retap-model` has a graph with all of that for those who look for paths. A visit is an
//! arrival; events that change nothing are not visits, so a state that is hard to leave is not worn out by one stay.

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::{Level, Seen, StateKey};

use crate::fitness::{FitnessSettings, Record};

/// Number of a state, by first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateId(pub(crate) u32);

/// What a look shows, as far as exploring tells states apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Anywhere outside the app: all of it is one state, and never an interesting one.
    Outside,
    /// A state of the app.
    Inside(StateKey),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct States {
    fitness: FitnessSettings,
    all: Vec<State>,
    by_place: BTreeMap<Place, StateId>,
    /// How many states have at least so many visits.
    with_visits: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq)]
struct State {
    record: Record,
    /// Kept beside the record, since it is read far more often than it changes.
    fitness: f64,
    to: BTreeSet<StateId>,
}

impl Place {
    /// The state of a look: by its layout, or by its activity where the tree was not looked at.
    pub(crate) fn of(keys: &Seen, in_front: bool) -> Self {
        let key = keys.key(Level::Layout).or_else(|| keys.key(Level::Activity));
        key.filter(|_| in_front).map_or(Self::Outside, Self::Inside)
    }
}

impl States {
    pub(crate) const fn new(fitness: FitnessSettings) -> Self {
        Self { fitness, all: Vec::new(), by_place: BTreeMap::new(), with_visits: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Notes an arrival, and says whether it is the first.
    pub(crate) fn visit(&mut self, place: Place) -> (StateId, bool) {
        let next = StateId(u32::try_from(self.all.len()).expect("an app has fewer than 2^32 states"));
        let id = *self.by_place.entry(place).or_insert(next);
        if id == next {
            let record = Record::default();
            self.all.push(State { record, fitness: self.fitness.of(record), to: BTreeSet::new() });
        }
        self.count_visit(id);
        (id, id == next)
    }

    /// The state at a place, if it was seen.
    pub(crate) fn find(&self, place: Place) -> Option<StateId> {
        self.by_place.get(&place).copied()
    }

    pub(crate) fn count_visit(&mut self, id: StateId) {
        self.change(id, |record| record.visits += 1);
        let visits = self.all[id.0 as usize].record.visits as usize;
        if self.with_visits.len() < visits {
            self.with_visits.resize(visits, 0);
        }
        self.with_visits[visits - 1] += 1;
    }

    /// Notes that a state is interesting, and from where it was found.
    pub(crate) fn found(&mut self, id: StateId, from: Option<StateId>) {
        self.change(id, |record| record.interesting = true);
        if let Some(from) = from {
            self.change(from, |record| record.found += 1);
        }
    }

    /// Notes that events led from one state to another.
    pub(crate) fn link(&mut self, from: StateId, to: StateId) {
        if from != to {
            self.all[from.0 as usize].to.insert(to);
        }
    }

    /// The states that a state led to.
    pub(crate) fn after(&self, id: StateId) -> &BTreeSet<StateId> {
        &self.all[id.0 as usize].to
    }

    /// How promising a state is.
    pub(crate) fn fitness(&self, id: StateId) -> f64 {
        self.all[id.0 as usize].fitness
    }

    /// Whether a state is among this share of the most visited ones. States that are visited equally often are so
    /// together or not at all.
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 states")]
    pub(crate) fn frequent(&self, id: StateId, share: f64) -> bool {
        let visits = self.all[id.0 as usize].record.visits as usize;
        let as_frequent = visits.checked_sub(1).map_or(self.all.len(), |nth| self.with_visits[nth] as usize);
        as_frequent as f64 <= share * self.all.len() as f64
    }

    fn change(&mut self, id: StateId, change: impl FnOnce(&mut Record)) {
        let state = &mut self.all[id.0 as usize];
        change(&mut state.record);
        state.fitness = self.fitness.of(state.record);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inside(key: u64) -> Place {
        Place::Inside(StateKey(key))
    }

    #[test]
    fn a_place_is_a_layout_an_activity_or_outside() {
        let full = Seen { layout: Some(StateKey(7)), ..Seen::activity("a.Main") };
        assert_eq!(Place::of(&full, true), inside(7));
        assert_eq!(
            Place::of(&Seen::activity("a.Main"), true),
            Place::Inside(StateKey::of_activity("a.Main"))
        );
        assert_eq!(Place::of(&full, false), Place::Outside);
    }

    #[test]
    fn records_make_fitness() {
        let mut states = States::new(FitnessSettings::default());
        let (start, first) = states.visit(inside(1));
        assert!(first);
        let (second, _) = states.visit(inside(2));
        states.found(second, Some(start));
        assert!(!states.visit(inside(1)).1);
        let expected = FitnessSettings::default().of(Record { visits: 2, found: 1, interesting: false });
        assert!((states.fitness(start) - expected).abs() < 1e-12);
        assert!(states.fitness(second) > 5.0);
    }

    #[test]
    fn a_state_does_not_lead_to_itself() {
        let mut states = States::new(FitnessSettings::default());
        let (one, two) = (states.visit(inside(1)).0, states.visit(inside(2)).0);
        for to in [one, two, two] {
            states.link(one, to);
        }
        assert_eq!(states.after(one).iter().collect::<Vec<_>>(), [&two]);
    }

    proptest! {
        #[test]
        fn frequent_is_what_sorting_would_say(visits in prop::collection::vec(0..30_u64, 1..300)) {
            const SHARE: f64 = 0.2;
            let mut states = States::new(FitnessSettings::default());
            for key in visits {
                states.visit(inside(key));
            }
            let counts: Vec<_> = states.all.iter().map(|state| state.record.visits).collect();
            for (nth, mine) in counts.iter().enumerate() {
                let as_frequent = counts.iter().filter(|&other| other >= mine).count();
                let id = StateId(u32::try_from(nth).unwrap());
                prop_assert_eq!(states.frequent(id, SHARE), as_frequent * 10 <= counts.len() * 2, "{}", nth);
            }
        }
    }
}
