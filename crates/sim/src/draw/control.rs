//! Controls with a state: check boxes, radio buttons, switches.

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
        words::write(canvas, sign, "✓", Style::centered(Ink::White));
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

const fn inset_all(area: Rect, by: i32) -> Rect {
    Rect::new(area.left + by, area.top + by, area.right - by, area.bottom - by)
}
