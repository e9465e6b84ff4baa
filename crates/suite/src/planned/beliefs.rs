//! What is believed of the app: how surely a transition is taken, and what it covers.
//!
//! Learnt from the recording and from every replay. A recorded step lists only the code that no earlier step of
//! its trace had executed. So that a step did *not* execute something is known exactly where the trace had not
//! executed it before, and from these cases follows how surely a transition covers an item.

use std::collections::BTreeMap;

use super::stack::{StackId, Stacks};
use crate::input::{PairNo, StateNo, SuiteInput, TransitionId};
use crate::item::{Item, ItemId};
use crate::order::Followed;

#[cfg(test)]
mod tests;

#[derive(Debug, Clone)]
pub(super) struct Beliefs {
    /// How often each transition was taken, and how often each event was done in its state.
    taken: Vec<u32>,
    tried: Vec<u32>,
    /// The same where the state was entered from a given one.
    from: Counts<Option<StateNo>>,
    /// The same after a given transition.
    after: Counts<Option<TransitionId>>,
    /// What each transition was seen to cover, in the order of items.
    gives: Vec<Vec<Given>>,
    /// For each item, how often a replay was to cover it by what is believed, and did not.
    missed: Vec<u32>,
}

/// How often transitions were taken, and how often they were tried, in some context.
#[derive(Debug, Clone, Default)]
struct Counts<C> {
    taken: BTreeMap<(TransitionId, C), u32>,
    tried: BTreeMap<(PairNo, C), u32>,
}

#[derive(Debug, Clone, Copy)]
struct Given {
    item: ItemId,
    seen: u32,
    /// Times that it could have been seen: it had not been covered before.
    chances: u32,
}

impl Beliefs {
    /// What the recording tells.
    pub(super) fn new(input: &SuiteInput) -> Self {
        let mut new = Self {
            taken: vec![0; input.transitions.len()],
            tried: vec![0; input.pairs as usize],
            from: Counts::default(),
            after: Counts::default(),
            gives: vec![Vec::new(); input.transitions.len()],
            missed: vec![0; input.items.len()],
        };
        for trace in &input.traces {
            let path = input.path(trace);
            for &(item, index) in &trace.credits {
                new.gives[path[index as usize].index()].push(Given { item, seen: 0, chances: 0 });
            }
        }
        for given in &mut new.gives {
            given.sort_unstable_by_key(|given| given.item);
            given.dedup_by_key(|given| given.item);
        }
        for trace in &input.traces {
            let path = input.path(trace);
            new.learn_ways(input, path, None);
            new.learn_items(path, &trace.credits);
        }
        new
    }

    /// Learns from a replay that followed so many transitions of a path and, if these are not all, not the next.
    pub(super) fn learn(
        &mut self,
        input: &SuiteInput,
        path: &[TransitionId],
        followed: usize,
        run: &Followed,
    ) {
        self.learn_ways(input, &path[..followed], path.get(followed).copied());
        let path = &path[..followed];
        let mut first: BTreeMap<ItemId, u32> = BTreeMap::new();
        for (index, &id) in (0_u32..).zip(path) {
            let seen = index.checked_sub(1).and_then(|step| run.sightings.get(step as usize));
            let code = seen.map(|seen| &*seen.coverage).unwrap_or_default();
            let code = code.iter().filter_map(|code| input.items.find(&Item::Code(*code)));
            for item in code.chain(input.transition(id).mark) {
                first.entry(item).or_insert(index);
            }
        }
        for (&item, &index) in &first {
            let given = &mut self.gives[path[index as usize].index()];
            if let Err(place) = given.binary_search_by_key(&item, |given| given.item) {
                given.insert(place, Given { item, seen: 0, chances: 0 });
            }
        }
        let credits: Vec<(ItemId, u32)> = first.into_iter().collect();
        self.learn_items(path, &credits);
    }

    /// Takes note that a replay did not cover an item that it was to cover.
    pub(super) fn miss(&mut self, item: ItemId) {
        self.missed[item.index()] += 1;
    }

    fn learn_ways(&mut self, input: &SuiteInput, path: &[TransitionId], astray: Option<TransitionId>) {
        let mut stacks = Stacks::default();
        let mut stack = StackId::EMPTY;
        for (index, &id) in path.iter().chain(&astray).enumerate() {
            let transition = input.transition(id);
            let (pair, taken) = (transition.pair, index < path.len());
            let before = index.checked_sub(1).map(|before| path[before]);
            self.taken[id.index()] += u32::from(taken);
            self.tried[pair.index()] += 1;
            self.from.add(id, pair, stacks.origin(stack), taken);
            self.after.add(id, pair, before, taken);
            stack = stacks.enter(stack, transition.to);
        }
    }

    /// `credits`, in the order of items, says where in the path each item was covered first.
    fn learn_items(&mut self, path: &[TransitionId], credits: &[(ItemId, u32)]) {
        for (index, id) in (0_u32..).zip(path) {
            for given in &mut self.gives[id.index()] {
                let place = credits.binary_search_by_key(&given.item, |credit| credit.0);
                let first = place.map_or(u32::MAX, |place| credits[place].1);
                given.seen += u32::from(first == index);
                given.chances += u32::from(first >= index);
            }
        }
    }

    /// How surely a transition is taken where its state was entered from another one.
    pub(super) fn chance_from(&self, input: &SuiteInput, origin: Option<StateNo>, id: TransitionId) -> f64 {
        const WEIGHT: f64 = 1.5;
        let pair = input.transition(id).pair;
        let (taken, tried) = (self.taken[id.index()], self.tried[pair.index()]);
        // One sight is not quite a proof.
        let anywhere = (f64::from(taken) + 0.8) / (f64::from(tried) + 1.0);
        if taken == tried {
            return anywhere;
        }
        let (taken, tried) = self.from.of(id, pair, origin);
        (taken + WEIGHT * anywhere) / (tried + WEIGHT)
    }

    /// How surely a transition is taken after another, where it otherwise would be with this chance.
    pub(super) fn chance_after(
        &self,
        input: &SuiteInput,
        before: Option<TransitionId>,
        id: TransitionId,
        otherwise: f64,
    ) -> f64 {
        const WEIGHT: f64 = 2.0;
        let (taken, tried) = self.after.of(id, input.transition(id).pair, before);
        (taken + WEIGHT * otherwise) / (tried + WEIGHT)
    }

    /// The items that a transition is believed to cover.
    pub(super) fn gives(&self, id: TransitionId) -> impl Iterator<Item = ItemId> + '_ {
        /// An item that was missed so often depends on more than the transition.
        const PATIENCE: u32 = 3;
        let sure = |given: &&Given| {
            let missed = self.missed[given.item.index()] >= PATIENCE;
            if missed { given.seen == given.chances } else { given.seen * 3 >= given.chances * 2 }
        };
        self.gives[id.index()].iter().filter(sure).map(|given| given.item)
    }
}

impl<C: Copy + Ord> Counts<C> {
    fn add(&mut self, id: TransitionId, pair: PairNo, context: C, taken: bool) {
        *self.taken.entry((id, context)).or_default() += u32::from(taken);
        *self.tried.entry((pair, context)).or_default() += 1;
    }

    fn of(&self, id: TransitionId, pair: PairNo, context: C) -> (f64, f64) {
        let taken = self.taken.get(&(id, context)).copied().unwrap_or(0);
        let tried = self.tried.get(&(pair, context)).copied().unwrap_or(0);
        (f64::from(taken), f64::from(tried))
    }
}
