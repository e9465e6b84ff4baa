//! The raw events of the touch screen, turned back into what fingers do.
//!
//! The panel does not turn with the picture, and counts from 0 to 32767 in both directions. Fingers have slots; what
//! they have done is known when the last one is lifted.

use std::collections::BTreeMap;

use retap_trace::{Micros, Orientation, Point, Size};

/// The highest value in both directions.
pub(crate) const HIGHEST: i64 = 32_767;

const SYNC: u16 = 0;
const ABSOLUTE: u16 = 3;
const SLOT: u16 = 0x2f;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;

/// The fingers on the panel.
#[derive(Debug, Default)]
pub(super) struct Panel {
    slot: i64,
    fingers: BTreeMap<i64, Finger>,
    since: Option<Micros>,
}

/// What one finger has done so far.
#[derive(Debug, Default, Clone, Copy)]
struct Finger {
    at: (i64, i64),
    /// Where it was put down.
    first: Option<(i64, i64)>,
    lifted: bool,
}

/// What fingers have done, in values of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gesture {
    /// One finger went from here to there.
    Drag { from: (i64, i64), to: (i64, i64), over: Micros },
    /// Two fingers were so far apart at the end, as a part of what it was before.
    Pinch { middle: (i64, i64), percent: u32 },
}

impl Panel {
    /// Takes an event. Returns what the fingers have done once all are lifted.
    pub(super) fn take(&mut self, kind: u16, code: u16, value: i64, now: Micros) -> Option<Gesture> {
        match (kind, code) {
            (ABSOLUTE, SLOT) => self.slot = value,
            (ABSOLUTE, TRACKING_ID) if value >= 0 => {
                self.fingers.insert(self.slot, Finger::default());
            }
            (ABSOLUTE, TRACKING_ID) => self.finger(|finger| finger.lifted = true),
            (ABSOLUTE, POSITION_X) => self.finger(|finger| finger.at.0 = value),
            (ABSOLUTE, POSITION_Y) => self.finger(|finger| finger.at.1 = value),
            (SYNC, 0) => return self.report(now),
            _ => {}
        }
        None
    }

    fn finger(&mut self, change: impl FnOnce(&mut Finger)) {
        if let Some(finger) = self.fingers.get_mut(&self.slot) {
            change(finger);
        }
    }

    fn report(&mut self, now: Micros) -> Option<Gesture> {
        for finger in self.fingers.values_mut() {
            finger.first.get_or_insert(finger.at);
        }
        if self.fingers.is_empty() {
            return None;
        }
        let since = *self.since.get_or_insert(now);
        if self.fingers.values().any(|finger| !finger.lifted) {
            return None;
        }
        self.since = None;
        let done: Vec<Finger> = std::mem::take(&mut self.fingers).into_values().collect();
        let first = |finger: &Finger| finger.first.unwrap_or(finger.at);
        match done[..] {
            [one] => Some(Gesture::Drag { from: first(&one), to: one.at, over: now.since(since) }),
            [one, two, ..] => {
                let (a, b) = (first(&one), first(&two));
                let (before, after) = (apart(a, b).max(1), apart(one.at, two.at));
                let percent = u32::try_from(after.saturating_mul(100) / before).unwrap_or(u32::MAX);
                Some(Gesture::Pinch { middle: (i64::midpoint(a.0, b.0), i64::midpoint(a.1, b.1)), percent })
            }
            [] => None,
        }
    }
}

/// How far apart two places are, as far as whole numbers go.
fn apart(a: (i64, i64), b: (i64, i64)) -> i64 {
    let square = |one: i64, other: i64| {
        let far = one.abs_diff(other).min(1 << 20);
        far * far
    };
    (square(a.0, b.0) + square(a.1, b.1)).isqrt().cast_signed()
}

/// The pixel of the picture that a place on the panel is, for a picture of this size.
pub(super) fn pixel((x, y): (i64, i64), screen: Size, held: Orientation) -> Point {
    let natural = if held == Orientation::Landscape { screen.turned() } else { screen };
    let scaled = |value: i64, side: u32| {
        let last = i64::from(side.max(1)) - 1;
        // To the nearest pixel, so that there and back is the same.
        i32::try_from((value.clamp(0, HIGHEST) * last + HIGHEST / 2) / HIGHEST).unwrap_or(i32::MAX)
    };
    let (x, y) = (scaled(x, natural.width), scaled(y, natural.height));
    match held {
        Orientation::Portrait => Point::new(x, y),
        // The device is turned by a quarter against the clock.
        Orientation::Landscape => {
            let right = i32::try_from(natural.width).unwrap_or(i32::MAX) - 1;
            Point::new(y, right - x)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_a_corner_however_it_is_held() {
        let tall = Size { width: 1080, height: 1920 };
        assert_eq!(pixel((0, 0), tall, Orientation::Portrait), Point::new(0, 0));
        assert_eq!(pixel((HIGHEST, HIGHEST), tall, Orientation::Portrait), Point::new(1079, 1919));
        let wide = tall.turned();
        assert_eq!(pixel((HIGHEST, 0), wide, Orientation::Landscape), Point::new(0, 0));
        assert_eq!(pixel((0, HIGHEST), wide, Orientation::Landscape), Point::new(1919, 1079));
    }

    #[test]
    fn events_that_make_no_sense_do_nothing() {
        let mut panel = Panel::default();
        for (kind, code, value) in
            [(3, 0x39, -1), (3, 0x35, 5), (0, 0, 0), (3, 0x2f, -7), (1, 0x14a, 0), (0, 0, 0)]
        {
            assert_eq!(panel.take(kind, code, value, Micros::ZERO), None);
        }
    }
}
