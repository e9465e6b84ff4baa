//! The abstract states by number, each with what it offers.
//!
//! What a look offers is what it offered when it was seen last: widgets of the same key may be in sight at one
//! visit and not at the next, and a plan must not wait for what is gone.

use std::collections::BTreeMap;

use retap_trace::{Level, Seen, StateKey};

use super::offers::Offer;

/// Number of an abstract state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LookId(pub(super) u32);

impl LookId {
    /// The failure state: the app crashed, is not in front, or is blocked. It offers nothing.
    pub(super) const FAILURE: Self = Self(0);

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All abstract states that were seen.
#[derive(Debug)]
pub(super) struct Looks {
    ids: BTreeMap<StateKey, LookId>,
    offers: Vec<Vec<Offer>>,
}

impl Looks {
    /// Only the failure state.
    pub(super) fn new() -> Self {
        Self { ids: BTreeMap::new(), offers: vec![Vec::new()] }
    }

    /// The abstract state of a screen, and what that screen offers from now on.
    pub(super) fn meet(&mut self, key: StateKey, offers: Vec<Offer>) -> LookId {
        let fresh = LookId(u32::try_from(self.offers.len()).expect("fewer than 2^32 looks fit into memory"));
        let id = *self.ids.entry(key).or_insert(fresh);
        if id == fresh {
            self.offers.push(offers);
        } else {
            self.offers[id.index()] = offers;
        }
        id
    }

    /// What it offered when it was seen last, in order of the names.
    pub(super) fn offers(&self, id: LookId) -> &[Offer] {
        &self.offers[id.index()]
    }
}

/// The key that tells states apart: what can be acted on [DetReduce]. A look that was not fine enough for it is
/// told apart by what it has.
pub(super) fn key(seen: &Seen) -> StateKey {
    let levels = [Level::Actionable, Level::Layout, Level::Full, Level::Activity];
    levels.into_iter().find_map(|level| seen.key(level)).expect("every look has an activity")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swifthand::name::Name;

    #[test]
    fn a_key_is_one_look_with_its_latest_offers() {
        let offer = |name| Offer { name, item: None };
        let mut looks = Looks::new();
        let first = looks.meet(StateKey(7), vec![offer(Name::Back)]);
        let other = looks.meet(StateKey(3), vec![]);
        assert!(first != other && first != LookId::FAILURE && other != LookId::FAILURE);
        assert_eq!(looks.meet(StateKey(7), vec![offer(Name::Menu)]), first);
        assert_eq!(looks.offers(first), [offer(Name::Menu)]);
        assert!(looks.offers(LookId::FAILURE).is_empty());
    }

    #[test]
    fn the_actionable_key_counts_where_there_is_one() {
        let coarse = Seen::activity("org.example.Main");
        assert_eq!(key(&coarse), StateKey::of_activity("org.example.Main"));
        let fine = Seen { actionable: Some(StateKey(1)), full: Some(StateKey(2)), ..coarse.clone() };
        assert_eq!(key(&fine), StateKey(1));
        assert_eq!(key(&Seen { full: Some(StateKey(2)), ..coarse }), StateKey(2));
    }
}
