//! Actions that are not worth trying yet, or at all.
//!
//! - A long click waits until the click on the same widget was tried; it stays out as long as that click does,
//!   and when both turned out to lead to the same place.
//! - The items of a long list from the fourth on, unless the first three that were tried lead to three
//!   different places. The published implementation means to make that exception, but compares the third with
//!   itself, and so never makes it.

use super::edges::{Edge, Edges};
use super::model::StateId;
use super::name::Name;
use super::offers::{FIRST_ITEMS, Offer, find};
use crate::actions::Deed;

/// The actions of a state that were never tried and are worth it.
pub(super) fn untried(offers: &[Offer], edges: &Edges<StateId>) -> Vec<Name> {
    let open = |offer: &&Offer| edges.of(offer.name).is_empty() && !suppressed(offers, edges, **offer);
    offers.iter().filter(open).map(|offer| offer.name).collect()
}

/// Whether some action was never tried and is worth it.
pub(super) fn is_frontier(offers: &[Offer], edges: &Edges<StateId>) -> bool {
    offers.iter().any(|offer| edges.of(offer.name).is_empty() && !suppressed(offers, edges, *offer))
}

/// Whether an action is left out.
pub(super) fn suppressed(offers: &[Offer], edges: &Edges<StateId>, offer: Offer) -> bool {
    waits_for_click(offers, edges, offer) || is_further_item(offers, edges, offer)
}

fn waits_for_click(offers: &[Offer], edges: &Edges<StateId>, offer: Offer) -> bool {
    let Name::On(rank, Deed::LongClick) = offer.name else { return false };
    let Some(click) = find(offers, Name::On(rank, Deed::Click)) else { return false };
    let (long, short) = (edges.of(offer.name), edges.of(offers[click].name));
    short.is_empty() || is_further_item(offers, edges, offers[click]) || same(long, short)
}

fn is_further_item(offers: &[Offer], edges: &Edges<StateId>, offer: Offer) -> bool {
    let Some(item) = offer.item.filter(|item| item.nth >= FIRST_ITEMS) else { return false };
    let column = offers.iter().filter(|other| other.item.is_some_and(|other| other.column == item.column));
    let tried = column.map(|other| edges.of(other.name)).filter(|outcomes| !outcomes.is_empty());
    match tried.take(3).collect::<Vec<_>>()[..] {
        [first, second, third] => same(first, second) || same(second, third) || same(first, third),
        _ => true,
    }
}

/// Whether two actions lead to the same places.
fn same(one: &[Edge<StateId>], other: &[Edge<StateId>]) -> bool {
    one.iter().map(|edge| edge.to).eq(other.iter().map(|edge| edge.to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swifthand::looks::LookId;
    use crate::swifthand::offers::Item;

    const CLICK: Name = Name::On(0, Deed::Click);
    const LONG: Name = Name::On(0, Deed::LongClick);

    fn plain(name: Name) -> Offer {
        Offer { name, item: None }
    }

    /// A list of so many items that can be clicked.
    fn list(items: u16) -> Vec<Offer> {
        let item = |nth| Some(Item { column: 0, nth });
        (0..items).map(|nth| Offer { name: Name::On(nth.into(), Deed::Click), item: item(nth) }).collect()
    }

    fn outcomes(of: &[(Name, u32)]) -> Edges<StateId> {
        let mut edges = Edges::default();
        for &(name, to) in of {
            edges.set(name, LookId(to), StateId(to));
        }
        edges
    }

    #[test]
    fn a_long_click_comes_after_its_click() {
        let offers = [plain(Name::Back), plain(CLICK), plain(LONG)];
        assert_eq!(untried(&offers, &outcomes(&[])), [Name::Back, CLICK]);
        assert_eq!(untried(&offers, &outcomes(&[(Name::Back, 1), (CLICK, 1)])), [LONG]);
        assert!(suppressed(&offers, &outcomes(&[(LONG, 1)]), offers[2]), "plans do not go over it either");
        assert_eq!(untried(&[plain(LONG)], &outcomes(&[])), [LONG], "it has no click to wait for");
    }

    #[test]
    fn a_long_click_that_does_the_same_is_left_out() {
        let offers = [plain(CLICK), plain(LONG)];
        assert!(suppressed(&offers, &outcomes(&[(CLICK, 1), (LONG, 1)]), offers[1]));
        assert!(!suppressed(&offers, &outcomes(&[(CLICK, 1), (LONG, 2)]), offers[1]));
        assert!(!suppressed(&offers, &outcomes(&[(CLICK, 1), (LONG, 1), (LONG, 2)]), offers[1]));
    }

    #[test]
    fn three_items_stand_for_a_long_list() {
        let offers = list(6);
        let click = |nth| Name::On(nth, Deed::Click);
        assert_eq!(untried(&offers, &outcomes(&[])), [click(0), click(1), click(2)]);
        let alike = outcomes(&[(click(0), 1), (click(1), 2), (click(2), 1)]);
        assert!(!is_frontier(&offers, &alike));
        let different = outcomes(&[(click(0), 1), (click(1), 2), (click(2), 3)]);
        assert_eq!(untried(&offers, &different), [click(3), click(4), click(5)]);
    }
}
