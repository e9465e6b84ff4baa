//! The canvas: pixels as numbers of a palette, and the few shapes that everything is drawn from.
//!
//! Nothing here fails: what lies outside the clip is not drawn. Edges are smoothed with four samples a pixel; the
//! mixed colours join the palette as they come up, in a fixed order, so the same drawing gives the same bytes.

use std::collections::BTreeMap;

use retap_trace::{Point, Rect, Size};

use super::frame::Frame;
use super::ink::{Ink, Rgb};

/// Sides of a pixel in the fine coordinates of [`Canvas::shape`].
pub(super) const FINE: i32 = 4;

/// A picture being drawn.
#[derive(Debug)]
pub(super) struct Canvas {
    frame: Frame,
    size: Size,
    pixels: Vec<u8>,
    palette: Vec<Rgb>,
    mixtures: BTreeMap<(u8, u8, u8), u8>,
    clip: Rect,
}

impl Canvas {
    /// A white canvas.
    pub(super) fn new(frame: Frame) -> Self {
        let size = frame.picture();
        let pixels = vec![Ink::White as u8; size.width as usize * size.height as usize];
        let palette = Ink::PALETTE.to_vec();
        Self { frame, size, pixels, palette, mixtures: BTreeMap::new(), clip: size.rect() }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// The pixels row by row, as places in the palette.
    pub(super) fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    pub(super) fn palette(&self) -> &[Rgb] {
        &self.palette
    }

    /// So many density-independent pixels in pixels of the picture; at least 1.
    pub(super) fn dp(&self, dp: i32) -> i32 {
        self.frame.dp(dp)
    }

    /// Draws only inside the area, and inside what was the limit before.
    pub(super) fn clipped<T>(&mut self, area: Rect, draw: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.clip;
        self.clip = area.intersect(&before);
        let drawn = draw(self);
        self.clip = before;
        drawn
    }

    /// Mixes everything drawn so far with black, half and half.
    pub(super) fn dim(&mut self) {
        let before = u8::try_from(self.palette.len()).unwrap_or(u8::MAX);
        let dimmed: Vec<u8> = (0..=u8::MAX)
            .map(|pixel| if pixel < before { self.mix(pixel, Ink::Black, 2) } else { pixel })
            .collect();
        for pixel in &mut self.pixels {
            *pixel = dimmed[usize::from(*pixel)];
        }
    }

    pub(super) fn fill(&mut self, area: Rect, ink: Ink) {
        let area = area.intersect(&self.clip);
        if area.is_empty() {
            return;
        }
        for y in area.top..area.bottom {
            let row = self.place(area.left, y)..self.place(area.right, y);
            self.pixels[row].fill(ink as u8);
        }
    }

    /// The outline of a rectangle, drawn inside of it.
    pub(super) fn outline(&mut self, area: Rect, thick: i32, ink: Ink) {
        let Rect { left, top, right, bottom } = area;
        self.fill(Rect::new(left, top, right, top + thick), ink);
        self.fill(Rect::new(left, bottom - thick, right, bottom), ink);
        self.fill(Rect::new(left, top, left + thick, bottom), ink);
        self.fill(Rect::new(right - thick, top, right, bottom), ink);
    }

    /// A filled rectangle with round corners.
    pub(super) fn rounded(&mut self, area: Rect, radius: i32, ink: Ink) {
        let Rect { left, top, right, bottom } = area;
        let radius = radius.min((right - left) / 2).min((bottom - top) / 2).max(0);
        self.fill(Rect::new(left, top + radius, right, bottom - radius), ink);
        self.fill(Rect::new(left + radius, top, right - radius, top + radius), ink);
        self.fill(Rect::new(left + radius, bottom - radius, right - radius, bottom), ink);
        for (corner_left, middle_x) in [(left, left + radius), (right - radius, right - radius)] {
            for (corner_top, middle_y) in [(top, top + radius), (bottom - radius, bottom - radius)] {
                let corner = Rect::new(corner_left, corner_top, corner_left + radius, corner_top + radius);
                let middle = Point::new(middle_x * FINE, middle_y * FINE);
                self.shape(corner, ink, |at| within(at, middle, radius * FINE));
            }
        }
    }

    /// A filled circle.
    pub(super) fn disc(&mut self, middle: Point, radius: i32, ink: Ink) {
        let Point { x, y } = middle;
        self.rounded(Rect::new(x - radius, y - radius, x + radius, y + radius), radius, ink);
    }

    /// A convex shape in the area, given by its inside. Points are in fine coordinates: [`FINE`] a pixel.
    pub(super) fn shape(&mut self, area: Rect, ink: Ink, inside: impl Fn(Point) -> bool) {
        let area = area.intersect(&self.clip);
        for y in area.top..area.bottom {
            let mut right = area.right;
            for x in area.left..area.right {
                if !self.touch(x, y, ink, &inside) {
                    continue;
                }
                // The rest of the row is done from its other end: between two full pixels all are full.
                while right > x + 1 && !self.touch(right - 1, y, ink, &inside) {
                    right -= 1;
                }
                self.fill(Rect::new(x + 1, y, right, y + 1), ink);
                break;
            }
        }
    }

    /// Draws one pixel of a shape, and says whether it is full.
    fn touch(&mut self, x: i32, y: i32, ink: Ink, inside: impl Fn(Point) -> bool) -> bool {
        let samples = [(1, 1), (3, 1), (1, 3), (3, 3)];
        let hits = samples.map(|(dx, dy)| inside(Point::new(x * FINE + dx, y * FINE + dy)));
        let level = hits.into_iter().map(u8::from).sum();
        if level > 0 {
            let place = self.place(x, y);
            self.pixels[place] = self.mix(self.pixels[place], ink, level);
        }
        level == 4
    }

    fn place(&self, x: i32, y: i32) -> usize {
        // Callers have clipped: both are on the canvas.
        y.unsigned_abs() as usize * self.size.width as usize + x.unsigned_abs() as usize
    }

    /// The palette place of so many quarters of the ink over what is there.
    fn mix(&mut self, under: u8, over: Ink, quarters: u8) -> u8 {
        let over = over as u8;
        if quarters >= 4 || under == over {
            return over;
        }
        if let Some(&known) = self.mixtures.get(&(under, over, quarters)) {
            return known;
        }
        let (from, to) = (self.palette[usize::from(under)], self.palette[usize::from(over)]);
        let mixed: Rgb = std::array::from_fn(|part| {
            let sum =
                u16::from(from[part]) * u16::from(4 - quarters) + u16::from(to[part]) * u16::from(quarters);
            u8::try_from(sum / 4).expect("between two bytes")
        });
        let found = self.palette.iter().position(|&colour| colour == mixed).unwrap_or(self.palette.len());
        // A full palette gives the nearer of the two colours.
        let place = u8::try_from(found).unwrap_or(if quarters < 2 { under } else { over });
        if found == self.palette.len() && usize::from(place) == found {
            self.palette.push(mixed);
        }
        self.mixtures.insert((under, over, quarters), place);
        place
    }
}

fn within(at: Point, middle: Point, radius: i32) -> bool {
    let (x, y) = (i64::from(at.x - middle.x), i64::from(at.y - middle.y));
    x * x + y * y <= i64::from(radius) * i64::from(radius)
}
