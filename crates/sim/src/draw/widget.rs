//! Widgets: buttons, fields, pictures, words.

use retap_trace::{Flag, Node, Point, Rect};

use super::canvas::Canvas;
use super::control;
use super::ink::Ink;
use super::kind::Kind;
use super::words::{self, Style};

/// A widget with what its surroundings say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) node: &'a Node,
    /// What it looks like.
    pub(super) kind: Kind,
    /// Where it is in the picture.
    pub(super) area: Rect,
    /// Whether it stands on the title bar, which is dark.
    pub(super) on_bar: bool,
}

impl Piece<'_> {
    /// Whether a flag is set.
    pub(super) const fn has(&self, flag: Flag) -> bool {
        self.node.flags.has(flag)
    }

    /// The colour of its words.
    pub(super) const fn ink(&self) -> Ink {
        match (self.on_bar, self.has(Flag::Enabled)) {
            (true, true) => Ink::White,
            (true, false) => Ink::Hill,
            (false, true) => Ink::Words,
            (false, false) => Ink::Faint,
        }
    }

    /// The words that name it.
    pub(super) fn label(&self) -> &str {
        if self.node.text.is_empty() { &self.node.desc } else { &self.node.text }
    }
}

/// Draws a widget, without those it holds.
pub(super) fn draw(canvas: &mut Canvas, piece: &Piece<'_>) {
    if piece.area.is_empty() {
        return;
    }
    match piece.kind {
        Kind::Button if piece.on_bar => draw_words(canvas, piece),
        Kind::Button => draw_button(canvas, piece),
        Kind::Field => draw_field(canvas, piece),
        Kind::Check => control::draw_check(canvas, piece),
        Kind::Radio => control::draw_radio(canvas, piece),
        Kind::Switch => control::draw_switch(canvas, piece),
        Kind::Image => draw_image(canvas, piece),
        Kind::Words | Kind::Title => draw_words(canvas, piece),
        Kind::Unknown => draw_unknown(canvas, piece),
        Kind::List | Kind::Holder => {}
    }
    if piece.has(Flag::Focused) && piece.kind != Kind::Field {
        let thick = canvas.dp(2);
        canvas.outline(piece.area, thick, Ink::Accent);
    }
}

/// The line below a row of a list.
pub(super) fn draw_separator(canvas: &mut Canvas, row: Rect) {
    let thick = canvas.dp(1);
    canvas.fill(Rect { top: row.bottom - thick, ..row }, Ink::Line);
}

/// The area without a margin, as far as it is large enough to have one.
pub(super) fn inset(area: Rect, sideways: i32, upright: i32) -> Rect {
    let x = sideways.min((area.right - area.left) / 8).max(0);
    let y = upright.min((area.bottom - area.top) / 8).max(0);
    Rect::new(area.left + x, area.top + y, area.right - x, area.bottom - y)
}

fn draw_button(canvas: &mut Canvas, piece: &Piece<'_>) {
    let (ground, ink) =
        if piece.has(Flag::Enabled) { (Ink::Primary, Ink::White) } else { (Ink::Line, Ink::Faint) };
    let body = inset(piece.area, canvas.dp(4), canvas.dp(5));
    let radius = canvas.dp(6);
    canvas.rounded(body, radius, ground);
    let room = inset(body, canvas.dp(8), canvas.dp(2));
    words::write(canvas, room, piece.label(), Style::centered(ink));
}

fn draw_field(canvas: &mut Canvas, piece: &Piece<'_>) {
    let focused = piece.has(Flag::Focused);
    let area = inset(piece.area, canvas.dp(4), canvas.dp(4));
    let (thick, line) = match (focused, piece.has(Flag::Enabled)) {
        (true, _) => (canvas.dp(2), Ink::Accent),
        (false, true) => (canvas.dp(1), Ink::Quiet),
        (false, false) => (canvas.dp(1), Ink::Line),
    };
    canvas.fill(Rect { top: area.bottom - thick, ..area }, line);
    let room = Rect { bottom: area.bottom - thick, ..inset(area, canvas.dp(4), 0) };
    let text = &*piece.node.text;
    let secret = piece.has(Flag::Password);
    // What is hidden comes as bullets: anything else in such a field is its hint.
    let end = if piece.node.hint.as_deref() == Some(text) {
        // The cursor of an empty field stands before the hint.
        let start = words::write(canvas, room, "", Style::body(Ink::Faint));
        words::write(canvas, room, text, Style::body(Ink::Faint));
        start
    } else if secret {
        draw_dots(canvas, room, piece)
    } else {
        words::write(canvas, room, text, Style::body(piece.ink()))
    };
    if focused {
        let (over, x) = (canvas.dp(3), end.at.x.min(room.right - canvas.dp(2)));
        let cursor = Rect::new(x, end.at.y - over, x + canvas.dp(2), end.at.y + end.capital + over);
        canvas.fill(cursor.intersect(&room), Ink::Accent);
    }
}

/// One dot for each letter of a password, as many as there is room for.
fn draw_dots(canvas: &mut Canvas, room: Rect, piece: &Piece<'_>) -> words::End {
    let mut end = words::write(canvas, room, "", Style::body(piece.ink()));
    let (radius, step) = (canvas.dp(4), canvas.dp(12));
    let y = end.at.y + end.capital / 2;
    for _ in piece.node.text.chars() {
        if end.at.x + step > room.right {
            break;
        }
        canvas.disc(Point::new(end.at.x + radius, y), radius, piece.ink());
        end.at.x += step;
    }
    end
}

/// Hills and a sun: a picture, of which no more is known.
fn draw_image(canvas: &mut Canvas, piece: &Piece<'_>) {
    let area = piece.area;
    canvas.clipped(area, |canvas| {
        canvas.fill(area, Ink::Mist);
        let (width, height) = (area.right - area.left, area.bottom - area.top);
        let place = |x: i32, y: i32| Point::new(area.left + width * x / 100, area.top + height * y / 100);
        canvas.disc(place(26, 28), width.min(height) / 9, Ink::Sun);
        canvas.disc(place(30, 100), width.min(height) / 2, Ink::HillPale);
        canvas.disc(place(75, 120), width.min(height) * 4 / 5, Ink::Hill);
        let caption = Rect { top: area.bottom - canvas.dp(28), ..area };
        if height > canvas.dp(96) && !piece.node.desc.is_empty() {
            words::write(canvas, caption, &piece.node.desc, Style::centered(Ink::Words));
        }
    });
}

fn draw_words(canvas: &mut Canvas, piece: &Piece<'_>) {
    let ink = piece.ink();
    let (margin, style) = match piece.kind {
        Kind::Title => (canvas.dp(14), Style::title(ink)),
        Kind::Button => (canvas.dp(4), Style::centered(ink)),
        _ => (canvas.dp(4), Style::body(ink)),
    };
    words::write(canvas, inset(piece.area, margin, 0), piece.label(), style);
}

fn draw_unknown(canvas: &mut Canvas, piece: &Piece<'_>) {
    let body = inset(piece.area, canvas.dp(2), canvas.dp(2));
    let thick = canvas.dp(1);
    canvas.outline(body, thick, Ink::Line);
    words::write(canvas, inset(body, canvas.dp(6), 0), &piece.node.desc, Style::centered(Ink::Quiet));
}
