use proptest::prelude::*;
use retap_trace::{Aiming, Orientation};

use super::*;
use crate::sample::{any_screen, is_inside, named, notes, screen};

/// An action in words: the deed and the node's number.
fn words(action: Action) -> String {
    match action {
        Action::On(id, deed) => format!("{deed:?} {}", id.0),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_screen_offers_what_swifthand_lists() {
    let offered: Vec<_> = actions(&notes()).into_iter().map(words).collect();
    assert_eq!(
        offered,
        [
            "Back",
            "Menu",
            "Click 2",
            "LongClick 2",
            "Edit 4",
            "Check 5",
            "LongClick 6",
            "ScrollForward 7",
            "ScrollBackward 7",
            "Click 8",
            "LongClick 8",
            "ScrollForward 9",
            "ScrollBackward 9",
            "Click 10",
            "LongClick 10",
            "Click 11",
            "LongClick 11",
            "Click 12",
            "LongClick 12",
        ]
    );
}

#[test]
fn without_a_tree_only_keys_are_offered() {
    let blind = screen(Size { width: 100, height: 100 }, None);
    assert_eq!(actions(&blind), [Action::Back, Action::Menu]);
    assert_eq!(Action::Back.event(&blind, ""), Event::key(Key::BACK));
    assert_eq!(Action::Menu.event(&blind, ""), Event::key(Key::MENU));
}

#[test]
fn a_screen_held_otherwise_hides_other_widgets() {
    let mut turned = notes();
    turned.orientation = Orientation::Landscape;
    turned.screen = turned.screen.turned();
    let offered = actions(&turned);
    assert!(offered.contains(&Action::On(NodeId(10), Deed::Click)));
    assert!(!offered.contains(&Action::On(NodeId(12), Deed::Click)), "it starts below the screen");
}

#[test]
fn a_tap_avoids_the_widget_on_top() {
    let seen = notes();
    let tap = Action::On(NodeId(10), Deed::Click).event(&seen, "");
    let aim = tap.aim().unwrap();
    let tree = seen.tree.as_ref().unwrap();
    assert_eq!(
        tree.hit(tree.node(NodeId(10)).bounds.center(), |_| true),
        Some(NodeId(11)),
        "the middle is taken"
    );
    assert_eq!(tree.hit(aim.at, |node| node.flags.actionable()), Some(NodeId(10)));
    assert_eq!(named(&seen, aim.widget.as_ref()).0, NodeId(10));
    assert_eq!(aim.by, Aiming::Place);
}

#[test]
fn scrolling_forward_moves_the_finger_back() {
    let seen = notes();
    let way = |id, deed| match Action::On(NodeId(id), deed).event(&seen, "") {
        Event::Swipe { aim, to, .. } => (aim.at, to),
        other => panic!("{other}"),
    };
    let (list_from, list_to) = way(9, Deed::ScrollForward);
    assert!(list_from.x == list_to.x && list_from.y > list_to.y);
    assert_eq!(way(9, Deed::ScrollBackward), (list_to, list_from));
    let (row_from, row_to) = way(7, Deed::ScrollForward);
    assert!(row_from.y == row_to.y && row_from.x > row_to.x);
}

#[test]
fn an_edit_types_the_text_into_its_field() {
    let seen = notes();
    match Action::On(NodeId(4), Deed::Edit).event(&seen, "milk") {
        Event::Text { text, widget } => {
            assert_eq!(text, "milk");
            assert_eq!(named(&seen, widget.as_ref()).0, NodeId(4));
        }
        other => panic!("{other}"),
    }
}

proptest! {
    #[test]
    fn every_action_stays_on_the_screen(seen in any_screen()) {
        for action in actions(&seen) {
            let event = action.event(&seen, "text");
            prop_assert!(is_inside(&event, seen.screen), "{event:?} on {:?}", seen.screen);
        }
    }
}
