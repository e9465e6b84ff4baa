//! Controls with a state: check boxes, radio buttons, switches, spinners, sliders, progress bars.

use retap_trace::{Flag, Point, Rect};

use super::canvas::Canvas;
use super::ink::Ink;
use super::widget::{Piece, inset};
use super::words::{self, Style};

/// A box with a tick when it is checked.
pub(super) fn draw_check(canvas: &mut Canvas, piece: &Piece<'_>) {
    let sign = draw_label_beside(canvas, piece, Side::Left, 20);
    let (radius, thick) = (canvas.dp(3), canvas.dp(2));
    canvas.rounded(sign, radius, state_ink(piece));
    if piece.has(Flag::Checked) {
        let side = sign.right - sign.left;
        let place = |x: i32, y: i32| Point::new(sign.left + side * x / 20, sign.top + side * y / 20);
        canvas.stroke(place(4, 10), place(8, 15), thick, Ink::White);
        canvas.stroke(place(8, 15), place(16, 6), thick, Ink::White);
    } else {
        canvas.rounded(inset_all(sign, thick), radius / 2, Ink::White);
    }
}

/// A ring, with a dot when it is chosen.
pub(super) fn draw_radio(canvas: &mut Canvas, piece: &Piece<'_>) {
    let sign = draw_label_beside(canvas, piece, Side::Left, 20);
    let (radius, thick) = ((sign.right - sign.left) / 2, canvas.dp(2));
    canvas.disc(sign.center(), radius, state_ink(piece));
    canvas.disc(sign.center(), radius - thick, Ink::White);
    if piece.has(Flag::Checked) {
        canvas.disc(sign.center(), radius / 2, state_ink(piece));
    }
}

/// A track whose thumb is at the right when it is on.
pub(super) fn draw_switch(canvas: &mut Canvas, piece: &Piece<'_>) {
    let on = piece.has(Flag::Checked);
    let sign = draw_label_beside(canvas, piece, Side::Right, 36);
    let middle = sign.center();
    let (radius, half) = (canvas.dp(10), canvas.dp(7));
    let track = Rect::new(sign.left, middle.y - half, sign.right, middle.y + half);
    let enabled = piece.has(Flag::Enabled);
    canvas.rounded(track, half, if on && enabled { Ink::AccentPale } else { Ink::Line });
    let x = if on { sign.right - radius } else { sign.left + radius };
    canvas.disc(Point::new(x, middle.y), radius, if on && enabled { Ink::Accent } else { Ink::Faint });
    if !on && enabled {
        canvas.disc(Point::new(x, middle.y), radius - canvas.dp(1), Ink::White);
    }
}

/// Words with a small triangle, over a line.
pub(super) fn draw_spinner(canvas: &mut Canvas, piece: &Piece<'_>) {
    let sign = draw_label_beside(canvas, piece, Side::Right, 12);
    let Point { x, y } = sign.center();
    let half = (sign.right - sign.left) / 2;
    let tip = Point::new(x, y + half / 2);
    let ink = if piece.has(Flag::Enabled) { Ink::Quiet } else { Ink::Line };
    canvas.triangle([Point::new(x - half, y - half / 2), Point::new(x + half, y - half / 2), tip], ink);
    let line = inset(piece.area, canvas.dp(4), canvas.dp(4));
    canvas.fill(Rect { top: line.bottom - canvas.dp(1), ..line }, Ink::Line);
}

/// A track with a thumb. How far it is pushed is not in the tree: it is drawn half way.
pub(super) fn draw_slider(canvas: &mut Canvas, piece: &Piece<'_>) {
    let track = draw_track(canvas, piece);
    let radius = canvas.dp(8);
    canvas.disc(track.center(), radius, state_on(piece));
}

/// A track that is half full, as how full it is is not in the tree; a square one is a wheel.
pub(super) fn draw_progress(canvas: &mut Canvas, piece: &Piece<'_>) {
    let (width, height) = (piece.area.right - piece.area.left, piece.area.bottom - piece.area.top);
    if width > 2 * height {
        draw_track(canvas, piece);
        return;
    }
    let radius = width.min(height).min(canvas.dp(48)) / 2;
    let (middle, hole) = (piece.area.center(), (radius - canvas.dp(4)).max(0));
    canvas.disc(middle, radius, Ink::Line);
    canvas.clipped(Rect { bottom: middle.y, left: middle.x, ..piece.area }, |canvas| {
        canvas.disc(middle, radius, Ink::Accent);
    });
    canvas.disc(middle, hole, Ink::White);
}

/// A horizontal line, its left half in colour.
fn draw_track(canvas: &mut Canvas, piece: &Piece<'_>) -> Rect {
    let area = inset(piece.area, canvas.dp(12), 0);
    let (middle, half) = (area.center(), canvas.dp(2));
    let track = Rect::new(area.left, middle.y - half, area.right, middle.y + half);
    canvas.rounded(track, half, Ink::Line);
    canvas.rounded(Rect { right: middle.x, ..track }, half, state_on(piece));
    track
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Writes the widget's words beside the room for its sign, and returns that room.
fn draw_label_beside(canvas: &mut Canvas, piece: &Piece<'_>, side: Side, sign_dp: i32) -> Rect {
    let area = inset(piece.area, canvas.dp(6), 0);
    let height = area.bottom - area.top;
    // A sign is at most as high as its widget; a wide one keeps its proportions by staying wide.
    let width = if sign_dp > 20 { canvas.dp(sign_dp) } else { canvas.dp(sign_dp).min(height) };
    let tall = canvas.dp(20).min(width).min(height);
    let top = area.top + (height - tall) / 2;
    let gap = canvas.dp(8);
    let (left, room) = match side {
        Side::Left => (area.left, Rect { left: area.left + width + gap, ..area }),
        Side::Right => (area.right - width, Rect { right: area.right - width - gap, ..area }),
    };
    if !room.is_empty() {
        words::write(canvas, room, piece.label(), Style::body(piece.ink()));
    }
    Rect::new(left, top, left + width, top + tall)
}

const fn state_ink(piece: &Piece<'_>) -> Ink {
    match (piece.has(Flag::Enabled), piece.has(Flag::Checked)) {
        (false, _) => Ink::Line,
        (true, true) => Ink::Accent,
        (true, false) => Ink::Quiet,
    }
}

const fn state_on(piece: &Piece<'_>) -> Ink {
    if piece.has(Flag::Enabled) { Ink::Accent } else { Ink::Hill }
}

const fn inset_all(area: Rect, by: i32) -> Rect {
    Rect::new(area.left + by, area.top + by, area.right - by, area.bottom - by)
}
