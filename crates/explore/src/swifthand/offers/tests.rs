use retap_trace::{Flag, Rect, Size};

use super::*;
use crate::actions::{Deed, actions};
use crate::sample::{notes, screen};

/// A screen with a list: each item can be clicked, and every second one has a button in it.
fn list(class: &str, count: u32) -> Observation {
    let mut tree = GuiTree::new();
    let mut add = |depth, class: &str, clickable: bool, line: u32| {
        let top = i32::try_from(line * 10).unwrap();
        tree.push(Node {
            depth,
            class: class.into(),
            bounds: Rect::new(0, top, 100, top + 10),
            flags: [Flag::Enabled].into_iter().chain(clickable.then_some(Flag::Clickable)).collect(),
            ..Node::default()
        });
    };
    add(0, "FrameLayout", false, 0);
    add(1, "Button", true, 0);
    add(1, class, true, 1);
    for line in 0..count {
        add(2, "LinearLayout", true, line + 1);
        if line % 2 == 1 {
            add(3, "ImageButton", true, line + 1);
        }
    }
    screen(Size { width: 100, height: 1000 }, Some(tree))
}

/// The places in long lists of everything that clicks.
fn clicks(seen: &Observation) -> Vec<Option<(u16, u16)>> {
    let offers = offers(seen, &actions(seen));
    let clicks = offers.iter().filter(|offer| matches!(offer.name, Name::On(_, Deed::Click)));
    clicks.map(|offer| offer.item.map(|item| (item.column, item.nth))).collect()
}

#[test]
fn the_same_part_of_each_item_is_a_column() {
    let found = clicks(&list("android.support.v7.widget.RecyclerView", 5));
    // The button on top is in no list, and the list has only two items with a button.
    let row = |nth| Some((0, nth));
    assert_eq!(found, [None, row(0), row(1), None, row(2), row(3), None, row(4)]);
}

#[test]
fn a_list_of_three_is_not_long() {
    assert!(clicks(&list("android.widget.ListView", 3)).iter().all(Option::is_none));
    assert!(clicks(&list("android.widget.ListView", 4)).iter().any(Option::is_some));
    assert!(clicks(&list("android.widget.LinearLayout", 9)).iter().all(Option::is_none));
}

#[test]
fn every_offer_is_found_by_its_name() {
    for seen in [notes(), list("android.widget.GridView", 7)] {
        let offered = actions(&seen);
        let offers = offers(&seen, &offered);
        assert_eq!(offers.len(), offered.len());
        for (index, offer) in offers.iter().enumerate() {
            assert_eq!(find(&offers, offer.name), Some(index));
        }
        assert_eq!(find(&offers, Name::On(99, Deed::Click)), None);
    }
}
