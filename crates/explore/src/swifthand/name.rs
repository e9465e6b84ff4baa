//! How an action is named, so that it is the same action at every visit of an abstract state.
//!
//! A widget is named by its rank among the widgets that can be acted on, in the order of the tree. The key of a
//! state fixes those widgets, their ways from the root and so their order. Hence a name means the same on every
//! screen of one key, even when other widgets are scrolled out of sight; the index in the list of actions would
//! not, because that list leaves them out. Names of different keys are never compared.

use retap_trace::Observation;

use crate::actions::{Action, Deed};

/// An action of an abstract state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Back,
    Menu,
    /// Do something to the widget of this rank.
    On(u32, Deed),
}

/// The names of the actions of a screen, one for each. They are in order when the actions are.
pub(super) fn names(seen: &Observation, actions: &[Action]) -> Vec<Name> {
    let nodes = seen.tree.as_ref().map_or(&[][..], |tree| tree.nodes());
    let (mut counted, mut rank) = (0, 0);
    let name = |action: &Action| match *action {
        Action::Back => Name::Back,
        Action::Menu => Name::Menu,
        Action::On(id, deed) => {
            let upto = id.0 as usize;
            rank += nodes[counted..upto].iter().map(|node| u32::from(node.flags.actionable())).sum::<u32>();
            counted = upto;
            Name::On(rank, deed)
        }
    };
    actions.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use retap_trace::{GuiTree, Size};

    use super::*;
    use crate::actions::actions;
    use crate::sample::{any_screen, notes};

    fn named(seen: &Observation) -> Vec<Name> {
        names(seen, &actions(seen))
    }

    /// The same screen, its widgets moved up.
    fn scrolled(seen: &Observation, by: i32) -> Observation {
        let mut tree = GuiTree::new();
        for node in seen.tree.iter().flat_map(GuiTree::nodes) {
            let mut node = node.clone();
            node.bounds.top -= by;
            node.bounds.bottom -= by;
            tree.push(node);
        }
        Observation { tree: Some(tree), ..seen.clone() }
    }

    #[test]
    fn what_is_out_of_sight_does_not_rename_the_rest() {
        let whole = notes();
        let upper = Observation { screen: Size { width: 1080, height: 500 }, ..whole.clone() };
        let lower = scrolled(&whole, 800);
        let named_actions =
            |seen: &Observation| actions(seen).into_iter().zip(named(seen)).collect::<Vec<_>>();
        for part in [upper, lower] {
            let (seen, gone): (Vec<_>, Vec<_>) =
                named_actions(&whole).into_iter().partition(|(action, _)| actions(&part).contains(action));
            assert!(seen.len() > 3 && gone.len() > 3);
            assert!(seen.iter().all(|pair| named_actions(&part).contains(pair)), "{seen:?}");
        }
    }

    proptest! {
        #[test]
        fn names_are_in_order_and_tell_actions_apart(seen in any_screen()) {
            let names = named(&seen);
            prop_assert_eq!(names.len(), actions(&seen).len());
            prop_assert!(names.is_sorted_by(|one, next| one < next), "{:?}", names);
        }
    }
}
