//! The learned model: states that look alike are one state, until something contradicts it.

use super::edges::Edges;
use super::looks::LookId;
use super::name::Name;

/// Number of a state of the model. It holds until the model is rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StateId(pub(super) u32);

impl StateId {
    pub(super) const FAILURE: Self = Self(0);

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) look: LookId,
    pub(super) edges: Edges<StateId>,
}

/// States, and where their actions led. The first state is the failure state.
#[derive(Debug)]
pub(super) struct Model {
    states: Vec<State>,
    /// For each look, the first state that looks so.
    first: Vec<Option<StateId>>,
}

/// What a step taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lesson {
    /// Where it led.
    pub(super) to: StateId,
    /// Whether the action was thought to lead to one other look.
    pub(super) contradiction: bool,
}

impl Model {
    /// Only the failure state.
    pub(super) fn new() -> Self {
        Self::of(vec![State { look: LookId::FAILURE, edges: Edges::default() }])
    }

    /// A model of these states; the first must be the failure state.
    pub(super) fn of(states: Vec<State>) -> Self {
        let mut model = Self { states: Vec::new(), first: Vec::new() };
        for state in states {
            model.add(state);
        }
        model
    }

    pub(super) fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// How many states there are, the failure state included.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state that a screen is taken for: the first that looks so, else a new one. Optimistic: the app may
    /// be in another state that only looks the same.
    pub(super) fn join(&mut self, look: LookId) -> StateId {
        match self.first.get(look.index()).copied().flatten() {
            Some(known) => known,
            None => self.add(State { look, edges: Edges::default() }),
        }
    }

    /// Takes note of a step.
    pub(super) fn learn(&mut self, from: StateId, name: Name, look: LookId) -> Lesson {
        if let Some(to) = self.state(from).edges.get(name, look) {
            return Lesson { to, contradiction: false };
        }
        let contradiction = self.state(from).edges.of(name).len() == 1;
        let to = self.join(look);
        self.states[from.index()].edges.set(name, look, to);
        Lesson { to, contradiction }
    }

    fn add(&mut self, state: State) -> StateId {
        let id = StateId(u32::try_from(self.states.len()).expect("fewer than 2^32 states fit into memory"));
        let look = state.look.index();
        if self.first.len() <= look {
            self.first.resize(look + 1, None);
        }
        self.first[look] = self.first[look].or(Some(id));
        self.states.push(state);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_one_state() {
        let mut model = Model::new();
        let start = model.join(LookId(1));
        let lesson = model.learn(start, Name::Menu, LookId(2));
        assert!(!lesson.contradiction);
        assert_eq!(model.learn(lesson.to, Name::Back, LookId(1)), Lesson { to: start, contradiction: false });
        assert_eq!(model.learn(start, Name::Menu, LookId(2)), lesson);
        assert_eq!(model.len(), 3);
    }

    #[test]
    fn another_outcome_contradicts_once() {
        let mut model = Model::new();
        let start = model.join(LookId(1));
        model.learn(start, Name::Menu, LookId(2));
        assert!(model.learn(start, Name::Menu, LookId::FAILURE).contradiction);
        assert_eq!(model.learn(start, Name::Menu, LookId::FAILURE).to, StateId::FAILURE);
        assert!(!model.learn(start, Name::Menu, LookId(3)).contradiction, "it is known to vary");
        assert_eq!(model.state(start).edges.of(Name::Menu).len(), 3);
    }
}
