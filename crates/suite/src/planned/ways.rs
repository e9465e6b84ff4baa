//! The shortest ways from where a path stands, where an unsure transition counts as longer than it is.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use super::beliefs::Beliefs;
use super::stack::{StackId, Stacks};
use crate::input::{StateNo, SuiteInput, TransitionId};

/// Ways, found when they are asked for.
#[derive(Debug)]
pub(super) struct Ways<'a> {
    input: &'a SuiteInput,
    beliefs: &'a Beliefs,
    /// What is lost when a transition is not taken.
    loss: u64,
    leaving: Vec<Vec<TransitionId>>,
    stacks: RefCell<Stacks>,
    known: RefCell<BTreeMap<StackId, Rc<Tree>>>,
    /// How many trees are kept.
    room: usize,
}

/// The shortest ways from one stack.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// For each state, the nodes in it, the nearest first.
    of: Vec<Vec<u32>>,
}

/// A place that a way leads to.
#[derive(Debug, Clone, Copy)]
struct Node {
    stack: StackId,
    length: u64,
    /// The node before, and the transition from there.
    by: Option<(u32, TransitionId)>,
}

/// How many stacks of one state are told apart in a tree.
const STACKS: usize = 3;

impl<'a> Ways<'a> {
    /// The ways by what is believed.
    pub(super) fn new(input: &'a SuiteInput, beliefs: &'a Beliefs, loss: u64) -> Self {
        /// Nodes of all trees together.
        const ROOM: usize = 5_000_000;
        let states = input.states as usize;
        let mut leaving = vec![Vec::new(); states];
        for id in input.ids() {
            if let Some(leaving) = leaving.get_mut(input.transition(id).from.index()) {
                leaving.push(id);
            }
        }
        Self {
            input,
            beliefs,
            loss,
            leaving,
            stacks: RefCell::default(),
            known: RefCell::default(),
            room: (ROOM / (states * STACKS).max(1)).max(1),
        }
    }

    /// Whether nothing is known to lead on from where a transition leads.
    pub(super) fn ends(&self, id: TransitionId) -> bool {
        self.leaving[self.input.transition(id).to.index()].is_empty()
    }

    pub(super) fn enter(&self, stack: StackId, id: TransitionId) -> StackId {
        self.stacks.borrow_mut().enter(stack, self.input.transition(id).to)
    }

    /// How surely a transition is taken where a path stands.
    pub(super) fn chance(&self, stack: StackId, id: TransitionId) -> f64 {
        let origin = self.stacks.borrow().origin(stack);
        self.beliefs.chance_from(self.input, origin, id)
    }

    /// The shortest ways from a stack.
    pub(super) fn from(&self, stack: StackId) -> Rc<Tree> {
        if let Some(tree) = self.known.borrow().get(&stack) {
            return tree.clone();
        }
        let tree = Rc::new(self.grow(stack));
        let mut known = self.known.borrow_mut();
        if known.len() >= self.room {
            known.clear();
        }
        known.insert(stack, tree.clone());
        tree
    }

    /// The shortest way to do a transition: its length, and the node of the tree where it is done.
    pub(super) fn shortest(&self, tree: &Tree, id: TransitionId) -> Option<(u64, u32)> {
        let nodes = tree.of.get(self.input.transition(id).from.index())?.iter();
        let ways = nodes.filter_map(|&number| {
            let Node { stack, length, .. } = tree.nodes[number as usize];
            Some((length + self.weight(stack, id)?, number))
        });
        ways.min()
    }

    fn grow(&self, from: StackId) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), of: vec![Vec::new(); self.leaving.len()] };
        let mut queue = BinaryHeap::from([Reverse((0, from, None))]);
        let mut nearest: BTreeMap<StackId, u64> = BTreeMap::from([(from, 0)]);
        while let Some(Reverse((length, stack, by))) = queue.pop() {
            let state = self.stacks.borrow().top(stack).expect("a path stands in a state");
            if length > nearest[&stack] || tree.of[state.index()].len() >= STACKS {
                continue;
            }
            let number = u32::try_from(tree.nodes.len()).expect("few nodes");
            tree.of[state.index()].push(number);
            tree.nodes.push(Node { stack, length, by });
            for &id in &self.leaving[state.index()] {
                let to = self.input.transition(id).to;
                if to == state || tree.of[to.index()].len() >= STACKS {
                    continue;
                }
                let Some(weight) = self.weight(stack, id) else { continue };
                let (next, longer) = (self.enter(stack, id), length + weight);
                if nearest.get(&next).is_none_or(|&known| longer < known) {
                    nearest.insert(next, longer);
                    queue.push(Reverse((longer, next, Some((number, id)))));
                }
            }
        }
        tree
    }

    /// What a transition counts where a path stands; nothing when it is hopeless.
    fn weight(&self, stack: StackId, id: TransitionId) -> Option<u64> {
        const HOPELESS: f64 = 0.1;
        let chance = self.chance(stack, id);
        let time = self.input.transition(id).time.0;
        (chance > HOPELESS).then(|| time + weigh(self.loss, (1.0 - chance) / chance))
    }
}

impl Tree {
    /// The transitions of the way to a node.
    pub(super) fn way(&self, to: u32) -> Vec<TransitionId> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some((before, id)) = self.nodes[at as usize].by {
            way.push(id);
            at = before;
        }
        way.reverse();
        way
    }

    /// The least length of a way to a state.
    pub(super) fn length(&self, to: StateNo) -> Option<u64> {
        let nearest = self.of.get(to.index())?.first()?;
        Some(self.nodes[*nearest as usize].length)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time of minutes, times a factor below 10"
)]
fn weigh(loss: u64, factor: f64) -> u64 {
    (loss as f64 * factor.max(0.0)) as u64
}
