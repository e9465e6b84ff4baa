//! The actions that a screen offers, as data: the events of SwiftHand, shared by every explorer that looks at
//! the widgets.
//!
//! `back` and `menu` are always there. A node counts when it is enabled and some part of it is on the screen;
//! then, in the order of the tree:
//! - checkable: check;
//! - else clickable: edit for a text field, nothing for a web view or a list (their content is acted on), click
//!   and long click for the rest;
//! - else long-clickable: long click. SwiftHand does not know that flag, and so never uses such a widget;
//! - scrollable, and not a spinner: scroll forward and backward.

use retap_trace::{Event, Flag, GuiTree, Key, Micros, Node, NodeId, Observation, Point, Size};

use crate::aim;

/// How long a finger stays for a long click: well over Android's half second.
const HOLD: Micros = Micros::from_millis(1_000);
/// How long a swipe takes.
pub(crate) const SWIPE: Micros = Micros::from_millis(300);

/// Something that can be done on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Back,
    Menu,
    /// Do something to a widget.
    On(NodeId, Deed),
}

/// What can be done to a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// Turn a check box, a switch or the like by a tap.
    Check,
    /// Tap.
    Click,
    /// Tap and stay.
    LongClick,
    /// Type into a text field.
    Edit,
    /// See what comes after: the finger moves up, or left.
    ScrollForward,
    /// See what came before: the finger moves down, or right.
    ScrollBackward,
}

/// All actions of a screen, in the order of its tree. Only `back` and `menu` when the tree was not looked at.
pub fn actions(seen: &Observation) -> Vec<Action> {
    let mut offered = vec![Action::Back, Action::Menu];
    if let Some(tree) = &seen.tree {
        for id in tree.ids() {
            let node = tree.node(id);
            if node.flags.has(Flag::Enabled) && !aim::visible(tree, id, seen.screen).is_empty() {
                offered.extend(deeds(node).iter().map(|&deed| Action::On(id, deed)));
                offered.extend(scrolls(node).iter().map(|&deed| Action::On(id, deed)));
            }
        }
    }
    offered
}

impl Action {
    /// Whether it types a text.
    pub const fn edits(self) -> bool {
        matches!(self, Self::On(_, Deed::Edit))
    }

    /// The event that does it. An edit types the text.
    ///
    /// # Panics
    /// When the action is of another screen.
    pub fn event(self, seen: &Observation, text: &str) -> Event {
        match self {
            Self::Back => Event::key(Key::BACK),
            Self::Menu => Event::key(Key::MENU),
            Self::On(id, deed) => {
                let tree = seen.tree.as_ref().expect("a widget's action comes from a look with a tree");
                on_widget(tree, seen.screen, id, deed, text)
            }
        }
    }
}

impl Deed {
    pub const fn scrolls(self) -> bool {
        matches!(self, Self::ScrollForward | Self::ScrollBackward)
    }
}

/// What can be done to a widget, but for scrolling.
pub(crate) fn deeds(node: &Node) -> &'static [Deed] {
    let kind = node.class.rsplit('.').next().unwrap_or_default();
    let ends = |names: &[&str]| names.iter().any(|name| kind.ends_with(name));
    if node.flags.has(Flag::Checkable) {
        &[Deed::Check]
    } else if node.flags.has(Flag::Clickable) {
        if ends(&["EditText", "AutoCompleteTextView"]) {
            &[Deed::Edit]
        } else if ends(&["WebView", "ListView", "GridView", "RecyclerView"]) {
            &[]
        } else {
            &[Deed::Click, Deed::LongClick]
        }
    } else if node.flags.has(Flag::LongClickable) {
        &[Deed::LongClick]
    } else {
        &[]
    }
}

fn scrolls(node: &Node) -> &'static [Deed] {
    // A spinner says that it scrolls, but only its open list does.
    if node.flags.has(Flag::Scrollable) && !node.class.ends_with("Spinner") {
        &[Deed::ScrollForward, Deed::ScrollBackward]
    } else {
        &[]
    }
}

fn on_widget(tree: &GuiTree, screen: Size, id: NodeId, deed: Deed, text: &str) -> Event {
    let aim = || aim::on_widget(tree, id, aim::spot(tree, id, screen));
    match deed {
        Deed::Check | Deed::Click => Event::Tap(aim()),
        Deed::LongClick => Event::LongTap { aim: aim(), hold: HOLD },
        Deed::Edit => Event::Text { text: text.to_owned(), widget: aim().widget },
        Deed::ScrollForward | Deed::ScrollBackward => {
            let (after, before) = ends_of_scroll(tree, id, screen);
            let (from, to) = if deed == Deed::ScrollForward { (after, before) } else { (before, after) };
            Event::Swipe { aim: aim::on_widget(tree, id, from), to, over: SWIPE }
        }
    }
}

/// The two ends of a finger's way over a scrolling widget: where what comes after is, and where what came
/// before is. A fifth stays free on each side, because swipes from an edge mean other things to Android.
fn ends_of_scroll(tree: &GuiTree, id: NodeId, screen: Size) -> (Point, Point) {
    let area = aim::visible(tree, id, screen);
    let middle = area.center();
    let class = &tree.node(id).class;
    if class.contains("Horizontal") || class.contains("ViewPager") {
        let free = (area.right - area.left) / 5;
        (Point::new(area.right - 1 - free, middle.y), Point::new(area.left + free, middle.y))
    } else {
        let free = (area.bottom - area.top) / 5;
        (Point::new(middle.x, area.bottom - 1 - free), Point::new(middle.x, area.top + free))
    }
}

#[cfg(test)]
mod tests;
