//! Points, rectangles and sizes in device pixels. Whole numbers: what was recorded is what is replayed.

use std::fmt;

use serde::{Serialize, Serializer};

/// A place on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: i32,
    /// Pixels from the top edge.
    pub y: i32,
}

/// A rectangle: left and top are inside, right and bottom are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "the four sides say what they are")]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// Width and height of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "width and height say what they are")]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Point {
    /// The point at `x`, `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

impl Rect {
    /// The rectangle with these sides.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Whether the point lies inside.
    pub const fn contains(&self, at: Point) -> bool {
        self.left <= at.x && at.x < self.right && self.top <= at.y && at.y < self.bottom
    }

    /// The point in the middle, where a finger would go.
    pub const fn center(&self) -> Point {
        Point::new(i32::midpoint(self.left, self.right), i32::midpoint(self.top, self.bottom))
    }

    /// Whether there is nothing inside.
    pub const fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// The part that both rectangles share; empty when they do not meet.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self::new(
            self.left.max(other.left),
            self.top.max(other.top),
            self.right.min(other.right),
            self.bottom.min(other.bottom),
        )
    }
}

impl Size {
    /// The same screen turned by a quarter.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// The whole screen as a rectangle.
    pub fn rect(self) -> Rect {
        let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        Rect::new(0, 0, side(self.width), side(self.height))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.x, self.y].serialize(serializer)
    }
}

impl Serialize for Rect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.left, self.top, self.right, self.bottom].serialize(serializer)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.width, self.height].serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_and_bottom_are_outside() {
        let rect = Rect::new(0, 0, 10, 20);
        assert!(rect.contains(Point::new(0, 0)) && rect.contains(Point::new(9, 19)));
        assert!(!rect.contains(Point::new(10, 0)) && !rect.contains(Point::new(0, 20)));
    }

    #[test]
    fn rectangles_that_do_not_meet_share_nothing() {
        assert!(Rect::new(0, 0, 5, 5).intersect(&Rect::new(5, 0, 9, 5)).is_empty());
    }
}
