//! Two fingers, by the raw events of the touch screen: `input` knows only one.

use retap_trace::{Point, Size};

use crate::parse::Touchscreen;

/// How many moves a pinch has.
const MOVES: i64 = 10;
/// How far apart the fingers begin, as a part of the smaller side of the screen.
const APART: i64 = 4;

// Kinds and codes of Linux's input events.
const SYNC: u16 = 0;
const KEY: u16 = 1;
const ABSOLUTE: u16 = 3;
const BTN_TOUCH: u16 = 0x14a;
const SLOT: u16 = 0x2f;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;
const MT_SYNC: u16 = 2;

/// The command for a pinch: one line of `sendevent` for each event, none of which waits.
pub(super) fn pinch(screen: &Touchscreen, size: Size, middle: Point, percent: u32) -> String {
    let start = i64::from(size.width.min(size.height)) / APART;
    let end = (start * i64::from(percent) / 100).clamp(8, i64::from(size.width.max(2)) - 1);
    let mut events = Events { screen, size, lines: Vec::new() };
    for step in 0..=MOVES {
        let apart = start + (end - start) * step / MOVES;
        let half = i32::try_from(apart / 2).unwrap_or(i32::MAX);
        let fingers = [-half, half].map(|offset| Point::new(middle.x.saturating_add(offset), middle.y));
        events.report(fingers, step == 0);
    }
    events.lift();
    events.lines.join("; ")
}

struct Events<'s> {
    screen: &'s Touchscreen,
    size: Size,
    lines: Vec<String>,
}

impl Events<'_> {
    fn send(&mut self, kind: u16, code: u16, value: i64) {
        self.lines.push(format!("sendevent {} {kind} {code} {value}", self.screen.path));
    }

    fn report(&mut self, fingers: [Point; 2], first: bool) {
        for (nth, at) in (0..).zip(fingers) {
            if self.screen.slots {
                self.send(ABSOLUTE, SLOT, nth);
            }
            if first || !self.screen.slots {
                self.send(ABSOLUTE, TRACKING_ID, nth);
            }
            self.send(ABSOLUTE, POSITION_X, self.screen.x.at(at.x, self.size.width));
            self.send(ABSOLUTE, POSITION_Y, self.screen.y.at(at.y, self.size.height));
            if !self.screen.slots {
                self.send(SYNC, MT_SYNC, 0);
            }
        }
        if first {
            self.send(KEY, BTN_TOUCH, 1);
        }
        self.send(SYNC, 0, 0);
    }

    fn lift(&mut self) {
        if self.screen.slots {
            for nth in 0..2 {
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

    fn touch(slots: bool) -> Touchscreen {
        let axis = |max| Axis { min: 0, max };
        Touchscreen { path: "/dev/input/event2".into(), x: axis(399), y: axis(799), slots }
    }

    fn positions(command: &str, code: u16) -> Vec<i64> {
        let front = format!("sendevent /dev/input/event2 3 {code} ");
        command.split("; ").filter_map(|line| line.strip_prefix(&front)?.parse().ok()).collect()
    }

    #[test]
    fn fingers_move_apart_or_together_and_are_lifted() {
        let size = Size { width: 400, height: 800 };
        let apart = pinch(&touch(true), size, Point::new(200, 300), 200);
        let xs = positions(&apart, POSITION_X);
        assert_eq!((xs[0], xs[1]), (150, 250));
        assert_eq!((xs[xs.len() - 2], xs[xs.len() - 1]), (100, 300));
        assert!(positions(&apart, POSITION_Y).iter().all(|y| *y == 300));
        assert_eq!(positions(&apart, TRACKING_ID), [0, 1, -1, -1]);
        assert!(apart.ends_with("1 330 0; sendevent /dev/input/event2 0 0 0"));
        let together = positions(&pinch(&touch(false), size, Point::new(0, 0), 50), POSITION_X);
        assert_eq!((together[1], together[together.len() - 1]), (50, 25));
        assert!(together.iter().all(|x| (0..400).contains(x)));
    }
}
