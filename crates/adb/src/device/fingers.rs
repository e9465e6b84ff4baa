//! Fingers by the raw events of the touch screen: `input` knows only one, and on old versions of Android takes so long
//! that two taps are never a double tap.

use retap_trace::{Point, Size};

use crate::parse::Touchscreen;

/// How many moves a pinch has.
const MOVES: i64 = 10;
/// How far apart the fingers begin, as a part of the smaller side of the screen.
const APART: i64 = 4;
/// The rest between two taps, in seconds. Android takes less than 40 ms for one tap, more than 300 ms for two.
pub(super) const BETWEEN_TAPS: &str = "0.06";

// Kinds and codes of Linux's input events.
const SYNC: u16 = 0;
const KEY: u16 = 1;
const ABSOLUTE: u16 = 3;
const BTN_TOUCH: u16 = 0x14a;
const SLOT: u16 = 0x2f;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;
const PRESSURE: u16 = 0x3a;
const MT_SYNC: u16 = 2;

/// A touch screen, and how the picture lies on it: the panel does not turn with the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Panel<'s> {
    pub(super) touchscreen: &'s Touchscreen,
    /// The size of the screen when it is not turned.
    pub(super) size: Size,
    /// How it is turned, in quarters.
    pub(super) rotation: u8,
}

/// The command for a pinch: one line of `sendevent` for each event, none of which waits.
pub(super) fn pinch(panel: Panel<'_>, middle: Point, percent: u32) -> String {
    let size = panel.size;
    let start = i64::from(size.width.min(size.height)) / APART;
    let end = (start * i64::from(percent) / 100).clamp(8, i64::from(size.width.max(2)) - 1);
    let mut events = Events { panel, lines: Vec::new() };
    for step in 0..=MOVES {
        let apart = start + (end - start) * step / MOVES;
        let half = i32::try_from(apart / 2).unwrap_or(i32::MAX);
        let fingers = [-half, half].map(|offset| Point::new(middle.x.saturating_add(offset), middle.y));
        events.report(&fingers, step == 0);
    }
    events.lift(2);
    events.lines.join("; ")
}

/// The command for a double tap.
pub(super) fn double_tap(panel: Panel<'_>, at: Point) -> String {
    let mut events = Events { panel, lines: Vec::new() };
    for nth in 0..2 {
        if nth > 0 {
            events.lines.push(format!("sleep {BETWEEN_TAPS}"));
        }
        events.report(&[at], true);
        events.lift(1);
    }
    events.lines.join("; ")
}

impl Panel<'_> {
    /// Where on the panel a point of the picture is, in pixels of the screen when it is not turned.
    fn unturned(&self, at: Point) -> Point {
        let last = |side: u32| i32::try_from(side).unwrap_or(i32::MAX) - 1;
        let (right, bottom) = (last(self.size.width), last(self.size.height));
        match self.rotation % 4 {
            1 => Point::new(right.saturating_sub(at.y), at.x),
            2 => Point::new(right.saturating_sub(at.x), bottom.saturating_sub(at.y)),
            3 => Point::new(at.y, bottom.saturating_sub(at.x)),
            _ => at,
        }
    }
}

impl Panel<'_> {
    /// Where in the picture a place of the panel is: the way back of [`Self::unturned`].
    pub(super) fn pixel(&self, x: i32, y: i32) -> Point {
        let (x, y) = (
            self.touchscreen.x.pixel(i64::from(x), self.size.width),
            self.touchscreen.y.pixel(i64::from(y), self.size.height),
        );
        let last = |side: u32| i32::try_from(side).unwrap_or(i32::MAX) - 1;
        let (right, bottom) = (last(self.size.width), last(self.size.height));
        match self.rotation % 4 {
            1 => Point::new(y, right.saturating_sub(x)),
            2 => Point::new(right.saturating_sub(x), bottom.saturating_sub(y)),
            3 => Point::new(bottom.saturating_sub(y), x),
            _ => Point::new(x, y),
        }
    }
}

struct Events<'s> {
    panel: Panel<'s>,
    lines: Vec<String>,
}

