//! The letters: a bitmap font for ASCII, Latin-1 and some punctuation, drawn in `font.txt`.
//!
//! A glyph is a cell of 5 columns and 11 rows: 2 rows for the accents of capitals, 7 for capitals, 2 below the
//! line. Letters with accents are put together from a letter and an accent. Characters without a glyph get a box.

/// Columns of a cell.
const COLUMNS: usize = 5;
/// Rows of a cell.
const ROWS: usize = 11;
/// Rows of a cell that `font.txt` draws; the rows above them hold accents only.
const DRAWN_ROWS: usize = 9;
/// Glyphs side by side in `font.txt`.
const GLYPHS_A_BAND: usize = 16;
/// Glyphs in `font.txt`.
const GLYPHS: usize = 9 * GLYPHS_A_BAND;
/// Where the glyphs begin that are not ASCII.
const BEYOND_ASCII: usize = 96;
/// The glyph of characters that have none.
const BOX: usize = 95;
/// Columns that a space takes.
const SPACE: i32 = 3;

/// Height of a capital, in font pixels.
pub(super) const CAPITAL: i32 = 7;
/// Rows above a capital that accents may use.
pub(super) const ABOVE: i32 = 2;
/// Rows below the line.
pub(super) const BELOW: i32 = 2;

/// The characters beyond ASCII, in the order of `font.txt`.
const BEYOND: &str = "¡¢£¥¦§©«¬®°±²³µ·¹»¿Æ×Øßæ÷øıðþÐÞ€…•–—‘’“”←→✓↑↓★≤≥";

/// Letters that are a letter with an accent, 3 by 3: the letter, its base, its accent.
const ACCENTED: &str = "\
    ÀA`ÁA´ÂA^ÃA~ÄA¨ÅA°ÇC¸ÈE`ÉE´ÊE^ËE¨ÌI`ÍI´ÎI^ÏI¨ÑN~ÒO`ÓO´ÔO^ÕO~ÖO¨ÙU`ÚU´ÛU^ÜU¨ÝY´\
    àa`áa´âa^ãa~äa¨åa°çc¸èe`ée´êe^ëe¨ìı`íı´îı^ïı¨ñn~òo`óo´ôo^õo~öo¨ùu`úu´ûu^üu¨ýy´ÿy¨";

/// Rows of bits; the lowest bit is the leftmost column.
type Rows = [u8; ROWS];

static FONT: [Rows; GLYPHS] = read_font(include_bytes!("font.txt"));

/// The picture of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glyph {
    rows: Rows,
    /// Columns it takes, the gap after it not counted.
    pub(super) width: i32,
}

impl Glyph {
    pub(super) fn of(letter: char) -> Self {
        if letter.is_whitespace() || letter.is_control() {
            return Self { rows: [0; ROWS], width: SPACE };
        }
        let rows = plain(letter).or_else(|| accented(letter)).unwrap_or(FONT[BOX]);
        // Digits are equally wide, so that columns of figures line up.
        let used = if letter.is_ascii_digit() { 0b11111 } else { rows.iter().fold(0, |all, row| all | row) };
        Self { rows, width: (u8::BITS - used.leading_zeros()).cast_signed() }
    }

    /// Whether the font pixel is set; rows count from the top of a capital, so those of its accent are negative.
    pub(super) fn has(&self, column: i32, row: i32) -> bool {
        let bits = usize::try_from(row + ABOVE).ok().and_then(|row| self.rows.get(row));
        (0..8).contains(&column) && bits.is_some_and(|bits| bits >> column & 1 == 1)
    }
}

fn plain(letter: char) -> Option<Rows> {
    let number = match letter {
        '!'..='~' => letter as usize - ' ' as usize,
        _ => BEYOND_ASCII + BEYOND.chars().position(|known| known == letter)?,
    };
    Some(FONT[number])
}

