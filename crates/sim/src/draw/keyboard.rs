//! The soft keyboard over the lower part of the screen.

use retap_trace::Rect;

use super::canvas::Canvas;
use super::ink::Ink;
use super::words::{self, Style};

/// The rows: what stands on each key, and how wide it is in halves of a letter key.
const ROWS: [&[(&str, i32)]; 4] = [
    &[("q", 2), ("w", 2), ("e", 2), ("r", 2), ("t", 2), ("y", 2), ("u", 2), ("i", 2), ("o", 2), ("p", 2)],
    &[("a", 2), ("s", 2), ("d", 2), ("f", 2), ("g", 2), ("h", 2), ("j", 2), ("k", 2), ("l", 2)],
    &[("↑", 3), ("z", 2), ("x", 2), ("c", 2), ("v", 2), ("b", 2), ("n", 2), ("m", 2), ("←", 3)],
    &[("?123", 3), (",", 2), ("", 10), (".", 2), ("OK", 3)],
];

/// Width of the longest row, in halves of a letter key.
const WIDEST_ROW: i32 = 20;

/// Where the keyboard begins, in percent of the height.
const TOP_PERCENT: i32 = 60;

/// Draws the keyboard. The keys share its room evenly to the last pixel, as a finger finds them.
pub(super) fn draw(canvas: &mut Canvas) {
    let screen = canvas.size().rect();
    let ground = Rect { top: screen.bottom * TOP_PERCENT / 100, ..screen };
    canvas.fill(ground, Ink::Mist);
    canvas.fill(Rect { bottom: ground.top + canvas.dp(1), ..ground }, Ink::HillPale);
    let down = |row: i32| ground.top + (ground.bottom - ground.top) * row / 4;
    let across = |column: i32| ground.right * column / WIDEST_ROW;
    for (keys, row) in ROWS.iter().zip(0..) {
        let used: i32 = keys.iter().map(|(_, width)| width).sum();
        let mut column = (WIDEST_ROW - used) / 2;
        for &(sign, width) in *keys {
            let cell = Rect::new(across(column), down(row), across(column + width), down(row + 1));
            draw_key(canvas, cell, sign);
            column += width;
        }
    }
}

fn draw_key(canvas: &mut Canvas, cell: Rect, sign: &str) {
    let (across, down, lift) = (canvas.dp(3), canvas.dp(4), canvas.dp(1));
    let key = Rect::new(cell.left + across, cell.top + down, cell.right - across, cell.bottom - down);
    let letter = sign.chars().count() <= 1 && !matches!(sign, "↑" | "←");
    canvas.rounded(Rect { bottom: key.bottom + lift, ..key }, canvas.dp(4), Ink::Hill);
    canvas.rounded(key, canvas.dp(4), if letter { Ink::White } else { Ink::HillPale });
    words::write(canvas, key, sign, Style::centered(Ink::Words));
}
