//! Where a finger goes: from a place to the widget under it, and from a widget to a place on it.
//!
//! Every aim is followed by place. The widget tells in words what was touched; finding it again would cost
//! another look at the device.

use retap_trace::{Aim, Aiming, GuiTree, NodeId, Point, Rect, Selector, Size};

/// A touch at a place of this widget.
pub(crate) fn on_widget(tree: &GuiTree, id: NodeId, at: Point) -> Aim {
    Aim { at, widget: Some(Selector::of(tree, id)), by: Aiming::Place }
}

/// The part of a widget that is on the screen.
pub(crate) fn visible(tree: &GuiTree, id: NodeId, screen: Size) -> Rect {
    tree.node(id).bounds.intersect(&screen.rect())
}

/// Where a finger hits this widget and not another one on top of it: its middle, else a place near its edge.
/// The middle again when it is covered everywhere.
pub(crate) fn spot(tree: &GuiTree, id: NodeId, screen: Size) -> Point {
    let area = visible(tree, id, screen);
    let middle = area.center();
    let (right, down) = ((area.right - area.left) / 8, (area.bottom - area.top) / 8);
    let across = [middle.x, area.left + right, area.right - 1 - right];
    let along = [middle.y, area.top + down, area.bottom - 1 - down];
    let places = along.into_iter().flat_map(|y| across.map(|x| Point::new(x, y)));
    let free = |at: &Point| tree.hit(*at, |node| node.flags.actionable()) == Some(id);
    places.into_iter().find(free).unwrap_or(middle)
}
