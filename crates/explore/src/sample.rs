//! One fixed screen, and sights of it, for the tests.

use std::sync::Arc;

use proptest::prelude::*;
use retap_trace::{
    Event, Flag, GuiTree, Micros, Node, NodeId, Observation, Orientation, Point, Rect, Seen, Selector, Size,
    StateKey,
};

use crate::{Lane, Move, Reply, Sight};

/// The lane of explorers that know only one.
pub(crate) const LANE: Lane = Lane(0);

/// The package of the app under test.
const PACKAGE: &str = "org.example.notes";

/// A screen with one widget of every kind that matters, and some that must be left alone.
pub(crate) fn notes() -> Observation {
    use Flag::{Checkable, Clickable, Enabled, LongClickable, Scrollable};
    let mut tree = GuiTree::new();
    let mut add = |depth, class: &str, text: &str, bounds: [i32; 4], flags: &[Flag]| {
        let [left, top, right, bottom] = bounds;
        tree.push(Node {
            depth,
            class: format!("android.widget.{class}").into(),
            text: text.into(),
            bounds: Rect::new(left, top, right, bottom),
            flags: flags.iter().copied().collect(),
            ..Node::default()
        });
    };
    add(0, "FrameLayout", "", [0, 0, 1080, 1920], &[Enabled]);
    add(1, "TextView", "Notes", [0, 0, 1080, 120], &[Enabled]);
    add(1, "Button", "Add tag", [40, 140, 520, 260], &[Enabled, Clickable]);
    add(1, "Button", "Undo", [560, 140, 1040, 260], &[Clickable]);
    add(1, "EditText", "", [40, 300, 1040, 420], &[Enabled, Clickable, LongClickable]);
    add(1, "CheckBox", "Pinned", [40, 460, 520, 560], &[Enabled, Clickable, Checkable]);
    add(1, "ImageView", "", [560, 460, 1040, 560], &[Enabled, LongClickable]);
    add(1, "HorizontalScrollView", "", [0, 600, 1080, 700], &[Enabled, Scrollable]);
    add(1, "Spinner", "All", [0, 720, 1080, 800], &[Enabled, Clickable, Scrollable]);
    add(1, "ListView", "", [0, 820, 1080, 1920], &[Enabled, Clickable, Scrollable]);
    add(2, "RelativeLayout", "", [0, 820, 1080, 1120], &[Enabled, Clickable]);
    add(3, "ImageButton", "Delete", [490, 920, 590, 1020], &[Enabled, Clickable]);
    add(2, "RelativeLayout", "", [0, 1720, 1080, 2020], &[Enabled, Clickable]);
    add(2, "RelativeLayout", "", [0, 2020, 1080, 2320], &[Enabled, Clickable]);
    screen(Size { width: 1080, height: 1920 }, Some(tree))
}

/// A look at a screen of this size.
pub(crate) fn screen(size: Size, tree: Option<GuiTree>) -> Observation {
    Observation {
        at: Micros::ZERO,
        package: PACKAGE.into(),
        activity: format!("{PACKAGE}.MainActivity").into(),
        tree,
        keyboard: false,
        orientation: Orientation::Portrait,
        screen: size,
        coverage: Vec::new(),
        crashes: Vec::new(),
    }
}

/// A look and its keys, from which sights are made.
pub(crate) struct View {
    pub(crate) observation: Observation,
    keys: Seen,
}

impl View {
    pub(crate) fn new(observation: Observation) -> Self {
        let keys = Seen::activity(Arc::clone(&observation.activity));
        Self { observation, keys }
    }

    /// A look at the state with this layout.
    pub(crate) fn keyed(observation: Observation, layout: u64) -> Self {
        let keys =
            Seen { layout: Some(StateKey(layout)), ..Seen::activity(Arc::clone(&observation.activity)) };
        Self { observation, keys }
    }

    /// The app in front, nothing special.
    pub(crate) fn inside(&self) -> Sight<'_> {
        Sight {
            observation: &self.observation,
            keys: &self.keys,
            fresh: true,
            at: Micros::ZERO,
            reply: Reply::Done,
            in_front: true,
            new_coverage: None,
            crashed: false,
        }
    }

    /// Another app in front.
    pub(crate) fn outside(&self) -> Sight<'_> {
        Sight { in_front: false, ..self.inside() }
    }
}

/// The event of a move that is one.
pub(crate) fn event(made: Move) -> Event {
    match made {
        Move::Act(event) => event,
        other => panic!("{other:?} is not an event"),
    }
}

/// Moves as people and files would write them, one a line.
pub(crate) fn lines(moves: impl Iterator<Item = Move>) -> String {
    let line = |made| match made {
        Move::Act(event) => serde_json::to_string(&event).unwrap() + "\n",
        other => format!("{other:?}\n"),
    };
    moves.map(line).collect()
}

/// The node that a selector names on the screen.
pub(crate) fn named<'a>(seen: &'a Observation, widget: Option<&Selector>) -> (NodeId, &'a Node) {
    let tree = seen.tree.as_ref().unwrap();
    let id = widget.expect("a widget is named").find(tree).expect("the widget is there");
    (id, tree.node(id))
}

/// Whether every place of an event is on the screen.
pub(crate) fn is_inside(event: &Event, size: Size) -> bool {
    let at = event.aim().map(|aim| aim.at);
    let to = if let Event::Swipe { to, .. } = event { Some(*to) } else { None };
    at.into_iter().chain(to).all(|place: Point| size.rect().contains(place))
}

/// Screens of any size with widgets of any kind anywhere, some of them off the screen.
pub(crate) fn any_screen() -> impl Strategy<Value = Observation> {
    let classes =
        prop::sample::select(vec!["Button", "EditText", "ListView", "HorizontalScrollView", "View"]);
    let place = (-200..2200_i32, -200..2200_i32, -5..900_i32, -5..900_i32);
    let node = (classes, place, prop::collection::vec(prop::sample::select(Flag::ALL.to_vec()), 0..5));
    let size = (1..1500_u32, 1..2000_u32);
    (size, prop::collection::vec(node, 0..12)).prop_map(|((width, height), nodes)| {
        let mut tree = GuiTree::new();
        for (nth, (class, (left, top, wide, high), flags)) in nodes.into_iter().enumerate() {
            tree.push(Node {
                depth: u32::from(nth > 0),
                class: format!("android.widget.{class}").into(),
                bounds: Rect::new(left, top, left + wide, top + high),
                flags: flags.into_iter().chain([Flag::Enabled]).collect(),
                ..Node::default()
            });
        }
        screen(Size { width, height }, Some(tree))
    })
}
