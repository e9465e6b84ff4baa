//! Numbers out of text, without surprises: what is no number, or none that can be, is nothing.

use retap_trace::{Micros, Point};

/// A coordinate, as `116.0` or `160`.
pub(super) fn pixel(text: &str) -> Option<i32> {
    whole(text.trim().parse().ok()?)
}

/// A place.
pub(super) fn point(x: &str, y: &str) -> Option<Point> {
    Some(Point::new(pixel(x)?, pixel(y)?))
}

/// The nearest whole number that a coordinate can be.
#[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
pub(super) fn whole(number: f64) -> Option<i32> {
    let fits = number.is_finite() && number.abs() <= f64::from(i32::MAX);
    fits.then(|| number.round() as i32)
}

/// A time in milliseconds.
pub(super) fn millis(text: &str) -> Option<Micros> {
    text.trim().parse().ok().map(Micros::from_millis)
}

/// Whole milliseconds of JSON, also as `1500.0`.
pub(super) fn whole_millis(number: f64) -> Option<u64> {
    whole(Some(number).filter(|number| number.fract() == 0.0)?)?.try_into().ok()
}

/// How far apart two places are.
pub(super) fn distance(one: Point, other: Point) -> f64 {
    let apart = |one: i32, other: i32| f64::from(one) - f64::from(other);
    let (x, y) = (apart(one.x, other.x), apart(one.y, other.y));
    (x * x + y * y).sqrt()
}
