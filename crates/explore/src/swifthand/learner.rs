//! Learns the model along the way: the prefix tree, the model, and when the model is rebuilt.
//!
//! A contradiction asks for a new model. It is made when the tree has grown by an eighth since the model was
//! made last; until then the contradiction stands in the model as an action with several outcomes. So all
//! rebuilding together costs a few times as much as the last one, where the published implementation, which
//! rebuilds at every contradiction, would pay for the whole tree thousands of times.

use super::blue_fringe;
use super::looks::{LookId, Looks};
use super::model::{Model, StateId};
use super::name::Name;
use super::plan::Map;
use super::prefix_tree::{PrefixTree, TreeId};

/// The most nodes of the prefix tree. What comes after is learned by the model only.
const TREE: usize = 1 << 17;
/// The most pairs of places that one rebuild compares.
const COMPARED: u64 = 4_000_000;
/// The model is rebuilt when the tree has grown by one in so many.
const SHARE: usize = 8;

/// Where the app is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) look: LookId,
    pub(super) state: StateId,
    /// None when the tree was full.
    tree: Option<TreeId>,
}

/// What is known of the app.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) looks: Looks,
    tree: PrefixTree,
    model: Model,
    /// Where the app was after its last start.
    start: Option<Place>,
    /// Whether something contradicts the model.
    contradicted: bool,
    /// How large the tree was when the model was made.
    made_at: usize,
    rebuilds: u32,
}

impl Learner {
    /// Knows nothing.
    pub(super) fn new() -> Self {
        Self {
            looks: Looks::new(),
            tree: PrefixTree::new(TREE),
            model: Model::new(),
            start: None,
            contradicted: false,
            made_at: 0,
            rebuilds: 0,
        }
    }

    /// The app shows this, and nobody knows how it came there.
    pub(super) fn appear(&mut self, look: LookId) -> Place {
        Place { look, state: self.model.join(look), tree: self.tree.root(look) }
    }

    /// The app was started, and shows this.
    pub(super) fn begin(&mut self, look: LookId) -> Place {
        let place = self.appear(look);
        self.start = Some(place);
        place
    }

    /// The action was taken there, and led to this.
    pub(super) fn step(&mut self, from: Place, name: Name, look: LookId) -> Place {
        let lesson = self.model.learn(from.state, name, look);
        let tree = from.tree.and_then(|from| self.tree.child(from, name, look));
        // If the very same way has led to different looks, no other model can tell them apart.
        let explicable = from.tree.is_some_and(|from| self.tree.deterministic(from, name));
        self.contradicted |= lesson.contradiction && explicable;
        let place = Place { look, state: lesson.to, tree };
        if self.contradicted && self.tree.len() > self.made_at + self.made_at / SHARE {
            self.rebuild(place)
        } else {
            place
        }
    }

    /// The state that the app was in after its last start.
    pub(super) fn start(&self) -> Option<StateId> {
        self.start.map(|place| place.state)
    }

    /// What ways are looked for on.
    pub(super) const fn map(&self) -> Map<'_> {
        Map { model: &self.model, looks: &self.looks }
    }

    /// How often the model was rebuilt. The numbers of its states are others each time.
    pub(super) const fn rebuilds(&self) -> u32 {
        self.rebuilds
    }

    fn rebuild(&mut self, place: Place) -> Place {
        let (model, state_of) = blue_fringe::learn(&self.tree, COMPARED);
        self.model = model;
        self.made_at = self.tree.len();
        self.contradicted = false;
        self.rebuilds += 1;
        let mut again = |place: Place| {
            let known = place.tree.map(|id| state_of[id.index()]);
            Place { state: known.unwrap_or_else(|| self.model.join(place.look)), ..place }
        };
        self.start = self.start.map(&mut again);
        again(place)
    }
}

#[cfg(test)]
mod tests;
