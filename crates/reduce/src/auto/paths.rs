//! Guesses from recorded states: the shortest ways of state changes to the last event.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_trace::StateKey;

/// What a recording tells about states.
#[derive(Debug, Clone)]
pub struct StatePaths {
    /// The state before each event, and the one after the last.
    states: Arc<[StateKey]>,
    /// Whether the first event launches the app.
    launch: bool,
    /// The event with which the recording reached its target.
    last: u32,
}

impl StatePaths {
    /// The ways to this event of a recording.
    pub fn new(states: Arc<[StateKey]>, launch: bool, last: u32) -> Self {
        Self { states, launch, last }
    }

    /// Whether an event changed the state.
    pub fn changed(&self, event: u32) -> bool {
        self.states[event as usize] != self.states[event as usize + 1]
    }

    /// Whether the recording was in the same state before one event and after another.
    pub fn is_loop(&self, from: u32, to: u32) -> bool {
        self.states[from as usize] == self.states[to as usize + 1]
    }

    /// The fewest events, in the order of the recording, that lead from the first state to the one before the last
    /// event; among equals those whose first event comes latest. Some events may be banned.
    fn shortest(&self, banned: &BTreeSet<u32>) -> Option<Vec<u32>> {
        let first = u32::from(self.launch);
        let mut best: BTreeMap<StateKey, Vec<u32>> = BTreeMap::new();
        best.insert(self.states[first as usize], Vec::new());
        for event in first..self.last {
            let (before, after) = (self.states[event as usize], self.states[event as usize + 1]);
            if before == after || banned.contains(&event) {
                continue;
            }
            let Some(way) = best.get(&before) else { continue };
            let begins = way.first().copied().unwrap_or(event);
            let better = best.get(&after).is_none_or(|known| {
                let longer = way.len() + 1;
                longer < known.len() || (longer == known.len() && Some(&begins) > known.first())
            });
            if better {
                let way = way.iter().copied().chain([event]).collect();
                best.insert(after, way);
            }
        }
        best.remove(&self.states[self.last as usize])
    }

    /// The lists to try first, and those to try when all of them have missed once.
    pub fn guesses(&self) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let Some(path) = self.shortest(&BTreeSet::new()) else { return Default::default() };
        let mut first = vec![self.whole(&path)];
        for guarded in [self.with_guards(&path, 1), self.with_guards(&path, path.len() + 1)] {
            if !first.contains(&guarded) {
                first.push(guarded);
            }
        }
        let mut again = first.clone();
        let other = self.shortest(&path.into_iter().collect());
        again.extend(other.map(|other| self.whole(&other)));
        (first, again)
    }

    /// Another way that avoids an event, with the event before it as a guard.
    pub fn around(&self, avoided: u32) -> Option<Vec<u32>> {
        let path = self.shortest(&BTreeSet::from([avoided]))?;
        (!path.is_empty()).then(|| self.with_guards(&path, 1))
    }

    fn whole(&self, path: &[u32]) -> Vec<u32> {
        let launch = self.launch.then_some(0);
        launch.into_iter().chain(path.iter().copied()).chain([self.last]).collect()
    }

    /// The way with the events before its first ones, the last event included.
    fn with_guards(&self, path: &[u32], guarded: usize) -> Vec<u32> {
        let list = self.whole(path);
        let inner = &list[usize::from(self.launch)..];
        let guards = inner.iter().take(guarded).filter_map(|event| event.checked_sub(1));
        let guards = guards.filter(|event| !self.launch || *event > 0);
        let all: BTreeSet<u32> = list.iter().copied().chain(guards).collect();
        all.into_iter().collect()
    }
}
