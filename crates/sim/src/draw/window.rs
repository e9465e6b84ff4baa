//! What belongs to a window as a whole: the status strip, the title bar, the dialog's surface, scroll marks.

use retap_trace::{GuiTree, Node, NodeId, Point, Rect, Size};

use super::canvas::Canvas;
use super::frame::Frame;
use super::ink::Ink;
use super::kind::{self, Kind};
use super::words::{self, Style};

/// Height of the status strip.
const STATUS_DP: i32 = 24;

/// The coloured bar at the top of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TitleBar {
    /// Where, in the picture.
    pub(super) area: Rect,
    /// The node with the title.
    pub(super) title: Option<NodeId>,
}

impl TitleBar {
    /// The bar of a tree: a widget that is one, or else, on a screen, the room around a title. `below` is where
    /// the status strip ends; dialogs have none, and so no such room.
    pub(super) fn find(tree: &GuiTree, frame: Frame, below: Option<i32>) -> Option<Self> {
        let first = |fits: &dyn Fn(&Node) -> bool| {
            tree.ids().find(|&id| !tree.node(id).bounds.is_empty() && fits(tree.node(id)))
        };
        let bar = first(&|node| Kind::of(node) == Kind::TitleBar);
        let titled = first(&kind::is_screen_title);
        let place = |id: NodeId| frame.rect(tree.node(id).bounds);
        let area = match (bar, titled, below) {
            (Some(bar), _, _) => place(bar),
            (None, Some(title), Some(below)) => around(place(title), below, frame),
            _ => return None,
        };
        let on_bar = |node: &Node| area.contains(frame.rect(node.bounds).center());
        let title = titled.or_else(|| first(&|node| Kind::of(node) == Kind::Words && on_bar(node)));
        Some(Self { area, title })
    }
}

/// The bar around a title: as wide as the screen, with as much room below the title as above it.
fn around(title: Rect, below: i32, frame: Frame) -> Rect {
    let top = below.min(title.top.max(0));
    let gap = (title.top - top).clamp(0, frame.dp(20));
    Rect::new(0, top, frame.picture().rect().right, title.bottom + gap)
}

/// Height of the strip at the top.
pub(super) fn status_height(canvas: &Canvas) -> i32 {
    canvas.dp(STATUS_DP)
}

/// The strip at the top. No clock and no battery: they would make equal screens look different.
pub(super) fn draw_status(canvas: &mut Canvas, note: &str) {
    let strip = Rect::new(0, 0, canvas.size().rect().right, status_height(canvas));
    canvas.fill(strip, Ink::PrimaryDark);
    let margin = canvas.dp(16);
    let room = Rect { left: strip.left + margin, right: strip.right - margin, ..strip };
    words::write(canvas, room, note, Style::small(Ink::White));
}

/// Whether a window leaves part of the screen to what lies behind it. Strips of the system along the edges and
/// a keyboard below do not make a dialog.
pub(super) fn is_dialog(window: Rect, screen: Size) -> bool {
    let Rect { right: width, bottom: height, .. } = screen.rect();
    let seen = window.intersect(&screen.rect());
    if seen.is_empty() {
        return false;
    }
    let (left, top, right) = (seen.left, seen.top, width - seen.right);
    let inset = left.min(right) > width / 100;
    inset || left > width / 10 || right > width / 10 || top > height / 10
}

/// Dims what is behind, and lays out the dialog's surface.
pub(super) fn draw_dialog(canvas: &mut Canvas, area: Rect) {
    canvas.dim();
    let (lift, radius) = (canvas.dp(3), canvas.dp(8));
    let shadow = Rect::new(area.left - lift / 2, area.top, area.right + lift / 2, area.bottom + lift);
    canvas.rounded(shadow, radius + lift, Ink::Quiet);
    canvas.rounded(area, radius, Ink::White);
}

/// Two small arrows at the edge of what scrolls. How far it is scrolled is not known, so no thumb pretends it.
pub(super) fn draw_scroll_mark(canvas: &mut Canvas, area: Rect, sideways: bool) {
    let area = area.intersect(&canvas.size().rect());
    let (half, margin) = (canvas.dp(4), canvas.dp(3));
    if area.right - area.left < 6 * half || area.bottom - area.top < 6 * half {
        return;
    }
    let (first, last, out) = if sideways {
        let y = area.bottom - margin - half;
        (Point::new(area.left + margin, y), Point::new(area.right - margin, y), Point::new(half, 0))
    } else {
        let x = area.right - margin - half;
        (Point::new(x, area.top + margin), Point::new(x, area.bottom - margin), Point::new(0, half))
    };
    for (tip, back) in [(first, 1), (last, -1)] {
        let base = Point::new(tip.x + back * out.x, tip.y + back * out.y);
        let one = Point::new(base.x + out.y, base.y + out.x);
        let other = Point::new(base.x - out.y, base.y - out.x);
        canvas.disc(
            Point::new(i32::midpoint(tip.x, base.x), i32::midpoint(tip.y, base.y)),
            half + 1,
            Ink::White,
        );
        canvas.triangle([tip, one, other], Ink::Quiet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_of_the_system_do_not_make_a_dialog() {
        let dialog = |left, top, right, bottom| {
            is_dialog(Rect::new(left, top, right, bottom), Size { width: 1080, height: 1920 })
        };
        assert!(!dialog(0, 0, 1080, 1920), "the whole screen");
        assert!(!dialog(0, 72, 1080, 1794), "below the status bar, above the navigation bar");
        assert!(!dialog(0, 0, 1080, 1200), "above the keyboard");
        assert!(!dialog(0, 0, 0, 0), "nothing at all");
        assert!(dialog(90, 600, 990, 1300), "in the middle");
        assert!(dialog(40, 80, 1040, 1900), "nearly as large as the screen");
        assert!(dialog(600, 0, 1080, 700), "a menu in the corner");
        assert!(dialog(0, 1200, 1080, 1920), "a sheet at the bottom");
    }
}