fn accented(letter: char) -> Option<Rows> {
    let mut known = ACCENTED.chars();
    let (base, accent) = loop {
        let (whole, base, accent) = (known.next()?, known.next()?, known.next()?);
        if whole == letter {
            break (base, accent);
        }
    };
    let mut rows = plain(base)?;
    let narrow = matches!(base, 'I' | 'ı');
    let top = if base.is_uppercase() { 0 } else { 2 };
    // The dotless i is one column wide: it moves to the middle under its accent.
    if base == 'ı' {
        for row in &mut rows {
            *row <<= 1;
        }
    }
    let marks: &[u8] = match (accent, narrow) {
        ('`', true) => &[0b001, 0b010],
        ('´', true) => &[0b100, 0b010],
        ('^', true) => &[0b010, 0b101],
        ('¨', true) => &[0b101, 0b000],
        ('`', false) => &[0b00010, 0b00100],
        ('´', false) => &[0b01000, 0b00100],
        ('^', false) => &[0b00100, 0b01010],
        ('~', false) => &[0b10110, 0b01101],
        ('¨', false) => &[0b01010, 0b00000],
        ('°', false) => &[0b00100, 0b00100],
        _ => &[],
    };
    for (row, mark) in rows[top..].iter_mut().zip(marks) {
        *row |= mark;
    }
    if accent == '¸' {
        rows[ROWS - 2] |= 0b00100;
        rows[ROWS - 1] |= 0b00110;
    }
    Some(rows)
}

/// Reads the drawing while compiling. Only `#` and `.` count, so line ends of any kind do no harm.
const fn read_font(drawing: &[u8]) -> [Rows; GLYPHS] {
    let mut font = [[0; ROWS]; GLYPHS];
    let (mut at, mut cell) = (0, 0);
    while at < drawing.len() {
        if drawing[at] == b'#' || drawing[at] == b'.' {
            let column = cell % COLUMNS;
            let in_band = cell / COLUMNS % GLYPHS_A_BAND;
            let row = cell / (COLUMNS * GLYPHS_A_BAND) % DRAWN_ROWS;
            let band = cell / (COLUMNS * GLYPHS_A_BAND * DRAWN_ROWS);
            if drawing[at] == b'#' {
                font[band * GLYPHS_A_BAND + in_band][row + ROWS - DRAWN_ROWS] |= 1 << column;
            }
            cell += 1;
        }
        at += 1;
    }
    assert!(cell == GLYPHS * COLUMNS * DRAWN_ROWS, "font.txt does not have all glyphs");
    font
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_its_own_glyph() {
        let glyphs: Vec<_> = ('!'..='~').map(|letter| Glyph::of(letter).rows).collect();
        for (number, glyph) in glyphs.iter().enumerate() {
            assert_ne!(*glyph, [0; ROWS]);
            assert_ne!(*glyph, FONT[BOX]);
            assert!(!glyphs[..number].contains(glyph), "{number} is drawn twice");
        }
    }

    #[test]
    fn letters_of_western_europe_are_not_boxes() {
        for letter in BEYOND.chars().chain('À'..='ÿ') {
            assert_ne!(Glyph::of(letter).rows, FONT[BOX], "{letter}");
        }
        assert_eq!(BEYOND.chars().count(), GLYPHS - BEYOND_ASCII);
    }

    #[test]
    fn unknown_characters_are_boxes_and_spaces_are_blank() {
        assert_eq!(Glyph::of('漢').rows, FONT[BOX]);
        assert_eq!(Glyph::of('\u{a0}').rows, [0; ROWS]);
        assert_eq!(Glyph::of('\n'), Glyph::of(' '));
    }

    #[test]
    fn an_accent_stands_above_its_letter() {
        let (plain, accented) = (Glyph::of('E'), Glyph::of('É'));
        for row in 0..CAPITAL {
            assert!((0..5).all(|column| plain.has(column, row) == accented.has(column, row)));
        }
        assert!((0..5).any(|column| accented.has(column, -1)));
    }
}