impl Events<'_> {
    fn send(&mut self, kind: u16, code: u16, value: i64) {
        self.lines.push(format!("sendevent {} {kind} {code} {value}", self.panel.touchscreen.path));
    }

    fn report(&mut self, fingers: &[Point], first: bool) {
        let touchscreen = self.panel.touchscreen;
        for (nth, at) in (0..).zip(fingers) {
            let at = self.panel.unturned(*at);
            if touchscreen.slots {
                self.send(ABSOLUTE, SLOT, nth);
            }
            if first || !touchscreen.slots {
                self.send(ABSOLUTE, TRACKING_ID, nth);
                if let Some(range) = touchscreen.pressure {
                    self.send(ABSOLUTE, PRESSURE, range.min + (range.max - range.min + 1) / 2);
                }
            }
            self.send(ABSOLUTE, POSITION_X, touchscreen.x.at(at.x, self.panel.size.width));
            self.send(ABSOLUTE, POSITION_Y, touchscreen.y.at(at.y, self.panel.size.height));
            if !touchscreen.slots {
                self.send(SYNC, MT_SYNC, 0);
            }
        }
        if first {
            self.send(KEY, BTN_TOUCH, 1);
        }
        self.send(SYNC, 0, 0);
    }

    fn lift(&mut self, fingers: i64) {
        if self.panel.touchscreen.slots {
            for nth in 0..fingers {
                self.send(ABSOLUTE, SLOT, nth);
                self.send(ABSOLUTE, TRACKING_ID, -1);
            }
        } else {
            self.send(SYNC, MT_SYNC, 0);
        }
        self.send(KEY, BTN_TOUCH, 0);
        self.send(SYNC, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::Axis;

    use super::*;

    const SIZE: Size = Size { width: 400, height: 800 };

    fn touch(slots: bool) -> Touchscreen {
        let axis = |max| Axis { min: 0, max };
        Touchscreen {
            path: "/dev/input/event2".into(),
            x: axis(399),
            y: axis(799),
            slots,
            pressure: slots.then(|| axis(255)),
        }
    }

    fn values(command: &str, code: u16) -> Vec<i64> {
        let front = format!("sendevent /dev/input/event2 3 {code} ");
        command.split("; ").filter_map(|line| line.strip_prefix(&front)?.parse().ok()).collect()
    }

    #[test]
    fn fingers_move_apart_or_together_and_are_lifted() {
        let slots = touch(true);
        let apart = pinch(Panel { touchscreen: &slots, size: SIZE, rotation: 0 }, Point::new(200, 300), 200);
        let xs = values(&apart, POSITION_X);
        assert_eq!((xs[0], xs[1]), (150, 250));
        assert_eq!((xs[xs.len() - 2], xs[xs.len() - 1]), (100, 300));
        assert!(values(&apart, POSITION_Y).iter().all(|y| *y == 300));
        assert_eq!(values(&apart, TRACKING_ID), [0, 1, -1, -1]);
        assert_eq!(values(&apart, PRESSURE), [128, 128], "a finger without pressure only hovers");
        assert!(apart.ends_with("1 330 0; sendevent /dev/input/event2 0 0 0"));
        let list = touch(false);
        let panel = Panel { touchscreen: &list, size: SIZE, rotation: 0 };
        let together = values(&pinch(panel, Point::new(0, 0), 50), POSITION_X);
        assert_eq!((together[1], together[together.len() - 1]), (50, 25));
        assert!(together.iter().all(|x| (0..400).contains(x)));
    }

    #[test]
    fn the_panel_does_not_turn_with_the_picture() {
        let slots = touch(true);
        // The corner at the top left of the picture.
        for (rotation, corner) in [(0, (0, 0)), (1, (399, 0)), (2, (399, 799)), (3, (0, 799))] {
            let panel = Panel { touchscreen: &slots, size: SIZE, rotation };
            let tapped = double_tap(panel, Point::new(0, 0));
            assert_eq!(
                (values(&tapped, POSITION_X)[0], values(&tapped, POSITION_Y)[0]),
                corner,
                "{rotation}"
            );
        }
        let turned = Panel { touchscreen: &slots, size: SIZE, rotation: 1 };
        let pinched = pinch(turned, Point::new(600, 100), 200);
        assert!(
            values(&pinched, POSITION_X).iter().all(|x| *x == 299),
            "side by side is now one above the other"
        );
        assert_eq!(values(&pinched, POSITION_Y)[..2], [550, 650]);
    }

    #[test]
    fn what_is_touched_is_read_back_where_it_was_touched() {
        for max in [399, 4095, 32767] {
            let axis = Axis { min: 0, max };
            let touchscreen = Touchscreen { x: axis, y: Axis { min: 10, max: 11 + 2 * max }, ..touch(true) };
            for rotation in 0..5 {
                let panel = Panel { touchscreen: &touchscreen, size: SIZE, rotation };
                for at in [Point::new(0, 0), Point::new(17, 300), Point::new(399, 1), Point::new(200, 399)] {
                    let sent = double_tap(panel, at);
                    let value = |code| i32::try_from(values(&sent, code)[0]).unwrap();
                    assert_eq!(panel.pixel(value(POSITION_X), value(POSITION_Y)), at, "{max} {rotation}");
                }
            }
        }
    }

    #[test]
    fn two_taps_have_a_rest_between() {
        let slots = touch(true);
        let twice = double_tap(Panel { touchscreen: &slots, size: SIZE, rotation: 0 }, Point::new(5, 6));
        assert_eq!(values(&twice, TRACKING_ID), [0, -1, 0, -1]);
        assert_eq!(twice.split("; ").filter(|line| *line == "sleep 0.06").count(), 1);
    }
}
