//! Where a path has come from, as a stack of states.
//!
//! What an event does often depends on how its state was reached: the back key, above all, leads to where one came
//! from. A state that is entered for the first time is put on top; a state that is entered again takes everything above it away.
//! So the state below the top is the one from which the current state was first entered.

use std::collections::BTreeMap;

use crate::input::StateNo;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StackId(u32);

/// All stacks that were met, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Stacks {
    list: Vec<Stack>,
    numbers: BTreeMap<(StackId, StateNo), StackId>,
}

#[derive(Debug, Clone, Copy)]
struct Stack {
    below: StackId,
    top: StateNo,
}

impl StackId {
    /// The stack without states.
    pub(super) const EMPTY: Self = Self(u32::MAX);
}

impl Stacks {
    /// The stack after a state is entered.
    pub(super) fn enter(&mut self, stack: StackId, state: StateNo) -> StackId {
        let mut at = stack;
        while at != StackId::EMPTY {
            let Stack { below, top } = self.list[at.0 as usize];
            if top == state {
                return at;
            }
            at = below;
        }
        let next = StackId(u32::try_from(self.list.len()).expect("few stacks"));
        let list = &mut self.list;
        *self.numbers.entry((stack, state)).or_insert_with(|| {
            list.push(Stack { below: stack, top: state });
            next
        })
    }

    pub(super) fn top(&self, stack: StackId) -> Option<StateNo> {
        self.list.get(stack.0 as usize).map(|stack| stack.top)
    }

    /// The state below the top.
    pub(super) fn origin(&self, stack: StackId) -> Option<StateNo> {
        self.list.get(stack.0 as usize).and_then(|stack| self.top(stack.below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_takes_away_what_lies_above() {
        let mut stacks = Stacks::default();
        let mut at = StackId::EMPTY;
        let mut origins = Vec::new();
        for state in [1, 2, 3, 2, 2, 1, 3, 2] {
            at = stacks.enter(at, StateNo(state));
            assert_eq!(stacks.top(at), Some(StateNo(state)));
            origins.push(stacks.origin(at).map(|state| state.0));
        }
        assert_eq!(origins, [None, Some(1), Some(2), Some(1), Some(1), None, Some(1), Some(3)]);
    }
}
