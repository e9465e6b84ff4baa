//! What is known when a plan is made, and paths in the making.

use std::cell::Cell;

use super::beliefs::Beliefs;
use super::stack::StackId;
use super::ways::Ways;
use crate::algorithm::View;
use crate::evidence::{PrefixId, Standing};
use crate::input::TransitionId;
use crate::item::ItemId;

/// Where each transition occurs on the tape.
#[derive(Debug)]
pub(super) struct Places(Vec<Vec<u32>>);

/// What is known when a plan is made: the evidence, the beliefs, and the ways that follow from them.
pub(super) struct Round<'a> {
    pub(super) view: View<'a>,
    pub(super) beliefs: &'a Beliefs,
    pub(super) ways: Ways<'a>,
    places: &'a Places,
    launch: TransitionId,
    too_long: Cell<bool>,
}

/// A path in the making.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    pub(super) path: Vec<TransitionId>,
    pub(super) stack: StackId,
    /// How surely it is followed.
    pub(super) chance: f64,
    pub(super) time: u64,
    /// Its node in the evidence, as long as runs have tried all of it.
    node: Option<PrefixId>,
    /// How many fragments of known traces it takes to put it together.
    fragments: u32,
    /// Where on the tape the last fragment may end.
    ends: Vec<u32>,
}

impl Places {
    pub(super) fn new(view: View<'_>) -> Self {
        let mut places = vec![Vec::new(); view.input.transitions.len()];
        for (place, id) in (0..).zip(&view.input.tape) {
            places[id.index()].push(place);
        }
        Self(places)
    }
}

impl<'a> Round<'a> {
    pub(super) fn new(view: View<'a>, beliefs: &'a Beliefs, places: &'a Places) -> Self {
        let launches = view.input.ids().filter(|&id| view.input.transition(id).sample.is_none());
        let usual = |id: &TransitionId| (places.0[id.index()].len(), std::cmp::Reverse(*id));
        let launch = launches.max_by_key(usual).expect("a trace has a launch");
        // A run that goes astray costs a restart and some steps.
        let ways = Ways::new(view.input, beliefs, view.input.transition(launch).time.0 * 2);
        Self { view, beliefs, ways, places, launch, too_long: Cell::new(false) }
    }

    /// Whether a path would have become longer than the settings allow.
    pub(super) fn too_long(&self) -> bool {
        self.too_long.get()
    }

    /// A path that only launches the app.
    pub(super) fn start(&self) -> Trail {
        let mut trail = Trail::empty();
        self.follow(&mut trail, self.launch);
        trail
    }

    /// A path as a trail, unless it is known to fail.
    pub(super) fn trail(&self, path: &[TransitionId]) -> Option<Trail> {
        let mut trail = Trail::empty();
        path.iter().all(|&id| self.follow(&mut trail, id)).then_some(trail)
    }

    /// Makes a path longer by a transition. False when it is then known to fail, takes too many fragments, or is
    /// too long.
    pub(super) fn extend(&self, trail: &mut Trail, id: TransitionId) -> bool {
        if !self.follow(trail, id) {
            return false;
        }
        let settings = self.view.settings;
        let too_long = trail.path.len() > settings.longest as usize + 1;
        self.too_long.set(self.too_long.get() | too_long);
        !too_long && trail.fragments <= settings.fragments
    }

    fn follow(&self, trail: &mut Trail, id: TransitionId) -> bool {
        let View { input, evidence, .. } = self.view;
        let node = trail.node.and_then(|node| evidence.child(node, id));
        if node.is_some_and(|node| evidence.standing(node) == Standing::Dead) {
            return false;
        }
        let followed = node.map(|node| evidence.node(node)).filter(|node| node.followed > 0);
        let next = trail.ends.iter().map(|place| place + 1);
        let mut ends: Vec<u32> = next.filter(|&place| input.tape.get(place as usize) == Some(&id)).collect();
        if ends.is_empty() && followed.is_none() {
            trail.fragments += 1;
            ends.clone_from(&self.places.0[id.index()]);
        }
        trail.chance *= if let Some(node) = followed {
            f64::from(node.follows()) / f64::from(node.follows() + node.diverged)
        } else {
            let before = trail.path.last().copied();
            self.beliefs.chance_after(input, before, id, self.ways.chance(trail.stack, id))
        };
        trail.stack = self.ways.enter(trail.stack, id);
        trail.node = node;
        trail.ends = ends;
        trail.path.push(id);
        trail.time += input.transition(id).time.0;
        true
    }

    /// What a path is believed to cover: as far as it was followed, what was seen.
    pub(super) fn predicted(&self, path: &[TransitionId]) -> Vec<ItemId> {
        let evidence = self.view.evidence;
        let (node, known) = evidence.followed_prefix(path);
        let mut items = evidence.held(node);
        items.extend(path[known..].iter().flat_map(|&id| self.beliefs.gives(id)));
        items.sort_unstable();
        items.dedup();
        items
    }
}

impl Trail {
    fn empty() -> Self {
        Self {
            path: Vec::new(),
            stack: StackId::EMPTY,
            chance: 1.0,
            time: 0,
            node: Some(PrefixId::ROOT),
            fragments: 0,
            ends: Vec::new(),
        }
    }
}
