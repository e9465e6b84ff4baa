//! Every list of up to four events. No bug is reached sooner than is known, nor in another way; lists that lead to
//! the same state count as one.

use std::collections::{BTreeMap, BTreeSet};

use retap_model::Keyer;
use retap_sim::app::Value;
use retap_trace::{
    Event, Flag, GuiTree, Key, Micros, NodeId, Observation, Orientation, Point, Selector, StateKey,
};

use crate::bugs::{BATTERY_LOW, BUGS, Bug};
use crate::deed::on;
use crate::play::{Phone, SPEC};

const LONGEST: usize = 4;

/// What tells one state from another: the look, whether the keyboard is up, and the values of all variables.
type State = (Option<StateKey>, bool, Vec<Value>);

#[test]
fn short_lists_reach_the_shallow_bugs_and_nothing_else() {
    let mut phone = Phone::new(SPEC);
    let mut known: BTreeSet<State> = BTreeSet::new();
    let mut shortest: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut lists = vec![Vec::new()];
    for length in 1..=LONGEST {
        let mut longer = Vec::new();
        for list in &lists {
            for event in offered(&phone.look_after(list)) {
                let list: Vec<Event> = list.iter().cloned().chain([event]).collect();
                if let Some((crash, played)) = phone.run(&list, 1) {
                    let ways = shortest.entry(crash.signature.to_string()).or_default();
                    if ways.iter().all(|way| way.len() == played) {
                        ways.insert(in_words(&list));
                    }
                } else if length < LONGEST {
                    let seen = phone.look_after(&list);
                    if known.insert(state(&phone, &seen)) {
                        longer.push(list);
                    }
                }
            }
        }
        lists = longer;
    }
    let shallow = BUGS.iter().filter(|bug| bug.deeds.len() <= LONGEST);
    let only_way = |bug: &&Bug| (bug.signature.to_owned(), BTreeSet::from([in_words(&bug.events())]));
    assert_eq!(shortest, shallow.map(only_way).collect());
    assert!(known.len() > 1_000, "only {} states were seen", known.len());
}

fn in_words(list: &[Event]) -> Vec<String> {
    list.iter().map(Event::to_string).collect()
}

fn state(phone: &Phone, seen: &Observation) -> State {
    let machine = phone.0.machine();
    let values = machine.program().app().vars.iter().filter_map(|var| machine.var(&var.name).cloned());
    (Keyer::default().seen(seen).full, seen.keyboard, values.collect())
}

/// What can be done on a screen: every touch of a widget, and what needs none.
fn offered(seen: &Observation) -> Vec<Event> {
    let other_way = match seen.orientation {
        Orientation::Portrait => Orientation::Landscape,
        Orientation::Landscape => Orientation::Portrait,
    };
    let mut events = vec![
        Event::key(Key::BACK),
        Event::key(Key::MENU),
        Event::Rotate { to: other_way },
        Event::system(BATTERY_LOW),
    ];
    let tree = seen.tree.as_ref().expect("the look was at the tree");
    for id in tree.ids().filter(|&id| tree.node(id).flags.has(Flag::Enabled)) {
        events.extend(touches(tree, id));
    }
    events
}

fn touches(tree: &GuiTree, id: NodeId) -> Vec<Event> {
    let (node, aim) = (tree.node(id), on(tree, id));
    let mut events = Vec::new();
    if node.class.ends_with("EditText") {
        events.push(Event::Text { text: "me@example.com".into(), widget: Some(Selector::of(tree, id)) });
    }
    if node.flags.has(Flag::Clickable) {
        events.push(Event::Tap(aim.clone()));
        for way in [-400, 400] {
            let to = Point::new(aim.at.x + way, aim.at.y);
            events.push(Event::Swipe { aim: aim.clone(), to, over: Micros::from_millis(300) });
        }
    }
    if node.flags.has(Flag::LongClickable) {
        events.push(Event::LongTap { aim, hold: Micros::from_secs(1) });
    }
    events
}
