//! Words on the canvas: measured, wrapped, cut with an ellipsis, and written.

use retap_trace::{Point, Rect};

use super::canvas::{Canvas, FINE};
use super::font::{ABOVE, BELOW, CAPITAL, Glyph};
use super::ink::Ink;

/// Rows from one line to the next, in font pixels.
const LINE: i32 = ABOVE + CAPITAL + BELOW + 1;
/// Columns between two letters, in font pixels.
const GAP: i32 = 1;
/// An area higher than this is filled from the top.
const TALL_DP: i32 = 96;
/// Stands for what does not fit.
const ELLIPSIS: char = '…';

/// How large the letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lettering {
    /// For notes.
    Small,
    /// For nearly everything.
    Body,
    Title,
}

/// Where words stand in their area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// At the left; a tall area is filled from the top, a low one in its middle.
    Start,
    Center,
}

/// How words are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// How large.
    pub(super) lettering: Lettering,
    pub(super) ink: Ink,
    pub(super) align: Align,
}

impl Style {
    /// Letters of the usual size at the left.
    pub(super) const fn body(ink: Ink) -> Self {
        Self { lettering: Lettering::Body, ink, align: Align::Start }
    }

    /// Letters of the usual size in the middle.
    pub(super) const fn centered(ink: Ink) -> Self {
        Self { lettering: Lettering::Body, ink, align: Align::Center }
    }

    /// Large letters at the left.
    pub(super) const fn small_centered(ink: Ink) -> Self {
        Self { lettering: Lettering::Small, ink, align: Align::Center }
    }

    pub(super) const fn title(ink: Ink) -> Self {
        Self { lettering: Lettering::Title, ink, align: Align::Start }
    }

    /// Small letters at the left.
    pub(super) const fn small(ink: Ink) -> Self {
        Self { lettering: Lettering::Small, ink, align: Align::Start }
    }
}

/// Where writing ended: a cursor would stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The place right after the last letter, at the top of a capital.
    pub(super) at: Point,
    /// Height of a capital.
    pub(super) capital: i32,
}

/// Writes into the area, on as many lines as it has room for. Letters shrink when the area is too low for them.
pub(super) fn write(canvas: &mut Canvas, area: Rect, text: &str, style: Style) -> End {
    let (width, height) = (area.right - area.left, area.bottom - area.top);
    let scale = scale(canvas, style.lettering, height);
    let room = usize::try_from(height / (LINE * scale)).unwrap_or(0).max(1);
    // A widget that is cut at the edge of a list may be lower than a letter: a row of specks says nothing.
    let legible = height >= CAPITAL;
    let lines = if legible { wrap(text, width / scale, room) } else { Vec::new() };
    let count = i32::try_from(lines.len().max(1)).unwrap_or(1);
    let block = ((count - 1) * LINE + CAPITAL) * scale;
    let tall = style.align == Align::Start && height > canvas.dp(TALL_DP);
    let top = if tall { area.top + (ABOVE + 2) * scale } else { area.top + (height - block) / 2 };
    canvas.clipped(area, |canvas| {
        let mut end = End { at: Point::new(area.left, top), capital: CAPITAL * scale };
        for (line, y) in lines.iter().zip((top..).step_by((LINE * scale).unsigned_abs() as usize)) {
            let left = match style.align {
                Align::Start => area.left,
                Align::Center => area.left + (width - measure(line) * scale) / 2,
            };
            end.at = write_line(canvas, Point::new(left, y), line, scale, style.ink);
        }
        end
    })
}

/// Pixels of the picture for one font pixel.
fn scale(canvas: &Canvas, lettering: Lettering, height: i32) -> i32 {
    let capital = canvas.dp(match lettering {
        Lettering::Small => 6,
        Lettering::Body => 11,
        Lettering::Title => 15,
    });
    let wanted = (capital + CAPITAL / 2) / CAPITAL;
    wanted.min(height / (CAPITAL + BELOW)).max(1)
}

/// Width of a line in font pixels.
fn measure(line: &str) -> i32 {
    line.chars().map(|letter| Glyph::of(letter).width + GAP).sum::<i32>() - GAP
}

/// Breaks text into at most so many lines of at most this width, both in font pixels. Lines are broken at spaces
/// where there are any; an ellipsis stands for what does not fit.
fn wrap(text: &str, width: i32, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && lines.len() + 1 < room {
        let (line, after) = break_line(rest, width);
        lines.push(line.to_owned());
        rest = after;
    }
    if !rest.is_empty() {
        lines.push(cut(rest, width));
    }
    lines
}

