//! Where actions led: what the prefix tree and the model have in common.

use super::looks::LookId;
use super::name::Name;

/// One outcome of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge<T> {
    pub(super) name: Name,
    /// What was seen then.
    pub(super) look: LookId,
    pub(super) to: T,
}

/// The outcomes of the actions of one place, sorted; at most one for an action and a look. An action with
/// several outcomes is not deterministic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edges<T>(Vec<Edge<T>>);

impl<T> Default for Edges<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Edges<T> {
    /// The outcomes of one action, by look.
    pub(super) fn of(&self, name: Name) -> &[Edge<T>] {
        let from = self.0.partition_point(|edge| edge.name < name);
        let length = self.0[from..].partition_point(|edge| edge.name == name);
        &self.0[from..from + length]
    }

    /// Where an action with this outcome leads.
    pub(super) fn get(&self, name: Name, look: LookId) -> Option<T> {
        self.find(name, look).ok().map(|index| self.0[index].to)
    }

    /// Lets an action with this outcome lead there.
    pub(super) fn set(&mut self, name: Name, look: LookId, to: T) {
        match self.find(name, look) {
            Ok(index) => self.0[index].to = to,
            Err(index) => self.0.insert(index, Edge { name, look, to }),
        }
    }

    /// All outcomes, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Edge<T>> {
        self.0.iter()
    }

    /// The outcomes of each action that was tried.
    pub(super) fn by_action(&self) -> impl Iterator<Item = &[Edge<T>]> {
        self.0.chunk_by(|one, next| one.name == next.name)
    }

    /// The same outcomes, leading to other places.
    pub(super) fn map<U>(&self, to: impl Fn(T) -> U) -> Edges<U> {
        let edge = |edge: &Edge<T>| Edge { name: edge.name, look: edge.look, to: to(edge.to) };
        Edges(self.0.iter().map(edge).collect())
    }

    fn find(&self, name: Name, look: LookId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&(name, look), |edge| (edge.name, edge.look))
    }
}
