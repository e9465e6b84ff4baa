//! Screenshots of simulated devices: draws a widget tree as a simple but true picture.
//!
//! True means: every visible widget is at its place, in its state, with its words, so that a reader of a report
//! sees what the app showed. A pure function: the same scene gives the same bytes, on every platform. Any tree
//! can be drawn, however odd; what lies outside the screen is not seen. The looks are those of the simulator's own
//! widgets: other classes are drawn as what their names end in.

mod canvas;
mod control;
mod encode;
mod font;
mod frame;
mod ink;
mod keyboard;
mod kind;
mod widget;
mod window;
mod words;

#[cfg(test)]
mod tests;

use retap_trace::{Flag, GuiTree, NodeId, Rect, Size};

use canvas::Canvas;
use frame::Frame;
use ink::Ink;
use kind::Kind;
use widget::Piece;

/// What is drawn, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scene<'a> {
    /// The widgets of the window in front. A window smaller than the screen is a dialog.
    pub tree: &'a GuiTree,
    /// The screen as it is held, in the pixels that the tree's bounds are in.
    pub screen: Size,
    /// Whether the soft keyboard is up.
    pub keyboard: bool,
    /// Words for the strip at the top, such as the name of the activity; empty for none.
    pub note: &'a str,
    /// The picture is scaled down until it is no wider than this.
    pub max_width: u32,
}

impl<'a> Scene<'a> {
    /// The usual width of a picture.
    pub const WIDTH: u32 = 540;

    /// A scene of the usual width, without keyboard and note.
    pub const fn new(tree: &'a GuiTree, screen: Size) -> Self {
        Self { tree, screen, keyboard: false, note: "", max_width: Self::WIDTH }
    }
}

/// Draws the scene, as a PNG file.
pub fn screenshot(scene: &Scene<'_>) -> Vec<u8> {
    let frame = Frame::fit(scene.screen, scene.max_width);
    let mut canvas = Canvas::new(frame);
    window::draw_status(&mut canvas, scene.note);
    let root = scene.tree.nodes().first().map(|node| node.bounds);
    if let Some(bounds) = root.filter(|&bounds| bounds != scene.screen.rect()) {
        window::draw_dialog(&mut canvas, frame.rect(bounds));
    }
    let bar = window::title_bar(scene.tree, frame);
    canvas.fill(bar.unwrap_or_default(), Ink::Primary);
    draw_tree(&mut canvas, frame, scene, bar);
    if scene.keyboard {
        keyboard::draw(&mut canvas);
    }
    encode::png(&canvas)
}

/// What holds the next nodes, as far as it changes how they are drawn.
struct Holder {
    depth: u32,
    list: bool,
    clip: Rect,
}

/// Draws all widgets in the order of the tree, those that scroll cut at the edges of what they scroll in.
fn draw_tree(canvas: &mut Canvas, frame: Frame, scene: &Scene<'_>, bar: Option<Rect>) {
    let nodes = scene.tree.nodes();
    let mut holders: Vec<Holder> = Vec::new();
    for (id, node) in scene.tree.ids().zip(nodes) {
        while holders.last().is_some_and(|holder| holder.depth >= node.depth) {
            holders.pop();
        }
        let holder = holders.last();
        let clip = holder.map_or(frame.picture().rect(), |holder| holder.clip);
        let row = holder.is_some_and(|holder| holder.list && holder.depth + 1 == node.depth);
        let area = frame.rect(node.bounds);
        let piece = Piece {
            node,
            kind: kind_in_tree(scene.tree, id),
            area,
            on_bar: bar.is_some_and(|bar| bar.contains(area.center())),
        };
        canvas.clipped(clip, |canvas| {
            widget::draw(canvas, &piece);
            if row {
                widget::draw_separator(canvas, piece.area);
            }
        });
        let list = piece.kind == Kind::List;
        if list || node.flags.has(Flag::Scrollable) {
            holders.push(Holder { depth: node.depth, list, clip: clip.intersect(&piece.area) });
        }
    }
    for node in nodes.iter().filter(|node| node.flags.has(Flag::Scrollable)) {
        window::draw_scroll_mark(canvas, frame.rect(node.bounds));
    }
}

/// What a widget looks like where it stands.
fn kind_in_tree(tree: &GuiTree, id: NodeId) -> Kind {
    let node = tree.node(id);
    match Kind::of(node) {
        Kind::Holder if node.flags.has(Flag::Clickable) && tree.children(id).next().is_none() => {
            Kind::Unknown
        }
        kind => kind,
    }
}
