//! The colours: a small fixed palette, to which the canvas adds the mixtures it needs.

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

/// A colour of the palette; its number is its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Paper, and words on dark ground.
    White,
    Words,
    /// Words of less weight, and the outlines of controls.
    Quiet,
    /// Hints, and words on controls that are off.
    Faint,
    /// Lines between rows, tracks, controls that are off.
    Line,
    /// The title bar, and buttons.
    Primary,
    /// The status strip.
    PrimaryDark,
    /// Controls that are on, the cursor and the focus.
    Accent,
    /// The track of a switch that is on.
    AccentPale,
    /// The ground of a picture, and of the keyboard.
    Mist,
    /// The near hill of a picture, and keys with a function.
    Hill,
    /// The far hill of a picture.
    HillPale,
    /// The sun of a picture.
    Sun,
    /// What shadows are mixed from.
    Black,
}

impl Ink {
    /// The palette, in the order of the inks.
    pub(super) const PALETTE: [Rgb; 14] = [
        [0xff, 0xff, 0xff],
        [0x21, 0x25, 0x29],
        [0x6c, 0x75, 0x7d],
        [0x9a, 0xa2, 0xa9],
        [0xdd, 0xe1, 0xe5],
        [0x3d, 0x5a, 0x80],
        [0x2b, 0x43, 0x62],
        [0x1f, 0x8a, 0x7d],
        [0x9f, 0xd3, 0xcb],
        [0xea, 0xee, 0xf1],
        [0xa9, 0xb8, 0xc2],
        [0xc6, 0xd1, 0xd9],
        [0xf3, 0xd5, 0x8a],
        [0x00, 0x00, 0x00],
    ];

    #[cfg(test)]
    pub(super) const fn rgb(self) -> Rgb {
        Self::PALETTE[self as usize]
    }
}
