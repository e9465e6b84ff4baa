//! What belongs to a window as a whole: the status strip, the title bar, the dialog's surface, scroll marks.

use retap_trace::{GuiTree, Point, Rect};

use super::canvas::Canvas;
use super::frame::Frame;
use super::ink::Ink;
use super::kind;
use super::words::{self, Style};

/// Height of the status strip.
const STATUS_DP: i32 = 24;

/// The coloured bar at the top of a screen: where its title is.
pub(super) fn title_bar(tree: &GuiTree, frame: Frame) -> Option<Rect> {
    let title = tree.nodes().iter().find(|node| kind::is_screen_title(node))?;
    Some(frame.rect(title.bounds)).filter(|area| !area.is_empty())
}

/// The strip at the top. No clock and no battery: they would make equal screens look different.
pub(super) fn draw_status(canvas: &mut Canvas, note: &str) {
    let strip = Rect::new(0, 0, canvas.size().rect().right, canvas.dp(STATUS_DP));
    canvas.fill(strip, Ink::PrimaryDark);
    let margin = canvas.dp(16);
    let room = Rect { left: strip.left + margin, right: strip.right - margin, ..strip };
    words::write(canvas, room, note, Style::small(Ink::White));
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
pub(super) fn draw_scroll_mark(canvas: &mut Canvas, area: Rect) {
    let area = area.intersect(&canvas.size().rect());
    let side = canvas.dp(12);
    let (left, middle) = (area.right - side, side / 2);
    if area.right - area.left < 2 * side || area.bottom - area.top < 2 * side {
        return;
    }
    for (top, sign) in [(area.top, "↑"), (area.bottom - side, "↓")] {
        canvas.disc(Point::new(left + middle, top + middle), middle, Ink::White);
        words::write(
            canvas,
            Rect::new(left, top, area.right, top + side),
            sign,
            Style::small_centered(Ink::Quiet),
        );
    }
}
