//! Where to go next: the nearest state in which something is untried.
//!
//! A breadth-first search over the model, with the actions of each state in random order. It goes over actions
//! that have one outcome; if that leads nowhere, over all. Actions that have ever failed are not gone over, nor
//! are those that are suppressed or were not offered when their state was seen last. Each state that the search
//! comes by is taken for the target anyway with a small probability, so that old outcomes are put to the test.

use std::collections::{BTreeMap, VecDeque};

use retap_trace::Dice;

use super::edges::Edge;
use super::looks::Looks;
use super::model::{Model, State, StateId};
use super::name::Name;
use super::offers::find;
use super::suppress::{is_frontier, suppressed, untried};

/// A way to a target.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Where it goes on.
    here: StateId,
    /// What is left of it, the next step last.
    steps: Vec<(Name, StateId)>,
    /// Whether the target was taken on a whim: nothing need be untried there.
    whim: bool,
}

/// What a plan says to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advice {
    Step(Name),
    /// This is the target: try something new.
    Try,
    /// This is the target, taken on a whim: do anything that is not known to fail.
    Anything,
    /// The app is not where the plan meant it to be.
    Lost,
}

/// The map on which ways are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map<'a> {
    pub(super) model: &'a Model,
    pub(super) looks: &'a Looks,
}

impl Plan {
    /// What to do in this state.
    pub(super) fn advice(&mut self, map: Map<'_>, at: StateId) -> Advice {
        if at != self.here {
            return Advice::Lost;
        }
        match self.steps.pop() {
            Some((name, to)) if map.is_offered(at, name) => {
                self.here = to;
                Advice::Step(name)
            }
            Some(_) => Advice::Lost,
            None if self.whim => Advice::Anything,
            None => Advice::Try,
        }
    }
}

impl<'a> Map<'a> {
    /// A way from here to a state worth going to, which may be this one. `whim` is the probability with which
    /// a state is taken for the target anyway.
    pub(super) fn plan(self, from: StateId, whim: f64, dice: &mut Dice) -> Option<Plan> {
        self.search(from, true, whim, dice).or_else(|| self.search(from, false, whim, dice))
    }

    /// Whether a state in which something is untried can be reached from here.
    pub(super) fn leads_to_frontier(self, from: StateId, dice: &mut Dice) -> bool {
        self.search(from, false, 0.0, dice).is_some()
    }

    pub(super) fn offered(self, at: StateId) -> impl Iterator<Item = Name> + use<'a> {
        self.looks.offers(self.model.state(at).look).iter().map(|offer| offer.name)
    }

    /// Those that are not known to fail.
    pub(super) fn safe(self, at: StateId) -> Vec<Name> {
        let edges = &self.model.state(at).edges;
        self.offered(at).filter(|&name| !fails(edges.of(name))).collect()
    }

    /// Those that were never tried and are worth it.
    pub(super) fn untried(self, at: StateId) -> Vec<Name> {
        let state = self.model.state(at);
        untried(self.looks.offers(state.look), &state.edges)
    }

    fn search(self, from: StateId, sure: bool, whim: f64, dice: &mut Dice) -> Option<Plan> {
        let mut came = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let state = self.model.state(at);
            let frontier = is_frontier(self.looks.offers(state.look), &state.edges);
            if frontier || (dice.chance(whim) && !self.safe(at).is_empty()) {
                return Some(way(&came, from, at, !frontier));
            }
            let mut actions = self.usable(state, sure);
            dice.shuffle(&mut actions);
            for edge in actions.into_iter().flatten() {
                came.entry(edge.to).or_insert_with(|| {
                    queue.push_back(edge.to);
                    Some((at, edge.name))
                });
            }
        }
        None
    }

    /// The actions that a plan may go over, each with its outcomes.
    fn usable(self, state: &'a State, sure: bool) -> Vec<&'a [Edge<StateId>]> {
        let offers = self.looks.offers(state.look);
        let usable = |outcomes: &&[Edge<StateId>]| {
            let allowed = !fails(outcomes) && (!sure || outcomes.len() == 1);
            let offer = find(offers, outcomes[0].name).filter(|_| allowed);
            offer.is_some_and(|offer| !suppressed(offers, &state.edges, offers[offer]))
        };
        state.edges.by_action().filter(usable).collect()
    }

    fn is_offered(self, at: StateId, name: Name) -> bool {
        find(self.looks.offers(self.model.state(at).look), name).is_some()
    }
}

fn fails(outcomes: &[Edge<StateId>]) -> bool {
    outcomes.iter().any(|edge| edge.to == StateId::FAILURE)
}

/// The way that a search came, from its last state back.
fn way(
    came: &BTreeMap<StateId, Option<(StateId, Name)>>,
    from: StateId,
    target: StateId,
    whim: bool,
) -> Plan {
    let mut steps = Vec::new();
    let mut at = target;
    while let Some((before, name)) = came[&at] {
        steps.push((name, at));
        at = before;
    }
    Plan { here: from, steps, whim }
}

#[cfg(test)]
mod tests;