/// The first line of a text, and what follows it. The line has at least one letter, or ends at a line break.
fn break_line(text: &str, width: i32) -> (&str, &str) {
    let mut used = 0;
    let mut space = None;
    for (at, letter) in text.char_indices() {
        if letter == '\n' {
            return (&text[..at], &text[at + 1..]);
        }
        if letter == ' ' {
            space = Some(at);
        }
        used += Glyph::of(letter).width + GAP;
        if used - GAP > width && at > 0 {
            return space.map_or((&text[..at], &text[at..]), |space| (&text[..space], &text[space + 1..]));
        }
    }
    (text, "")
}

/// As much of a text as fits on one line.
fn cut(text: &str, width: i32) -> String {
    let mut used = 0;
    let mut whole = 0;
    let dots = Glyph::of(ELLIPSIS).width;
    for (at, letter) in text.char_indices() {
        let next = used + Glyph::of(letter).width + GAP;
        if letter == '\n' || next - GAP > width {
            return format!("{}{ELLIPSIS}", text[..whole].trim_end());
        }
        used = next;
        if used + dots <= width {
            whole = at + letter.len_utf8();
        }
    }
    text.to_owned()
}

/// Writes a line whose capitals begin at the place, and says where it ended.
fn write_line(canvas: &mut Canvas, at: Point, line: &str, scale: i32, ink: Ink) -> Point {
    let mut x = at.x;
    for letter in line.chars() {
        let glyph = Glyph::of(letter);
        write_glyph(canvas, Point::new(x, at.y), &glyph, scale, ink);
        x += (glyph.width + GAP) * scale;
    }
    Point::new(x, at.y)
}

fn write_glyph(canvas: &mut Canvas, at: Point, glyph: &Glyph, scale: i32, ink: Ink) {
    for row in -ABOVE..CAPITAL + BELOW {
        for column in 0..glyph.width {
            let (left, top) = (at.x + column * scale, at.y + row * scale);
            if glyph.has(column, row) {
                canvas.fill(Rect::new(left, top, left + scale, top + scale), ink);
            }
            if scale > 1 && turns(glyph, column, row) {
                round(canvas, Point::new(left + scale, top + scale), scale, ink);
            }
        }
    }
}

/// Whether the four font pixels from here to the lower right have just one diagonal set.
fn turns(glyph: &Glyph, column: i32, row: i32) -> bool {
    let here = glyph.has(column, row);
    here == glyph.has(column + 1, row + 1)
        && here != glyph.has(column + 1, row)
        && here != glyph.has(column, row + 1)
}

/// Fills the notches of a diagonal around the point where its pixels touch: letters look drawn, not built.
fn round(canvas: &mut Canvas, corner: Point, scale: i32, ink: Ink) {
    let area = Rect::new(corner.x - scale, corner.y - scale, corner.x + scale, corner.y + scale);
    canvas.shape(area, ink, |at| {
        (at.x - corner.x * FINE).abs() + (at.y - corner.y * FINE).abs() <= scale * FINE / 2
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_spaces_and_end_in_an_ellipsis() {
        let width = measure("a rather");
        assert_eq!(wrap("a rather long title", width, 3), ["a rather", "long", "title"]);
        assert_eq!(wrap("a rather long title", width, 2), ["a rather", "long tit…"]);
        assert_eq!(wrap("one\ntwo", 1000, 5), ["one", "two"]);
        assert_eq!(wrap("one\ntwo", 1000, 1), ["one…"]);
        assert_eq!(wrap("unbreakable", measure("unbr"), 2), ["unbr", "eak…"]);
        assert_eq!(wrap("", 100, 2), Vec::<String>::new());
    }

    #[test]
    fn what_fits_is_not_cut() {
        assert_eq!(cut("Settings", measure("Settings")), "Settings");
        assert_eq!(cut("Settings", measure("Settings") - 1), "Settin…");
        assert_eq!(cut("Settings", 0), "…");
    }

    proptest! {
        #[test]
        fn lines_keep_to_their_room(text in ".{0,80}", width in 5..200, room in 1_usize..6) {
            let lines = wrap(&text, width, room);
            prop_assert!(lines.len() <= room);
            for line in &lines {
                prop_assert!(measure(line) <= width, "{line:?} is wider than {width}");
            }
        }

        #[test]
        fn with_enough_room_no_letter_is_lost(text in "[a-zé ]{0,60}", width in 5..200) {
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            prop_assert_eq!(letters(&wrap(&text, width, 1000).concat()), letters(&text));
        }
    }
}
